//! What an import changes, noted in the transaction that changes it, so that the import can be undone.

use std::collections::HashMap;

use leadscribe_engine::api::{ImportId, ImportKind};
use serde_json::{Map, Value};

use crate::storage::StoreError;
use crate::storage::sql::record::Kept;
use crate::storage::sql::{Bind, Session, binds, ids};

/// Members of a thing and their values, as the API writes them.
pub(in crate::storage::sql) type Members = Map<String, Value>;

/// Members that don't tell whether somebody changed a thing: when that was, and what follows from other things.
const NOT_ITS_OWN: [&str; 3] = ["updated_at", "global_updated_at", "transcription_state"];

/// All members of a thing.
pub(super) fn members<T: Kept>(thing: &T) -> Result<Members, StoreError> {
    match serde_json::to_value(thing)? {
        Value::Object(members) => Ok(members),
        _ => Err(StoreError::Failed(format!("a {} is written without members", T::NAME).into())),
    }
}

/// What somebody can have changed of a thing.
pub(in crate::storage::sql) fn own_members<T: Kept>(thing: &T) -> Result<Members, StoreError> {
    let mut members = members(thing)?;
    members.retain(|name, _| name != "id" && !NOT_ITS_OWN.contains(&name.as_str()));
    Ok(members)
}

/// What tells of a thing that an import made whether somebody changed it since: when it was last changed or, where that isn't
/// kept, all of it.
pub(in crate::storage::sql) fn mark<T: Kept>(made: &T) -> Result<Members, StoreError> {
    match made.changed_at() {
        Some(at) => Ok(Members::from_iter([("updated_at".to_owned(), serde_json::to_value(at)?)])),
        None => own_members(made),
    }
}

/// Forgets what things were that are deleted with this. That imports made or changed them is still known, so that their undo
/// tells of them; what stands for their values matches nothing, should another thing get the id.
pub(in crate::storage::sql) fn forget_values(
    session: &dyn Session,
    kind: ImportKind,
    things: Vec<i64>,
) -> Result<(), StoreError> {
    if things.is_empty() {
        return Ok(());
    }
    // The index of changes knows the import first: these are few.
    let sql = "SELECT i.id FROM imports i
               WHERE EXISTS (SELECT 1 FROM import_changes c WHERE c.import_id = i.id AND c.kind = ?1)";
    let imports = session.query(sql, &binds![kind.as_str()], |row| row.get::<i64>(0))?;
    let dialect = session.dialect();
    let sql = format!(
        "UPDATE import_changes
         SET given = '{{\"id\":null}}', former = CASE WHEN former IS NULL THEN former ELSE '{{}}' END
         WHERE {} AND kind = ?2 AND {}",
        dialect.is_any_of("import_id", "?1"),
        dialect.is_any_of("row_id", "?3")
    );
    session.execute(&sql, &[Bind::ids(imports), Bind::from(kind.as_str()), Bind::ids(things)])?;
    Ok(())
}

/// What an import changed that is not written down yet; each thing stands in it once.
pub(in crate::storage::sql) struct Notes<'s> {
    session: &'s dyn Session,
    import: ImportId,
    kind: ImportKind,
    notes: Vec<Note>,
}

struct Note {
    row: i64,
    /// Its mark, should it turn out that the import made it.
    mark: Members,
    /// What it was, and what it became; none of a thing that was made.
    change: Option<(Members, Members)>,
    /// Whether its id was never given before.
    is_fresh: bool,
}

/// What was written down before of the same thing.
struct Known {
    id: i64,
    given: Members,
    former: Option<Members>,
}

impl<'s> Notes<'s> {
    /// None yet. Nothing is noted where `import` is none.
    pub(in crate::storage::sql) fn of(
        session: &'s dyn Session,
        import: Option<ImportId>,
        kind: ImportKind,
    ) -> Option<Self> {
        import.map(|import| Self { session, import, kind, notes: Vec::new() })
    }

