//! Empty; see `main.rs`.
