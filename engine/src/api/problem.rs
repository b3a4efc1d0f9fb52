//! The format of all error responses: RFC 9457 `application/problem+json`.

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Message};

/// An error response. `type` and `code` are stable; `title` and `detail` are for users.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// URI of the kind of problem, such as `urn:leadscribe:problem:invalid_filter`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Short name of the kind of problem.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// Stable code of the kind of problem, for programs.
    pub code: String,
    /// Description of the error in this request.
    #[serde(flatten)]
    pub message: Message,
    /// The id of this request, as in the logs and the `X-Request-Id` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// All errors of the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Diagnostic>,
}
