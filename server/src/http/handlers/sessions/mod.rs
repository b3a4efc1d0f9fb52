//! Sessions of staff, seen and ended by those who opened them.

pub mod end;
pub mod end_others;
pub mod list;
