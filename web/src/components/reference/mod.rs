//! Parts of the page about the API: its operations, what each takes and answers, and the form that tries it.

pub mod access;
pub mod answers;
pub mod list;
pub mod paragraphs;
pub mod parameters;
pub mod proof;
pub mod reply;
pub mod schema_view;
