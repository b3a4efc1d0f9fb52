//! Session on a connection to PostgreSQL.

use std::cell::{Cell, RefCell};

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;

use super::bind::Param;
use super::connection::Connection;
use super::dialect::PostgresDialect;
use super::error::{Failure, ServerError};
use super::row::PgRow;
use super::transaction::TransactionKind;
use crate::storage::sql::{Bind, Dialect, Row, Session};
use crate::storage::{Result, StoreError};

mod bulk;

/// Open transaction on a connection.
pub(super) struct PgSession<'c> {
    connection: RefCell<&'c mut Connection>,
    kind: TransactionKind,
    /// The first failure; later ones are its consequences.
    failure: Cell<Option<(Failure, ServerError)>>,
}

impl<'c> PgSession<'c> {
    /// Creates the session on a connection where the transaction was already started.
    pub(super) fn new(connection: &'c mut Connection, kind: TransactionKind) -> Self {
        Self { connection: RefCell::new(connection), kind, failure: Cell::new(None) }
    }

    /// Ends the session and returns the first failed statement's error, if any.
    pub(super) fn into_failure(self) -> Option<(Failure, ServerError)> {
        self.failure.into_inner()
    }

    /// Runs an operation on the connection and records its failure.
    fn run_operation<T>(&self, operation: impl FnOnce(&mut Connection) -> Result<T, StatementError>) -> Result<T> {
        let mut connection = self
            .connection
            .try_borrow_mut()
            .map_err(|_| StoreError::Failed("can't run a statement while reading the rows of another".into()))?;
        operation(&mut connection).map_err(|error| match error {
            StatementError::Store(error) => error,
            StatementError::Statement(error) => {
                let failure = Failure::classify(&error);
                if failure == Failure::Other {
                    connection.clear_statements();
                }
                let first_failure = self.failure.take().unwrap_or_else(|| (failure, ServerError::from_error(&error)));
                self.failure.set(Some(first_failure));
                self.kind.store_error(failure, ServerError::from_error(&error))
            }
        })
    }
}

/// Error of a statement, or of the code that reads its rows.
enum StatementError {
    Statement(postgres::Error),
    Store(StoreError),
}

impl From<postgres::Error> for StatementError {
    fn from(error: postgres::Error) -> Self {
        Self::Statement(error)
    }
}

impl Session for PgSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        &PostgresDialect
    }

    fn query_each(&self, sql: &str, binds: &[Bind], each: &mut dyn FnMut(&dyn Row) -> Result<()>) -> Result<()> {
        self.run_operation(|connection| {
            let statement = connection.prepare(sql)?;
            // Streams rows, however many there are.
            let mut rows = connection.client.query_raw(&statement, binds.iter().map(Param))?;
            while let Some(row) = rows.next()? {
                each(&PgRow(&row)).map_err(StatementError::Store)?;
            }
            Ok(())
        })
    }

    fn execute(&self, sql: &str, binds: &[Bind]) -> Result<u64> {
        self.run_operation(|connection| {
            let statement = connection.prepare(sql)?;
            let params: Vec<_> = binds.iter().map(Param).collect();
            let params: Vec<_> = params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
            Ok(connection.client.execute(&statement, &params)?)
        })
    }

    fn insert_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<()> {
        let next = PostgresDialect.next_id(table);
        self.run_operation(|connection| {
            let insert_sql = |sent_rows: &bulk::SentRows| {
                let (id, other_values) = (&sent_rows.value_expressions[0], sent_rows.value_expressions[1..].join(", "));
                let names = columns.join(", ");
                format!(
                    "INSERT INTO {table} ({names}) SELECT coalesce({id}, {next}), {other_values} FROM {}",
                    sent_rows.table_expression
                )
            };
            Ok(bulk::run_bulk(connection, table, columns, rows, insert_sql)?)
        })
    }

    fn update_many(&self, table: &'static str, columns: &[&str], rows: &[Vec<Bind>]) -> Result<()> {
        self.run_operation(|connection| {
            let update_sql = |sent_rows: &bulk::SentRows| {
                let assignments = columns.iter().zip(&sent_rows.value_expressions).skip(1);
                let assignments: Vec<_> = assignments.map(|(column, value)| format!("{column} = {value}")).collect();
                format!(
                    "UPDATE {table} SET {} FROM {} WHERE {table}.id = r.id",
                    assignments.join(", "),
                    sent_rows.table_expression
                )
            };
            Ok(bulk::run_bulk(connection, table, columns, rows, update_sql)?)
        })
    }
}

/// Replaces placeholders `?1` with PostgreSQL's `$1`. Quoted text stays unchanged.
pub(super) fn with_dollar_placeholders(sql: &str) -> String {
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
        let is_placeholder = character == '?' && quote.is_none() && characters.peek().is_some_and(char::is_ascii_digit);
        text.push(if is_placeholder { '$' } else { character });
    }
    text
}
