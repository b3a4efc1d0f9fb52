//! Changes since a given time.

use leadscribe_engine::api::{CallId, ChangeEvent, DeliveryId, DeliveryState, Timestamp, TranscriptionState};

use crate::storage::Result;
use crate::storage::sql::{Row, Session, binds};

/// Reads both tables by their indexes on `changed_at`. Includes all changes of the last timestamp, however many, so that a client that
/// continues after it misses no change and reads none twice.
const CHANGES_QUERY: &str = "
    SELECT t.changed_at AS changed_at, 'transcription' AS kind, t.call_id AS id,
        (SELECT l.state FROM transcriptions l WHERE l.call_id = t.call_id ORDER BY l.id DESC LIMIT 1) AS state
    FROM transcriptions t WHERE t.changed_at BETWEEN ?1 AND ?2
    UNION ALL
    SELECT changed_at, 'delivery', id, state FROM deliveries WHERE changed_at BETWEEN ?1 AND ?2
    ORDER BY changed_at, kind DESC, id";

/// Timestamp of the thousandth change.
const LAST_TIMESTAMP_QUERY: &str = "
    SELECT changed_at AS changed_at FROM transcriptions WHERE changed_at >= ?1
    UNION ALL
    SELECT changed_at FROM deliveries WHERE changed_at >= ?1
    ORDER BY changed_at LIMIT 1 OFFSET 999";

fn read_change(row: &dyn Row) -> Result<(Timestamp, ChangeEvent)> {
    let change = if row.get::<String>(1)? == "transcription" {
        ChangeEvent::Transcription {
            call_id: CallId(row.get(2)?),
            state: row.get_enum(3, TranscriptionState::from_name)?,
        }
    } else {
        ChangeEvent::Delivery {
            delivery_id: DeliveryId(row.get(2)?),
            state: row.get_enum(3, DeliveryState::from_name)?,
        }
    };
    Ok((row.get(0)?, change))
}

pub(super) fn changes_since(session: &dyn Session, since: Timestamp) -> Result<Vec<(Timestamp, ChangeEvent)>> {
    let last_timestamp =
        session.find(LAST_TIMESTAMP_QUERY, &binds![since], |row| row.get(0))?.unwrap_or(Timestamp::MAX_UTC);
    session.query(CHANGES_QUERY, &binds![since, last_timestamp], read_change)
}
