//! Transcriptions and transcripts. Implements the trait; `search` searches transcripts, and `retention` purges transcripts and recordings.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::Message;
use serde::{Deserialize, Serialize};

use super::endpoint_queue;
use super::lists;
use super::queue::{TRANSCRIPTIONS, Transition};
use super::{Bind, Database, Row, Session, SqlStore, binds, calls};
use crate::storage::{
    AuditContext, Claim, ClaimedTranscription, FencedWrite, RecordingKey, Result, Slice, TranscriptQuery,
    TranscriptStore,
};
use crate::transcript::NewTranscript;

pub(in crate::storage) mod changes;
mod retention;
pub(in crate::storage) mod search;

/// Columns that [`read_transcription`] reads.
const TRANSCRIPTION_COLUMNS: &str = "id, call_id, token_id, languages, recording_side, min_duration, state, attempts, \
     error, queued_at, started_at, finished_at";

fn read_transcription(row: &dyn Row) -> Result<Transcription> {
    Ok(Transcription {
        id: TranscriptionId(row.get(0)?),
        call_id: CallId(row.get(1)?),
        token_id: TokenId(row.get(2)?),
        languages: row.json(3)?,
        recording_side: row.get_enum(4, RecordingSide::from_name)?,
        min_duration: row.get(5)?,
        state: row.get_enum(6, TranscriptionState::from_name)?,
        attempts: row.get(7)?,
        error: row.get(8)?,
        queued_at: row.get(9)?,
        started_at: row.get(10)?,
        finished_at: row.get(11)?,
    })
}

/// Columns that [`read_transcript`] reads, as a literal that `concat!` can extend.
macro_rules! transcript_columns {
    () => {
        "s.call_id, s.transcription_id, s.language, s.duration, s.content, s.created_at"
    };
}
use transcript_columns;

/// Parts of a transcript that are stored as JSON.
#[derive(Serialize, Deserialize)]
struct TranscriptContent {
    segments: Vec<Segment>,
    sides: Vec<TranscribedSide>,
    dropped: Vec<DroppedSpan>,
    redactions: u32,
    engine: SpeechEngine,
}

fn read_transcript(row: &dyn Row) -> Result<Transcript> {
    let TranscriptContent { segments, sides, dropped, redactions, engine } = row.json(4)?;
    Ok(Transcript {
        call_id: CallId(row.get(0)?),
        transcription_id: TranscriptionId(row.get(1)?),
        language: row.get(2)?,
        duration: row.get(3)?,
        segments,
        sides,
        dropped,
        redactions,
        engine,
        created_at: row.get(5)?,
    })
}

pub(super) fn find(session: &dyn Session, call: CallId) -> Result<Option<Transcript>> {
    let sql = concat!("SELECT ", transcript_columns!(), " FROM transcripts s WHERE s.call_id = ?1");
    session.find(sql, &binds![call.0], read_transcript)
}

fn list_for_call(session: &dyn Session, call: CallId) -> Result<Vec<Transcription>> {
    let sql = format!("SELECT {TRANSCRIPTION_COLUMNS} FROM transcriptions WHERE call_id = ?1 ORDER BY id DESC");
    session.query(&sql, &binds![call.0], read_transcription)
}

fn find_for_token(session: &dyn Session, call: CallId, token: TokenId) -> Result<Option<Transcription>> {
    let sql = format!(
        "SELECT {TRANSCRIPTION_COLUMNS} FROM transcriptions WHERE token_id = ?2
         AND id = (SELECT max(id) FROM transcriptions WHERE call_id = ?1)"
    );
    session.find(&sql, &binds![call.0, token.0], read_transcription)
}

/// Number of calls whose latest transcription failed.
pub(super) fn count_failed(session: &dyn Session) -> Result<u64> {
    let sql = "SELECT count(*) FROM transcriptions t WHERE t.state = 'failed'
         AND NOT EXISTS (SELECT 1 FROM transcriptions later WHERE later.call_id = t.call_id AND later.id > t.id)";
    session.query_value(sql, &[])
}

