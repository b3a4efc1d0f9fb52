//! Tools that commands need: found if installed, otherwise installed if possible.
//!
//! One file per tool, with one function that finds or installs it. A new tool for the tests needs one more file here
//! and one more line in `test.rs`. Nothing is installed unless it is missing.

pub mod apt;
pub mod axe;
pub mod browser;
pub mod cargo_tools;
pub mod compiler;
pub mod corpora;
pub mod faketime;
pub mod fuzz;
pub mod node;
pub mod npm;
pub mod postgres;
pub mod python;
pub mod registry;
pub mod schemathesis;
pub mod slowhttptest;
pub mod verifier;
pub mod wasm;
