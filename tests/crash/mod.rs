//! The program as a process of its own, killed while it works: what it accepted must be there when it starts again.

mod kill;
mod workers;
