//! What leads, campaign leads, campaigns and calls have in common as they are written: found by id, made or changed by a
//! record, checked, stored, entered into the audit log.

use std::collections::HashSet;
use std::marker::PhantomData;

use leadscribe_engine::api::{ImportKind, LeadId, LeftReason, Timestamp};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::references::{self, Lookup, Source};
use super::undo_journal::{Difference, Mark, Members, Owner, Recorder, mark};
use super::{Bind, Row, Session, audit, binds, ids};
use crate::storage::{Origin, RowOutcome, StoreError, WriteError};

/// The member of a lead that holds its custom fields.
const CUSTOM_FIELDS: &str = "custom_fields";

/// A thing that records make and change, with a table of its own.
pub(super) trait Kept: Clone + PartialEq + Serialize + DeserializeOwned {
    /// What makes and changes one; the default changes nothing.
    type Record: Default;
    /// Its name in the audit log, such as `campaign_lead`.
    const NAME: &'static str;
    /// The kind of import that makes such things.
    const KIND: ImportKind;
    /// Its table.
    const TABLE: &'static str;
    /// Its columns as they are written, with `id` as the first.
    const WRITTEN: &'static str;
    /// How many of these, the last ones, are written by an insert only: triggers keep them.
    const KEPT_BY_TRIGGERS: usize = 0;
    /// The columns that [`Kept::read`] reads.
    const READ: &'static str;
    /// Its table, with the name under which these know it.
    const FROM: &'static str;
    /// Rows that use a record, so that an undo doesn't delete it: what to select from, the column with its id, and the reason.
    const REFERRERS: &'static [(&'static str, &'static str, LeftReason)];
    /// Members that an undo deletes with a record that an import created, although they came later.
    const COMES_LATER: &'static [&'static str] = &[];
    /// Members whose values, alone or together, no two records may share.
    const UNIQUE: &'static [&'static str] = &[];

    /// Reads one.
    fn read(row: &dyn Row) -> Result<Self, StoreError>;
    /// What its columns are to hold; the id is null for one that is new and is to be given an id.
    fn binds(&self) -> Vec<Bind>;
    /// Its id; 0 for one that is to be given an id.
    fn id(&self) -> i64;
    /// When it was last changed; none where that isn't kept.
    fn changed_at(&self) -> Option<Timestamp>;
    /// The lead that it is or belongs to.
    fn lead(&self) -> Option<LeadId>;
    /// Sets the id it was given.
    fn set_id(&mut self, id: i64);
    /// A new one, as the record says, with the record's id or 0.
    fn made(record: &Self::Record, now: Timestamp) -> Result<Self, Fault>;
    /// Changes it to what the record says.
    fn apply(&mut self, record: &Self::Record);
    /// Notes when it was changed: when the record says, otherwise `now`.
    fn stamp(&mut self, record: &Self::Record, now: Timestamp);
    /// Whether it may become this, whatever else is stored.
    fn may_become(&self, _new: &Self, _source: Source) -> Result<(), WriteError> {
        Ok(())
    }
    /// Checks that what it refers to exists and that no other record has its unique values. What is as in `old`, which is stored,
    /// needs no check.
    fn check(&self, old: Option<&Self>, lookup: &Lookup<'_>, source: Source) -> Result<(), WriteError>;
    /// Reads again what triggers keep, after an update.
    fn refresh(&mut self, _session: &dyn Session) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The one of this id.
pub(super) fn find<T: Kept>(session: &dyn Session, id: i64) -> Result<Option<T>, StoreError> {
    session.find(&format!("SELECT {} FROM {} WHERE id = ?1", T::READ, T::FROM), &binds![id], T::read)
}

/// Those of these ids.
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

/// What the record makes of `old`; none when it says what is already so.
pub(super) fn changed<T: Kept>(old: &T, record: &T::Record, now: Timestamp) -> Option<T> {
    let mut new = old.clone();
    new.apply(record);
    if new == *old {
        return None;
    }
    new.stamp(record, now);
    Some(new)
}

/// Inserts; an id of 0 becomes one that was never given before.
pub(super) fn insert<T: Kept>(session: &dyn Session, new: &mut T) -> Result<(), StoreError> {
    new.set_id(ids::insert(session, T::TABLE, &inserted::<T>(), &new.binds())?);
    Ok(())
}

/// Writes what a change may change.
pub(super) fn update<T: Kept>(session: &dyn Session, changed: &T) -> Result<(), StoreError> {
    session.execute(&ids::update_sql(T::TABLE, &updated::<T>()), &update_binds(changed))?;
    Ok(())
}

/// The columns that an insert writes.
fn inserted<T: Kept>() -> Vec<&'static str> {
    T::WRITTEN.split(", ").collect()
}

/// The columns that an update writes, with `id` as the first.
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

/// Enters into the log what was done to several.
pub(super) fn log_all<T: Kept>(session: &dyn Session, verb: &str, ids: &[i64], by: &Origin) -> Result<(), StoreError> {
    let each = ids.iter().map(|id| audit::Changed { subject: format!("{}:{id}", T::NAME), fields: Vec::new() });
    audit::record_changes(session, &format!("{}.{verb}", T::NAME), &each.collect::<Vec<_>>(), by)
}

/// What the log says of a change.
pub(super) fn change_of<T: Kept>(id: i64, Difference { former, given }: &Difference) -> audit::Changed {
    audit::Changed { subject: format!("{}:{id}", T::NAME), fields: different(former, given) }
}

/// Enters changes into the log.
pub(super) fn log_updates<T: Kept>(
    session: &dyn Session,
    changes: &[audit::Changed],
    by: &Origin,
) -> Result<(), StoreError> {
    audit::record_changes(session, &format!("{}.update", T::NAME), changes, by)
}

