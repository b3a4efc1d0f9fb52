use leadscribe_engine::api::SessionResponse;

use crate::http::identity::Identity;
use crate::http::prelude::*;

/// Get the current session.
///
/// Without a session, the response is 204, not an error.
#[utoipa::path(
    get,
    path = "/api/session",
    responses((status = 200, body = SessionResponse), (status = 204, description = "The client is not logged in"))
)]
pub async fn read(_app: Arc<App>, request: Request) -> Result<Response, Problem> {
    match request.identity {
        Identity::Staff { session, .. } => Ok(reply::json(&*session)),
        Identity::Anonymous | Identity::ApiKey(_) | Identity::Token(_) => Ok(reply::no_content()),
    }
}
