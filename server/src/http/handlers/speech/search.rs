use chrono::TimeDelta;
use http::Method;
use leadscribe_engine::api::{
    Callback, CallbackMethod, Page, SpeechRequestResponse, SpeechSearchRequest, TokenId, TranscriptHit,
};
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::diagnostic::{Location, request};

use crate::http::dispatch::method_not_allowed;
use crate::http::handlers::transcripts::search_query;
use crate::http::idempotency;
use crate::http::prelude::*;
use crate::http::query::{Query, QueryReader};
use crate::service::deliveries;
use crate::service::speech::transcripts;
use crate::storage::{IdempotencyKey, TranscriptQuery};

/// Time in which a repeated request orders no further deliveries.
const REPEAT_PERIOD: TimeDelta = TimeDelta::minutes(10);

/// Search the transcripts of a token.
///
/// Returns the calls that match all conditions, newest first, with the matching passages. With `callback_url` they are delivered there
/// instead, one call per request, signed according to the Standard Webhooks specification. The same request within ten minutes returns the
/// first response, and orders nothing again. `POST /api/speech-recognition/searches` with an `Idempotency-Key` is the recommended form.
#[utoipa::path(
    get,
    path = "/api/speech-recognition",
    params(SpeechSearchRequest),
    responses(
        (status = 200, body = Page<TranscriptHit>),
        (
            status = 202,
            body = SpeechRequestResponse,
            description = "With `callback_url`: the calls being delivered, and the total number found",
            headers(("Location" = String, description = "URL of their progress"))
        ),
        (
            status = 429,
            description = "The token has reached its limit of pending deliveries or stored templates; retry after the \
                 time in `Retry-After`"
        )
    )
)]
pub async fn search(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    let mut reader = request.query.reader();
    let query = search_query::parse(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    let target = parse_target(&app, &mut reader);
    reader.finish()?;
    let query = TranscriptQuery { token_id: Some(token), ..query };
    let Some(target) = target else {
        let audit = request.audit_context(&app);
        return Ok(reply::json(&transcripts::search(&app, &query, slice, &audit).await?));
    };
    if request.is_head {
        return Err(method_not_allowed(&Method::HEAD, "GET"));
    }
    request.idempotency = Some(repeat_key(token, &request.query));
    let audit = request.audit_context(&app);
    let mut response = super::accepted(&deliveries::request(&app, token, query, slice, &target, &audit).await?);
    if audit.is_replayed() {
        idempotency::mark_replayed(&mut response);
    }
    Ok(response)
}

/// Returns the key that requests of this token with the same parameters share, in whatever order and encoding.
fn repeat_key(token: TokenId, query: &Query) -> IdempotencyKey {
    let mut pairs = query.pairs().to_vec();
    pairs.sort_unstable();
    let content = serde_json::to_vec(&("GET /api/speech-recognition", pairs)).expect("texts can be serialized");
    IdempotencyKey::derived(token.subject(), &content, REPEAT_PERIOD)
}

/// Returns the callback, if the results are to be delivered.
fn parse_target(app: &App, reader: &mut QueryReader<'_>) -> Option<CallbackTarget> {
    let method = reader.enum_value("callback_method", CallbackMethod::from_name, CallbackMethod::names());
    let data = reader.value("callback_data");
    let Some(url) = reader.value("callback_url") else {
        for (name, is_present) in [("callback_method", method.is_some()), ("callback_data", data.is_some())] {
            if is_present {
                reader.add_error(name, "missing_value", request::requires("callback_url"));
            }
        }
        return None;
    };
    let callback = Callback {
        callback_url: url.to_owned(),
        callback_method: method.unwrap_or(CallbackMethod::Post),
        callback_data: data.map(str::to_owned),
    };
    let target = deliveries::check(app, &callback, |name| Location::Parameter(name.to_owned()));
    target.map_err(|diagnostics| reader.add_diagnostics(diagnostics)).ok()
}
