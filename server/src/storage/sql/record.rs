//! Shared code for writing leads, campaign leads, campaigns and calls: find by id, create or change from a record, check, store, and add to
//! the audit log.

use std::collections::HashSet;
use std::marker::PhantomData;

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use serde_json::Value;

use super::entity::Entity;
use super::input_format::InputFormat;
use super::references::{self, ReferenceChecker};
use super::undo_journal::{CreationMark, Difference, JournalOwner, Members, Recorder, creation_mark};
use super::{Bind, Session, audit, binds, dialect, ids};
use crate::storage::{AuditContext, EDIT_CONFLICT, Result, RowOutcome, StoreError, WriteError};

/// Member of a lead that contains its custom fields.
const CUSTOM_FIELDS: &str = "custom_fields";

pub(super) fn find<T: Entity>(session: &dyn Session, id: i64) -> Result<Option<T>> {
    session.find(&format!("SELECT {} FROM {} WHERE id = ?1", T::READ_COLUMNS, T::FROM), &binds![id], T::read)
}

/// Finds the entities with these ids.
pub(super) fn find_all<T: Entity>(session: &dyn Session, ids: impl IntoIterator<Item = i64>) -> Result<Vec<T>> {
    let ids: Vec<_> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let has_id = session.dialect().is_any_of("id", "?1");
    session.query(&format!("SELECT {} FROM {} WHERE {has_id}", T::READ_COLUMNS, T::FROM), &[Bind::ids(ids)], T::read)
}

/// Applies the record to a copy of `old`; `None` if that changes nothing.
pub(super) fn apply_record<T: Entity>(old: &T, record: &T::Record, now: Timestamp) -> Option<T> {
    let mut new = old.clone();
    new.apply(record);
    if new == *old {
        return None;
    }
    new.set_changed_at(record, now);
    Some(new)
}

/// Inserts an entity; an id of 0 becomes one that was never used before.
pub(super) fn insert<T: Entity>(session: &dyn Session, entity: &mut T) -> Result<()> {
    entity.set_id(ids::insert(session, T::TABLE, &insert_columns::<T>(), &entity.binds())?);
    Ok(())
}

/// Writes the columns that an update may change.
pub(super) fn update<T: Entity>(session: &dyn Session, changed: &T) -> Result<()> {
    session.execute(&dialect::update_sql(T::TABLE, &update_columns::<T>()), &update_binds(changed))?;
    Ok(())
}

/// Columns that an insert writes.
fn insert_columns<T: Entity>() -> Vec<&'static str> {
    T::WRITTEN_COLUMNS.split(", ").collect()
}

/// Columns that an update writes, starting with `id`.
fn update_columns<T: Entity>() -> Vec<&'static str> {
    let mut columns = insert_columns::<T>();
    columns.truncate(columns.len() - T::TRIGGER_COLUMN_COUNT);
    columns
}

fn update_binds<T: Entity>(changed: &T) -> Vec<Bind> {
    let mut binds = changed.binds();
    binds.truncate(binds.len() - T::TRIGGER_COLUMN_COUNT);
    binds
}

fn log_change<T: Entity>(session: &dyn Session, verb: &str, id: i64, audit: &AuditContext) -> Result<()> {
    audit::record(session, &format!("{}.{verb}", T::AUDIT_NAME), &format!("{}:{id}", T::AUDIT_NAME), audit)
}

/// Adds audit entries for several entities.
pub(super) fn log_changes<T: Entity>(
    session: &dyn Session,
    verb: &str,
    ids: &[i64],
    audit: &AuditContext,
) -> Result<()> {
    let changes =
        ids.iter().map(|id| audit::AuditedChange { subject: format!("{}:{id}", T::AUDIT_NAME), fields: Vec::new() });
    audit::record_changes(session, &format!("{}.{verb}", T::AUDIT_NAME), &changes.collect::<Vec<_>>(), audit)
}

