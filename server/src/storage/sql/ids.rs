//! Rows by their id: one that they are given, or bring.

use super::{Bind, Dialect, Session};
use crate::storage::StoreError;

/// The id of a row to be: null for one that is to be given.
pub(super) fn new_id(id: i64) -> Bind {
    if id == 0 { Bind::Null } else { Bind::Integer(id) }
}

/// Inserts a row, and gives its id. The first column is the id; where its bind is null, it becomes one that was never
/// given before.
pub(super) fn insert(
    session: &dyn Session,
    table: &'static str,
    columns: &[&str],
    binds: &[Bind],
) -> Result<i64, StoreError> {
    let sql = insert_sql(session.dialect(), table, columns) + " RETURNING id";
    let id = session.value(&sql, binds)?;
    if let Some(Bind::Integer(own)) = binds.first() {
        reserve(session, table, *own)?;
    }
    Ok(id)
}

/// Inserts rows as [`insert`] does, and doesn't tell their ids.
pub(super) fn insert_many(
    session: &dyn Session,
    table: &'static str,
    columns: &[&str],
    rows: &[Vec<Bind>],
) -> Result<(), StoreError> {
    let own = rows.iter().filter_map(|row| if let Some(Bind::Integer(id)) = row.first() { Some(*id) } else { None });
    // Before any id is given, for it may not be that of a row which comes later.
    if let Some(greatest) = own.max() {
        reserve(session, table, greatest)?;
    }
    session.insert_many(table, columns, rows)
}

/// Inserts rows without ids of their own, and gives the ids that they get, in order. Rows that bring one go first.
pub(super) fn insert_fresh(
    session: &dyn Session,
    table: &'static str,
    columns: &[&str],
    mut rows: Vec<Vec<Bind>>,
) -> Result<Vec<i64>, StoreError> {
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

/// Inserts one row with a value for each of these columns, the first of which is the id.
pub(super) fn insert_sql(dialect: &dyn Dialect, table: &'static str, columns: &[&str]) -> String {
    let next = dialect.next_id(table);
    let others: String = (2..=columns.len()).map(|number| format!(", ?{number}")).collect();
    format!("INSERT INTO {table} ({}) VALUES (coalesce(?1, {next}){others})", columns.join(", "))
}

/// Updates the row whose id is the first value; the others are those of the other columns.
pub(super) fn update_sql(table: &'static str, columns: &[&str]) -> String {
    let set: Vec<_> = (2..).zip(&columns[1..]).map(|(number, column)| format!("{column} = ?{number}")).collect();
    format!("UPDATE {table} SET {} WHERE id = ?1", set.join(", "))
}

/// Sees to it that this id, and none below it, is given to a later row.
fn reserve(session: &dyn Session, table: &'static str, id: i64) -> Result<(), StoreError> {
    let Some(reserve) = session.dialect().reserve_id(table) else { return Ok(()) };
    session.query_each(&reserve, &[Bind::Integer(id)], &mut |_| Ok(()))
}
