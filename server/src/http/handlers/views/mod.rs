//! Saved views of the list of leads.

use leadscribe_engine::api::Scope;

use crate::http::identity::Identity;
use crate::http::problem::{Code, Refusal};
use crate::http::request::Request;
use crate::storage::Viewer;

pub mod create;
pub mod delete;
pub mod list;
pub mod read;
pub mod update;

/// Returns the member of staff behind the request.
fn viewer(request: &Request) -> Result<Viewer, Refusal> {
    match &request.identity {
        Identity::Staff { session, .. } => {
            Ok(Viewer { id: session.user.id, may_share: request.identity.has(Scope::LeadsWrite) })
        }
        // The route table allows no other caller.
        _ => Err(Refusal::unauthorized(Code::Unauthenticated, "this requires a staff session")),
    }
}
