//! Copies the embedded database to PostgreSQL.
//!
//! [`copy`] copies all tables in one transaction of the target, compares every row of both databases, and only then commits. If anything
//! fails, the target stays empty. The source is only read, and locked against other processes until the end. `plan` determines the tables,
//! `source` reads them, `bulk_insert` writes them and `compare` compares them; `value` converts values between the databases.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use leadscribe_engine::api::INITIAL_STATUSES;

use super::postgres::Postgres;
use super::sql::{Database, Session, binds};
use super::{Result, StoreError};

mod bulk_insert;
mod compare;
mod error;
mod plan;
mod source;
#[cfg(test)]
mod tests;
mod transcript_words;
mod value;

pub use error::CopyError;

use plan::{Table, join_list, quote_identifier};
use source::Source;

/// Tables with initial rows in a new database.
const INITIAL_TABLES: [&str; 2] = ["lead_statuses", "installation"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyProgress {
    /// Number of rows written or compared.
    pub done: u64,
    /// Number of rows to write and compare.
    pub total: u64,
    /// Current step, such as `copying leads`.
    pub step: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    pub table: String,
    pub rows: u64,
}

/// Copies the database in a file to the empty PostgreSQL database at `url`, whose schema is migrated first, and
/// compares both. Reports progress at intervals. The progress restarts from zero if the connection was lost.
///
/// # Errors
/// See [`CopyError`]. The target then stays empty, unless the connection was lost during the commit.
pub async fn copy(
    file: &Path,
    url: &str,
    report_progress: impl Fn(&CopyProgress) + Send + 'static,
) -> Result<Vec<CopiedTable>, CopyError> {
    let (file, url) = (file.to_owned(), url.to_owned());
    let open_both = move || Ok::<_, CopyError>((Source::open(&file)?, Postgres::open(&url, None, 1)?));
    let task = tokio::task::spawn_blocking(open_both).await;
    let (source, target) = task.map_err(StoreError::from)??;
    let source = Mutex::new(source);
    let copied = target.write_locking::<_, StoreError>(move |session| {
        let source = source.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(copy_all_tables(session, &source, &report_progress)?)
    });
    Ok(copied.await?)
}

fn copy_all_tables(
    session: &dyn Session,
    source: &Source,
    report_progress: &dyn Fn(&CopyProgress),
) -> Result<Vec<CopiedTable>, CopyError> {
    // Long statements are expected here.
    session.execute("SET LOCAL statement_timeout = 0", &[])?;
    session.execute("SET LOCAL idle_in_transaction_session_timeout = 0", &[])?;
    source.check_version(session.query_value("SELECT max(version) FROM refinery_schema_history", &[])?)?;
    let tables = plan::read_tables(session)?;
    source.check_tables(&tables)?;
    for table in &tables {
        // The source already contains the rows that the triggers would add. Foreign keys stay enforced. This also locks the tables
        // against other writers.
        session.execute(&format!("ALTER TABLE {} DISABLE TRIGGER USER", quote_identifier(&table.name)), &[])?;
    }
    check_empty(session, &tables)?;
    for table in INITIAL_TABLES {
        session.execute(&format!("DELETE FROM {}", quote_identifier(table)), &[])?;
    }

    let mut copied = Vec::with_capacity(tables.len());
    for table in &tables {
        copied.push(CopiedTable { table: table.name.clone(), rows: source.count(table)? });
    }
    let mut progress = ProgressReporter::new(&copied, report_progress);
    for table in &tables {
        progress.begin_step(format!("copying {}", table.name));
        bulk_insert::copy_table(session, source, table, &mut progress)?;
    }
    progress.begin_step("indexing the words of transcripts".to_owned());
    transcript_words::index_words(session, source, &mut progress)?;
    compare_all_tables(session, source, &tables, &mut progress)?;

    progress.begin_step("collecting planner statistics".to_owned());
    for table in &tables {
        if table.has_sequence {
            advance_sequence(session, table, source.highest_id(table)?)?;
        }
        session.execute(&format!("ALTER TABLE {} ENABLE TRIGGER USER", quote_identifier(&table.name)), &[])?;
        session.execute(&format!("ANALYZE {}", quote_identifier(&table.name)), &[])?;
    }
    session.execute("ANALYZE transcript_words", &[])?;
    invalidate_lead_indexes(session)?;
    Ok(copied)
}

/// Checks that both databases are identical.
fn compare_all_tables(
    session: &dyn Session,
    source: &Source,
    tables: &[Table],
    progress: &mut ProgressReporter,
) -> Result<(), CopyError> {
    for table in tables {
        progress.begin_step(format!("comparing {}", table.name));
        compare::compare(session, source, table, progress)?;
    }
    progress.begin_step("comparing the words of transcripts".to_owned());
    transcript_words::compare_words(session, progress)
}

/// Checks that the target only contains the initial rows of a new database.
fn check_empty(session: &dyn Session, tables: &[Table]) -> Result<(), CopyError> {
    let mut existing = Vec::new();
    for table in tables.iter().filter(|table| !INITIAL_TABLES.contains(&table.name.as_str())) {
        let count: i64 =
            session.query_value(&format!("SELECT count(*) FROM {}", quote_identifier(&table.name)), &[])?;
        if count > 0 {
            existing.push(format!("{} ({count})", table.name));
        }
    }
    let statuses = "SELECT name, label, dialable FROM lead_statuses ORDER BY position, name";
    let statuses =
        session.query(statuses, &[], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<bool>(2)?)))?;
    let initial = INITIAL_STATUSES.iter().map(|(name, label, dialable)| (*name, *label, *dialable));
    if !initial.eq(statuses.iter().map(|(name, label, dialable)| (name.as_str(), label.as_str(), *dialable))) {
        existing.push("statuses other than those of a new database".to_owned());
    }
    if existing.is_empty() { Ok(()) } else { Err(CopyError::TargetNotEmpty(join_list(existing.into_iter()))) }
}

