//! The audit log.

use async_trait::async_trait;
use leadscribe_engine::api::{AuditEntry, AuditId, Page};

use super::rows::slice_binds;
use super::{Database, Row, Session, SqlStore, binds};
use crate::storage::{AuditStore, Origin, Slice, StoreError};

/// Enters a change into the log, in the transaction that makes it.
pub(super) fn record(session: &dyn Session, action: &str, subject: &str, by: &Origin) -> Result<(), StoreError> {
    session.execute(
        "INSERT INTO audit_log (at, actor, action, subject, request_id) VALUES (?1, ?2, ?3, ?4, ?5)",
        &binds![by.at, by.actor, action, subject, by.request_id],
    )?;
    Ok(())
}

fn entry(row: &dyn Row) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        id: AuditId(row.get(0)?),
        at: row.get(1)?,
        actor: row.get(2)?,
        action: row.get(3)?,
        subject: row.get(4)?,
        request_id: row.get(5)?,
    })
}

#[async_trait]
impl<D: Database> AuditStore for SqlStore<D> {
    async fn audit_log(&self, slice: Slice) -> Result<Page<AuditEntry>, StoreError> {
        self.database
            .read(move |session| {
                let total = session.value("SELECT count(*) FROM audit_log", &[])?;
                let sql = "SELECT id, at, actor, action, subject, request_id FROM audit_log
                           ORDER BY id DESC LIMIT ?1 OFFSET ?2";
                let items = session.query(sql, &slice_binds(slice), entry)?;
                Ok(Page { items, total })
            })
            .await
    }

    async fn note(&self, action: &str, subject: &str, by: &Origin) -> Result<(), StoreError> {
        let (action, subject, by) = (action.to_owned(), subject.to_owned(), by.clone());
        self.database.write(move |session| record(session, &action, &subject, &by)).await
    }
}
