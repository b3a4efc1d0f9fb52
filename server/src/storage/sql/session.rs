//! What the statements of the store run on: one transaction, or one snapshot, of whichever database.
//!
//! [`Session`] and [`Row`] are what an adapter provides; the methods beside them are what the store uses. Statements are
//! written once, in SQL that all adapters know, with placeholders `?1`, `?2` and so on. What they don't have in common is
//! a [`Dialect`].

use chrono::NaiveDate;
use leadscribe_engine::api::Timestamp;
use serde::de::DeserializeOwned;

use super::{Bind, Dialect, ids};
use crate::storage::StoreError;

/// One transaction, or one snapshot. Statements run one after the other, and block.
pub trait Session {
    /// Its language.
    fn dialect(&self) -> &'static dyn Dialect;
    /// Runs a statement, and gives every row of its answer to `each`.
    ///
    /// # Errors
    /// The database refuses the statement or can't be reached, or `each` fails.
    fn query_each(
        &self,
        sql: &str,
        binds: &[Bind],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
    /// Runs a statement that answers nothing; gives how many rows it changed.
    ///
    /// # Errors
    /// The database refuses the statement or can't be reached.
    fn execute(&self, sql: &str, binds: &[Bind]) -> Result<u64, StoreError>;
    /// Runs a statement that answers nothing once for each row of values, all about different rows of its table.
    ///
    /// # Errors
    /// As [`Session::execute`].
    fn execute_many(&self, sql: &str, rows: &[Vec<Bind>]) -> Result<(), StoreError> {
        rows.iter().try_for_each(|binds| self.execute(sql, binds).map(drop))
    }
    /// Inserts rows, each with a value for each of these columns. The first column is the id; where it is null, it becomes
    /// one that was never given before.
    ///
    /// # Errors
    /// As [`Session::execute`].
    fn insert_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<(), StoreError> {
        self.execute_many(&ids::insert_sql(self.dialect(), table, columns), rows)
    }
    /// Updates rows, each other than all the others, with a value for each of these columns. The first column is the id,
    /// which tells which row it is.
    ///
    /// # Errors
    /// As [`Session::execute`].
    fn update_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<(), StoreError> {
        self.execute_many(&ids::update_sql(table, columns), rows)
    }
}

impl dyn Session + '_ {
    /// What `read` makes of each row.
    pub fn query<T>(
        &self,
        sql: &str,
        binds: &[Bind],
        mut read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut all = Vec::new();
        self.query_each(sql, binds, &mut |row| {
            all.push(read(row)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// What `read` makes of the first row; none when there is no row.
    pub fn find<T>(
        &self,
        sql: &str,
        binds: &[Bind],
        mut read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut first = None;
        self.query_each(sql, binds, &mut |row| {
            if first.is_none() {
                first = Some(read(row)?);
            }
            Ok(())
        })?;
        Ok(first)
    }

    /// What `read` makes of the one row that there always is.
    pub fn one<T>(
        &self,
        sql: &str,
        binds: &[Bind],
        read: impl FnMut(&dyn Row) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.find(sql, binds, read)?.ok_or_else(|| StoreError::Failed("a statement gave no row".into()))
    }

    /// The first column of the one row that there always is, such as a count or the id of a new row.
    pub fn value<T: FromColumn>(&self, sql: &str, binds: &[Bind]) -> Result<T, StoreError> {
        self.one(sql, binds, |row| row.get(0))
    }

    /// Whether there is any row.
    pub fn exists(&self, sql: &str, binds: &[Bind]) -> Result<bool, StoreError> {
        Ok(self.find(sql, binds, |_| Ok(()))?.is_some())
    }
}

/// A row of an answer. Columns are read by position, from 0; null is none.
pub trait Row {
    /// A whole number.
    fn integer(&self, column: usize) -> Result<Option<i64>, StoreError>;
    /// A double.
    fn number(&self, column: usize) -> Result<Option<f64>, StoreError>;
    /// A text, or JSON as text.
    fn text(&self, column: usize) -> Result<Option<String>, StoreError>;
    /// True or false.
    fn boolean(&self, column: usize) -> Result<Option<bool>, StoreError>;
    /// A moment.
    fn time(&self, column: usize) -> Result<Option<Timestamp>, StoreError>;
    /// A day.
    fn date(&self, column: usize) -> Result<Option<NaiveDate>, StoreError>;
    /// A hash.
    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, StoreError>;
}

impl dyn Row + '_ {
    /// The value of a column.
    pub fn get<T: FromColumn>(&self, column: usize) -> Result<T, StoreError> {
        T::from_column(self, column)
    }

    /// The value of a closed list.
    pub fn named<T>(&self, column: usize, from_name: fn(&str) -> Option<T>) -> Result<T, StoreError> {
        self.named_or_null(column, from_name)?.ok_or_else(|| missing(column))
    }

    /// The value of a closed list, where there may be none.
    pub fn named_or_null<T>(&self, column: usize, from_name: fn(&str) -> Option<T>) -> Result<Option<T>, StoreError> {
        let Some(name) = self.text(column)? else { return Ok(None) };
        let unknown = || StoreError::Failed(format!("`{name}` is not in the closed list of column {column}").into());
        from_name(&name).map(Some).ok_or_else(unknown)
    }

    /// What is stored as JSON.
    pub fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, StoreError> {
        self.json_or_null(column)?.ok_or_else(|| missing(column))
    }

    /// What is stored as JSON, where there may be nothing.
    pub fn json_or_null<T: DeserializeOwned>(&self, column: usize) -> Result<Option<T>, StoreError> {
        let Some(text) = self.text(column)? else { return Ok(None) };
        Ok(Some(serde_json::from_str(&text)?))
    }
}

/// A type that columns hold.
pub trait FromColumn: Sized {
    /// Reads it.
    fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self, StoreError>;
}

macro_rules! from_column {
    ($($type:ty: $read:ident $(, $convert:expr)?;)+) => {$(
        impl FromColumn for Option<$type> {
            fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self, StoreError> {
                let value = row.$read(column)?;
                $(let value = value.map($convert).transpose().map_err(|_| out_of_range(column))?;)?
                Ok(value)
            }
        }

        impl FromColumn for $type {
            fn from_column(row: &(dyn Row + '_), column: usize) -> Result<Self, StoreError> {
                row.get::<Option<$type>>(column)?.ok_or_else(|| missing(column))
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
    Timestamp: time;
    NaiveDate: date;
    [u8; 32]: bytes, |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes);
}

fn missing(column: usize) -> StoreError {
    StoreError::Failed(format!("column {column} has no value").into())
}

fn out_of_range(column: usize) -> StoreError {
    StoreError::Failed(format!("the value of column {column} is out of range").into())
}
