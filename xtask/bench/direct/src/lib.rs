//! Shared code of the comparison's programs. Only `http_ceiling` has HTTP: each of the others is the lower bound of its
//! store.
//!
//! They read the data set and the workload that `cargo xtask bench lookup` writes, and take steps from standard input,
//! so that the same steps of different programs can alternate. Nothing here depends on the product.

pub mod memory;
pub mod response;
pub mod sql;
pub mod steps;
pub mod tables;
pub mod time;
pub mod workload;
