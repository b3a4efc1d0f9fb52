//! Shared code for writing leads, campaign leads, campaigns and calls: find by id, create or change from a record, check, store, and add to
//! the audit log.

use std::collections::HashSet;
use std::marker::PhantomData;

use leadscribe_engine::api::{ImportKind, LeadId, LeftReason, Timestamp};
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::references::{self, Lookup, Source};
use super::undo_journal::{Difference, Mark, Members, Owner, Recorder, mark};
use super::{Bind, Row, Session, audit, binds, ids};
use crate::storage::{Origin, RowOutcome, StoreError, WriteError};

/// Member of a lead that contains its custom fields.
const CUSTOM_FIELDS: &str = "custom_fields";

/// An entity with its own table that records create and change.
pub(super) trait Kept: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Record that creates or changes the entity; the default changes nothing.
    type Record: Default;
    /// Name in the audit log, such as `campaign_lead`.
    const NAME: &'static str;
    /// Kind of import that creates the entity.
    const KIND: ImportKind;
    /// Table of the entity.
    const TABLE: &'static str;
    /// Written columns, starting with `id`.
    const WRITTEN: &'static str;
    /// Number of trailing columns that only an insert writes, because triggers maintain them.
    const KEPT_BY_TRIGGERS: usize = 0;
    /// Columns that [`Kept::read`] reads.
    const READ: &'static str;
    /// `FROM` clause with the alias that these columns use.
    const FROM: &'static str;
    /// Rows that refer to an entity and keep an undo from deleting it: what to select from, the column with its id, and the reason.
    const REFERRERS: &'static [(&'static str, &'static str, LeftReason)];
    /// Members added after the import. An undo deletes them together with the entity that the import created.
    const COMES_LATER: &'static [&'static str] = &[];
    /// Members whose values must be unique, alone or combined.
    const UNIQUE: &'static [&'static str] = &[];

    /// Reads an entity from a row.
    fn read(row: &dyn Row) -> Result<Self, StoreError>;
    /// Values of the written columns; the id is null if the database assigns it.
    fn binds(&self) -> Vec<Bind>;
    /// Id; 0 if the database assigns it.
    fn id(&self) -> i64;
    /// Time of last change; `None` if the entity doesn't store it.
    fn changed_at(&self) -> Option<Timestamp>;
    /// Lead that the entity is or belongs to.
    fn lead(&self) -> Option<LeadId>;
    /// Sets the assigned id.
    fn set_id(&mut self, id: i64);
    /// Creates an entity from the record, with the record's id or 0.
    fn made(record: &Self::Record, now: Timestamp) -> Result<Self, Diagnostic>;
    /// Applies the record.
    fn apply(&mut self, record: &Self::Record);
    /// Sets the time of change: from the record, otherwise `now`.
    fn stamp(&mut self, record: &Self::Record, now: Timestamp);
    /// Checks that the entity may change to `new`, independent of other rows.
    fn may_become(&self, _new: &Self, _source: Source) -> Result<(), WriteError> {
        Ok(())
    }
    /// Checks that referenced rows exist and that unique values aren't taken. Members that equal those of `old`, the stored version, need
    /// no check.
    fn check(&self, old: Option<&Self>, lookup: &Lookup<'_>, source: Source) -> Result<(), WriteError>;
    /// Reads columns again that triggers changed in an update.
    fn refresh(&mut self, _session: &dyn Session) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Finds an entity by id.
pub(super) fn find<T: Kept>(session: &dyn Session, id: i64) -> Result<Option<T>, StoreError> {
    session.find(&format!("SELECT {} FROM {} WHERE id = ?1", T::READ, T::FROM), &binds![id], T::read)
}

/// Finds the entities with these ids.
pub(super) fn find_all<T: Kept>(
    session: &dyn Session,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<T>, StoreError> {
    let ids: Vec<_> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let of_ids = session.dialect().is_any_of("id", "?1");
    session.query(&format!("SELECT {} FROM {} WHERE {of_ids}", T::READ, T::FROM), &[Bind::ids(ids)], T::read)
}

/// Applies the record to a copy of `old`; `None` if that changes nothing.
pub(super) fn changed<T: Kept>(old: &T, record: &T::Record, now: Timestamp) -> Option<T> {
    let mut new = old.clone();
    new.apply(record);
    if new == *old {
        return None;
    }
    new.stamp(record, now);
    Some(new)
}

/// Inserts an entity; an id of 0 becomes one that was never used before.
pub(super) fn insert<T: Kept>(session: &dyn Session, new: &mut T) -> Result<(), StoreError> {
    new.set_id(ids::insert(session, T::TABLE, &inserted::<T>(), &new.binds())?);
    Ok(())
}

/// Writes the columns that an update may change.
pub(super) fn update<T: Kept>(session: &dyn Session, changed: &T) -> Result<(), StoreError> {
    session.execute(&ids::update_sql(T::TABLE, &updated::<T>()), &update_binds(changed))?;
    Ok(())
}

/// Columns that an insert writes.
fn inserted<T: Kept>() -> Vec<&'static str> {
    T::WRITTEN.split(", ").collect()
}

/// Columns that an update writes, starting with `id`.
fn updated<T: Kept>() -> Vec<&'static str> {
    let mut columns = inserted::<T>();
    columns.truncate(columns.len() - T::KEPT_BY_TRIGGERS);
    columns
}

