//! Copies the rows of a table in batches.

use super::plan::{Table, list, quoted};
use super::source::{self, Source};
use super::{MoveError, Steps};
use crate::storage::sql::{Bind, Session};

/// Maximum number of rows and of text bytes per statement. A single transcript can have megabytes.
const BATCH_ROWS: usize = 2_000;
const BATCH_BYTES: usize = 8 << 20;

/// Copies all rows of a table. The target's table must be empty.
pub(super) fn copy(session: &dyn Session, source: &Source, table: &Table, steps: &mut Steps) -> Result<(), MoveError> {
    let sql = insert(table);
    let mut statement = source.select(table)?;
    let mut rows = statement.query([])?;
    let mut batch = Batch::default();
    while let Some(row) = rows.next()? {
        batch.push(source::read(table, row)?);
        if batch.is_full() {
            steps.advance(batch.send(session, table, &sql)?);
        }
    }
    steps.advance(batch.send(session, table, &sql)?);
    Ok(())
}

/// Statement that inserts rows bound column by column.
fn insert(table: &Table) -> String {
    let (name, columns) = (quoted(&table.name), table.column_list());
    let stored = list(table.columns.iter().map(|column| column.kind.stored(&quoted(&column.name))));
    let sent = table.columns.iter().enumerate();
    let sent = list(sent.map(|(place, column)| format!("CAST(?{} AS {})", place + 1, column.kind.sent_as())));
    format!("INSERT INTO {name} ({columns}) SELECT {stored} FROM unnest({sent}) AS r ({columns})")
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
        self.rows.len() == BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    /// Sends the buffered rows and returns their number. The buffer is empty afterwards.
    fn send(&mut self, session: &dyn Session, table: &Table, sql: &str) -> Result<u64, MoveError> {
        let rows = std::mem::take(self).rows;
        if rows.is_empty() {
            return Ok(0);
        }
        session.execute("SAVEPOINT batch", &[])?;
        match session.execute(sql, &columns(table, &rows)) {
            Ok(_) => session.execute("RELEASE SAVEPOINT batch", &[])?,
            Err(error) => {
                session.execute("ROLLBACK TO SAVEPOINT batch", &[])?;
                return Err(first_refused(session, table, sql, &rows)?.unwrap_or(error.into()));
            }
        };
        Ok(rows.len() as u64)
    }
}

/// Values of the columns, each as a list.
fn columns(table: &Table, rows: &[Vec<Bind>]) -> Vec<Bind> {
    let column = |place: usize| rows.iter().map(|row| row[place].clone()).collect();
    (0..table.columns.len()).map(column).map(Bind::List).collect()
}

/// Finds the first of several rows, refused together, that is also refused on its own.
fn first_refused(
    session: &dyn Session,
    table: &Table,
    sql: &str,
    rows: &[Vec<Bind>],
) -> Result<Option<MoveError>, MoveError> {
    for row in rows {
        if let Err(cause) = session.execute(sql, &columns(table, std::slice::from_ref(row))) {
            return Ok(Some(MoveError::Refused { row: table.row_name(row), cause }));
        }
    }
    Ok(None)
}
