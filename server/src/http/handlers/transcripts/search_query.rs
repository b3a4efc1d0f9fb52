//! Query parameters of a transcript search.

use leadscribe_engine::api::TranscriptSearch;
use leadscribe_engine::diagnostic::Location;

use crate::http::query::QueryReader;
use crate::service::speech::transcripts;
use crate::storage::TranscriptQuery;

/// Parses the parameters of a search. If one is wrong, an error is added to the query, and the result must not be used.
pub fn parse(reader: &mut QueryReader<'_>) -> TranscriptQuery {
    let search = TranscriptSearch {
        phrase: reader.value("phrase").map(str::to_owned),
        search: reader.value("search").map(str::to_owned),
        language: reader.value("language").map(str::to_owned),
        from: reader.time("from"),
        till: reader.time("till"),
        campaign_id: reader.id("campaign_id"),
        lead_id: reader.id("lead_id"),
        min_duration: reader.number("min_duration"),
        max_duration: reader.number("max_duration"),
    };
    transcripts::check(&search, |name| Location::Parameter(name.to_owned())).unwrap_or_else(|diagnostics| {
        reader.add_diagnostics(diagnostics);
        TranscriptQuery::default()
    })
}
