//! Imports and the rows they refused.

use std::convert::Infallible;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::rows::slice_binds;
use super::{Bind, Database, Row, Session, SqlStore, WorkError, audit, binds, calls, campaign_leads, campaigns, leads};
use crate::storage::{BatchOutcome, ImportRows, ImportStore, NewImport, Origin, Slice, StoreError, WriteError};

/// How long dry runs are kept, so that their refused rows can be read and downloaded.
const DRY_RUNS: TimeDelta = TimeDelta::days(1);

/// What [`import`] reads.
const COLUMNS: &str = "id, kind, file_name, state, rows_read, rows_inserted, rows_updated, rows_unchanged, \
     rows_rejected, progress, new_statuses, columns, error, started_at, finished_at, dry_run";

fn import(row: &dyn Row) -> Result<Import, StoreError> {
    Ok(Import {
        id: ImportId(row.get(0)?),
        kind: row.named(1, ImportKind::from_name)?,
        file_name: row.get(2)?,
        state: row.named(3, ImportState::from_name)?,
        counts: ImportCounts {
            read: row.get(4)?,
            inserted: row.get(5)?,
            updated: row.get(6)?,
            unchanged: row.get(7)?,
            rejected: row.get(8)?,
        },
        progress: row.get(9)?,
        new_statuses: row.json(10)?,
        columns: row.json(11)?,
        error: row.get(12)?,
        started_at: row.get(13)?,
        finished_at: row.get(14)?,
        dry_run: row.get(15)?,
    })
}

fn create(session: &dyn Session, new: &NewImport, by: &Origin) -> Result<Import, WriteError> {
    let NewImport { kind, file_name, dry_run } = new;
    session.execute("DELETE FROM imports WHERE dry_run AND started_at < ?1", &binds![by.at - DRY_RUNS])?;
    let id = ImportId(session.value(
        "INSERT INTO imports (kind, file_name, dry_run, state, started_at, noted_at)
         VALUES (?1, ?2, ?3, 'running', ?4, ?4)
         RETURNING id",
        &binds![kind.as_str(), file_name.as_str(), *dry_run, by.at],
    )?);
    if !dry_run {
        audit::record(session, "import.create", &format!("import:{id}"), by)?;
    }
    Ok(Import {
        id,
        kind: *kind,
        file_name: file_name.clone(),
        dry_run: *dry_run,
        state: ImportState::Running,
        counts: ImportCounts::default(),
        progress: 0.0,
        new_statuses: Vec::new(),
        columns: Vec::new(),
        error: None,
        started_at: by.at,
        finished_at: None,
    })
}

fn update(session: &dyn Session, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<(), StoreError> {
    let ImportCounts { read, inserted, updated, unchanged, rejected: refused } = &import.counts;
    session.execute(
        "UPDATE imports SET state = ?2, rows_read = ?3, rows_inserted = ?4, rows_updated = ?5, rows_unchanged = ?6,
             rows_rejected = ?7, progress = ?8, new_statuses = ?9, columns = ?10, error = ?11, finished_at = ?12,
             noted_at = ?13
         WHERE id = ?1",
        &binds![
            import.id.0,
            import.state.as_str(),
            *read,
            *inserted,
            *updated,
            *unchanged,
            *refused,
            import.progress,
            Bind::json(&import.new_statuses),
            Bind::json(&import.columns),
            import.error.as_deref().map(visible),
            import.finished_at,
            now,
        ],
    )?;
    let row = |row: &RejectedRow| binds![import.id.0, row.line, Bind::json(&row.faults), visible(&row.row)].to_vec();
    session.execute_many(
        "INSERT INTO import_rejects (import_id, line, faults, row) VALUES (?1, ?2, ?3, ?4)",
        &rejected.iter().map(row).collect::<Vec<_>>(),
    )
}

/// A text as it came from a file, with a sign for U+0000, which not every database takes.
fn visible(text: &str) -> String {
    text.replace('\0', "\u{2400}")
}

/// How a transaction ends that must leave nothing behind: always as a failure.
enum Undone {
    /// All was done, and is undone now.
    Tried(BatchOutcome),
    Failed(StoreError),
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl WorkError for Undone {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Failed(error) if error.is_conflict())
    }
}

fn attempt(session: &dyn Session, rows: &ImportRows, by: &Origin) -> Undone {
    let outcome = match rows {
        ImportRows::Campaigns(rows) => campaigns::import(session, rows, by),
        ImportRows::Leads(rows) => leads::import(session, rows, by),
        ImportRows::CampaignLeads(rows) => campaign_leads::import(session, rows, by),
        ImportRows::Calls(rows) => calls::import(session, rows, by),
    };
    outcome.map_or_else(Undone::Failed, Undone::Tried)
}

#[async_trait]
impl<D: Database> ImportStore for SqlStore<D> {
    async fn create_import(&self, new: &NewImport, by: &Origin) -> Result<Import, WriteError> {
        let (new, by) = (new.clone(), by.clone());
        self.database.write(move |session| create(session, &new, &by)).await
    }

    async fn try_import(&self, rows: ImportRows, by: &Origin) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        let undone = self.database.write(move |session| Err::<Infallible, _>(attempt(session, &rows, &by))).await;
        match undone {
            Ok(never) => match never {},
            Err(Undone::Tried(outcome)) => Ok(outcome),
            Err(Undone::Failed(error)) => Err(error),
        }
    }

    async fn update_import(&self, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<(), StoreError> {
        let (import, rejected) = (import.clone(), rejected.to_vec());
        self.database.write(move |session| update(session, &import, &rejected, now)).await
    }

    async fn fail_lost_imports(&self, error: &str, silent_since: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        let error = error.to_owned();
        let sql = "UPDATE imports SET state = 'failed', error = ?1, finished_at = ?2
                   WHERE state = 'running' AND noted_at <= ?3";
        self.database.write(move |session| session.execute(sql, &binds![error, now, silent_since])).await
    }

    async fn imports(&self, slice: Slice) -> Result<Page<Import>, StoreError> {
        self.database
            .read(move |session| {
                let total = session.value("SELECT count(*) FROM imports WHERE NOT dry_run", &[])?;
                let sql =
                    format!("SELECT {COLUMNS} FROM imports WHERE NOT dry_run ORDER BY id DESC LIMIT ?1 OFFSET ?2");
                let items = session.query(&sql, &slice_binds(slice), import)?;
                Ok(Page { items, total })
            })
            .await
    }

    async fn import(&self, id: ImportId) -> Result<Option<Import>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM imports WHERE id = ?1");
        self.database.read(move |session| session.find(&sql, &binds![id.0], import)).await
    }

    async fn rejected_rows(&self, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>, StoreError> {
        self.database
            .read(move |session| {
                let total = session.value("SELECT count(*) FROM import_rejects WHERE import_id = ?1", &binds![id.0])?;
                let [limit, offset] = slice_binds(slice);
                let sql = "SELECT line, faults, row FROM import_rejects WHERE import_id = ?1
                           ORDER BY line, id LIMIT ?2 OFFSET ?3";
                let items = session.query(sql, &binds![id.0, limit, offset], |row| {
                    Ok(RejectedRow { line: row.get(0)?, faults: row.json(1)?, row: row.get(2)? })
                })?;
                Ok(Page { items, total })
            })
            .await
    }
}
