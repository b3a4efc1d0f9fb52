//! Several processes on one PostgreSQL database, as in a large installation.

pub mod failover;
mod imports;
mod metrics;
mod migration;
mod processes;
mod replica;
pub mod restart;
mod silence;
mod startup;