/// Audit entry of a change.
pub(super) fn audited_change<T: Entity>(
    id: i64,
    Difference { old_values, new_values }: &Difference,
) -> audit::AuditedChange {
    audit::AuditedChange { subject: format!("{}:{id}", T::AUDIT_NAME), fields: changed_names(old_values, new_values) }
}

/// Adds audit entries for changes.
pub(super) fn log_updates<T: Entity>(
    session: &dyn Session,
    changes: &[audit::AuditedChange],
    audit: &AuditContext,
) -> Result<()> {
    audit::record_changes(session, &format!("{}.update", T::AUDIT_NAME), changes, audit)
}

/// Names of members that differ. Custom fields are listed one by one.
fn changed_names(old: &Members, new: &Members) -> Vec<String> {
    let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let changed = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    let expand = |name: &String| match (name.as_str(), old.get(name), new.get(name)) {
        (CUSTOM_FIELDS, Some(Value::Object(old)), Some(Value::Object(new))) => {
            changed_names(old, new).into_iter().map(|name| format!("{CUSTOM_PREFIX}{name}")).collect()
        }
        _ => vec![name.clone()],
    };
    changed.flat_map(expand).collect()
}

/// Stores a new entity, with the record's id or an assigned one.
pub(super) fn create<T: Entity>(
    session: &dyn Session,
    record: &T::Record,
    audit: &AuditContext,
) -> Result<T, WriteError> {
    let mut new = T::from_record(record, audit.at).map_err(|diagnostic| InputFormat::Body.write_error(diagnostic))?;
    if new.id() != 0 {
        references::check_id_is_free(session, T::TABLE, new.id())?;
    }
    new.check(None, &ReferenceChecker::new(session), InputFormat::Body)?;
    insert(session, &mut new)?;
    log_change::<T>(session, "create", new.id(), audit)?;
    Ok(new)
}

/// Changes an entity unless the record changes nothing. `None` if it doesn't exist. Refused if its version isn't one of
/// `expected_versions`.
pub(super) fn change<T: Entity>(
    session: &dyn Session,
    id: i64,
    record: &T::Record,
    expected_versions: Option<&[Timestamp]>,
    audit: &AuditContext,
) -> Result<Option<T>, WriteError> {
    let Some(old) = find::<T>(session, id)? else { return Ok(None) };
    change_found(session, old, record, expected_versions, audit).map(Some)
}

/// Like [`change`], for an entity that [`find`] returned in this transaction.
pub(super) fn change_found<T: Entity>(
    session: &dyn Session,
    old: T,
    record: &T::Record,
    expected_versions: Option<&[Timestamp]>,
    audit: &AuditContext,
) -> Result<T, WriteError> {
    check_version(old.changed_at(), expected_versions)?;
    let Some(mut new) = apply_record(&old, record, audit.at) else { return Ok(old) };
    old.check_transition(&new, InputFormat::Body)?;
    new.check(Some(&old), &ReferenceChecker::new(session), InputFormat::Body)?;
    update(session, &new)?;
    new.refresh(session)?;
    log_updates::<T>(session, &[audited_change::<T>(new.id(), &Difference::between(&old, &new)?)], audit)?;
    Ok(new)
}

/// Checks that the version of a record, the time of its last change, is one of `expected_versions`, if these are given.
pub(super) fn check_version(
    changed_at: Option<Timestamp>,
    expected_versions: Option<&[Timestamp]>,
) -> Result<(), WriteError> {
    let is_expected = expected_versions.is_none_or(|expected| changed_at.is_some_and(|time| expected.contains(&time)));
    if is_expected {
        return Ok(());
    }
    Err(edit_conflict())
}

/// Error for a change that is based on another version.
pub(super) fn edit_conflict() -> WriteError {
    WriteError::Refused(Diagnostic::new(Location::default(), EDIT_CONFLICT, conflict::edit_conflict()))
}

/// Like [`check_version`], for an entity that is going to be deleted. One that doesn't exist passes.
pub(super) fn check_version_to_delete<T: Entity>(
    session: &dyn Session,
    id: i64,
    expected_versions: Option<&[Timestamp]>,
) -> Result<(), WriteError> {
    if expected_versions.is_none() {
        return Ok(());
    }
    find::<T>(session, id)?.map_or(Ok(()), |found| check_version(found.changed_at(), expected_versions))
}

