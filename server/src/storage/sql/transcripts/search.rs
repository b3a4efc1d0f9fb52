//! The search for transcripts, and the index of their words that it asks first.
//!
//! The index and [`Search::find`] agree on every transcript: the engine folds the words of both, a word of the engine is
//! one token of the index, and no phrase of either goes from one side to the other. So the index alone decides what is
//! found, and `find` shows where.

use leadscribe_engine::api::*;
use leadscribe_engine::words::{self, Search};

use super::{TRANSCRIPT_COLUMNS, transcript};
use crate::storage::filter_sql::Sql;
use crate::storage::sql::rows::slice_binds;
use crate::storage::sql::{Bind, Dialect, Row, Session, binds};
use crate::storage::{Slice, StoreError, TranscriptQuery};

/// Passages that a hit shows.
const PASSAGES: usize = 5;

/// Enters the words of a transcript, which is stored already, into the index.
pub(super) fn insert_words(session: &dyn Session, id: TranscriptionId, segments: &[Segment]) -> Result<(), StoreError> {
    let sql = format!("INSERT INTO transcript_words ({}, words) VALUES (?1, ?2)", session.dialect().words_id());
    session.execute(&sql, &binds![id.0, words::index(segments)])?;
    Ok(())
}

/// The tables and conditions of a query: `s` is the transcript, `c` its call.
fn push_conditions(sql: &mut Sql, dialect: &dyn Dialect, query: &TranscriptQuery) {
    sql.push(" FROM transcripts s JOIN calls c ON c.id = s.call_id LEFT JOIN campaigns p ON p.id = c.campaign_id");
    sql.push(" WHERE TRUE");
    if let Some(search) = &query.search {
        sql.push(" AND s.transcription_id IN (");
        dialect.push_said(sql, search);
        sql.push(")");
    }
    if let Some(language) = &query.language {
        // The language itself, and every variety of it.
        let spoken = Bind::Text(format!("{language}-"));
        sql.push(" AND EXISTS (SELECT 1 FROM ").push(&dialect.texts("s.languages"));
        sql.push(" WHERE substr(e.value || '-', 1, length(CAST(").bind(spoken.clone()).push(" AS TEXT))) = ");
        sql.bind(spoken).push(")");
    }
    let conditions = [
        (" AND s.token_id = ", query.token_id.map(|id| Bind::Integer(id.0))),
        (" AND c.campaign_id = ", query.campaign_id.map(|id| Bind::Integer(id.0))),
        (" AND c.lead_id = ", query.lead_id.map(|id| Bind::Integer(id.0))),
        (" AND c.created_at >= ", query.from.map(Bind::Time)),
        (" AND c.created_at <= ", query.till.map(Bind::Time)),
        (" AND s.duration >= ", query.min_duration.map(Bind::Number)),
        (" AND s.duration <= ", query.max_duration.map(Bind::Number)),
    ];
    for (condition, value) in conditions {
        if let Some(value) = value {
            sql.push(condition).bind(value);
        }
    }
}

fn counting(dialect: &'static dyn Dialect, query: &TranscriptQuery) -> Sql {
    let mut sql = Sql::new(dialect);
    sql.push("SELECT count(*)");
    push_conditions(&mut sql, dialect, query);
    sql
}

/// `columns` of a slice of what is found, newest call first.
fn paging(dialect: &'static dyn Dialect, columns: &str, query: &TranscriptQuery, slice: Slice) -> Sql {
    let mut sql = Sql::new(dialect);
    sql.push("SELECT ").push(columns);
    push_conditions(&mut sql, dialect, query);
    let [limit, offset] = slice_binds(slice);
    sql.push(" ORDER BY c.created_at DESC, c.id DESC LIMIT ").bind(limit).push(" OFFSET ").bind(offset);
    sql
}

/// Reads a hit: the columns of its transcript, then those of its call. Holds one transcript at a time.
fn hit(row: &dyn Row, search: Option<&Search>) -> Result<TranscriptHit, StoreError> {
    let transcript = transcript(row)?;
    let (passages, matches) = match search {
        Some(search) => {
            let found = search.find(&transcript, PASSAGES);
            (found.passages, found.matches)
        }
        None => (words::beginning(&transcript).into_iter().collect(), 0),
    };
    Ok(TranscriptHit {
        call_id: transcript.call_id,
        transcription_id: transcript.transcription_id,
        token_id: TokenId(row.get(6)?),
        lead_id: row.get::<Option<i64>>(7)?.map(LeadId),
        campaign_id: row.get::<Option<i64>>(8)?.map(CampaignId),
        campaign_name: row.get(9)?,
        agent: row.get(10)?,
        call_created_at: row.get(11)?,
        language: transcript.language,
        duration: transcript.duration,
        passages,
        matches,
    })
}

pub(super) fn page(
    session: &dyn Session,
    query: &TranscriptQuery,
    slice: Slice,
) -> Result<Page<TranscriptHit>, StoreError> {
    let dialect = session.dialect();
    let (sql, binds) = counting(dialect, query).finish();
    let total = session.value(&sql, &binds)?;
    let columns = format!("{TRANSCRIPT_COLUMNS}, s.token_id, c.lead_id, c.campaign_id, p.name, c.agent, c.created_at");
    let (sql, binds) = paging(dialect, &columns, query, slice).finish();
    let items = session.query(&sql, &binds, |row| hit(row, query.search.as_ref()))?;
    Ok(Page { items, total })
}

/// The calls of a slice of what is found.
pub(in crate::storage::sql) fn calls(
    session: &dyn Session,
    query: &TranscriptQuery,
    slice: Slice,
) -> Result<Vec<CallId>, StoreError> {
    let (sql, binds) = paging(session.dialect(), "c.id", query, slice).finish();
    session.query(&sql, &binds, |row| row.get(0).map(CallId))
}
