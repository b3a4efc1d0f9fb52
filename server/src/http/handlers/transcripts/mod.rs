//! The text of calls, as staff read and search it; and what the holders of tokens have in common with them.

pub mod cancel;
pub mod export;
pub(super) mod form;
pub mod list;
pub mod read;
pub mod search;
pub(super) mod searched;