/// Deletes an entity; the schema handles references to it. False if it doesn't exist.
pub(super) fn delete<T: Entity>(session: &dyn Session, id: i64, audit: &AuditContext) -> Result<bool, WriteError> {
    let deleted = delete_all::<T>(session, &[id], audit.at)? > 0;
    if deleted {
        log_change::<T>(session, "delete", id, audit)?;
    }
    Ok(deleted)
}

/// Deletes entities and returns their number. The schema handles references to them.
pub(super) fn delete_all<T: Entity>(session: &dyn Session, ids: &[i64], now: Timestamp) -> Result<u64> {
    if ids.is_empty() {
        return Ok(0);
    }
    T::before_delete(session, ids, now)?;
    let has_id = session.dialect().is_any_of("id", "?1");
    session.execute(&format!("DELETE FROM {} WHERE {has_id}", T::TABLE), &[Bind::ids(ids.iter().copied())])
}

/// Ids that rows of a table or join contain in this column.
pub(super) fn find_referenced(
    session: &dyn Session,
    from: &str,
    column: &str,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashSet<i64>> {
    let has_id = session.dialect().is_any_of(column, "?1");
    let sql = format!("SELECT DISTINCT {column} FROM {from} WHERE {has_id}");
    Ok(session.query(&sql, &[Bind::ids(ids)], |row| row.get(0))?.into_iter().collect())
}

/// Outcome of one row of a batch. A diagnostic affects only the row; a store error fails the batch. A refused row has
/// written nothing.
pub(super) fn row_outcome(row: Result<RowOutcome, WriteError>) -> Result<RowOutcome> {
    match row {
        Ok(outcome) => Ok(outcome),
        Err(WriteError::Refused(diagnostic)) => Ok(RowOutcome::Rejected(Box::new(diagnostic))),
        Err(WriteError::Store(error)) => Err(error),
    }
}

pub(super) fn existing_ids(
    session: &dyn Session,
    table: &'static str,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashSet<i64>> {
    let ids: HashSet<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    let sql = format!("SELECT id FROM {table} WHERE {}", session.dialect().is_any_of("id", "?1"));
    Ok(session.query(&sql, &[Bind::ids(ids)], |row| row.get(0))?.into_iter().collect())
}

/// Buffered writes of a batch, sent to the database together. They affect different rows, so their order doesn't matter.
pub(super) struct WriteBuffer<'s, T> {
    session: &'s dyn Session,
    inserts: Vec<Vec<Bind>>,
    /// Undo journal recorder, if the changes can be undone.
    recorder: Option<Recorder<'s>>,
    /// Mark of each row in `inserts`, for the recorder.
    creation_marks: Vec<CreationMark>,
    updates: Vec<Vec<Bind>>,
    /// Ids of the rows in `inserts` and `updates`.
    buffered_ids: HashSet<i64>,
    /// True if a row was inserted whose id the database assigns.
    has_assigned_ids: bool,
    /// Ids of all inserted rows, if they are tracked.
    inserted_ids: Option<Vec<i64>>,
    entity_type: PhantomData<T>,
}

impl<'s, T: Entity> WriteBuffer<'s, T> {
    /// Creates an empty buffer.
    pub(super) fn new(session: &'s dyn Session) -> Self {
        Self::for_owner(session, None)
    }

    /// Creates an empty buffer. `owner` is the undoable import or action, if any.
    pub(super) fn for_owner(session: &'s dyn Session, owner: Option<JournalOwner>) -> Self {
        let (inserts, updates, ids) = (Vec::new(), Vec::new(), HashSet::new());
        let (recorder, marks) = (Recorder::for_owner(session, owner, T::IMPORT_KIND), Vec::new());
        Self {
            session,
            inserts,
            recorder,
            creation_marks: marks,
            updates,
            buffered_ids: ids,
            has_assigned_ids: false,
            inserted_ids: None,
            entity_type: PhantomData,
        }
    }

