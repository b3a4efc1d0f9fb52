//! Bulk statements: values are sent column by column, each column as an array. A row then costs a few microseconds instead of a round trip.

use postgres::Statement;
use postgres::types::{ToSql, Type};

use super::super::bind::Column;
use super::super::connection::Connection;
use crate::storage::sql::Bind;

/// Approximate bytes of text per statement. The server allows a gigabyte and keeps several copies.
const MAX_STATEMENT_BYTES: usize = 8 << 20;

/// Plans the statement once for all values, and also the statements of triggers and foreign keys, which otherwise spend half their time on
/// planning. All of them find rows by id.
const USE_GENERIC_PLANS: &str = "SET LOCAL plan_cache_mode = 'force_generic_plan'";

/// The connection's default. If a statement fails, the end of the transaction restores it.
const USE_CUSTOM_PLANS: &str = "SET LOCAL plan_cache_mode = 'force_custom_plan'";

/// Runs a statement that reads its rows from `FROM unnest(…)`. `build_sql` returns its SQL for the sent columns.
pub(super) fn run_bulk(
    connection: &mut Connection,
    table: &str,
    columns: &[&str],
    rows: &[Vec<Bind>],
    build_sql: impl Fn(&SentRows) -> String,
) -> Result<(), postgres::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let types = connection.prepare(&format!("SELECT {} FROM {table}", columns.join(", ")))?;
    let statement = connection.prepare(&build_sql(&SentRows::new(columns, &types)))?;
    connection.client.batch_execute(USE_GENERIC_PLANS)?;
    for rows in split_into_batches(rows) {
        let values: Vec<_> = (0..columns.len()).map(|index| Column { rows, index }).collect();
        let values: Vec<_> = values.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        connection.client.execute(&statement, &values)?;
    }
    connection.client.batch_execute(USE_CUSTOM_PLANS)
}

/// SQL for the sent rows: a table expression with one column per target column.
pub(super) struct SentRows {
    /// Table expression `r`, for `FROM`.
    pub table_expression: String,
    /// One expression per column, cast to the type of the target column.
    pub value_expressions: Vec<String>,
}

impl SentRows {
    fn new(columns: &[&str], types: &Statement) -> Self {
        let types: Vec<_> = types.columns().iter().map(postgres::Column::type_).collect();
        let arrays: Vec<_> = (1..)
            .zip(&types)
            .map(|(number, column_type)| format!("CAST(?{number} AS {}[])", array_element_type(column_type)))
            .collect();
        let value = |(column, column_type): (&&str, &&Type)| match array_element_type(column_type) {
            type_name if type_name == column_type.name() => format!("r.{column}"),
            _ => format!("CAST(r.{column} AS {})", column_type.name()),
        };
        Self {
            table_expression: format!("unnest({}) AS r ({})", arrays.join(", "), columns.join(", ")),
            value_expressions: columns.iter().zip(&types).map(value).collect(),
        }
    }
}

/// Returns the element type of the sent array. JSON is sent as text, because [`Column`] can't encode arrays of JSON.
fn array_element_type(column_type: &Type) -> &str {
    match *column_type {
        Type::JSON | Type::JSONB => "text",
        _ => column_type.name(),
    }
}

/// Splits the rows into as few batches as their bytes allow.
fn split_into_batches(rows: &[Vec<Bind>]) -> impl Iterator<Item = &[Vec<Bind>]> {
    let text_bytes = |value: &Bind| if let Bind::Text(text) = value { text.len() } else { 0 };
    let mut remaining = rows;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits_batch = |row: &&Vec<Bind>| {
            sum += row.iter().map(text_bytes).sum::<usize>();
            sum <= MAX_STATEMENT_BYTES
        };
        // At least one row, however large.
        let count = remaining.iter().take_while(fits_batch).count().max(1);
        let (batch, tail) = remaining.split_at_checked(count)?;
        remaining = tail;
        Some(batch)
    })
}

#[cfg(test)]
mod tests;
