//! Several processes on one PostgreSQL database, as an installation has them that one machine is not enough for.

pub mod failover;
mod imports;
mod measured;
mod moved;
mod processes;
mod replica;
pub mod restart;
mod silence;
mod starts;
