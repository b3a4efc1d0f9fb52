//! Parts of the API reference: operations, parameters, responses, and the form to try a request.

pub mod access;
pub mod answers;
pub mod list;
pub mod paragraphs;
pub mod parameters;
pub mod proof;
pub mod reply;
pub mod schema_view;
