//! Speech recognition submissions: calls, token, languages, and their rules.

mod check;
mod fields;
mod fitness;
mod request;
#[cfg(feature = "openapi")]
mod schema;
#[cfg(test)]
mod tests;

pub use check::{Rules, TokenRule, read};
pub use fitness::misfit;
pub use request::*;
#[cfg(feature = "openapi")]
pub(crate) use schema::schemas;
