//! Copies the rows of a table in batches.

use super::plan::{Table, join_list, quote_identifier};
use super::source::{self, Source};
use super::{CopyError, ProgressReporter};
use crate::storage::sql::{Bind, Session};

/// Maximum number of rows per statement.
const MAX_BATCH_ROWS: usize = 2_000;

/// Maximum bytes of text per statement. A single transcript can have megabytes.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// Copies all rows of a table. The target's table must be empty.
pub(super) fn copy_table(
    session: &dyn Session,
    source: &Source,
    table: &Table,
    progress: &mut ProgressReporter,
) -> Result<(), CopyError> {
    let sql = insert_sql(table);
    let mut statement = source.select(table)?;
    let mut rows = statement.query([])?;
    let mut batch = Batch::default();
    while let Some(row) = rows.next()? {
        batch.push(source::read_row(table, row)?);
        if batch.is_full() {
            progress.advance(batch.send(session, table, &sql)?);
        }
    }
    progress.advance(batch.send(session, table, &sql)?);
    Ok(())
}

/// Statement that inserts rows bound column by column.
fn insert_sql(table: &Table) -> String {
    let (name, columns) = (quote_identifier(&table.name), table.column_list());
    let stored =
        join_list(table.columns.iter().map(|column| column.kind.cast_expression(&quote_identifier(&column.name))));
    let arrays = table.columns.iter().enumerate();
    let arrays =
        join_list(arrays.map(|(index, column)| format!("CAST(?{} AS {})", index + 1, column.kind.array_type())));
    format!("INSERT INTO {name} ({columns}) SELECT {stored} FROM unnest({arrays}) AS r ({columns})")
}

#[derive(Default)]
struct Batch {
    rows: Vec<Vec<Bind>>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, row: Vec<Bind>) {
        let bytes = |value: &Bind| if let Bind::Text(text) = value { text.len() } else { 0 };
        self.bytes += row.iter().map(bytes).sum::<usize>();
        self.rows.push(row);
    }

    fn is_full(&self) -> bool {
        self.rows.len() == MAX_BATCH_ROWS || self.bytes >= MAX_BATCH_BYTES
    }

    /// Sends the buffered rows and returns their number. The buffer is empty afterwards.
    fn send(&mut self, session: &dyn Session, table: &Table, sql: &str) -> Result<u64, CopyError> {
        let rows = std::mem::take(self).rows;
        if rows.is_empty() {
            return Ok(0);
        }
        session.execute("SAVEPOINT batch", &[])?;
        match session.execute(sql, &column_lists(table, &rows)) {
            Ok(_) => session.execute("RELEASE SAVEPOINT batch", &[])?,
            Err(error) => {
                session.execute("ROLLBACK TO SAVEPOINT batch", &[])?;
                return Err(find_rejected_row(session, table, sql, &rows)?.unwrap_or(error.into()));
            }
        };
        Ok(rows.len() as u64)
    }
}

/// Values of the columns, each as a list.
fn column_lists(table: &Table, rows: &[Vec<Bind>]) -> Vec<Bind> {
    let column = |index: usize| rows.iter().map(|row| row[index].clone()).collect();
    (0..table.columns.len()).map(column).map(Bind::List).collect()
}

/// Finds the first row of a refused batch that is also refused on its own.
fn find_rejected_row(
    session: &dyn Session,
    table: &Table,
    sql: &str,
    rows: &[Vec<Bind>],
) -> Result<Option<CopyError>, CopyError> {
    for row in rows {
        if let Err(cause) = session.execute(sql, &column_lists(table, std::slice::from_ref(row))) {
            return Ok(Some(CopyError::RowRefused { row: table.row_name(row), cause }));
        }
    }
    Ok(None)
}