fn claim(session: &dyn Session, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedTranscription>> {
    let claimed = match TRANSCRIPTIONS.claim_expired(session, lease, now)? {
        Some(expired) => Some(expired),
        None => TRANSCRIPTIONS.claim_queued(session, "transcriptions_queued", lease, now)?,
    };
    let Some(Claim { id, fencing_token }) = claimed else { return Ok(None) };
    let sql = format!("UPDATE transcriptions SET started_at = ?2 WHERE id = ?1 RETURNING {TRANSCRIPTION_COLUMNS}");
    let transcription = session.query_one(&sql, &binds![id, now], read_transcription)?;
    // Locked, so that the recording isn't replaced before this claim is committed and visible.
    let lock = format!("SELECT 1 FROM calls WHERE id = ?1 {}", session.dialect().lock_rows_shared());
    session.exists(&lock, &binds![transcription.call_id.0])?;
    let recording = calls::ready_recording(session, transcription.call_id)?;
    let claim = Claim { id: TranscriptionId(id), fencing_token };
    Ok(Some(ClaimedTranscription { claim, transcription, recording }))
}

/// Returns the transcription with this id.
pub(super) fn find_transcription(session: &dyn Session, id: TranscriptionId) -> Result<Transcription> {
    let sql = format!("SELECT {TRANSCRIPTION_COLUMNS} FROM transcriptions WHERE id = ?1");
    session.query_one(&sql, &binds![id.0], read_transcription)
}

/// Ends a claim; `error` is the reason if there is no transcript. At the end of the transcription, its delivery becomes due.
fn finish_claim(
    session: &dyn Session,
    claim: Claim<TranscriptionId>,
    transition: Transition,
    error: Option<&Message>,
    now: Timestamp,
) -> Result<FencedWrite> {
    let Claim { id, fencing_token } = claim;
    let result = TRANSCRIPTIONS.finish_claim(session, Claim { id: id.0, fencing_token }, transition, now)?;
    if result == FencedWrite::Done {
        let sql = "UPDATE transcriptions SET error = ?2 WHERE id = ?1 RETURNING call_id";
        let call = CallId(session.query_value(sql, &binds![id.0, error])?);
        if matches!(transition, Transition::End(_)) {
            endpoint_queue::queue_waiting(session, &[call], now)?;
        }
    }
    Ok(result)
}

fn release(session: &dyn Session, claim: Claim<TranscriptionId>, now: Timestamp) -> Result<FencedWrite> {
    let Claim { id, fencing_token } = claim;
    let result = TRANSCRIPTIONS.finish_claim(session, Claim { id: id.0, fencing_token }, Transition::Release, now)?;
    if result == FencedWrite::Done {
        let sql = "UPDATE transcriptions SET started_at = NULL WHERE id = ?1 AND attempts = 0";
        session.execute(sql, &binds![id.0])?;
    }
    Ok(result)
}

fn complete(
    session: &dyn Session,
    claim: Claim<TranscriptionId>,
    new: &NewTranscript,
    now: Timestamp,
) -> Result<FencedWrite> {
    if finish_claim(session, claim, Transition::End(TranscriptionState::Completed.as_str()), None, now)?
        == FencedWrite::ClaimLost
    {
        return Ok(FencedWrite::ClaimLost);
    }
    let NewTranscript { language, duration, segments, sides, dropped, redactions, engine } = new.clone();
    let mut languages: Vec<&String> = sides.iter().filter_map(|side| side.language.as_ref()).collect();
    languages.sort_unstable();
    languages.dedup();
    let languages = Bind::json(&languages);
    let content = TranscriptContent { segments, sides, dropped, redactions, engine };
    session.execute(
        "INSERT INTO transcripts (transcription_id, call_id, token_id, language, languages, duration, content,
             created_at)
         SELECT id, call_id, token_id, ?2, ?3, ?4, ?5, ?6 FROM transcriptions WHERE id = ?1",
        &binds![claim.id.0, language, languages, duration, Bind::json(&content), now],
    )?;
    search::insert_words(session, claim.id, &content.segments)?;
    Ok(FencedWrite::Done)
}

#[async_trait]
impl<D: Database> TranscriptStore for SqlStore<D> {
    async fn claim_transcription(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedTranscription>> {
        self.database.write_locking(move |session| claim(session, lease, now)).await
    }

    async fn extend_transcription(&self, claim: Claim<TranscriptionId>, until: Timestamp) -> Result<FencedWrite> {
        let claim = Claim { id: claim.id.0, fencing_token: claim.fencing_token };
        self.database.write(move |session| TRANSCRIPTIONS.extend(session, claim, until)).await
    }

    async fn complete_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        transcript: &NewTranscript,
        now: Timestamp,
    ) -> Result<FencedWrite> {
        let new = transcript.clone();
        self.database.write_locking(move |session| complete(session, claim, &new, now)).await
    }

    async fn retry_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &Message,
        due: Timestamp,
        now: Timestamp,
    ) -> Result<FencedWrite> {
        let error = error.clone();
        self.database
            .write(move |session| finish_claim(session, claim, Transition::Requeue(due), Some(&error), now))
            .await
    }

    async fn fail_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &Message,
        now: Timestamp,
    ) -> Result<FencedWrite> {
        let error = error.clone();
        let transition = Transition::End(TranscriptionState::Failed.as_str());
        self.database.write_locking(move |session| finish_claim(session, claim, transition, Some(&error), now)).await
    }

    async fn release_transcription(&self, claim: Claim<TranscriptionId>, now: Timestamp) -> Result<FencedWrite> {
        self.database.write(move |session| release(session, claim, now)).await
    }

    async fn transcriptions(&self, call: CallId) -> Result<Vec<Transcription>> {
        self.database.read(move |session| list_for_call(session, call)).await
    }

    async fn token_transcription(&self, call: CallId, token: TokenId) -> Result<Option<Transcription>> {
        self.database.read(move |session| find_for_token(session, call, token)).await
    }

    async fn transcript(&self, call: CallId) -> Result<Option<Transcript>> {
        self.database.read(move |session| find(session, call)).await
    }

    async fn search_transcripts(&self, query: &TranscriptQuery, slice: Slice) -> Result<Page<TranscriptHit>> {
        let query = query.clone();
        self.database.read(move |session| lists::page(session, &query, slice)).await
    }

    async fn changes_since(&self, since: Timestamp) -> Result<Vec<(Timestamp, ChangeEvent)>> {
        self.database.read(move |session| changes::changes_since(session, since)).await
    }

    async fn purge_transcripts(&self, before: Timestamp, audit: &AuditContext) -> Result<u64> {
        let mut purged = 0;
        // One transaction per batch, so that other writers aren't blocked.
        loop {
            let audit = audit.clone();
            match self.database.write(move |session| retention::purge_transcripts(session, before, &audit)).await? {
                0 => return Ok(purged),
                count => purged += count,
            }
        }
    }

    async fn old_recordings(&self, before: Timestamp) -> Result<Vec<(CallId, RecordingKey)>> {
        self.database.read(move |session| retention::old_recordings(session, before)).await
    }

    async fn remove_recording(&self, call: CallId, key: &RecordingKey, audit: &AuditContext) -> Result<bool> {
        let (key, audit) = (key.clone(), audit.clone());
        self.database.write_locking(move |session| retention::remove_recording(session, call, &key, &audit)).await
    }
}
