//! Speech recognition submissions: calls, token, languages, and their rules.

mod check;
mod eligibility;
mod fields;
mod request;
#[cfg(feature = "openapi")]
mod schema;
#[cfg(test)]
mod tests;

pub use check::{SubmissionRules, TokenRule, UrlCheck, parse};
pub use eligibility::recording_skip_reason;
pub use request::*;
#[cfg(feature = "openapi")]
pub(crate) use schema::schemas;
