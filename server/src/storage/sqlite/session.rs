//! Session on a connection to SQLite.

use std::rc::Rc;

use chrono::{NaiveDate, NaiveTime};
use leadscribe_engine::api::Timestamp;
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, Statement};

use super::dialect::SqliteDialect;
use crate::storage::sql::{Bind, Dialect, Row, Session};
use crate::storage::{Result, StoreError};

/// Open transaction on this connection.
pub(super) struct SqliteSession<'c>(pub &'c Connection);

impl SqliteSession<'_> {
    fn prepare(&self, sql: &str, binds: &[Bind]) -> rusqlite::Result<CachedStatement<'_>> {
        let mut statement = self.0.prepare_cached(sql)?;
        bind_all(&mut statement, binds)?;
        Ok(statement)
    }
}

fn bind_all(statement: &mut Statement<'_>, binds: &[Bind]) -> rusqlite::Result<()> {
    for (index, bind) in binds.iter().enumerate() {
        match bind {
            Bind::List(values) => {
                let list: Rc<Vec<Value>> = Rc::new(values.iter().map(to_value).collect());
                statement.raw_bind_parameter(index + 1, list)?;
            }
            Bind::Text(text) => statement.raw_bind_parameter(index + 1, text)?,
            other => statement.raw_bind_parameter(index + 1, to_value(other))?,
        }
    }
    Ok(())
}

impl Session for SqliteSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        &SqliteDialect
    }

    fn query_each(&self, sql: &str, binds: &[Bind], each: &mut dyn FnMut(&dyn Row) -> Result<()>) -> Result<()> {
        let mut statement = self.prepare(sql, binds)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            each(&SqliteRow(row))?;
        }
        Ok(())
    }

    fn execute(&self, sql: &str, binds: &[Bind]) -> Result<u64> {
        Ok(self.prepare(sql, binds)?.raw_execute()? as u64)
    }

    fn execute_many(&self, sql: &str, rows: &[Vec<Bind>]) -> Result<()> {
        let mut statement = self.prepare(sql, &[])?;
        for binds in rows {
            bind_all(&mut statement, binds)?;
            statement.raw_execute()?;
        }
        Ok(())
    }
}

/// Timestamps and dates are stored as microseconds since 1970, booleans as 0 or 1.
fn to_value(bind: &Bind) -> Value {
    match bind {
        Bind::Integer(number) => Value::Integer(*number),
        Bind::Number(number) => Value::Real(*number),
        Bind::Text(text) => Value::Text(text.clone()),
        Bind::Boolean(flag) => Value::Integer(i64::from(*flag)),
        Bind::Time(time) => Value::Integer(time.timestamp_micros()),
        Bind::Date(day) => Value::Integer(day.and_time(NaiveTime::MIN).and_utc().timestamp_micros()),
        Bind::Bytes(bytes) => Value::Blob(bytes.clone()),
        // Lists only occur at the top level, for `is_any_of`, never inside another list.
        Bind::Null | Bind::List(_) => Value::Null,
    }
}

struct SqliteRow<'r>(&'r rusqlite::Row<'r>);

impl Row for SqliteRow<'_> {
    fn integer(&self, column: usize) -> Result<Option<i64>> {
        Ok(self.0.get(column)?)
    }

    fn number(&self, column: usize) -> Result<Option<f64>> {
        Ok(self.0.get(column)?)
    }

    fn text(&self, column: usize) -> Result<Option<String>> {
        Ok(self.0.get(column)?)
    }

    fn boolean(&self, column: usize) -> Result<Option<bool>> {
        Ok(self.0.get(column)?)
    }

    fn time(&self, column: usize) -> Result<Option<Timestamp>> {
        let Some(micros) = self.integer(column)? else { return Ok(None) };
        let out_of_range = || StoreError::Failed(format!("{micros} in column {column} is not a valid time").into());
        Timestamp::from_timestamp_micros(micros).map(Some).ok_or_else(out_of_range)
    }

    fn date(&self, column: usize) -> Result<Option<NaiveDate>> {
        Ok(self.time(column)?.map(|midnight| midnight.date_naive()))
    }

    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(column)?)
    }
}