fn update_binds<T: Kept>(changed: &T) -> Vec<Bind> {
    let mut binds = changed.binds();
    binds.truncate(binds.len() - T::KEPT_BY_TRIGGERS);
    binds
}

fn log<T: Kept>(session: &dyn Session, verb: &str, id: i64, by: &Origin) -> Result<(), StoreError> {
    audit::record(session, &format!("{}.{verb}", T::NAME), &format!("{}:{id}", T::NAME), by)
}

/// Adds audit entries for several entities.
pub(super) fn log_all<T: Kept>(session: &dyn Session, verb: &str, ids: &[i64], by: &Origin) -> Result<(), StoreError> {
    let each = ids.iter().map(|id| audit::Changed { subject: format!("{}:{id}", T::NAME), fields: Vec::new() });
    audit::record_changes(session, &format!("{}.{verb}", T::NAME), &each.collect::<Vec<_>>(), by)
}

/// Audit entry of a change.
pub(super) fn change_of<T: Kept>(id: i64, Difference { former, given }: &Difference) -> audit::Changed {
    audit::Changed { subject: format!("{}:{id}", T::NAME), fields: different(former, given) }
}

/// Adds audit entries for changes.
pub(super) fn log_updates<T: Kept>(
    session: &dyn Session,
    changes: &[audit::Changed],
    by: &Origin,
) -> Result<(), StoreError> {
    audit::record_changes(session, &format!("{}.update", T::NAME), changes, by)
}

/// Names of members that differ. Custom fields are listed one by one.
fn different(old: &Members, new: &Members) -> Vec<String> {
    let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let changed = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    let each = |name: &String| match (name.as_str(), old.get(name), new.get(name)) {
        (CUSTOM_FIELDS, Some(Value::Object(old)), Some(Value::Object(new))) => {
            different(old, new).into_iter().map(|name| format!("{CUSTOM_PREFIX}{name}")).collect()
        }
        _ => vec![name.clone()],
    };
    changed.flat_map(each).collect()
}

/// Stores a new entity, with the record's id or an assigned one.
pub(super) fn create<T: Kept>(session: &dyn Session, record: &T::Record, by: &Origin) -> Result<T, WriteError> {
    let mut new = T::made(record, by.at).map_err(|fault| Source::Body.fault(fault))?;
    if new.id() != 0 {
        references::free_id(session, T::TABLE, &T::NAME.replace('_', " "), new.id())?;
    }
    new.check(None, &Lookup::new(session), Source::Body)?;
    insert(session, &mut new)?;
    log::<T>(session, "create", new.id(), by)?;
    Ok(new)
}

/// Changes an entity unless the record changes nothing. `None` if it doesn't exist. If `unchanged` is given, refused if the entity was last
/// changed at another time.
pub(super) fn change<T: Kept>(
    session: &dyn Session,
    id: i64,
    record: &T::Record,
    unchanged: Option<Timestamp>,
    by: &Origin,
) -> Result<Option<T>, WriteError> {
    let Some(old) = find::<T>(session, id)? else { return Ok(None) };
    change_found(session, old, record, unchanged, by).map(Some)
}

