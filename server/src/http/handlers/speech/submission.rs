//! Code shared by both submit operations: parameters, `Idempotency-Key` header and response.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::speech::call_submission::{self, SubmissionOwner, SubmissionRequest, SubmissionResult};

const IDEMPOTENCY_KEY_HEADER: &str = "Idempotency-Key";

/// Maximum length of a key in characters.
const MAX_KEY_LENGTH: usize = 255;

/// Header that marks a response as replayed.
const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Defines a submit operation. Its documentation is the text for this operation, followed by what both have in common.
macro_rules! submission_handler {
    (
        $(#[doc = $description:literal])+
        $name:ident at $path:literal,
        body $schema:literal, $body_description:literal, $body:tt,
        responses ($($responses:tt)*),
        |$request:ident| $owner:expr
    ) => {
        $(#[doc = $description])+
        #[utoipa::path(
            post,
            path = $path,
            params(
                (
                    "dry_run" = Option<bool>,
                    Query,
                    description = "Return the same outcomes and total minutes without queueing anything",
                    example = true
                ),
                (
                    "Idempotency-Key" = Option<String>,
                    Header,
                    description = "1 to 255 visible ASCII characters; repeating a request with the same key and body \
                         returns the first response. Ignored with `dry_run`",
                    example = "2f1c6a1e-nightly"
                )
            ),
            request_body(content = ref($schema), description = $body_description, example = json!($body)),
            responses(
                (
                    status = 200,
                    body = leadscribe_engine::api::SubmissionResponse,
                    description = "One entry per call, accepted or skipped with the reason",
                    example = json!({ "results": { "calls": {
                        "101": { "status": "accepted", "transcription_id": 7 },
                        "102": {
                            "status": "skipped",
                            "reason": "recording_pending",
                            "message": "The recording is still being prepared."
                        }
                    } } })
                ),
                $($responses)*
                (status = 409, description = "A submission with the same idempotency key is in progress"),
                (status = 422, description = "The idempotency key was used before with another body"),
                (
                    status = 429,
                    description = "The token can't store more responses; retry without an idempotency key"
                )
            )
        )]
        pub async fn $name(app: Arc<App>, $request: Request) -> Result<Response, Problem> {
            let owner = $owner;
            super::submission::handle(app, $request, owner).await
        }
    };
}
pub(super) use submission_handler;

/// Handles a submission whose transcriptions belong to `owner`.
pub async fn handle(app: Arc<App>, mut request: Request, owner: SubmissionOwner) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let dry_run = query.flag("dry_run");
    let key = idempotency_key(&request.headers, &mut query);
    query.finish()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let submission = SubmissionRequest { text: &text, owner, dry_run, idempotency_key: key.as_deref() };
    Ok(to_response(&call_submission::submit(&app, &submission, &request.audit_context(&app)).await?))
}

/// Returns the idempotency key, if there is one: 1 to [`MAX_KEY_LENGTH`] visible ASCII characters. If it is wrong, an error is added to
/// the query.
fn idempotency_key(headers: &HeaderMap, query: &mut QueryReader<'_>) -> Option<String> {
    const ERROR_CODE: &str = "invalid_idempotency_key";
    let mut values = headers.get_all(IDEMPOTENCY_KEY_HEADER).iter();
    let value = values.next()?;
    if values.next().is_some() {
        query.add_error(IDEMPOTENCY_KEY_HEADER, ERROR_CODE, "this header may be sent only once");
        return None;
    }
    let key = std::str::from_utf8(value.as_bytes()).unwrap_or("");
    if !(1..=MAX_KEY_LENGTH).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        query.add_error(
            IDEMPOTENCY_KEY_HEADER,
            ERROR_CODE,
            format!("expected 1 to {MAX_KEY_LENGTH} visible ASCII characters, without spaces"),
        );
        return None;
    }
    Some(key.to_owned())
}

fn to_response(result: &SubmissionResult) -> Response {
    let mut response = reply::json(&result.response);
    if result.replayed {
        response.headers_mut().insert(REPLAYED_HEADER, HeaderValue::from_static("true"));
    }
    response
}
