//! Several processes on one PostgreSQL database, as in a large installation.

pub mod failover;
mod imports;
mod measured;
mod moved;
mod processes;
mod replica;
pub mod restart;
mod silence;
mod starts;
