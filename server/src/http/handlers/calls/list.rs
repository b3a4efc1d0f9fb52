use leadscribe_engine::api::{Call, CallStatus, Direction, Page, RecordingState, TranscriptionState};
use leadscribe_engine::diagnostic::{common, request, submission};

use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::calls;
use crate::storage::CallQuery;

/// Maximum number of ids in a query; the same as in a submission.
const MAX_IDS: usize = leadscribe_engine::submission::MAX_CALL_IDS;

/// Maximum length of a search text in characters; no agent's name is longer.
pub const MAX_SEARCH_LENGTH: usize = 200;

/// Value of `transcription` for calls that were never submitted.
pub const NEVER_SUBMITTED: &str = "never";

/// List calls that match all conditions.
#[utoipa::path(
    get,
    path = "/api/calls",
    params(
        ("id" = Option<Vec<i64>>, Query, description = "IDs of the calls; may be given up to 1,000 times"),
        ("original_identifier" = Option<String>, Query, description = "Original identifier from another system", example = "1777627800.42"),
        ("lead_id" = Option<i64>, Query, minimum = 1, description = "Calls with this lead"),
        ("campaign_id" = Option<i64>, Query, minimum = 1, description = "Calls for this campaign"),
        ("direction" = Option<Direction>, Query, description = "Calls in this direction"),
        ("status" = Option<CallStatus>, Query, description = "Calls with this status"),
        ("recording" = Option<RecordingState>, Query, description = "State of the recording"),
        (
            "transcription" = Option<String>,
            Query,
            description = "State of the latest transcription: never, queued, processing, completed, failed or \
                 cancelled",
            example = "never"
        ),
        ("from" = Option<String>, Query, description = "Earliest creation time", example = "2026-05-01T00:00:00Z"),
        ("till" = Option<String>, Query, description = "Latest creation time", example = "2026-05-31 23:59:59"),
        (
            "transcription_from" = Option<String>,
            Query,
            description = "Earliest time at which a transcription of the call completed or failed",
            example = "2026-05-01T00:00:00Z"
        ),
        (
            "transcription_till" = Option<String>,
            Query,
            description = "Latest time at which a transcription of the call completed or failed",
            example = "2026-05-31 23:59:59"
        ),
        ("search" = Option<String>, Query, description = "Text contained in the agent's name, a phone number, or the \
             lead's first and last name", example = "hopper"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; \
             `-created_at` by default", example = "-started_at"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<Call>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = parse_call_query(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&calls::list(&app, &query, slice).await?))
}

/// Parses the filter of calls.
pub fn parse_call_query(reader: &mut QueryReader<'_>) -> CallQuery {
    let transcription = |name: &str| match name {
        NEVER_SUBMITTED => Some(None),
        _ => TranscriptionState::from_name(name).map(Some),
    };
    let query = CallQuery {
        ids: reader.ids("id"),
        original_identifier: reader.value("original_identifier").map(str::to_owned),
        lead_id: reader.id("lead_id"),
        campaign_id: reader.id("campaign_id"),
        direction: reader.enum_value("direction", Direction::from_name, Direction::names()),
        status: reader.enum_value("status", CallStatus::from_name, CallStatus::names()),
        recording: reader.enum_value("recording", RecordingState::from_name, RecordingState::names()),
        transcription: reader.enum_value(
            "transcription",
            transcription,
            std::iter::once(NEVER_SUBMITTED).chain(TranscriptionState::names()),
        ),
        from: reader.time("from"),
        till: reader.time("till"),
        transcription_from: reader.time("transcription_from"),
        transcription_till: reader.time("transcription_till"),
        search: reader.value("search").map(str::trim).filter(|search| !search.is_empty()).map(str::to_owned),
        order: reader.order(),
    };
    if query.ids.len() > MAX_IDS {
        reader.add_error("id", "too_many", common::expected(request::at_most_ids(MAX_IDS), query.ids.len()));
    }
    for (till_name, from, till) in
        [("till", query.from, query.till), ("transcription_till", query.transcription_from, query.transcription_till)]
    {
        if from.zip(till).is_some_and(|(from, till)| till < from) {
            reader.add_error(till_name, "out_of_order", submission::till_before_from());
        }
    }
    let length = query.search.as_deref().map_or(0, |search| search.chars().count());
    if length > MAX_SEARCH_LENGTH {
        let message = common::expected(common::at_most_characters(MAX_SEARCH_LENGTH), length);
        reader.add_error("search", "too_long", message);
    }
    query
}
