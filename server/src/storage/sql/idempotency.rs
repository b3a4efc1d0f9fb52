//! Idempotency keys. A key and the result of its request are stored in the transaction of the request, so neither exists without the other.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entity::Entity;
use super::{Bind, Database, DatabaseWork, Session, SqlStore, binds, record};
use crate::storage::{
    AuditContext, IDEMPOTENCY_KEY_NOT_STORED, IDEMPOTENCY_KEY_REUSED, Result, StoreError, WriteError,
};

/// Record that a request creates.
pub(super) trait CreatedRecord: Sized + Send + 'static {
    /// Name of its kind in the audit log.
    const AUDIT_NAME: &'static str;

    fn find(session: &dyn Session, id: i64) -> Result<Option<Self>>;
    fn id(&self) -> i64;
    fn created_at(&self) -> Timestamp;
}

impl<T: Entity + Send + 'static> CreatedRecord for T {
    const AUDIT_NAME: &'static str = T::AUDIT_NAME;

    fn find(session: &dyn Session, id: i64) -> Result<Option<Self>> {
        record::find(session, id)
    }

    fn id(&self) -> i64 {
        Entity::id(self)
    }

    fn created_at(&self) -> Timestamp {
        Entity::created_at(self)
    }
}

/// Implements [`CreatedRecord`] for a record that is not an entity: record, type of its id, member with the time of creation, and a
/// function that finds it.
macro_rules! created_record {
    ($record:ident, $id:ident, $created_at:ident, $find:expr) => {
        impl $crate::storage::sql::idempotency::CreatedRecord for leadscribe_engine::api::$record {
            const AUDIT_NAME: &'static str = leadscribe_engine::api::$id::KIND;

            fn find(session: &dyn $crate::storage::sql::Session, id: i64) -> $crate::storage::Result<Option<Self>> {
                ($find)(session, leadscribe_engine::api::$id(id))
            }

            fn id(&self) -> i64 {
                self.id.0
            }

            fn created_at(&self) -> leadscribe_engine::api::Timestamp {
                self.$created_at
            }
        }
    };
}
pub(super) use created_record;

/// Runs `work`, or returns the result of the earlier request under the same idempotency key. Waits for an earlier request that is still
/// running. The key keeps the result, which must have no data of records that can be deleted.
pub(super) fn run_once<T: Serialize + DeserializeOwned>(
    session: &dyn Session,
    audit: &AuditContext,
    work: impl FnOnce() -> Result<T, WriteError>,
) -> Result<T, WriteError> {
    if let Some((earlier, _)) = reserve(session, audit)? {
        return Ok(earlier);
    }
    let result = work()?;
    store_result(session, audit, &result)?;
    Ok(result)
}

/// Like [`run_once`], but the key keeps the ids only. A repeat returns the records as they are now. It is refused if one was deleted.
pub(super) fn create_records<T: CreatedRecord>(
    session: &dyn Session,
    audit: &AuditContext,
    work: impl FnOnce() -> Result<Vec<T>, WriteError>,
) -> Result<Vec<T>, WriteError> {
    if let Some((ids, at)) = reserve::<Vec<i64>>(session, audit)? {
        return ids.into_iter().map(|id| find_created(session, id, at)).collect();
    }
    let records = work()?;
    store_result(session, audit, &records.iter().map(T::id).collect::<Vec<_>>())?;
    Ok(records)
}

/// Like [`create_records`], for a single record.
pub(super) fn create_record<T: CreatedRecord>(
    session: &dyn Session,
    audit: &AuditContext,
    work: impl FnOnce() -> Result<T, WriteError>,
) -> Result<T, WriteError> {
    let mut created = create_records(session, audit, || Ok(vec![work()?]))?;
    Ok(created.pop().ok_or_else(|| StoreError::Failed("an idempotency key has no record".into()))?)
}

/// Record that an earlier request created at this time. A record that was created later has the id of a deleted one.
fn find_created<T: CreatedRecord>(session: &dyn Session, id: i64, at: Timestamp) -> Result<T, WriteError> {
    T::find(session, id)?.filter(|found| found.created_at() <= at).ok_or_else(|| {
        let message = conflict::created_record_deleted(format!("{}:{id}", T::AUDIT_NAME));
        WriteError::Refused(Diagnostic::new(Location::default(), "created_record_deleted", message))
    })
}

/// Reserves the key for a request that is completed in the same transaction, or returns the result and time of the earlier request.
/// Without a key, there is no earlier request.
fn reserve<T: DeserializeOwned>(
    session: &dyn Session,
    audit: &AuditContext,
) -> Result<Option<(T, Timestamp)>, WriteError> {
    let Some(key) = &audit.idempotency else { return Ok(None) };
    // The transaction may run several times.
    key.set_replayed(false);
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
    let sql = "SELECT fingerprint, response, created_at FROM idempotency_keys
               WHERE owner = ?1 AND key = ?2 AND created_at > ?3";
    let earlier = session.find(sql, &binds![key.owner, key.key, expired_until], |row| {
        let earlier_fingerprint: [u8; 32] = row.get(0)?;
        // The result of another request may have another form.
        (earlier_fingerprint == fingerprint).then(|| Ok((row.json(1)?, row.get(2)?))).transpose()
    })?;
    match earlier {
        Some(Some(result)) => {
            key.set_replayed(true);
            Ok(Some(result))
        }
        Some(None) => refuse(IDEMPOTENCY_KEY_REUSED, conflict::idempotency_key_reused()),
        None => refuse(IDEMPOTENCY_KEY_NOT_STORED, conflict::idempotency_key_not_stored()),
    }
}

/// Stores the result of a request whose key was reserved.
fn store_result(session: &dyn Session, audit: &AuditContext, result: &impl Serialize) -> Result<()> {
    let Some(key) = &audit.idempotency else { return Ok(()) };
    let sql = "UPDATE idempotency_keys SET response = ?3 WHERE owner = ?1 AND key = ?2";
    session.execute(sql, &binds![key.owner, key.key, Bind::json(result)]).map(drop)
}

impl<D: Database> SqlStore<D> {
    /// Runs [`run_once`] in a transaction.
    pub(super) async fn create<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        audit: &AuditContext,
        work: impl DatabaseWork<T, WriteError>,
    ) -> Result<T, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| run_once(session, &audit, || work(session))).await
    }

    /// Runs [`create_record`] in a transaction.
    pub(super) async fn create_record<T: CreatedRecord>(
        &self,
        audit: &AuditContext,
        work: impl DatabaseWork<T, WriteError>,
    ) -> Result<T, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| create_record(session, &audit, || work(session))).await
    }
}
