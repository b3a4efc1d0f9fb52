//! Compares a table of both databases, row by row in key order and value by value.

use super::plan::Table;
use super::source::{self, Source};
use super::{CopyError, ProgressReporter};
use crate::storage::Result;
use crate::storage::sql::{Bind, Row, Session};

/// Checks that a table is identical in both databases. Keeps one row of each in memory.
///
/// # Errors
/// The first difference, or a database error.
pub(super) fn compare(
    session: &dyn Session,
    source: &Source,
    table: &Table,
    progress: &mut ProgressReporter,
) -> Result<(), CopyError> {
    let mut statement = source.select(table)?;
    let mut expected = statement.query([])?;
    session.query_each(&table.select(), &[], &mut |found| {
        let actual = read(table, found)?;
        let Some(row) = expected.next()? else {
            return Err(CopyError::ExtraRow { row: table.row_name(&actual) }.into());
        };
        compare_row(table, &source::read_row(table, row)?, &actual)?;
        progress.advance(1);
        Ok(())
    })?;
    match expected.next()? {
        None => Ok(()),
        Some(row) => Err(CopyError::MissingRow { row: table.row_name(&source::read_row(table, row)?) }),
    }
}

fn read(table: &Table, row: &dyn Row) -> Result<Vec<Bind>> {
    table.columns.iter().enumerate().map(|(index, column)| column.kind.read_target(row, index)).collect()
}

fn compare_row(table: &Table, expected: &[Bind], found: &[Bind]) -> Result<(), CopyError> {
    let differs = |index: &usize| !table.columns[*index].kind.are_equal(&expected[*index], &found[*index]);
    if table.key.iter().any(differs) {
        // The order of the keys doesn't matter: both rows should be the same.
        return Err(CopyError::RowMismatch { expected: table.row_name(expected), found: table.row_name(found) });
    }
    match (0..table.columns.len()).find(differs) {
        None => Ok(()),
        Some(index) => {
            Err(CopyError::ValueMismatch { row: table.row_name(expected), column: table.columns[index].name.clone() })
        }
    }
}
