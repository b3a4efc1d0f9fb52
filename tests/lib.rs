//! Nothing lives here: see `main.rs`.
