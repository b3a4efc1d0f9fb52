//! What is forgotten after its time: transcripts and recordings.

use leadscribe_engine::api::{CallId, Timestamp};
use rusqlite::{Connection, Transaction, params};

use crate::storage::sqlite::audit;
use crate::storage::sqlite::rows::Micros;
use crate::storage::{Origin, RecordingKey};

/// Transcripts forgotten in one transaction: some tens of milliseconds in which nobody else writes.
const BATCH: i64 = 200;

/// Forgets at most [`BATCH`] transcripts; gives how many.
pub(super) fn purge_transcripts(
    transaction: &Transaction<'_>,
    before: Timestamp,
    by: &Origin,
) -> rusqlite::Result<u64> {
    let purged = transaction
        .prepare_cached(
            "DELETE FROM transcripts
             WHERE transcription_id IN (
                 SELECT transcription_id FROM transcripts WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)
             RETURNING transcription_id, call_id",
        )?
        .query_map(params![Micros(before), BATCH], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(i64, i64)>, _>>()?;
    let mut words = transaction.prepare_cached("DELETE FROM transcript_words WHERE rowid = ?1")?;
    for (transcription, call) in &purged {
        words.execute([transcription])?;
        audit::record(transaction, "transcript.purge", &format!("call:{call}"), by)?;
    }
    Ok(purged.len() as u64)
}

/// That no worker will ask for the recording any more.
const NOT_NEEDED: &str = "NOT EXISTS (
    SELECT 1 FROM transcriptions t WHERE t.call_id = calls.id AND t.state IN ('queued', 'processing'))";

pub(super) fn old_recordings(
    snapshot: &Connection,
    before: Timestamp,
) -> rusqlite::Result<Vec<(CallId, RecordingKey)>> {
    snapshot
        .prepare_cached(&format!(
            "SELECT id, recording_key FROM calls
             WHERE recording_key IS NOT NULL AND created_at < ?1 AND recording_state = 'ready' AND {NOT_NEEDED}
             ORDER BY created_at LIMIT 1000"
        ))?
        .query_map([Micros(before)], |row| Ok((CallId(row.get(0)?), RecordingKey(row.get(1)?))))?
        .collect()
}

pub(super) fn forget_recording(
    transaction: &Transaction<'_>,
    call: CallId,
    key: &RecordingKey,
    by: &Origin,
) -> rusqlite::Result<bool> {
    let forgotten = transaction
        .prepare_cached(&format!(
            "UPDATE calls SET recording_state = 'none', media_type = NULL, channels = NULL, sample_rate = NULL,
                 duration_seconds = NULL, bytes = NULL, recording_key = NULL
             WHERE id = ?1 AND recording_key = ?2 AND {NOT_NEEDED}"
        ))?
        .execute(params![call.0, key.0])?
        > 0;
    if forgotten {
        audit::record(transaction, "recording.purge", &format!("call:{call}"), by)?;
    }
    Ok(forgotten)
}
