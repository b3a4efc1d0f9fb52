//! Transcript search, and the full-text index that it uses.
//!
//! The index and [`Search::find`] agree on every transcript: the engine normalizes the words for both, an engine word is one token of the
//! index, and no phrase spans both sides of a call. So the index alone decides which transcripts match, and `find` locates the passages.

use leadscribe_engine::api::*;
use leadscribe_engine::transcript_search::{self, Search};

use super::{read_transcript, transcript_columns};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::sql::lists::{KeyType, List, ListKey};
use crate::storage::sql::{Bind, Row, Session, binds};
use crate::storage::{Result, TranscriptQuery};

/// Maximum number of passages that a hit shows.
const MAX_PASSAGES: usize = 5;

/// Adds the words of a stored transcript to the index.
pub(super) fn insert_words(session: &dyn Session, id: TranscriptionId, segments: &[Segment]) -> Result<()> {
    let sql = format!("INSERT INTO transcript_words ({}, words) VALUES (?1, ?2)", session.dialect().words_id_column());
    session.execute(&sql, &binds![id.0, transcript_search::index_text(segments)])?;
    Ok(())
}

/// `s` is the transcript, `c` its call, and `p` the call's campaign.
impl List for TranscriptQuery {
    type SortField = TranscriptOrder;
    type Row = TranscriptHit;
    const FROM: &'static str =
        "transcripts s JOIN calls c ON c.id = s.call_id LEFT JOIN campaigns p ON p.id = c.campaign_id";
    const ID: &'static str = "c.id";
    const COLUMNS: &'static str = HIT_COLUMNS;

    fn order(&self) -> Order<TranscriptOrder> {
        self.order
    }

    fn key(&self, field: TranscriptOrder, sql: &SqlBuilder) -> ListKey {
        match field {
            TranscriptOrder::CallId => ListKey::new(KeyType::Integer, Self::ID),
            TranscriptOrder::CallCreatedAt => ListKey::new(KeyType::Time, "c.created_at"),
            TranscriptOrder::LeadId => ListKey::nullable(KeyType::Integer, "c.lead_id"),
            TranscriptOrder::CampaignName => ListKey::nullable(KeyType::Text, sql.dialect().lower("p.name")),
            TranscriptOrder::Agent => ListKey::nullable(KeyType::Text, sql.dialect().lower("c.agent")),
            TranscriptOrder::Language => ListKey::nullable(KeyType::Text, "s.language"),
            TranscriptOrder::Duration => ListKey::new(KeyType::Number, "s.duration"),
        }
    }

    fn push_conditions(&self, sql: &mut SqlBuilder) {
        let dialect = sql.dialect();
        if let Some(search) = &self.search {
            sql.push(" AND s.transcription_id IN (");
            dialect.push_transcript_search(sql, search);
            sql.push(")");
        }
        if let Some(language) = &self.language {
            // The language itself and its regional variants.
            let language_prefix = Bind::Text(format!("{language}-"));
            sql.push(" AND EXISTS (SELECT 1 FROM ").push(&dialect.json_texts("s.languages"));
            sql.push(" WHERE substr(e.value || '-', 1, length(CAST(")
                .push_bind(language_prefix.clone())
                .push(" AS TEXT))) = ");
            sql.push_bind(language_prefix).push(")");
        }
        let conditions = [
            (" AND s.token_id = ", self.token_id.map(|id| Bind::Integer(id.0))),
            (" AND c.campaign_id = ", self.campaign_id.map(|id| Bind::Integer(id.0))),
            (" AND c.lead_id = ", self.lead_id.map(|id| Bind::Integer(id.0))),
            (" AND c.created_at >= ", self.from.map(Bind::Time)),
            (" AND c.created_at <= ", self.till.map(Bind::Time)),
            (" AND s.duration >= ", self.min_duration.map(Bind::Number)),
            (" AND s.duration <= ", self.max_duration.map(Bind::Number)),
        ];
        for (condition, value) in conditions {
            if let Some(value) = value {
                sql.push(condition).push_bind(value);
            }
        }
    }

    fn read(&self, row: &dyn Row) -> Result<TranscriptHit> {
        read_hit(row, self.search.as_ref())
    }

    fn id(row: &TranscriptHit) -> i64 {
        row.call_id.0
    }

    fn entries(_session: &dyn Session, rows: Vec<TranscriptHit>) -> Result<Vec<TranscriptHit>> {
        Ok(rows)
    }
}

/// Columns that [`read_hit`] reads: the columns of [`read_transcript`], then columns of the call.
const HIT_COLUMNS: &str =
    concat!(transcript_columns!(), ", s.token_id, c.lead_id, c.campaign_id, p.name, c.agent, c.created_at");

/// Reads a hit: the columns of its transcript, then those of its call. The transcript is dropped here, so a page of hits never holds more
/// than one in memory.
fn read_hit(row: &dyn Row, search: Option<&Search>) -> Result<TranscriptHit> {
    let transcript = read_transcript(row)?;
    let (passages, matches) = match search {
        Some(search) => {
            let result = search.find(&transcript, MAX_PASSAGES);
            (result.passages, result.match_count)
        }
        None => (transcript_search::opening_passage(&transcript).into_iter().collect(), 0),
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
