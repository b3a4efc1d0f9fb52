//! The search for transcripts, and the index of their words that it asks first.
//!
//! The index and [`Search::find`] agree on every transcript: the engine folds the words of both, a word of the engine is
//! one token of the index, and no phrase of either goes from one side to the other. So the index alone decides what is
//! found, and `find` shows where.

use leadscribe_engine::api::*;
use leadscribe_engine::words::{self, Search};
use rusqlite::{Connection, Row, Transaction, params};

use super::{TRANSCRIPT_COLUMNS, transcript};
use crate::storage::filter_sql::{Bind, Sql};
use crate::storage::sqlite::dialect::{Sqlite, run};
use crate::storage::sqlite::rows::{Micros, slice_params};
use crate::storage::{Slice, TranscriptQuery};

/// Passages that a hit shows.
const PASSAGES: usize = 5;

/// Enters the words of a new transcript into the index.
pub(super) fn insert_words(
    transaction: &Transaction<'_>,
    id: TranscriptionId,
    segments: &[Segment],
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT INTO transcript_words (rowid, words) VALUES (?1, ?2)")?
        .execute(params![id.0, words::index(segments)])?;
    Ok(())
}

/// The search in the language of the index: phrases in quotes, a star after what is only the beginning of a word. Inside
/// quotes nothing but a quote has a meaning.
fn match_text(search: &Search) -> String {
    let term = |term: &words::Term| {
        let phrase = term.words.join(" ").replace('"', "\"\"");
        format!("\"{phrase}\"{}", if term.prefix { "*" } else { "" })
    };
    search.terms.iter().map(term).collect::<Vec<_>>().join(" AND ")
}

/// The tables and conditions of a query: `s` is the transcript, `c` its call.
fn push_conditions(sql: &mut Sql<'_>, query: &TranscriptQuery) {
    sql.push(" FROM transcripts s JOIN calls c ON c.id = s.call_id LEFT JOIN campaigns p ON p.id = c.campaign_id");
    sql.push(" WHERE TRUE");
    if let Some(search) = &query.search {
        sql.push(" AND s.transcription_id IN (SELECT rowid FROM transcript_words WHERE transcript_words MATCH ");
        sql.bind(Bind::Text(match_text(search))).push(")");
    }
    if let Some(language) = &query.language {
        // The language itself, and every variety of it.
        sql.push(" AND EXISTS (SELECT 1 FROM json_each(s.languages) l WHERE instr(l.value || '-', ");
        sql.bind(Bind::Text(format!("{language}-"))).push(") = 1)");
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

fn counting(query: &TranscriptQuery) -> Sql<'static> {
    let mut sql = Sql::new(&Sqlite);
    sql.push("SELECT count(*)");
    push_conditions(&mut sql, query);
    sql
}

/// `columns` of a slice of what is found, newest call first.
fn paging(columns: &str, query: &TranscriptQuery, slice: Slice) -> Sql<'static> {
    let mut sql = Sql::new(&Sqlite);
    sql.push("SELECT ").push(columns);
    push_conditions(&mut sql, query);
    let [limit, offset] = slice_params(slice);
    sql.push(" ORDER BY c.created_at DESC, c.id DESC LIMIT ").bind(Bind::Integer(limit));
    sql.push(" OFFSET ").bind(Bind::Integer(offset));
    sql
}

/// Reads a hit: the columns of its transcript, then those of its call. Holds one transcript at a time.
fn hit(row: &Row<'_>, search: Option<&Search>) -> rusqlite::Result<TranscriptHit> {
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
        lead_id: row.get::<_, Option<i64>>(7)?.map(LeadId),
        campaign_id: row.get::<_, Option<i64>>(8)?.map(CampaignId),
        campaign_name: row.get(9)?,
        agent: row.get(10)?,
        call_created_at: row.get::<_, Micros>(11)?.0,
        language: transcript.language,
        duration: transcript.duration,
        passages,
        matches,
    })
}

pub(super) fn page(
    snapshot: &Connection,
    query: &TranscriptQuery,
    slice: Slice,
) -> rusqlite::Result<Page<TranscriptHit>> {
    let total = run(snapshot, counting(query), |row| row.get::<_, u64>(0))?.into_iter().sum();
    let columns = format!("{TRANSCRIPT_COLUMNS}, s.token_id, c.lead_id, c.campaign_id, p.name, c.agent, c.created_at");
    let items = run(snapshot, paging(&columns, query, slice), |row| hit(row, query.search.as_ref()))?;
    Ok(Page { items, total })
}

/// The calls of a slice of what is found.
pub(in crate::storage::sqlite) fn calls(
    connection: &Connection,
    query: &TranscriptQuery,
    slice: Slice,
) -> rusqlite::Result<Vec<CallId>> {
    run(connection, paging("c.id", query, slice), |row| row.get(0).map(CallId))
}

/// How SQLite finds them; for tests.
#[cfg(test)]
pub(in crate::storage::sqlite) fn plan(snapshot: &Connection, query: &TranscriptQuery) -> rusqlite::Result<String> {
    use crate::storage::sqlite::dialect;
    let slice = Slice { count: 200, offset: 0 };
    let (counting, paging) = (counting(query).finish().0, paging("c.id", query, slice).finish().0);
    Ok(dialect::plan(snapshot, &counting)? + &dialect::plan(snapshot, &paging)?)
}
