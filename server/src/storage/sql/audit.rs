//! The audit log.

use async_trait::async_trait;
use leadscribe_engine::api::{AuditEntry, AuditId, Page};
use rusqlite::{Connection, Row, params};

use super::SqliteStore;
use super::rows::{Micros, count, slice_params};
use crate::storage::{AuditStore, Origin, Slice, StoreError};

/// Enters a change into the log, in the transaction that makes it.
pub(super) fn record(connection: &Connection, action: &str, subject: &str, by: &Origin) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO audit_log (at, actor, action, subject, request_id) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![Micros(by.at), by.actor, action, subject, by.request_id])?;
    Ok(())
}

fn entry(row: &Row<'_>) -> rusqlite::Result<AuditEntry> {
    Ok(AuditEntry {
        id: AuditId(row.get(0)?),
        at: row.get::<_, Micros>(1)?.0,
        actor: row.get(2)?,
        action: row.get(3)?,
        subject: row.get(4)?,
        request_id: row.get(5)?,
    })
}

#[async_trait]
impl AuditStore for SqliteStore {
    async fn audit_log(&self, slice: Slice) -> Result<Page<AuditEntry>, StoreError> {
        self.read(move |connection| {
            let total = count(connection, "SELECT count(*) FROM audit_log", [])?;
            let items = connection
                .prepare_cached(
                    "SELECT id, at, actor, action, subject, request_id FROM audit_log ORDER BY id DESC LIMIT ?1 OFFSET ?2",
                )?
                .query_map(slice_params(slice), entry)?
                .collect::<Result<_, _>>()?;
            Ok(Page { items, total })
        })
        .await
    }

    async fn note(&self, action: &str, subject: &str, by: &Origin) -> Result<(), StoreError> {
        let (action, subject, by) = (action.to_owned(), subject.to_owned(), by.clone());
        self.write(move |transaction| Ok(record(transaction, &action, &subject, &by)?)).await
    }
}
