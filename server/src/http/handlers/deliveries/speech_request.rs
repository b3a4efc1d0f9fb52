//! Request to deliver the results of a search, as all operations that accept one in a body check it.

use leadscribe_engine::api::{NewSpeechRequest, SpeechRequestResponse, TokenId};
use leadscribe_engine::diagnostic::Location;

use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::http::query;
use crate::service::deliveries;
use crate::service::speech::transcripts;
use crate::storage::AuditContext;

/// Checks a request and queues its deliveries. `pointer` returns the JSON Pointer of a member, from its parent in
/// [`NewSpeechRequest`] and its name.
///
/// # Errors
/// 400 with all errors of the request; and those of [`deliveries::request`].
pub async fn create(
    app: &App,
    token: TokenId,
    request: &NewSpeechRequest,
    pointer: impl Fn(&str, &str) -> String,
    audit: &AuditContext,
) -> Result<SpeechRequestResponse, Problem> {
    let location = |parent, name: &str| Location::Pointer(pointer(parent, name));
    let query = transcripts::check(&request.transcripts, |name| location("/transcripts", name));
    let max_page_size = app.config.limits.max_page_size;
    let slice = query::parse_slice(request.limit.as_deref(), max_page_size, location("", "limit"));
    let target = deliveries::check(app, &request.callback, |name| location("/callback", name));
    match (query, slice, target) {
        (Ok(query), Ok(slice), Ok(target)) => Ok(deliveries::request(app, token, query, slice, &target, audit).await?),
        (query, slice, target) => {
            let diagnostics = query.err().into_iter().flatten().chain(slice.err());
            let diagnostics = diagnostics.chain(target.err().into_iter().flatten()).collect();
            Err(Problem::diagnostics(Code::InvalidRequest, diagnostics))
        }
    }
}
