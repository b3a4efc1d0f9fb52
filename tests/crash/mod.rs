//! Killed processes: the program must find everything it accepted when it starts again.

mod kill;
mod sync;
mod workers;
