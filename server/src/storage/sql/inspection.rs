//! Inspection of a database's rows.

use leadscribe_engine::api::LeadId;

use crate::storage::inspection::RowStats;
use crate::storage::{InstallationId, RecordingKey, Result};

use super::{Bind, Session, transcripts};

/// Counts and times of the rows. The database must have this program's schema version.
pub(in crate::storage) fn row_stats(session: &dyn Session) -> Result<RowStats> {
    let count = |sql: &str| session.query_value::<u64>(sql, &[]);
    // Ordered by id, which follows creation, because the times are not indexed.
    let mut newest_timestamp = None;
    for latest_sql in [
        "SELECT at FROM audit_log ORDER BY id DESC LIMIT 1",
        "SELECT changed_at FROM transcriptions ORDER BY id DESC LIMIT 1",
        "SELECT changed_at FROM deliveries ORDER BY id DESC LIMIT 1",
        "SELECT started_at FROM imports ORDER BY id DESC LIMIT 1",
    ] {
        newest_timestamp = newest_timestamp.max(session.find(latest_sql, &[], |row| row.get(0))?);
    }
    let recordings = session.query(
        "SELECT recording_key, bytes FROM calls WHERE recording_key IS NOT NULL ORDER BY recording_key",
        &[] as &[Bind],
        |row| Ok((RecordingKey(row.get(0)?), row.get(1)?)),
    )?;
    let (shared_identifiers, leads_with_same_identifier) = session.query_one(
        "WITH shared AS (
             SELECT min(id) AS one, max(id) AS other FROM leads WHERE original_identifier IS NOT NULL
             GROUP BY original_identifier HAVING count(*) > 1
         )
         SELECT (SELECT count(*) FROM shared), (SELECT one FROM shared ORDER BY one LIMIT 1),
             (SELECT other FROM shared ORDER BY one LIMIT 1)",
        &[],
        |row| {
            let leads = row.get::<Option<i64>>(1)?.zip(row.get::<Option<i64>>(2)?);
            Ok((row.get(0)?, leads.map(|(one, other)| (LeadId(one), LeadId(other)))))
        },
    )?;
    Ok(RowStats {
        installation: InstallationId(session.query_value("SELECT id FROM installation", &[])?),
        admins: count("SELECT count(*) FROM users WHERE role = 'admin' AND deactivated_at IS NULL")?,
        newest_timestamp,
        open_transcriptions: count("SELECT count(*) FROM transcriptions WHERE state IN ('queued', 'processing')")?,
        failed_transcriptions: transcripts::count_failed(session)?,
        shared_identifiers,
        leads_with_same_identifier,
        failed_deliveries: count("SELECT count(*) FROM deliveries WHERE state = 'failed'")?,
        recordings,
    })
}
