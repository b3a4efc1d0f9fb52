//! `GET /api/transcripts`.

use std::sync::Arc;

use leadscribe_engine::api::{Page, TranscriptHit};

use super::searched;
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::transcripts;
use crate::storage::TranscriptQuery;

/// Search all transcripts.
///
/// The calls found come from the newest, with the passages in which something was found; of several conditions all must
/// hold.
#[utoipa::path(
    get,
    path = "/api/transcripts",
    tag = "transcripts",
    params(
        ("phrase" = Option<String>, Query, description = "These words are said one after the other", example = "call me back"),
        (
            "words" = Option<String>,
            Query,
            description = "All of these are said: words, \"phrases in quotes\", beginnings with a star",
            example = "deliver* \"next week\""
        ),
        ("language" = Option<String>, Query, description = "One of the sides speaks it, a BCP 47 code", example = "en"),
        ("from" = Option<String>, Query, description = "The call was created then or later", example = "2026-05-01T00:00:00Z"),
        ("till" = Option<String>, Query, description = "The call was created then or before", example = "2026-05-31 23:59:59"),
        ("campaign_id" = Option<i64>, Query, minimum = 1, description = "The call was made for this campaign"),
        ("lead_id" = Option<i64>, Query, minimum = 1, description = "The call was about this lead"),
        ("min_duration" = Option<f64>, Query, minimum = 0, description = "The recording has so many seconds or more"),
        ("max_duration" = Option<f64>, Query, minimum = 0, description = "The recording has so many seconds or fewer"),
        ("token_id" = Option<i64>, Query, minimum = 1, description = "This token owns it"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<TranscriptHit>))
)]
pub async fn search(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut reader = request.query.reader();
    let query = searched::read(&mut reader);
    let query = TranscriptQuery { token_id: reader.id("token_id"), ..query };
    let slice = reader.slice(app.config.limits.max_page);
    reader.finish()?;
    Ok(reply::json(&transcripts::search(&app, &query, slice, &request.origin(&app)).await?))
}
