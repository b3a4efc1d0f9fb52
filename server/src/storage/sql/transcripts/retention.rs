//! Retention: purge of old transcripts and recordings.

use leadscribe_engine::api::{CallId, Timestamp};

use crate::storage::sql::{Bind, Session, audit, binds};
use crate::storage::{AuditContext, RecordingKey, Result};

/// Maximum number of transcripts that one transaction purges. Takes some tens of milliseconds.
const PURGE_BATCH_SIZE: i64 = 200;

/// Purges at most [`PURGE_BATCH_SIZE`] transcripts. Returns their number.
pub(super) fn purge_transcripts(session: &dyn Session, before: Timestamp, audit: &AuditContext) -> Result<u64> {
    let purged = session.query(
        "DELETE FROM transcripts
         WHERE transcription_id IN (
             SELECT transcription_id FROM transcripts WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)
         RETURNING transcription_id, call_id",
        &binds![before, PURGE_BATCH_SIZE],
        |row| Ok((row.get::<i64>(0)?, row.get::<i64>(1)?)),
    )?;
    let dialect = session.dialect();
    let words = dialect.is_any_of(dialect.words_id_column(), "?1");
    session.execute(
        &format!("DELETE FROM transcript_words WHERE {words}"),
        &[Bind::ids(purged.iter().map(|(transcription, _)| *transcription))],
    )?;
    for (_, call) in &purged {
        audit::record(session, "transcript.purge", &CallId(*call).subject(), audit)?;
    }
    Ok(purged.len() as u64)
}

/// Condition: no open transcription needs the recording.
const UNUSED_CONDITION: &str = "NOT EXISTS (
    SELECT 1 FROM transcriptions t WHERE t.call_id = calls.id AND t.state IN ('queued', 'processing'))";

pub(super) fn old_recordings(session: &dyn Session, before: Timestamp) -> Result<Vec<(CallId, RecordingKey)>> {
    let sql = format!(
        "SELECT id, recording_key FROM calls
         WHERE recording_key IS NOT NULL AND created_at < ?1 AND recording_state = 'ready' AND {UNUSED_CONDITION}
         ORDER BY created_at LIMIT 1000"
    );
    session.query(&sql, &binds![before], |row| Ok((CallId(row.get(0)?), RecordingKey(row.get(1)?))))
}

pub(super) fn remove_recording(
    session: &dyn Session,
    call: CallId,
    key: &RecordingKey,
    audit: &AuditContext,
) -> Result<bool> {
    // Locks the call before the check, so that no submission takes it in between. A call that is just being submitted is skipped.
    let lock =
        format!("SELECT 1 FROM calls WHERE id = ?1 AND recording_key = ?2 {}", session.dialect().lock_next_row());
    if !session.exists(&lock, &binds![call.0, key.0])? {
        return Ok(false);
    }
    let sql = format!(
        "UPDATE calls SET recording_state = 'none', media_type = NULL, channels = NULL, sample_rate = NULL,
             duration_seconds = NULL, bytes = NULL, recording_key = NULL
         WHERE id = ?1 AND recording_key = ?2 AND {UNUSED_CONDITION}"
    );
    let is_removed = session.execute(&sql, &binds![call.0, key.0])? > 0;
    if is_removed {
        audit::record(session, "recording.purge", &call.subject(), audit)?;
    }
    Ok(is_removed)
}
