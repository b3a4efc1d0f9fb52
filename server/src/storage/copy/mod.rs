//! Copies the embedded database to PostgreSQL.
//!
//! [`copy`] copies all tables in one transaction of the target, compares every row of both databases, and only then commits. If anything
//! fails, the target stays empty. The source is only read, and locked against other processes until the end. `plan` determines the tables,
//! `source` reads them, `send` writes them and `compare` compares them; `value` converts values between the databases.

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

/// Tables with initial rows in a new database.
const BORN_WITH: [&str; 2] = ["lead_statuses", "installation"];

/// Progress of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of rows written or compared.
    pub done: u64,
    /// Number of rows to write and compare.
    pub total: u64,
    /// Current step, such as `copying leads`.
    pub doing: String,
}

/// A copied table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Name of the table.
    pub table: String,
    /// Number of its rows.
    pub rows: u64,
}

/// Copies the database in a file to the empty PostgreSQL database at `url`, whose schema is migrated first, and compares both. Reports
/// progress at intervals; it restarts from zero if the connection was lost.
///
/// # Errors
/// See [`MoveError`]. The target then stays empty, unless the connection was lost during the commit.
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
    // Long statements are expected here.
    session.execute("SET LOCAL statement_timeout = 0", &[])?;
    session.execute("SET LOCAL idle_in_transaction_session_timeout = 0", &[])?;
    source.expect_version(session.value("SELECT max(version) FROM refinery_schema_history", &[])?)?;
    let tables = plan::tables(session)?;
    source.expect_tables(&tables)?;
    for table in &tables {
        // Rows that the triggers would add are copied. Foreign keys stay enforced. This also locks the tables against other writers.
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
    steps.begin("indexing the words of transcripts".to_owned());
    words::enter(session, source, &mut steps)?;
    compare_all(session, source, &tables, &mut steps)?;

    steps.begin("collecting planner statistics".to_owned());
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

/// Checks that both databases are identical.
fn compare_all(session: &dyn Session, source: &Source, tables: &[Table], steps: &mut Steps) -> Result<(), MoveError> {
    for table in tables {
        steps.begin(format!("comparing {}", table.name));
        compare::compare(session, source, table, steps)?;
    }
    steps.begin("comparing the words of transcripts".to_owned());
    words::compare(session, steps)
}

/// Checks that the target only contains the initial rows of a new database.
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

/// Sets the sequence, so that new ids follow the highest id ever assigned.
fn give_later_ids(session: &dyn Session, table: &Table, highest: i64) -> Result<(), MoveError> {
    if highest > 0 {
        let sql = "SELECT setval(CAST(pg_get_serial_sequence(CAST(?1 AS TEXT), 'id') AS regclass), CAST(?2 AS BIGINT))";
        session.query_each(sql, &binds![table.name, highest], &mut |_| Ok(()))?;
    }
    Ok(())
}

/// Makes the lead indexes of servers that already use the target reload all leads.
fn note_change(session: &dyn Session) -> Result<(), StoreError> {
    session.execute("UPDATE lead_changes_pruned SET upto = pg_current_xact_id()", &[])?;
    session.execute("INSERT INTO lead_changes (lead_id) VALUES (?1)", &[Bind::Null])?;
    Ok(())
}

/// Progress counter.
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