/// Like [`change`], for an entity that [`find`] returned in this transaction.
pub(super) fn change_found<T: Kept>(
    session: &dyn Session,
    old: T,
    record: &T::Record,
    unchanged: Option<Timestamp>,
    by: &Origin,
) -> Result<T, WriteError> {
    if unchanged.is_some() && unchanged != old.changed_at() {
        let detail = "it was changed in the meantime; nothing was overwritten";
        return Err(WriteError::Refused(Diagnostic::new(Place::default(), "changed_since", detail)));
    }
    let Some(mut new) = changed(&old, record, by.at) else { return Ok(old) };
    old.may_become(&new, Source::Body)?;
    new.check(Some(&old), &Lookup::new(session), Source::Body)?;
    update(session, &new)?;
    new.refresh(session)?;
    log_updates::<T>(session, &[change_of::<T>(new.id(), &Difference::of(&old, &new)?)], by)?;
    Ok(new)
}

/// Deletes an entity; the schema handles references to it. False if it doesn't exist.
pub(super) fn delete<T: Kept>(session: &dyn Session, id: i64, by: &Origin) -> Result<bool, WriteError> {
    let deleted = session.execute(&format!("DELETE FROM {} WHERE id = ?1", T::TABLE), &binds![id])? > 0;
    if deleted {
        log::<T>(session, "delete", id, by)?;
    }
    Ok(deleted)
}

/// Deletes entities and returns their number. Nothing may refer to them.
pub(super) fn delete_all<T: Kept>(session: &dyn Session, ids: &[i64]) -> Result<u64, StoreError> {
    if ids.is_empty() {
        return Ok(0);
    }
    let of_ids = session.dialect().is_any_of("id", "?1");
    session.execute(&format!("DELETE FROM {} WHERE {of_ids}", T::TABLE), &[Bind::ids(ids.iter().copied())])
}

/// Ids that rows of a table or join contain in this column.
pub(super) fn referred_to(
    session: &dyn Session,
    from: &str,
    column: &str,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashSet<i64>, StoreError> {
    let of_ids = session.dialect().is_any_of(column, "?1");
    let sql = format!("SELECT DISTINCT {column} FROM {from} WHERE {of_ids}");
    Ok(session.query(&sql, &[Bind::ids(ids)], |row| row.get(0))?.into_iter().collect())
}

/// Outcome of one row of a batch. A refusal affects only the row; a store error fails the batch. Nothing of a row is written before it is
/// refused.
pub(super) fn row_outcome(row: Result<RowOutcome, WriteError>) -> Result<RowOutcome, StoreError> {
    match row {
        Ok(outcome) => Ok(outcome),
        Err(WriteError::Refused(fault)) => Ok(RowOutcome::Rejected(fault)),
        Err(WriteError::Store(error)) => Err(error),
    }
}

/// Returns the ids that exist in a table.
pub(super) fn existing(
    session: &dyn Session,
    table: &'static str,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashSet<i64>, StoreError> {
    let ids: HashSet<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    let sql = format!("SELECT id FROM {table} WHERE {}", session.dialect().is_any_of("id", "?1"));
    Ok(session.query(&sql, &[Bind::ids(ids)], |row| row.get(0))?.into_iter().collect())
}

/// Buffered writes of a batch, sent to the database together. They affect different rows, so their order doesn't matter.
pub(super) struct Writes<'s, T> {
    session: &'s dyn Session,
    inserts: Vec<Vec<Bind>>,
    /// Undo journal recorder, if the changes can be undone, with a mark for each insert.
    recorder: Option<Recorder<'s>>,
    marks: Vec<Mark>,
    updates: Vec<Vec<Bind>>,
    /// Ids of both.
    ids: HashSet<i64>,
    /// True if a row was inserted whose id the database assigns.
    gives_ids: bool,
    /// Ids of all inserted rows, if they are wanted.
    inserted: Option<Vec<i64>>,
    of: PhantomData<T>,
}

impl<'s, T: Kept> Writes<'s, T> {
    /// Creates an empty buffer.
    pub(super) fn new(session: &'s dyn Session) -> Self {
        Self::of(session, None)
    }

