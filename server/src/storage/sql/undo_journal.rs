//! Undo journal: the values that imports and lead actions wrote, and the values before.
//!
//! The table `undo_journal` has a row for each record that a change created or updated: `new_values` are the members that the change wrote,
//! `old_values` their values before, or null if the change created the record. [`Recorder`] adds rows in the transaction of the change.
//! [`undo`](super::undo::undo) applies one rule to all of them: a record is restored, or deleted if the change created it, unless it was changed or used
//! since. Rows are deleted once they are undone or expire.

use leadscribe_engine::api::{ImportId, ImportKind, LeadActionId, Timestamp};
use serde_json::{Map, Value};

use super::entity::Entity;
use super::{Bind, Session, binds};
use crate::storage::{Result, StoreError};

mod recorder;

pub(super) use recorder::{CreationMark, Difference, Recorder, creation_mark};

/// Maximum number of rows that one transaction deletes when they expire, so that other writers wait briefly.
pub(super) const MAX_PURGED_ROWS: u32 = 10_000;

/// Change that journal rows belong to.
#[derive(Clone, Copy, Debug)]
pub(super) enum JournalOwner {
    Import(ImportId),
    Action(LeadActionId),
}

impl JournalOwner {
    /// Column that refers to the owner.
    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Import(_) => "import_id",
            Self::Action(_) => "action_id",
        }
    }

    pub(super) fn id(self) -> i64 {
        match self {
            Self::Import(id) => id.0,
            Self::Action(id) => id.0,
        }
    }
}

/// Members of a record with their values, as the API writes them.
pub(super) type Members = Map<String, Value>;

/// Members that don't show whether a user changed a record: its times of change, and what depends on other records.
const DERIVED_MEMBERS: [&str; 3] = ["updated_at", "global_updated_at", "transcription_state"];

pub(super) fn members<T: Entity>(record: &T) -> Result<Members> {
    match serde_json::to_value(record)? {
        Value::Object(members) => Ok(members),
        _ => Err(StoreError::Failed(format!("a {} is not serialized as an object", T::AUDIT_NAME).into())),
    }
}

/// Members that a user can change.
pub(super) fn editable_members<T: Entity>(record: &T) -> Result<Members> {
    let mut members = members(record)?;
    members.retain(|name, _| name != "id" && !DERIVED_MEMBERS.contains(&name.as_str()));
    Ok(members)
}

/// Erases the values of records before they are deleted. The rows stay, so that an undo reports the records as deleted. The remaining value
/// matches no record, in case the id is reused.
pub(super) fn erase_values(session: &dyn Session, kind: ImportKind, records: Vec<i64>) -> Result<()> {
    if records.is_empty() {
        return Ok(());
    }
    let (dialect, records) = (session.dialect(), Bind::ids(records));
    // The journal is indexed by owner first, and there are few owners.
    for (owners, column) in [("imports", "import_id"), ("lead_actions", "action_id")] {
        let sql = format!(
            "SELECT o.id FROM {owners} o WHERE EXISTS (SELECT 1 FROM undo_journal j WHERE j.{column} = o.id AND j.kind = ?1)"
        );
        let owners = session.query(&sql, &binds![kind.as_str()], |row| row.get::<i64>(0))?;
        let sql = format!(
            "UPDATE undo_journal
             SET new_values = '{{\"id\":null}}', old_values = CASE WHEN old_values IS NULL THEN old_values ELSE '{{}}' END
             WHERE {} AND kind = ?2 AND {}",
            dialect.is_any_of(column, "?1"),
            dialect.is_any_of("record_id", "?3")
        );
        session.execute(&sql, &[Bind::ids(owners), Bind::from(kind.as_str()), records.clone()])?;
    }
    Ok(())
}

/// Deletes some expired rows and returns their number: first rows of imports that started before `imports_before`, then actions from before
/// `actions_before`, one at a time with its rows. Skips imports whose undo is running.
pub(super) fn delete_expired(
    session: &dyn Session,
    imports_before: Timestamp,
    actions_before: Timestamp,
) -> Result<u64> {
    session.execute(
        "DELETE FROM import_undos
         WHERE started_at IS NULL AND import_id IN (SELECT id FROM imports WHERE started_at < ?1)",
        &binds![imports_before],
    )?;
    let deleted = session.execute(
        "DELETE FROM undo_journal WHERE id IN (
             SELECT j.id FROM imports i
             JOIN undo_journal j ON j.import_id = i.id
             LEFT JOIN import_undos u ON u.import_id = i.id
             WHERE i.started_at < ?1 AND u.import_id IS NULL
             LIMIT ?2)",
        &binds![imports_before, MAX_PURGED_ROWS],
    )?;
    match deleted {
        0 => session.execute(
            "DELETE FROM lead_actions WHERE id = (SELECT min(id) FROM lead_actions WHERE at < ?1)",
            &binds![actions_before],
        ),
        _ => Ok(deleted),
    }
}
