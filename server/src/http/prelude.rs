//! The items that every handler needs.

pub use std::sync::Arc;

pub(in crate::http) use super::etag;
pub use super::problem::Problem;
pub use super::reply::{self, Response};
pub use super::request::Request;
pub use crate::service::app::App;