/// The names of the members that differ; custom fields each by its own.
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

/// Stores a new one, with the id of the record or one that it is given.
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

/// Changes the one of this id, unless the record says what is already so. None when there is no such one; with `unchanged`
/// refused if it was last changed at another time.
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

/// Changes the one that [`find`] gave in this transaction, as [`change`] does.
pub(super) fn change_found<T: Kept>(
    session: &dyn Session,
    old: T,
    record: &T::Record,
    unchanged: Option<Timestamp>,
    by: &Origin,
) -> Result<T, WriteError> {
    if unchanged.is_some() && unchanged != old.changed_at() {
        let detail = "it was changed since, and stays as it is";
        return Err(WriteError::Refused(Fault::new(Place::default(), "changed_since", detail)));
    }
    let Some(mut new) = changed(&old, record, by.at) else { return Ok(old) };
    old.may_become(&new, Source::Body)?;
    new.check(Some(&old), &Lookup::new(session), Source::Body)?;
    update(session, &new)?;
    new.refresh(session)?;
    log_updates::<T>(session, &[change_of::<T>(new.id(), &Difference::of(&old, &new)?)], by)?;
    Ok(new)
}

/// Deletes the one of this id; what becomes of what refers to it, the schema says. False when there is no such one.
pub(super) fn delete<T: Kept>(session: &dyn Session, id: i64, by: &Origin) -> Result<bool, WriteError> {
    let deleted = session.execute(&format!("DELETE FROM {} WHERE id = ?1", T::TABLE), &binds![id])? > 0;
    if deleted {
        log::<T>(session, "delete", id, by)?;
    }
    Ok(deleted)
}

/// Deletes those of these ids, and gives how many there were; nothing may refer to them.
pub(super) fn delete_all<T: Kept>(session: &dyn Session, ids: &[i64]) -> Result<u64, StoreError> {
    if ids.is_empty() {
        return Ok(0);
    }
    let of_ids = session.dialect().is_any_of("id", "?1");
    session.execute(&format!("DELETE FROM {} WHERE {of_ids}", T::TABLE), &[Bind::ids(ids.iter().copied())])
}

/// The ids that rows of a table or join have in this column.
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

/// What became of a row of a batch: a refusal is the row's own, a failing store is everybody's. Nothing of a row is
/// written before its refusal.
pub(super) fn row_outcome(row: Result<RowOutcome, WriteError>) -> Result<RowOutcome, StoreError> {
    match row {
        Ok(outcome) => Ok(outcome),
        Err(WriteError::Refused(fault)) => Ok(RowOutcome::Rejected(fault)),
        Err(WriteError::Store(error)) => Err(error),
    }
}

/// Those of these ids that a table has.
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

/// Writes of a batch, kept back so that they reach the database together. Those kept back are about different rows, so
/// that their order doesn't count.
pub(super) struct Writes<'s, T> {
    session: &'s dyn Session,
    inserts: Vec<Vec<Bind>>,
    /// Records them in the undo journal, if they can be undone; with a mark for each insert.
    recorder: Option<Recorder<'s>>,
    marks: Vec<Mark>,
    updates: Vec<Vec<Bind>>,
    /// The ids of both.
    ids: HashSet<i64>,
    /// Whether any row was inserted that the database gives its id.
    gives_ids: bool,
    /// The ids of all rows that were inserted, where they are wanted.
    inserted: Option<Vec<i64>>,
    of: PhantomData<T>,
}

impl<'s, T: Kept> Writes<'s, T> {
    /// None yet.
    pub(super) fn new(session: &'s dyn Session) -> Self {
        Self::of(session, None)
    }

    /// None yet, of an import or action that can be undone, if any.
    pub(super) fn of(session: &'s dyn Session, owner: Option<Owner>) -> Self {
        let (inserts, updates, ids) = (Vec::new(), Vec::new(), HashSet::new());
        let (recorder, marks) = (Recorder::of(session, owner, T::KIND), Vec::new());
        Self { session, inserts, recorder, marks, updates, ids, gives_ids: false, inserted: None, of: PhantomData }
    }

    /// Keeps the ids of inserted rows for [`Writes::into_inserted`].
    pub(super) fn keep_ids(&mut self) {
        self.inserted = Some(Vec::new());
    }

    /// The ids of all rows that were inserted and sent to the database since [`Writes::keep_ids`].
    pub(super) fn into_inserted(self) -> Vec<i64> {
        self.inserted.unwrap_or_default()
    }

    /// Inserts a row; an id of 0 becomes one that was never given before.
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

    /// Makes another of a row, be it stored or kept back.
    pub(super) fn change(&mut self, old: &T, new: &T) -> Result<(), StoreError> {
        match self.recorder {
            Some(_) => self.change_by(new, Difference::of(old, new)?),
            None => self.update(new),
        }
    }

    /// The same, given what differs.
    pub(super) fn change_by(&mut self, new: &T, difference: Difference) -> Result<(), StoreError> {
        self.update(new)?;
        self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.updated(new, difference))
    }

    /// Updates a row, be it stored or kept back.
    pub(super) fn update(&mut self, changed: &T) -> Result<(), StoreError> {
        if self.ids.contains(&changed.id()) {
            self.flush()?;
        }
        self.updates.push(update_binds(changed));
        self.ids.insert(changed.id());
        Ok(())
    }

    /// The row of this id, where that is one that was inserted here and given its id by the database.
    pub(super) fn find_given(&mut self, id: i64) -> Result<Option<T>, StoreError> {
        if !self.gives_ids {
            return Ok(None);
        }
        self.flush()?;
        find(self.session, id)
    }

    /// Sends what was kept back to the database, which from then on answers by it.
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
