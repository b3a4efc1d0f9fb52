//! Reliability trials that take minutes, against the release build: run them with `cargo xtask torture`.
//!
//! Other runs ignore them. docs/RELIABILITY.md lists the promise behind each trial and the measured results, which the
//! trials print in lines that begin with `measured:`.

mod attacks;
mod clock;
pub mod durability;
mod failovers;
mod load;
mod naughty;
mod outages;
mod overload;
mod power;
mod preload_library;
mod repeats;
mod schema;
mod slow;
mod slow_disk;
pub mod sync;
mod timed_requests;
mod timing_side_channel;