    /// Creates an empty buffer. `owner` is the undoable import or action, if any.
    pub(super) fn of(session: &'s dyn Session, owner: Option<Owner>) -> Self {
        let (inserts, updates, ids) = (Vec::new(), Vec::new(), HashSet::new());
        let (recorder, marks) = (Recorder::of(session, owner, T::KIND), Vec::new());
        Self { session, inserts, recorder, marks, updates, ids, gives_ids: false, inserted: None, of: PhantomData }
    }

    /// Keeps the ids of inserted rows for [`Writes::into_inserted`].
    pub(super) fn keep_ids(&mut self) {
        self.inserted = Some(Vec::new());
    }

    /// Ids of all rows that were inserted and flushed since [`Writes::keep_ids`].
    pub(super) fn into_inserted(self) -> Vec<i64> {
        self.inserted.unwrap_or_default()
    }

    /// Inserts a row; an id of 0 becomes one that was never used before.
    pub(super) fn insert(&mut self, new: &T) -> Result<(), StoreError> {
        if self.recorder.is_some() {
            self.marks.push(mark(new)?);
        }
        self.inserts.push(new.binds());
        match new.id() {
            0 => self.gives_ids = true,
            own => _ = self.ids.insert(own),
        }
        Ok(())
    }

    /// Changes a stored or buffered row.
    pub(super) fn change(&mut self, old: &T, new: &T) -> Result<(), StoreError> {
        match self.recorder {
            Some(_) => self.change_by(new, Difference::of(old, new)?),
            None => self.update(new),
        }
    }

    /// Changes a stored or buffered row, given the difference.
    pub(super) fn change_by(&mut self, new: &T, difference: Difference) -> Result<(), StoreError> {
        self.update(new)?;
        self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.updated(new, difference))
    }

    /// Updates a stored or buffered row.
    pub(super) fn update(&mut self, changed: &T) -> Result<(), StoreError> {
        if self.ids.contains(&changed.id()) {
            self.flush()?;
        }
        self.updates.push(update_binds(changed));
        self.ids.insert(changed.id());
        Ok(())
    }

    /// Finds a row that was inserted through this buffer with an id assigned by the database.
    pub(super) fn find_given(&mut self, id: i64) -> Result<Option<T>, StoreError> {
        if !self.gives_ids {
            return Ok(None);
        }
        self.flush()?;
        find(self.session, id)
    }

    /// Sends the buffered writes to the database, so that later queries see them.
    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        if !self.inserts.is_empty() {
            self.flush_inserts()?;
        }
        if !self.updates.is_empty() {
            self.session.update_many(T::TABLE, &updated::<T>(), &self.updates)?;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.flush()?;
        }
        self.inserts.clear();
        self.updates.clear();
        self.ids.clear();
        Ok(())
    }

    fn flush_inserts(&mut self) -> Result<(), StoreError> {
        let columns = inserted::<T>();
        if self.recorder.is_none() && self.inserted.is_none() {
            return ids::insert_many(self.session, T::TABLE, &columns, &self.inserts);
        }
        let has_own_id = |row: &Vec<Bind>| matches!(row.first(), Some(Bind::Integer(_)));
        let is_own: Vec<_> = self.inserts.iter().map(has_own_id).collect();
        let (own, fresh): (Vec<_>, Vec<_>) = self.inserts.drain(..).partition(has_own_id);
        ids::insert_many(self.session, T::TABLE, &columns, &own)?;
        let mut fresh = ids::insert_fresh(self.session, T::TABLE, &columns, fresh)?.into_iter();
        let mut own =
            own.iter().filter_map(|row| if let Some(Bind::Integer(id)) = row.first() { Some(*id) } else { None });
        let mut marks = self.marks.drain(..);
        for is_own in is_own {
            let id = if is_own { own.next() } else { fresh.next() };
            let id = id.ok_or_else(|| StoreError::Failed("the database gave too few ids".into()))?;
            if let Some(inserted) = &mut self.inserted {
                inserted.push(id);
            }
            if let (Some(recorder), Some(mark)) = (&mut self.recorder, marks.next()) {
                recorder.created(id, mark, !is_own);
            }
        }
        Ok(())
    }
}
