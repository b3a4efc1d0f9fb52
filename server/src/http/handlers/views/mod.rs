//! Saved views of the list of leads.

use leadscribe_engine::api::Scope;

use crate::http::identity::Identity;
use crate::http::problem::{Code, Problem};
use crate::http::request::Request;
use crate::storage::Viewer;

pub mod create;
pub mod delete;
pub mod list;
pub mod read;
pub mod update;

/// Returns the member of staff that sent the request.
fn viewer(request: &Request) -> Result<Viewer, Problem> {
    match &request.identity {
        Identity::Staff { session, .. } => {
            Ok(Viewer { id: session.user.id, can_share: request.identity.has_scope(Scope::LeadsWrite) })
        }
        // The route table allows no other caller.
        _ => Err(Problem::unauthorized(Code::Unauthenticated, "this requires a staff session")),
    }
}
