use http::Method;
use leadscribe_engine::api::{Callback, CallbackMethod, Page, SpeechRequestResponse, TranscriptHit, TranscriptSearch};
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::diagnostic::{Location, request};

use crate::http::dispatch::method_not_allowed;
use crate::http::handlers::transcripts::search_query;
use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::deliveries;
use crate::service::speech::transcripts;
use crate::storage::TranscriptQuery;

/// Search the transcripts of a token.
///
/// Returns the calls that match all conditions, newest first, with the matching passages. With `callback_url` they are delivered there
/// instead, one call per request, signed according to the Standard Webhooks specification.
#[utoipa::path(
    get,
    path = "/api/speech-recognition",
    params(
        TranscriptSearch,
        (
            "limit" = Option<String>,
            Query,
            description = "`<count>` or `<count>;<offset>` of the calls to return or deliver; `100;0` by default",
            example = "100;0"
        ),
        (
            "callback_url" = Option<String>,
            Query,
            description = "URL to deliver the results to: https with a public address",
            example = "https://example.com/calls"
        ),
        ("callback_method" = Option<CallbackMethod>, Query, description = "Method of the deliveries; POST by default"),
        (
            "callback_data" = Option<String>,
            Query,
            description = "Body of the deliveries: JSON with placeholders inside strings; the call's id and transcript \
                           by default",
            example = "{\"id\":\"{call_id}\",\"result\":\"{speech_result}\"}"
        )
    ),
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
pub async fn search(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    let mut reader = request.query.reader();
    let query = search_query::parse(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    let target = parse_target(&app, &mut reader);
    reader.finish()?;
    let audit = request.audit_context(&app);
    let query = TranscriptQuery { token_id: Some(token), ..query };
    let Some(target) = target else {
        return Ok(reply::json(&transcripts::search(&app, &query, slice, &audit).await?));
    };
    if request.is_head {
        return Err(method_not_allowed(&Method::HEAD, "GET"));
    }
    let speech_request = deliveries::request(&app, token, query, slice, &target, &audit).await?;
    Ok(reply::accepted(
        &format!("/api/speech-recognition/requests/{}", speech_request.speech_request_id),
        &speech_request,
    ))
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
