//! What a command needs from the machine: found where it is installed, and brought where it can be.
//!
//! One file for each part, with one function that finds or installs it. A further real part for the tests is one more file
//! here and one more line in `test.rs`. Nothing is installed unless something is missing.

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
pub mod registry;
pub mod schemathesis;
pub mod slowhttptest;
pub mod verifier;
pub mod wasm;
