use std::collections::BTreeSet;
use std::time::Duration;

use http::HeaderName;
use leadscribe_engine::api::{ChangePage, ChangeType, RecordChange, Scope};
use leadscribe_engine::diagnostic::{Diagnostic, Location, common, format_text, not_permitted, request};

use super::stream::{self, ChangeStream};
use crate::http::accept;
use crate::http::auth::Access;
use crate::http::event_stream::{self, AccessCheck};
use crate::http::identity::Identity;
use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::operations::change_log;
use crate::storage::{ChangeCursor, ChangeQuery};

/// Scopes, of which the caller needs at least one.
pub const SCOPES: &[Scope] = &[Scope::LeadsRead, Scope::CallsRead, Scope::SpeechRead];

/// Value of `after` for the current end of the log.
const LATEST: &str = "latest";

/// Maximum of `wait`, in seconds. Proxies close a silent connection after 30 to 60 s.
const MAX_WAIT_SECONDS: u64 = 30;

const DEFAULT_LIMIT: u32 = 100;

/// Header with the `id` of the last event that a client received before it reconnects.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// List the changes of records.
///
/// To keep a copy of leads, campaign leads, calls or transcripts: get a cursor with `after=latest`, load all records, then repeat this
/// request with `after` set to the `next_cursor` of the previous response. No change is missed, even under concurrent writes. A change has the
/// record as it is now, and null if it was deleted. Several changes of one record may appear as one.
///
/// With `Accept: text/event-stream`, the response is a stream of server-sent events: `event` is the type of the record, `data` one item as
/// in the page, `id` its cursor. Clients that reconnect with `Last-Event-ID` continue there.
#[utoipa::path(
    get,
    path = "/api/changes",
    params(
        ("after" = Option<String>, Query, description = "Cursor of the previous response; `latest` for an empty page with the \
             current cursor; by default, all changes that are kept"),
        ("types" = Option<String>, Query, description = "Types of records, separated by commas: `lead`, `campaign_lead` (both \
             require the scope `leads:read`), `call` (`calls:read`) and `transcript` (`speech:read`); by default all that the \
             caller may read", example = "lead,campaign_lead"),
        ("limit" = Option<u32>, Query, minimum = 1, description = "Maximum number of changes in a page; 100 by default", example = 1000),
        ("wait" = Option<u64>, Query, minimum = 0, maximum = 30, description = "Time to wait for a change if there is none, in \
             seconds; a stream always waits", example = 30),
        ("Last-Event-ID" = Option<String>, Header, description = "For streams, instead of `after`")
    ),
    responses(
        (status = 200, content((ChangePage = "application/json"), (RecordChange = "text/event-stream")), description = "The changes"),
        (status = 406, description = "Only `application/json` and `text/event-stream` are available"),
        (status = 410, description = "Changes after the cursor were purged, or the database was restored: load all records again")
    )
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let is_stream = accept::negotiate(&request.headers, &["application/json", event_stream::MEDIA_TYPE])?
        == event_stream::MEDIA_TYPE;
    let mut reader = request.query.reader();
    let types = parse_types(&mut reader, &request.identity);
    let limit = reader.integer("limit", 1..=app.config.limits.max_page_size, DEFAULT_LIMIT);
    let wait = Duration::from_secs(reader.integer("wait", 0..=MAX_WAIT_SECONDS, 0));
    let mut after = reader.value("after");
    if is_stream && let Some(event_id) = request.header(LAST_EVENT_ID.as_str()).filter(|id| !id.is_empty()) {
        after = Some(event_id);
    }
    let cursor = after.filter(|after| *after != LATEST).and_then(|after| {
        let cursor = ChangeCursor::parse(after);
        if cursor.is_none() {
            let message = common::expected(request::change_cursor(LATEST), format_text(after));
            reader.add_error("after", "invalid_cursor", message);
        }
        cursor
    });
    reader.finish()?;
    for record_type in &types {
        let scope = required_scope(*record_type);
        if !request.identity.has_scope(scope) {
            return Err(Problem::forbidden(scope));
        }
    }
    let mut query = ChangeQuery { after: cursor, types, limit: limit as usize };
    if after == Some(LATEST) {
        query.after = Some(change_log::end(&app).await?);
    }
    if !is_stream && wait.is_zero() {
        return Ok(reply::json(&change_log::read(&app, query).await?));
    }
    let permit = app.changes.try_acquire_listener(&request.identity.actor()).ok_or_else(Problem::too_many_streams)?;
    if !is_stream {
        let page = request.slot.release_while(change_log::read_or_wait(&app, query, wait)).await?;
        return Ok(reply::json(&page?));
    }
    query.limit = query.limit.min(stream::MAX_PAGE_SIZE);
    let first_page = change_log::read(&app, query.clone()).await?;
    let scopes: BTreeSet<_> = query.types.iter().map(|record_type| required_scope(*record_type)).collect();
    let accesses = scopes.into_iter().map(Access::Scope).collect();
    let access = AccessCheck::new(app.clone(), &request.headers, accesses);
    Ok(event_stream::respond(ChangeStream::new(app, query, first_page, permit), access))
}

/// Scope that changes of this type require.
fn required_scope(record_type: ChangeType) -> Scope {
    match record_type {
        ChangeType::Lead | ChangeType::CampaignLead => Scope::LeadsRead,
        ChangeType::Call => Scope::CallsRead,
        ChangeType::Transcript => Scope::SpeechRead,
    }
}

/// Parses `types`. By default, these are all types that the caller may read.
fn parse_types(reader: &mut QueryReader<'_>, identity: &Identity) -> BTreeSet<ChangeType> {
    let Some(text) = reader.value("types") else {
        return ChangeType::ALL.iter().copied().filter(|known| identity.has_scope(required_scope(*known))).collect();
    };
    let mut types = BTreeSet::new();
    for name in text.split(',') {
        match ChangeType::from_name(name) {
            Some(record_type) => _ = types.insert(record_type),
            None => {
                let location = Location::Parameter("types".to_owned());
                reader.add_diagnostics(vec![Diagnostic { location, ..not_permitted(name, ChangeType::names()) }]);
            }
        }
    }
    types
}
