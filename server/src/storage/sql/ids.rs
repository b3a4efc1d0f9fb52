//! Rows that are given an id, or bring their own.

use super::{Bind, Session};
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
    columns: &str,
    binds: &[Bind],
) -> Result<i64, StoreError> {
    let sql = statement(session, table, columns, binds.len()) + " RETURNING id";
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
    columns: &str,
    rows: &[Vec<Bind>],
) -> Result<(), StoreError> {
    let Some(first) = rows.first() else { return Ok(()) };
    let own = rows.iter().filter_map(|row| if let Some(Bind::Integer(id)) = row.first() { Some(*id) } else { None });
    // Before any id is given, for it may not be that of a row which comes later.
    if let Some(greatest) = own.max() {
        reserve(session, table, greatest)?;
    }
    session.execute_many(&statement(session, table, columns, first.len()), rows)
}

fn statement(session: &dyn Session, table: &'static str, columns: &str, count: usize) -> String {
    let next = session.dialect().next_id(table);
    let others: String = (2..=count).map(|number| format!(", ?{number}")).collect();
    format!("INSERT INTO {table} ({columns}) VALUES (coalesce(?1, {next}){others})")
}

/// Sees to it that this id, and none below it, is given to a later row.
fn reserve(session: &dyn Session, table: &'static str, id: i64) -> Result<(), StoreError> {
    let Some(reserve) = session.dialect().reserve_id(table) else { return Ok(()) };
    session.query_each(&reserve, &[Bind::Integer(id)], &mut |_| Ok(()))
}