    /// Notes that a thing was made; `is_fresh` when its id was given to it just now.
    pub(in crate::storage::sql) fn made(&mut self, row: i64, mark: Members, is_fresh: bool) {
        self.notes.push(Note { row, mark, change: None, is_fresh });
    }

    /// Notes that a thing was changed.
    pub(in crate::storage::sql) fn changed<T: Kept>(&mut self, old: &T, new: &T) -> Result<(), StoreError> {
        let (mut former, mut given) = (own_members(old)?, own_members(new)?);
        former.retain(|name, value| given.get(name) != Some(value));
        given.retain(|name, _| former.contains_key(name));
        self.notes.push(Note { row: new.id(), mark: mark(new)?, change: Some((former, given)), is_fresh: false });
        Ok(())
    }

    /// Writes the notes down. What the import made stays that, whatever else it does with it; of what it changed more than
    /// once, the first former value counts and the last one given.
    pub(in crate::storage::sql) fn flush(&mut self) -> Result<(), StoreError> {
        if self.notes.is_empty() {
            return Ok(());
        }
        let mut known = self.known()?;
        let (mut inserts, mut updates) = (Vec::new(), Vec::new());
        let (mut to_delete, mut to_restore) = (0_i64, 0_i64);
        for Note { row, mark, change, .. } in std::mem::take(&mut self.notes) {
            let before = known.remove(&row);
            let counted = before.as_ref().map(|known| known.former.is_some());
            let id = before.as_ref().map(|known| known.id);
            let (given, former) = match (change, before) {
                (None, _) | (Some(_), Some(Known { former: None, .. })) => (mark, None),
                (Some((former, given)), None) => (given, Some(former)),
                (Some((mut former, later)), Some(Known { mut given, former: Some(first), .. })) => {
                    former.extend(first);
                    given.extend(later);
                    (given, Some(former))
                }
            };
            for (of, step) in [(counted, -1), (Some(former.is_some()), 1)] {
                match of {
                    Some(true) => to_restore += step,
                    Some(false) => to_delete += step,
                    None => {}
                }
            }
            let former = former.map_or(Bind::Null, |former| Bind::json(&former));
            match id {
                Some(id) => updates.push(binds![id, Bind::json(&given), former].to_vec()),
                None => {
                    let kind = self.kind.as_str();
                    inserts.push(binds![Bind::Null, self.import.0, kind, row, Bind::json(&given), former].to_vec());
                }
            }
        }
        const COLUMNS: [&str; 6] = ["id", "import_id", "kind", "row_id", "given", "former"];
        ids::insert_many(self.session, "import_changes", &COLUMNS, &inserts)?;
        self.session.update_many("import_changes", &["id", "given", "former"], &updates)?;
        let sql = "UPDATE import_undos SET to_delete = to_delete + ?2, to_restore = to_restore + ?3
                   WHERE import_id = ?1 AND started_at IS NULL";
        match self.session.execute(sql, &binds![self.import.0, to_delete, to_restore])? {
            0 => Err(StoreError::Failed("the import is being undone, or was long ago".into())),
            _ => Ok(()),
        }
    }

    fn known(&self) -> Result<HashMap<i64, Known>, StoreError> {
        let rows: Vec<_> = self.notes.iter().filter(|note| !note.is_fresh).map(|note| note.row).collect();
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let of_rows = self.session.dialect().is_any_of("row_id", "?3");
        let sql = format!(
            "SELECT row_id, id, given, former FROM import_changes WHERE import_id = ?1 AND kind = ?2 AND {of_rows}"
        );
        let binds = [Bind::Integer(self.import.0), Bind::from(self.kind.as_str()), Bind::ids(rows)];
        let known = self.session.query(&sql, &binds, |row| {
            Ok((row.get(0)?, Known { id: row.get(1)?, given: row.json(2)?, former: row.json_or_null(3)? }))
        })?;
        Ok(known.into_iter().collect())
    }
}
