//! What the programs of the comparison share. None of them has HTTP but `http_ceiling`: each is the floor of its store.
//!
//! They read the data set and the workload that `cargo xtask bench lookup` writes, and take steps from standard input,
//! so that a step of one can stand beside the same step of the others. Nothing here depends on the product.

pub mod answer;
pub mod memory;
pub mod sql;
pub mod steps;
pub mod tables;
pub mod time;
pub mod workload;
