//! The work on transcriptions, and the transcripts. The trait stands here; `search` finds transcripts, and `retention`
//! forgets them and recordings.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::queue::{After, TRANSCRIPTIONS};
use super::rows::{Json, Micros, moment, named};
use super::{SqliteStore, calls};
use crate::storage::{
    ByClaim, Claim, ClaimedTranscription, NewTranscript, Origin, RecordingKey, Slice, StoreError, TranscriptQuery,
    TranscriptStore,
};

pub(super) mod changes;
mod retention;
pub(super) mod search;

/// What [`transcription`] reads.
const TRANSCRIPTION_COLUMNS: &str = "id, call_id, token_id, languages, recording_side, min_duration, state, attempts, \
     error, queued_at, started_at, finished_at";

fn transcription(row: &Row<'_>) -> rusqlite::Result<Transcription> {
    Ok(Transcription {
        id: TranscriptionId(row.get(0)?),
        call_id: CallId(row.get(1)?),
        token_id: TokenId(row.get(2)?),
        languages: row.get::<_, Json<_>>(3)?.0,
        recording_side: named(row, 4, RecordingSide::from_name)?,
        min_duration: row.get(5)?,
        state: named(row, 6, TranscriptionState::from_name)?,
        attempts: row.get(7)?,
        error: row.get(8)?,
        queued_at: row.get::<_, Micros>(9)?.0,
        started_at: moment(row, 10)?,
        finished_at: moment(row, 11)?,
    })
}

/// What [`transcript`] reads.
const TRANSCRIPT_COLUMNS: &str = "s.call_id, s.transcription_id, s.language, s.duration, s.content, s.created_at";

/// What of a transcript is kept as JSON.
#[derive(Serialize, Deserialize)]
struct Content {
    segments: Vec<Segment>,
    sides: Vec<TranscribedSide>,
    dropped: Vec<Dropped>,
    redactions: u32,
    engine: SpeechEngine,
}

fn transcript(row: &Row<'_>) -> rusqlite::Result<Transcript> {
    let Json(Content { segments, sides, dropped, redactions, engine }) = row.get(4)?;
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
        created_at: row.get::<_, Micros>(5)?.0,
    })
}

/// The transcript of a call.
pub(super) fn find(connection: &Connection, call: CallId) -> rusqlite::Result<Option<Transcript>> {
    connection
        .prepare_cached(&format!("SELECT {TRANSCRIPT_COLUMNS} FROM transcripts s WHERE s.call_id = ?1"))?
        .query_row([call.0], transcript)
        .optional()
}

fn of_call(snapshot: &Connection, call: CallId) -> rusqlite::Result<Vec<Transcription>> {
    snapshot
        .prepare_cached(&format!(
            "SELECT {TRANSCRIPTION_COLUMNS} FROM transcriptions WHERE call_id = ?1 ORDER BY id DESC"
        ))?
        .query_map([call.0], transcription)?
        .collect()
}

fn claim(
    transaction: &Transaction<'_>,
    lease: TimeDelta,
    now: Timestamp,
) -> rusqlite::Result<Option<ClaimedTranscription>> {
    let Some(Claim { id, fence }) = TRANSCRIPTIONS.claim(transaction, lease, now)? else { return Ok(None) };
    let transcription = transaction
        .prepare_cached(&format!(
            "UPDATE transcriptions SET started_at = ?2 WHERE id = ?1 RETURNING {TRANSCRIPTION_COLUMNS}"
        ))?
        .query_row(params![id, Micros(now)], transcription)?;
    let recording = calls::ready_recording(transaction, transcription.call_id)?;
    let claim = Claim { id: TranscriptionId(id), fence };
    Ok(Some(ClaimedTranscription { claim, transcription, recording }))
}

/// Ends a claim; `error` is why it didn't come to a transcript.
fn settle(
    transaction: &Transaction<'_>,
    claim: Claim<TranscriptionId>,
    after: After,
    error: Option<&str>,
    now: Timestamp,
) -> rusqlite::Result<ByClaim> {
    let Claim { id, fence } = claim;
    let settled = TRANSCRIPTIONS.settle(transaction, Claim { id: id.0, fence }, after, now)?;
    if settled == ByClaim::Done {
        transaction
            .prepare_cached("UPDATE transcriptions SET error = ?2 WHERE id = ?1")?
            .execute(params![id.0, error])?;
    }
    Ok(settled)
}

