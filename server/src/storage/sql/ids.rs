//! Row ids: assigned by the database or given by the caller.

use super::{Bind, Session};
use crate::storage::Result;

/// Bind of a new row's id: null if the database assigns it.
pub(super) fn new_id(id: i64) -> Bind {
    if id == 0 { Bind::Null } else { Bind::Integer(id) }
}

/// Inserts a row and returns its id. The first column is the id; a null bind becomes an id that was never used before.
pub(super) fn insert(session: &dyn Session, table: &'static str, columns: &[&str], binds: &[Bind]) -> Result<i64> {
    let sql = session.dialect().insert_sql(table, columns) + " RETURNING id";
    let id = session.query_value(&sql, binds)?;
    if let Some(Bind::Integer(explicit_id)) = binds.first() {
        reserve_id(session, table, *explicit_id)?;
    }
    Ok(id)
}

/// Inserts rows as [`insert`] does, without returning their ids.
pub(super) fn insert_many(
    session: &dyn Session,
    table: &'static str,
    columns: &[&str],
    rows: &[Vec<Bind>],
) -> Result<()> {
    let explicit_ids =
        rows.iter().filter_map(|row| if let Some(Bind::Integer(id)) = row.first() { Some(*id) } else { None });
    // Reserved before any id is assigned, so that no assigned id collides with the given id of a later row.
    if let Some(max_id) = explicit_ids.max() {
        reserve_id(session, table, max_id)?;
    }
    session.insert_many(table, columns, rows)
}

/// Inserts rows without given ids and returns the assigned ids, in order. Insert rows that have ids first.
pub(super) fn insert_with_new_ids(
    session: &dyn Session,
    table: &'static str,
    columns: &[&str],
    mut rows: Vec<Vec<Bind>>,
) -> Result<Vec<i64>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let ids = session.query(&session.dialect().next_ids(table), &[Bind::Integer(count)], |row| row.get::<i64>(0))?;
    for (row, id) in rows.iter_mut().zip(&ids) {
        row[0] = Bind::Integer(*id);
    }
    session.insert_many(table, columns, &rows)?;
    Ok(ids)
}

/// Ensures that this id and lower ones are never assigned to a later row.
fn reserve_id(session: &dyn Session, table: &'static str, id: i64) -> Result<()> {
    let Some(reserve) = session.dialect().reserve_id(table) else { return Ok(()) };
    session.query_each(&reserve, &[Bind::Integer(id)], &mut |_| Ok(()))
}
