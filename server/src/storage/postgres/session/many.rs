//! Bulk statements: values are sent column by column, each column as an array. A row then costs a few microseconds instead of a round trip.

use postgres::Statement;
use postgres::types::{ToSql, Type};

use super::super::bind::Column;
use super::super::connection::Connection;
use crate::storage::sql::Bind;

/// Approximate bytes of text per statement. The server allows a gigabyte and keeps several copies.
const STATEMENT_BYTES: usize = 8 << 20;

/// Plans the statement once for all values, and also the statements of triggers and foreign keys, which otherwise spend half their time on
/// planning. All of them find rows by id.
const KEEP_PLANS: &str = "SET LOCAL plan_cache_mode = 'force_generic_plan'";

/// The connection's default. If a statement fails, the end of the transaction restores it.
const PLAN_ANEW: &str = "SET LOCAL plan_cache_mode = 'force_custom_plan'";

/// Runs a statement that reads its rows from `FROM unnest(…)`. `statement` builds the SQL from the sent columns.
pub(super) fn run(
    connection: &mut Connection,
    table: &str,
    columns: &[&str],
    rows: &[Vec<Bind>],
    statement: impl Fn(&Sent) -> String,
) -> Result<(), postgres::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let types = connection.prepare(&format!("SELECT {} FROM {table}", columns.join(", ")))?;
    let statement = connection.prepare(&statement(&Sent::new(columns, &types)))?;
    connection.client.batch_execute(KEEP_PLANS)?;
    for rows in pieces(rows) {
        let values: Vec<_> = (0..columns.len()).map(|place| Column { rows, place }).collect();
        let values: Vec<_> = values.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        connection.client.execute(&statement, &values)?;
    }
    connection.client.batch_execute(PLAN_ANEW)
}

/// Sent rows, as a table with one column per written column.
pub(super) struct Sent {
    /// Table expression `r`, for `FROM`.
    pub table: String,
    /// Expressions of its columns, in the types of the written table.
    pub values: Vec<String>,
}

impl Sent {
    fn new(columns: &[&str], types: &Statement) -> Self {
        let types: Vec<_> = types.columns().iter().map(postgres::Column::type_).collect();
        let arrays: Vec<_> =
            (1..).zip(&types).map(|(place, of)| format!("CAST(?{place} AS {}[])", sent_as(of))).collect();
        let value = |(column, of): (&&str, &&Type)| match sent_as(of) {
            own if own == of.name() => format!("r.{column}"),
            _ => format!("CAST(r.{column} AS {})", of.name()),
        };
        Self {
            table: format!("unnest({}) AS r ({})", arrays.join(", "), columns.join(", ")),
            values: columns.iter().zip(&types).map(value).collect(),
        }
    }
}

/// Type in which values are sent. JSON is sent as text, because arrays don't support it.
fn sent_as(of: &Type) -> &str {
    match *of {
        Type::JSON | Type::JSONB => "text",
        _ => of.name(),
    }
}

/// Splits the rows into as few batches as their bytes allow.
fn pieces(rows: &[Vec<Bind>]) -> impl Iterator<Item = &[Vec<Bind>]> {
    let text = |value: &Bind| if let Bind::Text(text) = value { text.len() } else { 0 };
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = |row: &&Vec<Bind>| {
            sum += row.iter().map(text).sum::<usize>();
            sum <= STATEMENT_BYTES
        };
        // At least one row, however large.
        let count = rest.iter().take_while(fits).count().max(1);
        let (piece, others) = rest.split_at_checked(count)?;
        rest = others;
        Some(piece)
    })
}

#[cfg(test)]
mod tests;
