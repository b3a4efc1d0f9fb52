//! Shared code of the comparison's programs. They read the data set and the workload that `cargo xtask bench lookup`
//! writes. Nothing here depends on the product.

pub mod response;
pub mod sql;
pub mod steps;
pub mod tables;
pub mod time;
pub mod workload;