    /// Keeps the ids of inserted rows for [`WriteBuffer::into_inserted_ids`].
    pub(super) fn track_inserted_ids(&mut self) {
        self.inserted_ids = Some(Vec::new());
    }

    /// Ids of all rows that were inserted and flushed since [`WriteBuffer::track_inserted_ids`].
    pub(super) fn into_inserted_ids(self) -> Vec<i64> {
        self.inserted_ids.unwrap_or_default()
    }

    /// Inserts a row; an id of 0 becomes one that was never used before.
    pub(super) fn insert(&mut self, new: &T) -> Result<()> {
        if self.recorder.is_some() {
            self.creation_marks.push(creation_mark(new)?);
        }
        self.inserts.push(new.binds());
        match new.id() {
            0 => self.has_assigned_ids = true,
            explicit_id => _ = self.buffered_ids.insert(explicit_id),
        }
        Ok(())
    }

    /// Changes a stored or buffered row.
    pub(super) fn change(&mut self, old: &T, new: &T) -> Result<()> {
        match self.recorder {
            Some(_) => self.change_with_difference(new, Difference::between(old, new)?),
            None => self.update(new),
        }
    }

    /// Changes a stored or buffered row, given the difference.
    pub(super) fn change_with_difference(&mut self, new: &T, difference: Difference) -> Result<()> {
        self.update(new)?;
        self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.record_update(new, difference))
    }

    /// Updates a stored or buffered row.
    pub(super) fn update(&mut self, changed: &T) -> Result<()> {
        if self.buffered_ids.contains(&changed.id()) {
            self.flush()?;
        }
        self.updates.push(update_binds(changed));
        self.buffered_ids.insert(changed.id());
        Ok(())
    }

    /// Finds a row that was inserted through this buffer with an id assigned by the database.
    pub(super) fn find_inserted(&mut self, id: i64) -> Result<Option<T>> {
        if !self.has_assigned_ids {
            return Ok(None);
        }
        self.flush()?;
        find(self.session, id)
    }

    /// Sends the buffered writes to the database, so that later queries see them.
    pub(super) fn flush(&mut self) -> Result<()> {
        if !self.inserts.is_empty() {
            self.flush_inserts()?;
        }
        if !self.updates.is_empty() {
            self.session.update_many(T::TABLE, &update_columns::<T>(), &self.updates)?;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.flush()?;
        }
        self.inserts.clear();
        self.updates.clear();
        self.buffered_ids.clear();
        Ok(())
    }

    fn flush_inserts(&mut self) -> Result<()> {
        let columns = insert_columns::<T>();
        if self.recorder.is_none() && self.inserted_ids.is_none() {
            return ids::insert_many(self.session, T::TABLE, &columns, &self.inserts);
        }
        let has_own_id = |row: &Vec<Bind>| matches!(row.first(), Some(Bind::Integer(_)));
        let has_id: Vec<_> = self.inserts.iter().map(has_own_id).collect();
        let (with_id, without_id): (Vec<_>, Vec<_>) = self.inserts.drain(..).partition(has_own_id);
        ids::insert_many(self.session, T::TABLE, &columns, &with_id)?;
        let mut without_id = ids::insert_with_new_ids(self.session, T::TABLE, &columns, without_id)?.into_iter();
        let mut with_id =
            with_id.iter().filter_map(|row| if let Some(Bind::Integer(id)) = row.first() { Some(*id) } else { None });
        let mut marks = self.creation_marks.drain(..);
        for has_id in has_id {
            let id = if has_id { with_id.next() } else { without_id.next() };
            let id = id.ok_or_else(|| StoreError::Failed("the database returned too few ids".into()))?;
            if let Some(inserted) = &mut self.inserted_ids {
                inserted.push(id);
            }
            if let (Some(recorder), Some(mark)) = (&mut self.recorder, marks.next()) {
                recorder.record_creation(id, mark, !has_id);
            }
        }
        Ok(())
    }
}
