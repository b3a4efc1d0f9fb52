//! Moves what the embedded database holds to PostgreSQL.
//!
//! [`copy`] copies all tables in one transaction of the target, compares every row of both databases, and commits only then:
//! a target that something went wrong with is as empty as before. The source is only read, and nobody else can use it until
//! the end. `plan` says what there is to copy, `source` reads it, `send` writes it, `compare` compares; `value` knows how the
//! values of one database become those of the other.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use leadscribe_engine::api::INITIAL_STATUSES;

use super::StoreError;
use super::postgres::Postgres;
use super::sql::{Bind, Database, Session, binds};

mod compare;
mod error;
mod plan;
mod send;
mod source;
#[cfg(test)]
mod tests;
mod value;
mod words;

pub use error::MoveError;

use plan::{Table, list, quoted};
use source::Source;

/// Tables in which a new database has rows.
const BORN_WITH: [&str; 2] = ["lead_statuses", "installation"];

/// How far a copy is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Rows written or compared.
    pub done: u64,
    /// Rows to write and to compare.
    pub total: u64,
    /// What is being done: `copying leads`.
    pub doing: String,
}

/// A table that was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its name.
    pub table: String,
    /// How many rows it has.
    pub rows: u64,
}

/// Copies the database in a file to the empty PostgreSQL database at `url`, whose schema is brought up to date, and compares
/// them. Tells now and then how far it is; from the beginning again where the connection was lost.
///
/// # Errors
/// See [`MoveError`]. Then nothing is in the target, unless the connection was lost while it committed.
pub async fn copy(file: &Path, url: &str, tell: impl Fn(&Progress) + Send + 'static) -> Result<Vec<Copied>, MoveError> {
    let (file, url) = (file.to_owned(), url.to_owned());
    let open = move || Ok::<_, MoveError>((Source::open(&file)?, Postgres::open(&url, None, 1)?));
    let opened = tokio::task::spawn_blocking(open).await;
    let (source, target) = opened.map_err(|panic| StoreError::Failed(Box::new(panic)))??;
    let source = Mutex::new(source);
    let copied = target.claim::<_, StoreError>(move |session| {
        let source = source.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(copy_all(session, &source, &tell)?)
    });
    Ok(copied.await?)
}

fn copy_all(session: &dyn Session, source: &Source, tell: &dyn Fn(&Progress)) -> Result<Vec<Copied>, MoveError> {
    // What takes long here is no accident.
    session.execute("SET LOCAL statement_timeout = 0", &[])?;
    session.execute("SET LOCAL idle_in_transaction_session_timeout = 0", &[])?;
    source.expect_version(session.value("SELECT max(version) FROM refinery_schema_history", &[])?)?;
    let tables = plan::tables(session)?;
    source.expect_tables(&tables)?;
    for table in &tables {
        // What they would note is copied. Those of foreign keys stay on. This also locks the tables against all who write.
        session.execute(&format!("ALTER TABLE {} DISABLE TRIGGER USER", quoted(&table.name)), &[])?;
    }
    expect_empty(session, &tables)?;
    for table in BORN_WITH {
        session.execute(&format!("DELETE FROM {}", quoted(table)), &[])?;
    }

    let mut copied = Vec::with_capacity(tables.len());
    for table in &tables {
        copied.push(Copied { table: table.name.clone(), rows: source.count(table)? });
    }
    let mut steps = Steps::new(&copied, tell);
    for table in &tables {
        steps.begin(format!("copying {}", table.name));
        send::copy(session, source, table, &mut steps)?;
    }
    steps.begin("entering the words of transcripts".to_owned());
    words::enter(session, source, &mut steps)?;
    compare_all(session, source, &tables, &mut steps)?;

    steps.begin("counting for the planner".to_owned());
    for table in &tables {
        if table.gives_ids {
            give_later_ids(session, table, source.highest_id(table)?)?;
        }
        session.execute(&format!("ALTER TABLE {} ENABLE TRIGGER USER", quoted(&table.name)), &[])?;
        session.execute(&format!("ANALYZE {}", quoted(&table.name)), &[])?;
    }
    session.execute("ANALYZE transcript_words", &[])?;
    note_change(session)?;
    Ok(copied)
}

/// Makes sure that both databases hold the same.
fn compare_all(session: &dyn Session, source: &Source, tables: &[Table], steps: &mut Steps) -> Result<(), MoveError> {
    for table in tables {
        steps.begin(format!("comparing {}", table.name));
        compare::compare(session, source, table, steps)?;
    }
    steps.begin("comparing the words of transcripts".to_owned());
    words::compare(session, steps)
}

/// Makes sure that there is nothing in the target but what a new database has.
fn expect_empty(session: &dyn Session, tables: &[Table]) -> Result<(), MoveError> {
    let mut found = Vec::new();
    for table in tables.iter().filter(|table| !BORN_WITH.contains(&table.name.as_str())) {
        let count: i64 = session.value(&format!("SELECT count(*) FROM {}", quoted(&table.name)), &[])?;
        if count > 0 {
            found.push(format!("{} ({count})", table.name));
        }
    }
    let statuses = "SELECT name, label, dialable FROM lead_statuses ORDER BY position, name";
    let statuses =
        session.query(statuses, &[], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<bool>(2)?)))?;
    let initial = INITIAL_STATUSES.iter().map(|(name, label, dialable)| (*name, *label, *dialable));
    if !initial.eq(statuses.iter().map(|(name, label, dialable)| (name.as_str(), label.as_str(), *dialable))) {
        found.push("statuses other than those of a new database".to_owned());
    }
    if found.is_empty() { Ok(()) } else { Err(MoveError::NotEmpty(list(found.into_iter()))) }
}

/// Lets the ids of later rows follow the highest one that was ever given.
fn give_later_ids(session: &dyn Session, table: &Table, highest: i64) -> Result<(), MoveError> {
    if highest > 0 {
        let sql = "SELECT setval(CAST(pg_get_serial_sequence(CAST(?1 AS TEXT), 'id') AS regclass), CAST(?2 AS BIGINT))";
        session.query_each(sql, &binds![table.name, highest], &mut |_| Ok(()))?;
    }
    Ok(())
}

/// Lets the lead indexes of servers that run on the target already read all leads.
fn note_change(session: &dyn Session) -> Result<(), StoreError> {
    session.execute("UPDATE lead_changes_pruned SET upto = pg_current_xact_id()", &[])?;
    session.execute("INSERT INTO lead_changes (lead_id) VALUES (?1)", &[Bind::Null])?;
    Ok(())
}

/// Counts what is done.
struct Steps<'t> {
    progress: Progress,
    tell: &'t dyn Fn(&Progress),
}

impl<'t> Steps<'t> {
    /// Every row is written and compared, and so are the words of every transcript.
    fn new(copied: &[Copied], tell: &'t dyn Fn(&Progress)) -> Self {
        let times = |copied: &Copied| if copied.table == "transcripts" { 4 } else { 2 };
        let total = copied.iter().map(|copied| copied.rows * times(copied)).sum();
        Self { progress: Progress { total, ..Progress::default() }, tell }
    }

    fn begin(&mut self, doing: String) {
        self.progress.doing = doing;
        (self.tell)(&self.progress);
    }

    fn advance(&mut self, rows: u64) {
        self.progress.done += rows;
        (self.tell)(&self.progress);
    }
}
