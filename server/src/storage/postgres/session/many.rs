//! Many rows in one statement: its values are sent column by column, each as an array. Between the program and the server a
//! row is then a few microseconds; one statement each would be one round trip each.

use postgres::Statement;
use postgres::types::{ToSql, Type};

use super::super::bind::Column;
use super::super::connection::Connection;
use crate::storage::sql::Bind;

/// Bytes of texts of one statement, more or less: the server takes a gigabyte at most, and holds it several times.
const STATEMENT_BYTES: usize = 8 << 20;

/// Statements are planned once, whatever their values; so are those that triggers and references run for each row, half of
/// whose time is planning otherwise. All of them find rows by their ids.
const KEEP_PLANS: &str = "SET LOCAL plan_cache_mode = 'force_generic_plan'";

/// As connections are set up. When a statement fails, the end of the transaction does as much.
const PLAN_ANEW: &str = "SET LOCAL plan_cache_mode = 'force_custom_plan'";

/// Runs a statement that reads its rows from `FROM unnest(…)`, made by `statement` of what this is to be.
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

/// The rows as they are sent: a table with a column for each of them.
pub(super) struct Sent {
    /// The table `r`, for `FROM`.
    pub table: String,
    /// The values of its columns, in the types of the table that is written.
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

/// The type in which values of a type are sent: JSON is written as a text, for which an array has no room otherwise.
fn sent_as(of: &Type) -> &str {
    match *of {
        Type::JSON | Type::JSONB => "text",
        _ => of.name(),
    }
}

/// The rows in as few pieces as their bytes allow.
fn pieces(rows: &[Vec<Bind>]) -> impl Iterator<Item = &[Vec<Bind>]> {
    let text = |value: &Bind| if let Bind::Text(text) = value { text.len() } else { 0 };
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = |row: &&Vec<Bind>| {
            sum += row.iter().map(text).sum::<usize>();
            sum <= STATEMENT_BYTES
        };
        // One row goes alone, however large it is.
        let count = rest.iter().take_while(fits).count().max(1);
        let (piece, others) = rest.split_at_checked(count)?;
        rest = others;
        Some(piece)
    })
}

#[cfg(test)]
mod tests;
