//! The one form of every refusal: RFC 9457 `application/problem+json`.

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// A refusal. `type` and `code` are stable; `title` and `detail` are for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// URI of the kind of problem, such as `urn:leadscribe:problem:invalid_filter`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of problem in a few words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// Stable name of the kind of problem, for programs.
    pub code: String,
    /// What is wrong with this request.
    pub detail: String,
    /// The id of this request, as in the logs and the `X-Request-Id` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The faults of the input, all at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Fault>,
}
