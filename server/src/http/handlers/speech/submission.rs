//! Code shared by both submit operations: parameters, `Idempotency-Key` header and response.

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::query::Reader;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::submit_calls::{self, Owner, SubmitCalls, Submitted};

/// Name of the header.
const NAME: &str = "Idempotency-Key";

/// Maximum length of a key in characters.
const MAX_LENGTH: usize = 255;

/// Header that marks a response as replayed.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Handles a submission whose transcriptions belong to `owner`.
pub async fn carry_out(app: Arc<App>, mut request: Request, owner: Owner) -> Result<Response, Refusal> {
    let mut query = request.query.reader();
    let dry_run = query.flag("dry_run");
    let key = idempotency_key(&request.headers, &mut query);
    query.finish()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let sent = SubmitCalls { text: &text, owner, dry_run, key: key.as_deref() };
    Ok(answer(&submit_calls::submit(&app, &sent, &request.origin(&app)).await?))
}

/// Returns the idempotency key, if there is one: 1 to [`MAX_LENGTH`] visible ASCII characters. A fault is added to those of the query.
fn idempotency_key(headers: &HeaderMap, faults: &mut Reader<'_>) -> Option<String> {
    const CODE: &str = "invalid_idempotency_key";
    let mut values = headers.get_all(NAME).iter();
    let value = values.next()?;
    if values.next().is_some() {
        faults.refuse(NAME, CODE, "this header may be sent only once");
        return None;
    }
    let key = std::str::from_utf8(value.as_bytes()).unwrap_or("");
    if !(1..=MAX_LENGTH).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        faults.refuse(NAME, CODE, format!("expected 1 to {MAX_LENGTH} visible ASCII characters, without blanks"));
        return None;
    }
    Some(key.to_owned())
}

/// Returns the response to a submission.
fn answer(submitted: &Submitted) -> Response {
    let mut response = reply::json(&submitted.response);
    if submitted.replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
