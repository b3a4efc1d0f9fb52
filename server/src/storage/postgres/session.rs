//! Session on a connection to PostgreSQL.

use std::cell::{Cell, RefCell};

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;

use super::bind::Param;
use super::connection::Connection;
use super::dialect::Postgres;
use super::error::{Failure, Said};
use super::row::PgRow;
use super::transaction::Kind;
use crate::storage::StoreError;
use crate::storage::sql::{Bind, Dialect, Row, Session};

mod many;

/// Open transaction on a connection.
pub(super) struct PgSession<'c> {
    connection: RefCell<&'c mut Connection>,
    kind: Kind,
    /// The first failure; later ones are its consequences.
    failure: Cell<Option<(Failure, Said)>>,
}

impl<'c> PgSession<'c> {
    /// Creates the session on a connection where the transaction was already started.
    pub(super) fn new(connection: &'c mut Connection, kind: Kind) -> Self {
        Self { connection: RefCell::new(connection), kind, failure: Cell::new(None) }
    }

    /// Ends the session and returns the first failed statement's error, if any.
    pub(super) fn into_failure(self) -> Option<(Failure, Said)> {
        self.failure.into_inner()
    }

    /// Runs something on the connection and records a failure.
    fn run<T>(&self, run: impl FnOnce(&mut Connection) -> Result<T, RunError>) -> Result<T, StoreError> {
        let mut connection = self.connection.try_borrow_mut().map_err(|_| {
            StoreError::Failed("a statement was run while the rows of another one were being read".into())
        })?;
        run(&mut connection).map_err(|error| match error {
            RunError::Own(error) => error,
            RunError::Statement(error) => {
                let failure = Failure::of(&error);
                if failure == Failure::Other {
                    connection.forget_statements();
                }
                let first = self.failure.take().unwrap_or_else(|| (failure, Said::of(&error)));
                self.failure.set(Some(first));
                self.kind.store_error(failure, Said::of(&error))
            }
        })
    }
}

/// Error of a statement, or of the code that reads its rows.
enum RunError {
    Statement(postgres::Error),
    Own(StoreError),
}

impl From<postgres::Error> for RunError {
    fn from(error: postgres::Error) -> Self {
        Self::Statement(error)
    }
}

impl Session for PgSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        &Postgres
    }

    fn query_each(
        &self,
        sql: &str,
        binds: &[Bind],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.run(|connection| {
            let statement = connection.prepare(sql)?;
            // Streams rows, however many there are.
            let mut rows = connection.client.query_raw(&statement, binds.iter().map(Param))?;
            while let Some(row) = rows.next()? {
                each(&PgRow(&row)).map_err(RunError::Own)?;
            }
            Ok(())
        })
    }

    fn execute(&self, sql: &str, binds: &[Bind]) -> Result<u64, StoreError> {
        self.run(|connection| {
            let statement = connection.prepare(sql)?;
            let params: Vec<_> = binds.iter().map(Param).collect();
            let params: Vec<_> = params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
            Ok(connection.client.execute(&statement, &params)?)
        })
    }

    fn insert_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<(), StoreError> {
        let next = Postgres.next_id(table);
        self.run(|connection| {
            let insert = |sent: &many::Sent| {
                let (id, others) = (&sent.values[0], sent.values[1..].join(", "));
                let names = columns.join(", ");
                format!("INSERT INTO {table} ({names}) SELECT coalesce({id}, {next}), {others} FROM {}", sent.table)
            };
            Ok(many::run(connection, table, columns, rows, insert)?)
        })
    }

    fn update_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<(), StoreError> {
        self.run(|connection| {
            let update = |sent: &many::Sent| {
                let set = columns.iter().zip(&sent.values).skip(1);
                let set: Vec<_> = set.map(|(column, value)| format!("{column} = {value}")).collect();
                format!("UPDATE {table} SET {} FROM {} WHERE {table}.id = r.id", set.join(", "), sent.table)
            };
            Ok(many::run(connection, table, columns, rows, update)?)
        })
    }
}

/// Replaces placeholders `?1` by PostgreSQL's `$1`. Quoted text stays unchanged.
pub(super) fn numbered(sql: &str) -> String {
    let mut quote = None;
    let mut characters = sql.chars().peekable();
    let mut text = String::with_capacity(sql.len());
    while let Some(character) = characters.next() {
        match quote {
            // The second of a doubled quote starts a new quoted text.
            Some(end) if character == end => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            _ => {}
        }
        let places = character == '?' && quote.is_none() && characters.peek().is_some_and(char::is_ascii_digit);
        text.push(if places { '$' } else { character });
    }
    text
}
