//! What proves the promises and takes minutes, each against the program as it is released: run by `cargo xtask torture`.
//!
//! Every trial is ignored in other runs. docs/RELIABILITY.md says which promise each one is about and what it measured; its
//! last line on the standard output, which begins with `measured:`, is what stands there.

mod alike;
mod attacks;
mod clock;
mod failovers;
mod kept;
mod load;
mod naughty;
mod outages;
mod overload;
mod power;
mod probe;
mod repeats;
mod schema;
mod shim;
mod slow;
mod slow_disk;
