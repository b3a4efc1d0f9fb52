//! What changed since a moment.

use leadscribe_engine::api::{CallId, Change, DeliveryId, DeliveryState, Timestamp, TranscriptionState};
use rusqlite::{Connection, Row};

use crate::storage::sqlite::rows::{Micros, named};

/// Both tables by their indexes on `changed_at`. All changes of the last moment are there, however many: whoever goes on
/// after it misses none and meets none twice.
const SINCE: &str = "
    SELECT t.changed_at AS moment, 'transcription' AS kind, t.call_id AS id,
        (SELECT l.state FROM transcriptions l WHERE l.call_id = t.call_id ORDER BY l.id DESC LIMIT 1) AS state
    FROM transcriptions t WHERE t.changed_at BETWEEN ?1 AND ?2
    UNION ALL
    SELECT changed_at, 'delivery', id, state FROM deliveries WHERE changed_at BETWEEN ?1 AND ?2
    ORDER BY moment, kind DESC, id";

/// The moment of the thousandth change.
const LAST_MOMENT: &str = "
    SELECT changed_at AS moment FROM transcriptions WHERE changed_at >= ?1
    UNION ALL
    SELECT changed_at FROM deliveries WHERE changed_at >= ?1
    ORDER BY moment LIMIT 1 OFFSET 999";

fn change(row: &Row<'_>) -> rusqlite::Result<(Timestamp, Change)> {
    let change = if row.get_ref(1)?.as_str()? == "transcription" {
        Change::Transcription { call_id: CallId(row.get(2)?), state: named(row, 3, TranscriptionState::from_name)? }
    } else {
        Change::Delivery { delivery_id: DeliveryId(row.get(2)?), state: named(row, 3, DeliveryState::from_name)? }
    };
    Ok((row.get::<_, Micros>(0)?.0, change))
}

pub(super) fn since(snapshot: &Connection, since: Timestamp) -> rusqlite::Result<Vec<(Timestamp, Change)>> {
    let mut last = snapshot.prepare_cached(LAST_MOMENT)?;
    let last = last.query([Micros(since)])?.next()?.map_or(Ok(i64::MAX), |row| row.get(0))?;
    snapshot.prepare_cached(SINCE)?.query_map((Micros(since), last), change)?.collect()
}

/// How SQLite finds them; for tests.
#[cfg(test)]
pub(in crate::storage::sqlite) fn plan(snapshot: &Connection) -> rusqlite::Result<String> {
    use crate::storage::sqlite::dialect;
    Ok(dialect::plan(snapshot, SINCE)? + &dialect::plan(snapshot, LAST_MOMENT)?)
}
