//! Filters in the words of SQLite.

use std::rc::Rc;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, Statement};

use crate::storage::filter_sql::{Bind, CustomType, Dialect, Sql};

/// SQLite's dialect.
#[derive(Debug)]
pub(super) struct Sqlite;

impl Dialect for Sqlite {
    fn placeholder(&self, number: usize) -> String {
        format!("?{number}")
    }

    fn is_any_of(&self, expression: &str, list: &str) -> String {
        format!("{expression} IN (SELECT value FROM rarray({list}))")
    }

    fn lower(&self, expression: &str) -> String {
        // SQLite's own `lower` knows A to Z only.
        format!("lower({expression})")
    }

    fn contains(&self, text: &str, part: &str) -> String {
        format!("instr({text}, {part}) > 0")
    }

    fn custom_key(&self, name: &str) -> Bind {
        // A JSON path with the name as a JSON string, so that dots, brackets and quotes in it mean nothing.
        Bind::Text(format!("$.{}", serde_json::Value::from(name)))
    }

    fn has_custom(&self, key: &str) -> String {
        format!("json_type(l.custom_fields, {key}) IS NOT NULL")
    }

    fn custom(&self, key: &str, of: CustomType) -> String {
        let types = match of {
            CustomType::Text => "= 'text'",
            CustomType::Number => "IN ('integer', 'real')",
            // Extracted they are 1 and 0, as they are bound.
            CustomType::Boolean => "IN ('true', 'false')",
        };
        format!("CASE WHEN json_type(l.custom_fields, {key}) {types} THEN json_extract(l.custom_fields, {key}) END")
    }
}

fn value(bind: &Bind) -> Value {
    match bind {
        Bind::Integer(number) => Value::Integer(*number),
        Bind::Number(number) => Value::Real(*number),
        Bind::Text(text) => Value::Text(text.clone()),
        Bind::Boolean(flag) => Value::Integer(i64::from(*flag)),
        Bind::Time(moment) => Value::Integer(moment.timestamp_micros()),
        // A list stands only where `is_any_of` put its placeholder, never inside another.
        Bind::List(_) => Value::Null,
    }
}

/// A list of ids for `rarray`.
pub(super) fn id_list(ids: impl IntoIterator<Item = i64>) -> Rc<Vec<Value>> {
    Rc::new(ids.into_iter().map(Value::Integer).collect())
}

/// Gives a statement its values.
pub(super) fn bind_all(statement: &mut Statement<'_>, binds: &[Bind]) -> rusqlite::Result<()> {
    for (place, bind) in binds.iter().enumerate() {
        match bind {
            Bind::List(values) => {
                let list: Rc<Vec<Value>> = Rc::new(values.iter().map(value).collect());
                statement.raw_bind_parameter(place + 1, list)?;
            }
            single => statement.raw_bind_parameter(place + 1, value(single))?,
        }
    }
    Ok(())
}

/// Runs a statement, and gives what `read` makes of each of its rows.
pub(super) fn run<T>(
    connection: &Connection,
    sql: Sql<'_>,
    mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let (text, binds) = sql.finish();
    let mut statement = connection.prepare_cached(&text)?;
    bind_all(&mut statement, &binds)?;
    let mut rows = statement.raw_query();
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

/// The steps in which SQLite would run a statement; for tests. They don't depend on what is bound.
#[cfg(test)]
pub(super) fn plan(connection: &Connection, sql: &str) -> rusqlite::Result<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let mut rows = statement.raw_query();
    let mut steps = String::new();
    while let Some(row) = rows.next()? {
        steps += &row.get::<_, String>("detail")?;
        steps.push('\n');
    }
    Ok(steps)
}
