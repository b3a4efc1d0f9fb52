//! Idempotency keys. A key and the result of its request are stored in the transaction of the request, so neither exists without the other.

use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entity::Entity;
use super::{Bind, Database, DatabaseWork, Session, SqlStore, binds, record};
use crate::storage::{
    AuditContext, IDEMPOTENCY_KEY_NOT_STORED, IDEMPOTENCY_KEY_REUSED, IdempotencyKey, Result, StoreError, WriteError,
};

/// Runs `work`, or returns the result of the earlier request under the same idempotency key. Waits for an earlier request that is still
/// running.
pub(super) fn run_once<T: Serialize + DeserializeOwned>(
    session: &dyn Session,
    audit: &AuditContext,
    work: impl FnOnce() -> Result<T, WriteError>,
) -> Result<T, WriteError> {
    let Some(key) = &audit.idempotency else { return work() };
    // The transaction may run several times.
    key.set_replayed(false);
    if let Some(earlier) = reserve(session, key, audit)? {
        key.set_replayed(true);
        return Ok(earlier);
    }
    let result = work()?;
    session.execute(
        "UPDATE idempotency_keys SET response = ?3 WHERE owner = ?1 AND key = ?2",
        &binds![key.owner, key.key, Bind::json(&result)],
    )?;
    Ok(result)
}

/// Reserves the key for a request that is completed in the same transaction, or returns the result of the earlier request.
fn reserve<T: DeserializeOwned>(
    session: &dyn Session,
    key: &IdempotencyKey,
    audit: &AuditContext,
) -> Result<Option<T>, WriteError> {
    let refuse = |code, message| Err(WriteError::Refused(Diagnostic::new(Location::default(), code, message)));
    let fingerprint = key.fingerprint();
    let expired_until = audit.at - key.lifetime;
    if key.can_store {
        let reserved = session.execute(
            "INSERT INTO idempotency_keys (owner, key, fingerprint, response, created_at) VALUES (?1, ?2, ?3, 'null', ?4)
             ON CONFLICT (owner, key) DO UPDATE
             SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at
             WHERE idempotency_keys.created_at <= ?5",
            &binds![key.owner, key.key, fingerprint, audit.at, expired_until],
        )?;
        if reserved > 0 {
            return Ok(None);
        }
    }
    let sql = "SELECT fingerprint, response FROM idempotency_keys WHERE owner = ?1 AND key = ?2 AND created_at > ?3";
    let earlier = session.find(sql, &binds![key.owner, key.key, expired_until], |row| {
        let earlier_fingerprint: [u8; 32] = row.get(0)?;
        // The result of another request may have another form.
        (earlier_fingerprint == fingerprint).then(|| row.json(1)).transpose()
    })?;
    match earlier {
        Some(Some(result)) => Ok(Some(result)),
        Some(None) => refuse(IDEMPOTENCY_KEY_REUSED, conflict::idempotency_key_reused()),
        None => refuse(IDEMPOTENCY_KEY_NOT_STORED, conflict::idempotency_key_not_stored()),
    }
}

impl<D: Database> SqlStore<D> {
    /// Runs work that creates something in a transaction, at most once for an idempotency key.
    pub(super) async fn create<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        audit: &AuditContext,
        work: impl DatabaseWork<T, WriteError>,
    ) -> Result<T, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| run_once(session, &audit, || work(session))).await
    }

    /// Like [`SqlStore::create`], but stores the ids only: a key must not keep the data of records that are deleted. A repeat returns the
    /// records as they are now. It is refused if one was deleted.
    pub(super) async fn create_records<T: Entity + Send + 'static>(
        &self,
        audit: &AuditContext,
        work: impl DatabaseWork<Vec<T>, WriteError>,
    ) -> Result<Vec<T>, WriteError> {
        let audit = audit.clone();
        let create = move |session: &dyn Session| {
            let mut created = None;
            let ids = run_once(session, &audit, || {
                let records = created.insert(work(session)?);
                Ok(records.iter().map(T::id).collect::<Vec<_>>())
            })?;
            created.map_or_else(|| ids.into_iter().map(|id| find_created(session, id)).collect(), Ok)
        };
        self.database.write(create).await
    }

    /// Like [`SqlStore::create_records`], for a single record.
    pub(super) async fn create_record<T: Entity + Send + 'static>(
        &self,
        audit: &AuditContext,
        work: impl DatabaseWork<T, WriteError>,
    ) -> Result<T, WriteError> {
        let mut created = self.create_records(audit, move |session| Ok(vec![work(session)?])).await?;
        Ok(created.pop().ok_or_else(|| StoreError::Failed("an idempotency key has no record".into()))?)
    }
}

/// Record that an earlier request created.
fn find_created<T: Entity>(session: &dyn Session, id: i64) -> Result<T, WriteError> {
    record::find(session, id)?.ok_or_else(|| {
        let message = conflict::created_record_deleted(format!("{}:{id}", T::AUDIT_NAME));
        WriteError::Refused(Diagnostic::new(Location::default(), "created_record_deleted", message))
    })
}
