//! Compares a table of both databases, row by row in key order and value by value.

use super::plan::Table;
use super::source::{self, Source};
use super::{MoveError, Steps};
use crate::storage::StoreError;
use crate::storage::sql::{Bind, Row, Session};

/// Checks that a table is identical in both databases. Keeps one row of each in memory.
///
/// # Errors
/// The first difference, or a database error.
pub(super) fn compare(
    session: &dyn Session,
    source: &Source,
    table: &Table,
    steps: &mut Steps,
) -> Result<(), MoveError> {
    let mut statement = source.select(table)?;
    let mut expected = statement.query([])?;
    session.query_each(&table.select(), &[], &mut |found| {
        let found = read(table, found)?;
        let Some(row) = expected.next()? else {
            return Err(MoveError::Surplus { row: table.row_name(&found) }.into());
        };
        same(table, &source::read(table, row)?, &found)?;
        steps.advance(1);
        Ok(())
    })?;
    match expected.next()? {
        None => Ok(()),
        Some(row) => Err(MoveError::Missing { row: table.row_name(&source::read(table, row)?) }),
    }
}

fn read(table: &Table, row: &dyn Row) -> Result<Vec<Bind>, StoreError> {
    table.columns.iter().enumerate().map(|(place, column)| column.kind.read_target(row, place)).collect()
}

fn same(table: &Table, expected: &[Bind], found: &[Bind]) -> Result<(), MoveError> {
    let differs = |place: &usize| !table.columns[*place].kind.same(&expected[*place], &found[*place]);
    if table.key.iter().any(differs) {
        // The order of the keys doesn't matter: both rows should be the same.
        return Err(MoveError::OtherRow { expected: table.row_name(expected), found: table.row_name(found) });
    }
    match (0..table.columns.len()).find(differs) {
        None => Ok(()),
        Some(place) => {
            Err(MoveError::Different { row: table.row_name(expected), column: table.columns[place].name.clone() })
        }
    }
}