fn release(transaction: &Transaction<'_>, claim: Claim<TranscriptionId>, now: Timestamp) -> rusqlite::Result<ByClaim> {
    let Claim { id, fence } = claim;
    let released = TRANSCRIPTIONS.settle(transaction, Claim { id: id.0, fence }, After::Released, now)?;
    if released == ByClaim::Done {
        transaction
            .prepare_cached("UPDATE transcriptions SET started_at = NULL WHERE id = ?1 AND attempts = 0")?
            .execute([id.0])?;
    }
    Ok(released)
}

fn complete(
    transaction: &Transaction<'_>,
    claim: Claim<TranscriptionId>,
    new: NewTranscript,
    now: Timestamp,
) -> rusqlite::Result<ByClaim> {
    if settle(transaction, claim, After::Ended(TranscriptionState::Completed.as_str()), None, now)? == ByClaim::Lost {
        return Ok(ByClaim::Lost);
    }
    let NewTranscript { language, duration, segments, sides, dropped, redactions, engine } = new;
    search::insert_words(transaction, claim.id, &segments)?;
    let mut languages: Vec<&String> = sides.iter().filter_map(|side| side.language.as_ref()).collect();
    languages.sort_unstable();
    languages.dedup();
    let languages = serde_json::json!(languages);
    transaction
        .prepare_cached(
            "INSERT INTO transcripts (transcription_id, call_id, token_id, language, languages, duration, content,
                 created_at)
             SELECT id, call_id, token_id, ?2, ?3, ?4, ?5, ?6 FROM transcriptions WHERE id = ?1",
        )?
        .execute(params![
            claim.id.0,
            language,
            Json(&languages),
            duration,
            Json(&Content { segments, sides, dropped, redactions, engine }),
            Micros(now),
        ])?;
    Ok(ByClaim::Done)
}

#[async_trait]
impl TranscriptStore for SqliteStore {
    async fn claim_transcription(
        &self,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<ClaimedTranscription>, StoreError> {
        self.write(move |transaction| Ok(claim(transaction, lease, now)?)).await
    }

    async fn extend_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        until: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let claim = Claim { id: claim.id.0, fence: claim.fence };
        self.write(move |transaction| Ok(TRANSCRIPTIONS.extend(transaction, claim, until)?)).await
    }

    async fn complete_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        transcript: &NewTranscript,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let new = transcript.clone();
        self.write(move |transaction| Ok(complete(transaction, claim, new, now)?)).await
    }

    async fn retry_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &str,
        due: Timestamp,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let error = error.to_owned();
        self.write(move |transaction| Ok(settle(transaction, claim, After::Due(due), Some(&error), now)?)).await
    }

    async fn fail_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &str,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let error = error.to_owned();
        let failed = After::Ended(TranscriptionState::Failed.as_str());
        self.write(move |transaction| Ok(settle(transaction, claim, failed, Some(&error), now)?)).await
    }

    async fn release_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        self.write(move |transaction| Ok(release(transaction, claim, now)?)).await
    }

    async fn transcriptions(&self, call: CallId) -> Result<Vec<Transcription>, StoreError> {
        self.read(move |snapshot| Ok(of_call(snapshot, call)?)).await
    }

    async fn transcript(&self, call: CallId) -> Result<Option<Transcript>, StoreError> {
        self.read(move |snapshot| Ok(find(snapshot, call)?)).await
    }

    async fn search_transcripts(
        &self,
        query: &TranscriptQuery,
        slice: Slice,
    ) -> Result<Page<TranscriptHit>, StoreError> {
        let query = query.clone();
        self.read(move |snapshot| Ok(search::page(snapshot, &query, slice)?)).await
    }

    async fn changes(&self, since: Timestamp) -> Result<Vec<(Timestamp, Change)>, StoreError> {
        self.read(move |snapshot| Ok(changes::since(snapshot, since)?)).await
    }

    async fn purge_transcripts(&self, before: Timestamp, by: &Origin) -> Result<u64, StoreError> {
        let mut purged = 0;
        // Transaction by transaction, so that other writes get their turn.
        loop {
            let by = by.clone();
            let batch = self
                .write::<_, StoreError>(move |transaction| Ok(retention::purge_transcripts(transaction, before, &by)?));
            match batch.await? {
                0 => return Ok(purged),
                more => purged += more,
            }
        }
    }

    async fn old_recordings(&self, before: Timestamp) -> Result<Vec<(CallId, RecordingKey)>, StoreError> {
        self.read(move |snapshot| Ok(retention::old_recordings(snapshot, before)?)).await
    }

    async fn forget_recording(&self, call: CallId, key: &RecordingKey, by: &Origin) -> Result<bool, StoreError> {
        let (key, by) = (key.clone(), by.clone());
        self.write(move |transaction| Ok(retention::forget_recording(transaction, call, &key, &by)?)).await
    }
}
