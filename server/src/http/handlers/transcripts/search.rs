use leadscribe_engine::api::{Page, TranscriptHit, TranscriptSearch};

use super::search_query;
use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::speech::transcripts;
use crate::storage::TranscriptQuery;

/// Search all transcripts.
///
/// Returns the calls that match all conditions, with the matching passages.
#[utoipa::path(
    get,
    path = "/api/transcripts",
    params(
        TranscriptSearch,
        ("token_id" = Option<i64>, Query, minimum = 1, description = "Only transcripts of this token"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; \
             `-call_created_at` by default", example = "-duration"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<TranscriptHit>))
)]
pub async fn search(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = parse_transcript_query(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&transcripts::search(&app, &query, slice, &request.audit_context(&app)).await?))
}

/// Parses the filter of transcripts.
pub fn parse_transcript_query(reader: &mut QueryReader<'_>) -> TranscriptQuery {
    let query = search_query::parse(reader);
    TranscriptQuery { token_id: reader.id("token_id"), order: reader.order(), ..query }
}
