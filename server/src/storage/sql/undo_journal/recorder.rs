//! Recorder of changes, used in the transaction that makes them.

use std::collections::HashMap;

use leadscribe_engine::api::{ImportKind, LeadId};

use super::{Members, Owner, own_members};
use crate::storage::StoreError;
use crate::storage::sql::record::Kept;
use crate::storage::sql::{Bind, Session, binds, ids};

/// Fingerprint that shows whether a created record was changed later.
pub(in crate::storage::sql) struct Mark {
    given: Members,
    lead: Option<LeadId>,
}

/// Mark of a created record: its time of last change or, if that isn't stored, all members that a user can change.
pub(in crate::storage::sql) fn mark<T: Kept>(created: &T) -> Result<Mark, StoreError> {
    let given = match created.changed_at() {
        Some(at) => Members::from_iter([("updated_at".to_owned(), serde_json::to_value(at)?)]),
        None => own_members(created)?,
    };
    Ok(Mark { given, lead: created.lead() })
}

/// Members in which two versions of a record differ.
pub(in crate::storage::sql) struct Difference {
    pub former: Members,
    pub given: Members,
}

impl Difference {
    pub(in crate::storage::sql) fn of<T: Kept>(old: &T, new: &T) -> Result<Self, StoreError> {
        let (mut former, mut given) = (own_members(old)?, own_members(new)?);
        former.retain(|name, value| given.get(name) != Some(value));
        given.retain(|name, _| former.contains_key(name));
        Ok(Self { former, given })
    }
}

/// Collects the changes of an import or action to records of one kind until [`Recorder::flush`] writes them.
pub(in crate::storage::sql) struct Recorder<'s> {
    session: &'s dyn Session,
    owner: Owner,
    kind: ImportKind,
    changes: Vec<Change>,
}

struct Change {
    row: i64,
    /// Used if the same import or action created the record.
    mark: Mark,
    /// `None` for a record that was created.
    update: Option<Difference>,
    /// True if the database has just assigned the id, so the journal can't have a row for it.
    is_fresh: bool,
}

/// Existing journal row of a record.
struct RecordedChange {
    id: i64,
    given: Members,
    former: Option<Members>,
}

impl<'s> Recorder<'s> {
    /// Creates an empty recorder; `None` without an owner.
    pub(in crate::storage::sql) fn of(
        session: &'s dyn Session,
        owner: Option<Owner>,
        kind: ImportKind,
    ) -> Option<Self> {
        owner.map(|owner| Self { session, owner, kind, changes: Vec::new() })
    }

    /// Records the creation of a record. `is_fresh` is true if the database has just assigned its id.
    pub(in crate::storage::sql) fn created(&mut self, row: i64, mut mark: Mark, is_fresh: bool) {
        if self.kind == ImportKind::Leads {
            mark.lead = Some(LeadId(row));
        }
        self.changes.push(Change { row, mark, update: None, is_fresh });
    }

    /// Records the update of a record.
    pub(in crate::storage::sql) fn updated<T: Kept>(&mut self, new: &T, update: Difference) -> Result<(), StoreError> {
        self.changes.push(Change { row: new.id(), mark: mark(new)?, update: Some(update), is_fresh: false });
        Ok(())
    }

    /// Writes the changes. A record that the owner created stays marked as created, whatever the owner changes later. For repeated updates,
    /// the first former value and the last given value are kept.
    pub(in crate::storage::sql) fn flush(&mut self) -> Result<(), StoreError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let mut existing = self.existing()?;
        let (mut inserts, mut updates) = (Vec::new(), Vec::new());
        let (mut to_delete, mut to_restore) = (0_i64, 0_i64);
        for Change { row, mark, update, .. } in std::mem::take(&mut self.changes) {
            let before = existing.remove(&row);
            let counted = before.as_ref().map(|existing| existing.former.is_some());
            let id = before.as_ref().map(|existing| existing.id);
            let (given, former) = match (update, before) {
                (None, _) | (Some(_), Some(RecordedChange { former: None, .. })) => (mark.given, None),
                (Some(Difference { former, given }), None) => (given, Some(former)),
                (
                    Some(Difference { mut former, given: later }),
                    Some(RecordedChange { mut given, former: Some(first), .. }),
                ) => {
                    former.extend(first);
                    given.extend(later);
                    (given, Some(former))
                }
            };
            for (is_update, step) in [(counted, -1), (Some(former.is_some()), 1)] {
                match is_update {
                    Some(true) => to_restore += step,
                    Some(false) => to_delete += step,
                    None => {}
                }
            }
            let former = former.map_or(Bind::Null, |former| Bind::json(&former));
            match id {
                Some(id) => updates.push(binds![id, Bind::json(&given), former].to_vec()),
                None => {
                    let (kind, lead) = (self.kind.as_str(), mark.lead.map(|id| id.0));
                    let owner = self.owner.id();
                    inserts.push(binds![Bind::Null, owner, kind, row, lead, Bind::json(&given), former].to_vec());
                }
            }
        }
        let columns = ["id", self.owner.column(), "kind", "row_id", "lead_id", "given", "former"];
        ids::insert_many(self.session, "undo_journal", &columns, &inserts)?;
        self.session.update_many("undo_journal", &["id", "given", "former"], &updates)?;
        let Owner::Import(import) = self.owner else { return Ok(()) };
        let sql = "UPDATE import_undos SET to_delete = to_delete + ?2, to_restore = to_restore + ?3
                   WHERE import_id = ?1 AND started_at IS NULL";
        match self.session.execute(sql, &binds![import.0, to_delete, to_restore])? {
            0 => Err(StoreError::Failed("the import is being undone, or was long ago".into())),
            _ => Ok(()),
        }
    }

    /// The owner's existing journal rows for these records, by record.
    fn existing(&self) -> Result<HashMap<i64, RecordedChange>, StoreError> {
        let rows: Vec<_> = self.changes.iter().filter(|change| !change.is_fresh).map(|change| change.row).collect();
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let owner = self.owner.column();
        let of_rows = self.session.dialect().is_any_of("row_id", "?3");
        let sql = format!(
            "SELECT row_id, id, given, former FROM undo_journal WHERE {owner} = ?1 AND kind = ?2 AND {of_rows}"
        );
        let binds = [Bind::Integer(self.owner.id()), Bind::from(self.kind.as_str()), Bind::ids(rows)];
        let existing = self.session.query(&sql, &binds, |row| {
            Ok((row.get(0)?, RecordedChange { id: row.get(1)?, given: row.json(2)?, former: row.json_or_null(3)? }))
        })?;
        Ok(existing.into_iter().collect())
    }
}
