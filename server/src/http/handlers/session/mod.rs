//! Sessions of staff.

pub mod log_in;
pub mod log_out;
pub mod password;
pub mod read;
