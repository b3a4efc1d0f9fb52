//! Entities: leads, campaigns, campaign leads and calls. Each has its own table.

use leadscribe_engine::api::{ImportKind, LeadId, Timestamp, UndoSkipReason};
use leadscribe_engine::diagnostic::Diagnostic;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::input_format::InputFormat;
use super::references::ReferenceChecker;
use super::{Bind, Row, Session};
use crate::storage::{Result, WriteError};

/// Methods that are the same for every entity that stores its id and the time of its last change.
macro_rules! timestamped_entity_methods {
    ($id:ident, $record:ident) => {
        fn id(&self) -> i64 {
            self.id.0
        }

        fn set_id(&mut self, id: i64) {
            self.id = $id(id);
        }

        fn apply(&mut self, record: &$record) {
            record.apply(self);
        }

        fn created_at(&self) -> Timestamp {
            self.created_at
        }

        fn changed_at(&self) -> Option<Timestamp> {
            Some(self.updated_at)
        }

        fn set_changed_at(&mut self, record: &$record, now: Timestamp) {
            self.updated_at = record.updated_at.unwrap_or(now);
        }
    };
}
pub(super) use timestamped_entity_methods;

/// An entity. A record, such as a row of an import, creates or changes it.
pub(super) trait Entity: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Record that creates or changes the entity; the default changes nothing.
    type Record: Default;
    /// Name in the audit log, such as `campaign_lead`.
    const AUDIT_NAME: &'static str;
    /// Kind of import that creates the entity.
    const IMPORT_KIND: ImportKind;
    /// Table of the entity.
    const TABLE: &'static str;
    /// Written columns, starting with `id`.
    const WRITTEN_COLUMNS: &'static str;
    /// Number of trailing columns that only an insert writes, because triggers maintain them.
    const TRIGGER_COLUMN_COUNT: usize = 0;
    /// Columns that [`Entity::read`] reads.
    const READ_COLUMNS: &'static str;
    /// `FROM` clause with the alias that these columns use.
    const FROM: &'static str;
    /// Rows that refer to an entity and so prevent an undo from deleting it: `FROM` clause, column with the entity's id, and reason.
    const REFERRERS: &'static [(&'static str, &'static str, UndoSkipReason)];
    /// Members that may be added after the import. They don't prevent an undo from deleting the entity.
    const POST_IMPORT_MEMBERS: &'static [&'static str] = &[];
    /// Members whose values must be unique, alone or combined.
    const UNIQUE_MEMBERS: &'static [&'static str] = &[];

    /// Reads an entity from a row.
    fn read(row: &dyn Row) -> Result<Self>;
    /// Values of the written columns; the id is null if the database assigns it.
    fn binds(&self) -> Vec<Bind>;
    /// Id; 0 if the database assigns it.
    fn id(&self) -> i64;
    /// Time of creation.
    fn created_at(&self) -> Timestamp;
    /// Time of last change; `None` if the entity doesn't store it.
    fn changed_at(&self) -> Option<Timestamp>;
    /// Lead that the entity is or belongs to.
    fn related_lead(&self) -> Option<LeadId>;
    /// Sets the assigned id.
    fn set_id(&mut self, id: i64);
    /// Creates an entity from the record, with the record's id or 0.
    fn from_record(record: &Self::Record, now: Timestamp) -> Result<Self, Diagnostic>;
    fn apply(&mut self, record: &Self::Record);
    /// Sets the time of change: from the record, otherwise `now`.
    fn set_changed_at(&mut self, record: &Self::Record, now: Timestamp);
    /// Checks that the entity may change to `new`, independent of other rows.
    fn check_transition(&self, _new: &Self, _input_format: InputFormat) -> Result<(), WriteError> {
        Ok(())
    }
    /// Checks that referenced rows exist and that unique values aren't taken. Members that equal those of `old`, the stored version, need
    /// no check.
    fn check(
        &self,
        old: Option<&Self>,
        checker: &ReferenceChecker<'_>,
        input_format: InputFormat,
    ) -> Result<(), WriteError>;
    /// Updates what depends on entities that are deleted next.
    fn before_delete(_session: &dyn Session, _ids: &[i64], _now: Timestamp) -> Result<()> {
        Ok(())
    }
    /// Rereads the columns that triggers changed in an update.
    fn refresh(&mut self, _session: &dyn Session) -> Result<()> {
        Ok(())
    }
}
