//! Parts of the API reference: operations, parameters, responses, and the form to try a request.

pub mod access;
pub mod list;
pub mod paragraphs;
pub mod parameters;
pub mod request_credentials;
pub mod response_view;
pub mod responses;
pub mod schema_view;
