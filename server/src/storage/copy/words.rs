//! Full-text words of transcripts, which each database stores differently. The engine rebuilds them from the transcripts, as for a new
//! transcript.

use leadscribe_engine::api::Segment;
use leadscribe_engine::words;
use serde::Deserialize;

use super::source::Source;
use super::{MoveError, Steps};
use crate::storage::sql::{Session, binds};

/// Parts of a transcript's content that are indexed.
#[derive(Deserialize)]
struct Content {
    segments: Vec<Segment>,
}

/// Normalizes the words of a transcript.
fn fold(id: i64, content: &str) -> Result<String, MoveError> {
    let unfit = |why| MoveError::Unfit {
        row: format!("transcripts, transcription_id {id}"),
        column: "content".to_owned(),
        why,
    };
    let content: Content = serde_json::from_str(content).map_err(|_| unfit("a transcript that can't be read"))?;
    Some(words::index(&content.segments))
        .filter(|words| !words.contains('\0'))
        .ok_or_else(|| unfit("the character U+0000, as an escape in JSON"))
}

/// Indexes the words of all copied transcripts.
pub(super) fn enter(session: &dyn Session, source: &Source, steps: &mut Steps) -> Result<(), MoveError> {
    source.transcripts(&mut |id, content| {
        let insert = "INSERT INTO transcript_words (transcription_id, words) VALUES (?1, ?2)";
        session.execute(insert, &binds![id, fold(id, content)?])?;
        steps.advance(1);
        Ok(())
    })
}

/// Checks that every transcript of the target has exactly its words.
pub(super) fn compare(session: &dyn Session, steps: &mut Steps) -> Result<(), MoveError> {
    let sql = "SELECT t.transcription_id, t.content, w.words FROM transcripts t
         LEFT JOIN transcript_words w ON w.transcription_id = t.transcription_id ORDER BY t.transcription_id";
    session.query_each(sql, &[], &mut |row| {
        let (id, content, words) = (row.get(0)?, row.get::<String>(1)?, row.get::<Option<String>>(2)?);
        if words != Some(fold(id, &content)?) {
            let row = format!("transcript_words, transcription_id {id}");
            return Err(MoveError::Different { row, column: "words".to_owned() }.into());
        }
        steps.advance(1);
        Ok(())
    })?;
    Ok(())
}