/// Sets the sequence, so that new ids follow the highest id ever assigned.
fn advance_sequence(session: &dyn Session, table: &Table, highest: i64) -> Result<(), CopyError> {
    if highest > 0 {
        let sql = "SELECT setval(CAST(pg_get_serial_sequence(CAST(?1 AS TEXT), 'id') AS regclass), CAST(?2 AS BIGINT))";
        session.query_each(sql, &binds![table.name, highest], &mut |_| Ok(()))?;
    }
    Ok(())
}

/// Makes the lead indexes of servers that already use the target reload all leads.
fn invalidate_lead_indexes(session: &dyn Session) -> Result<()> {
    session.execute("UPDATE change_log SET purged_transaction = pg_current_xact_id(), purged_id = 0", &[])?;
    session.execute("INSERT INTO changes (type, change) VALUES ('other', 'update')", &[])?;
    Ok(())
}

/// Progress counter.
struct ProgressReporter<'t> {
    progress: CopyProgress,
    report_progress: &'t dyn Fn(&CopyProgress),
}

impl<'t> ProgressReporter<'t> {
    /// Creates a counter for these tables. Each row counts twice, because it is written and compared; a transcript four
    /// times, because its words are written and compared too.
    fn new(copied: &[CopiedTable], report_progress: &'t dyn Fn(&CopyProgress)) -> Self {
        let passes = |copied: &CopiedTable| if copied.table == "transcripts" { 4 } else { 2 };
        let total = copied.iter().map(|copied| copied.rows * passes(copied)).sum();
        Self { progress: CopyProgress { total, ..CopyProgress::default() }, report_progress }
    }

    fn begin_step(&mut self, step: String) {
        self.progress.step = step;
        (self.report_progress)(&self.progress);
    }

    fn advance(&mut self, rows: u64) {
        self.progress.done += rows;
        (self.report_progress)(&self.progress);
    }
}
