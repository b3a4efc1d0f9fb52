//! Recorder of changes, used in the transaction that makes them.

use std::collections::HashMap;

use leadscribe_engine::api::{ImportKind, LeadId};

use super::{JournalOwner, Members, editable_members};
use crate::storage::sql::entity::Entity;
use crate::storage::sql::{Bind, Session, binds, ids};
use crate::storage::{Result, StoreError};

/// Values of a record at its creation. They show whether the record was changed later.
pub(in crate::storage::sql) struct CreationMark {
    values: Members,
    lead: Option<LeadId>,
}

/// Returns the mark of a created record: its time of change or, if that isn't stored, all members that a user can change.
pub(in crate::storage::sql) fn creation_mark<T: Entity>(created: &T) -> Result<CreationMark> {
    let values = match created.changed_at() {
        Some(changed_at) => Members::from_iter([("updated_at".to_owned(), serde_json::to_value(changed_at)?)]),
        None => editable_members(created)?,
    };
    Ok(CreationMark { values, lead: created.related_lead() })
}

/// Members in which two versions of a record differ.
pub(in crate::storage::sql) struct Difference {
    pub old_values: Members,
    pub new_values: Members,
}

impl Difference {
    pub(in crate::storage::sql) fn between<T: Entity>(old: &T, new: &T) -> Result<Self> {
        let (mut old_values, mut new_values) = (editable_members(old)?, editable_members(new)?);
        old_values.retain(|name, value| new_values.get(name) != Some(value));
        new_values.retain(|name, _| old_values.contains_key(name));
        Ok(Self { old_values, new_values })
    }
}

/// Collects the changes of an import or action to records of one kind until [`Recorder::flush`] writes them.
pub(in crate::storage::sql) struct Recorder<'s> {
    session: &'s dyn Session,
    owner: JournalOwner,
    kind: ImportKind,
    changes: Vec<PendingChange>,
}

struct PendingChange {
    record_id: i64,
    /// Used if the same import or action created the record.
    mark: CreationMark,
    /// `None` for a record that was created.
    update: Option<Difference>,
    /// True if the database has just assigned the id, so the journal can't have a row for it.
    has_new_id: bool,
}

/// Existing journal row of a record.
struct RecordedChange {
    id: i64,
    new_values: Members,
    old_values: Option<Members>,
}

impl<'s> Recorder<'s> {
    /// Creates an empty recorder; `None` without an owner.
    pub(in crate::storage::sql) fn for_owner(
        session: &'s dyn Session,
        owner: Option<JournalOwner>,
        kind: ImportKind,
    ) -> Option<Self> {
        owner.map(|owner| Self { session, owner, kind, changes: Vec::new() })
    }

    /// Records the creation of a record. `has_new_id` is true if the database has just assigned its id.
    pub(in crate::storage::sql) fn record_creation(
        &mut self,
        record_id: i64,
        mut mark: CreationMark,
        has_new_id: bool,
    ) {
        if self.kind == ImportKind::Leads {
            mark.lead = Some(LeadId(record_id));
        }
        self.changes.push(PendingChange { record_id, mark, update: None, has_new_id });
    }

    pub(in crate::storage::sql) fn record_update<T: Entity>(&mut self, new: &T, update: Difference) -> Result<()> {
        self.changes.push(PendingChange {
            record_id: new.id(),
            mark: creation_mark(new)?,
            update: Some(update),
            has_new_id: false,
        });
        Ok(())
    }

    /// Writes the changes. A record that the owner created stays marked as created, whatever the owner changes later. For repeated updates,
    /// the first old value and the last new value are kept.
    pub(in crate::storage::sql) fn flush(&mut self) -> Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let mut existing = self.find_existing()?;
        let (mut inserts, mut updates) = (Vec::new(), Vec::new());
        let (mut to_delete, mut to_restore) = (0_i64, 0_i64);
        for PendingChange { record_id, mark, update, .. } in std::mem::take(&mut self.changes) {
            let existing_row = existing.remove(&record_id);
            let was_update = existing_row.as_ref().map(|existing| existing.old_values.is_some());
            let id = existing_row.as_ref().map(|existing| existing.id);
            let (new_values, old_values) = match (update, existing_row) {
                (None, _) | (Some(_), Some(RecordedChange { old_values: None, .. })) => (mark.values, None),
                (Some(Difference { old_values, new_values }), None) => (new_values, Some(old_values)),
                (
                    Some(Difference { mut old_values, new_values: later_values }),
                    Some(RecordedChange { mut new_values, old_values: Some(first_values), .. }),
                ) => {
                    old_values.extend(first_values);
                    new_values.extend(later_values);
                    (new_values, Some(old_values))
                }
            };
            for (is_update, delta) in [(was_update, -1), (Some(old_values.is_some()), 1)] {
                match is_update {
                    Some(true) => to_restore += delta,
                    Some(false) => to_delete += delta,
                    None => {}
                }
            }
            let old_values = old_values.map_or(Bind::Null, |old_values| Bind::json(&old_values));
            match id {
                Some(id) => updates.push(binds![id, Bind::json(&new_values), old_values].to_vec()),
                None => {
                    let (kind, lead) = (self.kind.as_str(), mark.lead.map(|id| id.0));
                    let owner = self.owner.id();
                    inserts.push(
                        binds![Bind::Null, owner, kind, record_id, lead, Bind::json(&new_values), old_values].to_vec(),
                    );
                }
            }
        }
        let columns = ["id", self.owner.column(), "kind", "record_id", "lead_id", "new_values", "old_values"];
        ids::insert_many(self.session, "undo_journal", &columns, &inserts)?;
        self.session.update_many("undo_journal", &["id", "new_values", "old_values"], &updates)?;
        let JournalOwner::Import(import) = self.owner else { return Ok(()) };
        let sql = "UPDATE import_undos SET records_to_delete = records_to_delete + ?2, records_to_restore = records_to_restore + ?3
                   WHERE import_id = ?1 AND started_at IS NULL";
        match self.session.execute(sql, &binds![import.0, to_delete, to_restore])? {
            0 => Err(StoreError::Failed("the import is being undone, or its undo journal was purged".into())),
            _ => Ok(()),
        }
    }

    /// The owner's existing journal rows of the changed records, by record id.
    fn find_existing(&self) -> Result<HashMap<i64, RecordedChange>> {
        let record_ids: Vec<_> =
            self.changes.iter().filter(|change| !change.has_new_id).map(|change| change.record_id).collect();
        if record_ids.is_empty() {
            return Ok(HashMap::new());
        }
        let owner_column = self.owner.column();
        let has_record = self.session.dialect().is_any_of("record_id", "?3");
        let sql = format!(
            "SELECT record_id, id, new_values, old_values FROM undo_journal WHERE {owner_column} = ?1 AND kind = ?2 AND {has_record}"
        );
        let binds = [Bind::Integer(self.owner.id()), Bind::from(self.kind.as_str()), Bind::ids(record_ids)];
        let existing = self.session.query(&sql, &binds, |row| {
            Ok((
                row.get(0)?,
                RecordedChange { id: row.get(1)?, new_values: row.json(2)?, old_values: row.json_or_null(3)? },
            ))
        })?;
        Ok(existing.into_iter().collect())
    }
}
