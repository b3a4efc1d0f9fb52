//! PostgreSQL servers for tests and benchmarks: started when they are needed, gone afterwards.
//!
//! [`Cluster`] is a server of its own, with data of its own, that may be stopped, restarted and replicated. Tests that only
//! need a database take a [`Database`] of the one server that all tests of a run share. [`bin_dir`] finds the programs.
//!
//! Depends on nothing of ours, and on no PostgreSQL client: PostgreSQL's own programs do all that is needed here.

mod client;
mod cluster;
mod database;
mod keeper;
mod programs;

pub use client::sql;
pub use cluster::{Cluster, Options, Shutdown};
pub use database::{Database, SHARED};
pub use programs::{BIN_DIR, bin_dir};
