//! Transcripts: read by their owning token or by staff, and search.
//!
//! Every read and every search is recorded in the audit log before the text leaves the server.

use leadscribe_engine::api::{
    CallId, Page, PendingTranscript, TokenId, Transcript, TranscriptHit, TranscriptSearch, Transcription,
    TranscriptionState,
};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, common, format_text, request, submission, work};
use leadscribe_engine::language;
use leadscribe_engine::transcript_search::Search;

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, Slice, TranscriptQuery};

/// Parser of a search text.
type SearchParser = fn(&str, Location) -> Result<Search, Diagnostic>;

/// State of the transcript of a submitted call.
#[derive(Clone, Debug, PartialEq)]
pub enum TranscriptAvailability {
    /// The transcript is complete.
    Ready(Box<Transcript>),
    /// The transcription isn't finished.
    Pending(PendingTranscript),
}

/// Returns the transcript of a call to the token that submitted it last, which owns it.
///
/// # Errors
/// [`ServiceError::NotVisible`] if the call belongs to another token, was never submitted or doesn't exist. All three take one query, so
/// that the response time reveals nothing. Other errors if the transcription failed, its transcript was purged or storage failed.
pub async fn read_own(app: &App, call: CallId, token: TokenId, audit: &AuditContext) -> Result<TranscriptAvailability> {
    let transcription = app.store.token_transcription(call, token).await?;
    transcript_availability(app, transcription.ok_or(ServiceError::NotVisible)?, audit).await
}

/// Returns the transcript of a call of any token.
///
/// # Errors
/// The call doesn't exist or was never submitted; its transcription failed; its transcript was purged; or storage failed.
pub async fn read(app: &App, call: CallId, audit: &AuditContext) -> Result<TranscriptAvailability> {
    let latest = transcriptions(app, call).await?.into_iter().next();
    transcript_availability(app, latest.ok_or(ServiceError::NotFound("transcript"))?, audit).await
}

/// Returns the transcriptions of a call, latest first.
///
/// # Errors
/// The call doesn't exist; or storage failed.
pub async fn transcriptions(app: &App, call: CallId) -> Result<Vec<Transcription>> {
    let transcriptions = app.store.transcriptions(call).await?;
    if transcriptions.is_empty() && app.store.call(call).await?.is_none() {
        return Err(ServiceError::NotFound("call"));
    }
    Ok(transcriptions)
}

/// Returns the state of the latest transcription of a call.
async fn transcript_availability(
    app: &App,
    transcription: Transcription,
    audit: &AuditContext,
) -> Result<TranscriptAvailability> {
    let Transcription { id, call_id, state, queued_at, error, .. } = transcription;
    match state {
        TranscriptionState::Queued | TranscriptionState::Processing => {
            Ok(TranscriptAvailability::Pending(PendingTranscript { call_id, transcription_id: id, state, queued_at }))
        }
        TranscriptionState::Failed => {
            Err(ServiceError::TranscriptionFailed(error.unwrap_or_else(work::unknown_reason)))
        }
        TranscriptionState::Cancelled => Err(ServiceError::TranscriptionCancelled),
        TranscriptionState::Completed => {
            let transcript = app.store.transcript(call_id).await?.ok_or(ServiceError::TranscriptPurged)?;
            app.store.record_event("transcript.read", &call_id.subject(), audit).await?;
            Ok(TranscriptAvailability::Ready(Box::new(transcript)))
        }
    }
}

/// Searches transcripts, and records the search in the audit log.
///
/// # Errors
/// The store failed.
pub async fn search(
    app: &App,
    query: &TranscriptQuery,
    slice: Slice,
    audit: &AuditContext,
) -> Result<Page<TranscriptHit>> {
    let hits = app.store.search_transcripts(query, slice).await?;
    app.store.record_event("transcript.search", "transcripts", audit).await?;
    Ok(hits)
}

