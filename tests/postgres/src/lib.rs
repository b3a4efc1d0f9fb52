//! PostgreSQL servers for tests and benchmarks: started on demand, removed afterwards.
//!
//! [`Cluster`] is a dedicated server with its own data that may be stopped, restarted and replicated. Tests that only
//! need a database take a [`Database`] of the one server that all tests of a run share. [`bin_dir`] finds the programs.
//!
//! Depends on none of the project's crates and on no PostgreSQL client library: it only runs PostgreSQL's own programs.

mod client;
mod cluster;
mod database;
mod programs;
mod watchdog;

pub use client::sql;
pub use cluster::{Cluster, Options, Shutdown};
pub use database::{Database, SERVER_URL_VARIABLE};
pub use programs::{BIN_DIR_VARIABLE, bin_dir};
