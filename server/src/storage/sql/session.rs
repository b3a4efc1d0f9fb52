//! Interface on which the store's statements run: one transaction or one snapshot, of any database.
//!
//! Adapters implement [`Session`] and [`Row`]; the store uses the helper methods that build on them. Statements are written once, in SQL that all
//! adapters understand, with placeholders `?1`, `?2` and so on. A [`Dialect`] covers the differences.

use std::collections::BTreeMap;
use std::convert::Infallible;

use chrono::NaiveDate;
use leadscribe_engine::api::{CustomValue, ImportId, Timestamp};
use leadscribe_engine::diagnostic::Message;
use serde::de::DeserializeOwned;

use super::{Bind, Dialect, dialect};
use crate::storage::{Result, StoreError};

/// One transaction or one snapshot. Statements run one at a time and block.
pub trait Session {
    /// SQL dialect of the database.
    fn dialect(&self) -> &'static dyn Dialect;
    /// Runs a query and passes every row to `each`.
    ///
    /// # Errors
    /// The database refuses the statement or can't be reached, or `each` fails.
    fn query_each(&self, sql: &str, binds: &[Bind], each: &mut dyn FnMut(&dyn Row) -> Result<()>) -> Result<()>;
    /// Runs a statement that returns no rows. Returns the number of changed rows.
    ///
    /// # Errors
    /// The database refuses the statement or can't be reached.
    fn execute(&self, sql: &str, binds: &[Bind]) -> Result<u64>;
    /// Runs a statement that returns no rows once for each set of values, all for different rows of its table.
    ///
    /// # Errors
    /// Same as [`Session::execute`].
    fn execute_many(&self, sql: &str, rows: &[Vec<Bind>]) -> Result<()> {
        rows.iter().try_for_each(|binds| self.execute(sql, binds).map(drop))
    }
    /// Inserts rows with a value for each of these columns. The first column is the id; a null becomes an id that was never used before.
    ///
    /// # Errors
    /// Same as [`Session::execute`].
    fn insert_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<()> {
        self.execute_many(&self.dialect().insert_sql(table, columns), rows)
    }
    /// Updates distinct rows, with a value for each of these columns. The first column is the id, which selects the row.
    ///
    /// # Errors
    /// Same as [`Session::execute`].
    fn update_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<()> {
        self.execute_many(&dialect::update_sql(table, columns), rows)
    }
}

impl dyn Session + '_ {
    /// Runs a query and returns the results of `read` for all rows.
    pub fn query<T>(&self, sql: &str, binds: &[Bind], mut read: impl FnMut(&dyn Row) -> Result<T>) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.query_each(sql, binds, &mut |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Runs a query and returns the result of `read` for the first row; `None` if there are no rows.
    pub fn find<T>(&self, sql: &str, binds: &[Bind], mut read: impl FnMut(&dyn Row) -> Result<T>) -> Result<Option<T>> {
        let mut first = None;
        self.query_each(sql, binds, &mut |row| {
            if first.is_none() {
                first = Some(read(row)?);
            }
            Ok(())
        })?;
        Ok(first)
    }

    /// Runs a query that always returns one row, and returns the result of `read`.
    pub fn query_one<T>(&self, sql: &str, binds: &[Bind], read: impl FnMut(&dyn Row) -> Result<T>) -> Result<T> {
        self.find(sql, binds, read)?.ok_or_else(|| StoreError::Failed("a statement returned no row".into()))
    }

    /// First column of a query that always returns one row, such as a count or the id of a new row.
    pub fn query_value<T: FromColumn>(&self, sql: &str, binds: &[Bind]) -> Result<T> {
        self.query_one(sql, binds, |row| row.get(0))
    }

    /// True if the query returns any row.
    pub fn exists(&self, sql: &str, binds: &[Bind]) -> Result<bool> {
        Ok(self.find(sql, binds, |_| Ok(()))?.is_some())
    }
}

/// A row of a result. Columns are read by position, from 0; null is `None`.
pub trait Row {
    fn integer(&self, column: usize) -> Result<Option<i64>>;
    /// Double-precision column.
    fn number(&self, column: usize) -> Result<Option<f64>>;
    /// Text column, or JSON as text.
    fn text(&self, column: usize) -> Result<Option<String>>;
    fn boolean(&self, column: usize) -> Result<Option<bool>>;
    fn time(&self, column: usize) -> Result<Option<Timestamp>>;
    fn date(&self, column: usize) -> Result<Option<NaiveDate>>;
    /// Bytes column, such as a hash.
    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>>;
}

impl dyn Row + '_ {
    pub fn get<T: FromColumn>(&self, column: usize) -> Result<T> {
        T::from_column(self, column)
    }

    /// Value of an enumeration, by its name.
    pub fn get_enum<T>(&self, column: usize, from_name: fn(&str) -> Option<T>) -> Result<T> {
        self.get_enum_or_null(column, from_name)?.ok_or_else(|| missing_value(column))
    }

    /// Value of an enumeration, by its name, or null.
    pub fn get_enum_or_null<T>(&self, column: usize, from_name: fn(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(name) = self.text(column)? else { return Ok(None) };
        let unknown = || StoreError::Failed(format!("`{name}` is not a permitted value of column {column}").into());
        from_name(&name).map(Some).ok_or_else(unknown)
    }

    pub fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T> {
        self.json_or_null(column)?.ok_or_else(|| missing_value(column))
    }

    /// Deserializes a JSON column that may be null.
    pub fn json_or_null<T: DeserializeOwned>(&self, column: usize) -> Result<Option<T>> {
        let Some(text) = self.text(column)? else { return Ok(None) };
        Ok(Some(serde_json::from_str(&text)?))
    }
}

/// A type that columns can contain.
pub trait FromColumn: Sized {
    /// Reads a column.
    fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self>;
}

macro_rules! from_column {
    ($($type:ty: $read:ident $(, $convert:expr)?;)+) => {$(
        impl FromColumn for Option<$type> {
            fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self> {
                let value = row.$read(column)?;
                $(let value = value.map($convert).transpose().map_err(|_| out_of_range(column))?;)?
                Ok(value)
            }
        }

        impl FromColumn for $type {
            fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self> {
                row.get::<Option<$type>>(column)?.ok_or_else(|| missing_value(column))
            }
        }
    )+};
}

from_column! {
    i64: integer;
    u16: integer, u16::try_from;
    u32: integer, u32::try_from;
    u64: integer, u64::try_from;
    f64: number;
    bool: boolean;
    String: text;
    Message: text, |stored| Ok::<_, Infallible>(Message::from_stored(stored));
    Timestamp: time;
    NaiveDate: date;
    ImportId: integer, |id| Ok::<_, Infallible>(ImportId(id));
    [u8; 32]: bytes, |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes);
}

impl FromColumn for BTreeMap<String, CustomValue> {
    fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self> {
        row.json(column)
    }
}

fn missing_value(column: usize) -> StoreError {
    StoreError::Failed(format!("column {column} has no value").into())
}

fn out_of_range(column: usize) -> StoreError {
    StoreError::Failed(format!("the value of column {column} is out of range").into())
}