/// Checks a search. `location` maps a member of the search to its location in the request. The caller sets the token.
///
/// # Errors
/// The search is invalid. All errors are reported.
pub fn check(
    search: &TranscriptSearch,
    location: impl Fn(&str) -> Location,
) -> Result<TranscriptQuery, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut terms = Vec::new();
    let texts = [
        ("phrase", &search.phrase, Search::phrase as SearchParser),
        ("search", &search.search, Search::parse as SearchParser),
    ];
    for (name, text, parse) in texts {
        let Some(text) = text else { continue };
        match parse(text, location(name)) {
            Ok(search) => {
                for term in search.terms {
                    if !terms.contains(&term) {
                        terms.push(term);
                    }
                }
            }
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    let mut add_diagnostic =
        |name: &str, code: &str, message: Message| diagnostics.push(Diagnostic::new(location(name), code, message));
    let language = search.language.as_deref().and_then(|code| {
        let canonical = language::canonicalize(code);
        if canonical.is_none() {
            let message = common::expected(submission::language_form(), format_text(code));
            add_diagnostic("language", "invalid_language", message);
        }
        canonical
    });
    if let (Some(from), Some(till)) = (search.from, search.till)
        && till < from
    {
        add_diagnostic("till", "out_of_order", submission::till_before_from());
    }
    let ids = [("campaign_id", search.campaign_id.map(|id| id.0)), ("lead_id", search.lead_id.map(|id| id.0))];
    for (name, id) in ids {
        if let Some(id) = id.filter(|id| *id < 1) {
            add_diagnostic(name, "invalid_id", common::expected(common::integer_from_one(), id));
        }
    }
    let durations = [("min_duration", search.min_duration), ("max_duration", search.max_duration)];
    for (name, seconds) in durations {
        if let Some(seconds) = seconds.filter(|seconds| !(seconds.is_finite() && *seconds >= 0.0)) {
            add_diagnostic(name, "out_of_range", common::expected(common::number_from_zero(), seconds));
        }
    }
    if let (Some(min_duration), Some(max_duration)) = (search.min_duration, search.max_duration)
        && max_duration < min_duration
    {
        add_diagnostic("max_duration", "out_of_order", request::maximum_below_minimum());
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    Ok(TranscriptQuery {
        search: (!terms.is_empty()).then_some(Search { terms }),
        token_id: None,
        language,
        from: search.from,
        till: search.till,
        campaign_id: search.campaign_id,
        lead_id: search.lead_id,
        min_duration: search.min_duration,
        max_duration: search.max_duration,
        order: Default::default(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn diagnostics(search: serde_json::Value) -> Vec<String> {
        let search: TranscriptSearch = serde_json::from_value(search).expect("a search");
        let checked = check(&search, |name| Location::Parameter(name.to_owned()));
        let to_text = |diagnostic: Diagnostic| match diagnostic.location {
            Location::Parameter(name) => format!("{name} {}: {}", diagnostic.code, diagnostic.message),
            location => panic!("{location:?}"),
        };
        checked.err().into_iter().flatten().map(to_text).collect()
    }

    #[test]
    fn reports_all_errors_of_a_search() {
        assert_eq!(
            diagnostics(json!({
                "phrase": "?", "search": "an \"open quote", "language": "not a language", "campaign_id": 0, "lead_id": -3,
                "from": "2026-05-02T00:00:00Z", "till": "2026-05-01T00:00:00Z",
                "min_duration": 5.5, "max_duration": 5,
            })),
            [
                "phrase no_words: expected at least one word with letters or digits, found none",
                "search unclosed_quote: expected `\"` at the end of the phrase, found none",
                "language invalid_language: expected a BCP 47 language code such as `en` or `pt-BR`, found \"not a language\"",
                "till out_of_order: the end must not be before the start",
                "campaign_id invalid_id: expected a whole number of 1 or more, found 0",
                "lead_id invalid_id: expected a whole number of 1 or more, found -3",
                "max_duration out_of_order: the maximum must not be less than the minimum",
            ]
        );
        let negative = diagnostics(json!({ "min_duration": -1 }));
        assert_eq!(negative, ["min_duration out_of_range: expected a number of 0 or more, found -1"]);
    }

    #[test]
    fn search_combines_phrase_and_words() {
        let search = TranscriptSearch {
            phrase: Some("good morning".to_owned()),
            search: Some("deliver* \"next week\"".to_owned()),
            language: Some("PT-br".to_owned()),
            ..TranscriptSearch::default()
        };
        let query = check(&search, |name| Location::Parameter(name.to_owned())).expect("a valid search");
        assert_eq!(query.search.map(|search| search.terms.len()), Some(3));
        assert_eq!(query.language.as_deref(), Some("pt-BR"));
        let empty_query = check(&TranscriptSearch::default(), |_| Location::default()).expect("a valid search");
        assert_eq!(empty_query.search, None);
    }
}
