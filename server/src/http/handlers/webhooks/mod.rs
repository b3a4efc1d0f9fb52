//! Webhooks. Staff see all of them, a speech token its own.

use leadscribe_engine::api::TokenId;

use crate::http::identity::Identity;
use crate::http::request::Request;

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod list;
pub mod read;
pub mod rotate_secret;
pub mod test;
pub mod update;

/// Returns the token that sent the request, to whose webhooks the request is limited. `None` for staff.
fn owner(request: &Request) -> Option<TokenId> {
    match request.identity {
        Identity::Token(token) => Some(token),
        Identity::Anonymous | Identity::Staff { .. } | Identity::ApiKey(_) => None,
    }
}
