//! Full-text words of transcripts, which each database stores differently. The engine rebuilds them from the transcripts, as for a new
//! transcript.

use leadscribe_engine::api::Segment;
use leadscribe_engine::transcript_search;
use serde::Deserialize;

use super::source::Source;
use super::{CopyError, ProgressReporter};
use crate::storage::sql::{Session, binds};

/// Parts of a transcript's content that are indexed.
#[derive(Deserialize)]
struct TranscriptContent {
    segments: Vec<Segment>,
}

/// Normalizes the words of a transcript.
fn normalized_words(id: i64, content: &str) -> Result<String, CopyError> {
    let unsupported = |reason| CopyError::UnsupportedValue {
        row: format!("transcripts, transcription_id {id}"),
        column: "content".to_owned(),
        reason,
    };
    let content: TranscriptContent =
        serde_json::from_str(content).map_err(|_| unsupported("a transcript that can't be read"))?;
    Some(transcript_search::index_text(&content.segments))
        .filter(|words| !words.contains('\0'))
        .ok_or_else(|| unsupported("the character U+0000, as an escape in JSON"))
}

/// Indexes the words of all copied transcripts.
pub(super) fn index_words(
    session: &dyn Session,
    source: &Source,
    progress: &mut ProgressReporter,
) -> Result<(), CopyError> {
    source.for_each_transcript(&mut |id, content| {
        let insert = "INSERT INTO transcript_words (transcription_id, words) VALUES (?1, ?2)";
        session.execute(insert, &binds![id, normalized_words(id, content)?])?;
        progress.advance(1);
        Ok(())
    })
}

/// Checks that every transcript of the target has exactly its words.
pub(super) fn compare_words(session: &dyn Session, progress: &mut ProgressReporter) -> Result<(), CopyError> {
    let sql = "SELECT t.transcription_id, t.content, w.words FROM transcripts t
         LEFT JOIN transcript_words w ON w.transcription_id = t.transcription_id ORDER BY t.transcription_id";
    session.query_each(sql, &[], &mut |row| {
        let (id, content, words) = (row.get(0)?, row.get::<String>(1)?, row.get::<Option<String>>(2)?);
        if words != Some(normalized_words(id, &content)?) {
            let row = format!("transcript_words, transcription_id {id}");
            return Err(CopyError::ValueMismatch { row, column: "words".to_owned() }.into());
        }
        progress.advance(1);
        Ok(())
    })?;
    Ok(())
}
