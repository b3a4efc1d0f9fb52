//! Imports, their rejected rows, and their undo.

use std::convert::Infallible;
use std::sync::Arc;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, conflict};
use leadscribe_engine::record::Delimiter;

use super::lead_actions::add_to_campaign;
use super::lists::{self, KeyType, List, ListKey};
use super::rows::slice_binds;
use super::undo_journal::{self, JournalOwner, MAX_PURGED_ROWS};
use super::{Bind, Database, Row, Session, SqlStore, WorkError, audit, binds, calls, campaign_leads, campaigns, leads};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::{
    AuditContext, BatchOutcome, ImportBatch, ImportQuery, ImportRows, ImportStore, NewImport,
    REJECTED_ROW_PREVIEW_CHARS, RejectedRowPosition, Result, RowOutcome, Slice, StoreError, UNDO_RETENTION, WriteError,
};

mod corrections;
mod undo;

/// Columns that [`read_import`] reads.
const COLUMNS: &str = "i.id, i.kind, i.file_name, i.state, i.rows_read, i.rows_inserted, i.rows_updated, \
     i.rows_unchanged, i.rows_rejected, i.progress, i.new_statuses, i.columns, i.error, i.started_at, i.finished_at, \
     i.dry_run, i.rows_undialable, i.cancel_requested_at, u.import_id, u.records_to_delete, u.records_to_restore, u.actor, u.started_at, \
     u.finished_at, u.records_deleted, u.records_restored, u.records_skipped, i.delimiter, i.mapping, i.campaign_id, c.name, \
     i.campaign_status, i.leads_added, i.findings, i.corrected_import_id, i.rows_corrected";

/// Tables that these columns belong to.
const FROM: &str =
    "imports i LEFT JOIN import_undos u ON u.import_id = i.id LEFT JOIN campaigns c ON c.id = i.campaign_id";

fn read_import(row: &dyn Row) -> Result<Import> {
    Ok(Import {
        id: ImportId(row.get(0)?),
        kind: row.get_enum(1, ImportKind::from_name)?,
        file_name: row.get(2)?,
        state: row.get_enum(3, ImportState::from_name)?,
        counts: ImportCounts {
            read: row.get(4)?,
            inserted: row.get(5)?,
            updated: row.get(6)?,
            unchanged: row.get(7)?,
            rejected: row.get(8)?,
            undialable: row.get(16)?,
            corrected: row.get(35)?,
        },
        progress: row.get(9)?,
        new_statuses: row.json(10)?,
        columns: row.json(11)?,
        delimiter: row.get_enum(27, Delimiter::from_name)?,
        mapping: row.json(28)?,
        campaign: read_campaign(row)?,
        findings: row.json(33)?,
        corrects_import_id: row.get::<Option<i64>>(34)?.map(ImportId),
        error: row.get(12)?,
        started_at: row.get(13)?,
        finished_at: row.get(14)?,
        dry_run: row.get(15)?,
        cancel_requested_at: row.get(17)?,
        undo: if row.get::<Option<i64>>(18)?.is_some() { Some(read_undo(row)?) } else { None },
    })
}

/// Campaign into which an import puts leads.
fn read_campaign(row: &dyn Row) -> Result<Option<ImportCampaign>> {
    let Some(id) = row.get::<Option<i64>>(29)? else { return Ok(None) };
    let (name, status, leads_added) = (row.get(30)?, row.get(31)?, row.get(32)?);
    Ok(Some(ImportCampaign { id: CampaignId(id), name, status, leads_added }))
}

/// Undo state of an import.
fn read_undo(row: &dyn Row) -> Result<ImportUndo> {
    let (started_at, finished_at) = (row.get(22)?, row.get(23)?);
    let (deleted, restored, skipped): (u64, u64, u64) = (row.get(24)?, row.get(25)?, row.get(26)?);
    let state = match (started_at, finished_at) {
        (None, _) if deleted + restored + skipped > 0 => ImportUndoState::Cancelled,
        (None, _) => ImportUndoState::Possible,
        (Some::<Timestamp>(_), None) => ImportUndoState::Running,
        (Some(_), Some::<Timestamp>(_)) => ImportUndoState::Completed,
    };
    Ok(ImportUndo {
        state,
        to_delete: row.get(19)?,
        to_restore: row.get(20)?,
        undoable_until: row.get::<Timestamp>(13)? + UNDO_RETENTION,
        actor: row.get(21)?,
        started_at,
        finished_at,
        deleted,
        restored,
        skipped,
    })
}

impl List for ImportQuery {
    type SortField = ImportOrder;
    type Row = Import;
    const FROM: &'static str = FROM;
    const ID: &'static str = "i.id";
    const COLUMNS: &'static str = COLUMNS;

    fn order(&self) -> Order<ImportOrder> {
        self.order
    }

    fn key(&self, field: ImportOrder, sql: &SqlBuilder) -> ListKey {
        match field {
            ImportOrder::Id => ListKey::new(KeyType::Integer, Self::ID),
            ImportOrder::Kind => ListKey::new(KeyType::Text, "i.kind"),
            ImportOrder::FileName => ListKey::new(KeyType::Text, sql.dialect().lower("i.file_name")),
            ImportOrder::State => ListKey::new(KeyType::Text, "i.state"),
            ImportOrder::StartedAt => ListKey::new(KeyType::Time, "i.started_at"),
            ImportOrder::FinishedAt => ListKey::nullable(KeyType::Time, "i.finished_at"),
            ImportOrder::RowsRead => ListKey::new(KeyType::Integer, "i.rows_read"),
            ImportOrder::RowsInserted => ListKey::new(KeyType::Integer, "i.rows_inserted"),
            ImportOrder::RowsUpdated => ListKey::new(KeyType::Integer, "i.rows_updated"),
            ImportOrder::RowsUnchanged => ListKey::new(KeyType::Integer, "i.rows_unchanged"),
            ImportOrder::RowsRejected => ListKey::new(KeyType::Integer, "i.rows_rejected"),
        }
    }

    fn push_conditions(&self, sql: &mut SqlBuilder) {
        sql.push(" AND NOT i.dry_run");
        if !self.kinds.is_empty() {
            sql.push(" AND ").push_any_of("i.kind", self.kinds.iter().map(|kind| Bind::from(kind.as_str())).collect());
        }
        if let Some(state) = self.state {
            sql.push(" AND i.state = ").push_bind(Bind::from(state.as_str()));
        }
        if let Some(name) = &self.name {
            let dialect = sql.dialect();
            let needle = sql.add_placeholder(Bind::Text(name.to_ascii_lowercase()));
            sql.push(" AND ").push(&dialect.contains(&dialect.lower("i.file_name"), &needle));
        }
    }

    fn read(&self, row: &dyn Row) -> Result<Import> {
        read_import(row)
    }

    fn id(row: &Import) -> i64 {
        row.id.0
    }

    fn entries(_session: &dyn Session, rows: Vec<Import>) -> Result<Vec<Import>> {
        Ok(rows)
    }
}

pub(super) fn find(session: &dyn Session, id: ImportId) -> Result<Option<Import>> {
    session.find(&format!("SELECT {COLUMNS} FROM {FROM} WHERE i.id = ?1"), &binds![id.0], read_import)
}

fn create(session: &dyn Session, new: &NewImport, audit: &AuditContext) -> Result<Import, WriteError> {
    let NewImport {
        kind,
        file_name,
        mapping,
        campaign,
        status,
        corrected_import,
        is_dry_run: dry_run,
        is_undoable: undoable,
    } = new;
    if campaign.is_some() {
        add_to_campaign::check(session, &add_to_campaign::campaign_values(*campaign, status.clone()))
            // Campaign and status are query parameters.
            .map_err(|error| {
                error.map_pointer(|pointer| Location::Parameter(pointer.trim_start_matches('/').to_owned()))
            })?;
    }
    if let Some(corrected) = corrected_import {
        corrections::check(session, *corrected, new)?;
    }
    let id = ImportId(session.query_value(
        "INSERT INTO imports (kind, file_name, dry_run, state, started_at, progress_at, mapping, campaign_id,
             campaign_status, corrected_import_id)
         VALUES (?1, ?2, ?3, 'running', ?4, ?4, ?5, ?6, ?7, ?8)
         RETURNING id",
        &binds![
            kind.as_str(),
            file_name.as_str(),
            *dry_run,
            audit.at,
            Bind::json(mapping),
            campaign.map(|id| id.0),
            status.as_deref(),
            corrected_import.map(|id| id.0),
        ],
    )?);
    if !dry_run {
        audit::record(session, "import.create", &id.subject(), audit)?;
    }
    if *undoable && !dry_run {
        session.execute("INSERT INTO import_undos (import_id) VALUES (?1)", &binds![id.0])?;
    }
    find(session, id)?.ok_or_else(|| StoreError::Failed("an import disappeared after it was created".into()).into())
}

fn update(session: &dyn Session, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<()> {
    // `corrected` is written by later imports only.
    let ImportCounts { read, inserted, updated, unchanged, rejected: rejected_count, undialable, corrected: _ } =
        &import.counts;
    session.execute(
        "UPDATE imports SET state = ?2, rows_read = ?3, rows_inserted = ?4, rows_updated = ?5, rows_unchanged = ?6,
             rows_rejected = ?7, progress = ?8, new_statuses = ?9, columns = ?10, finished_at = ?12, progress_at = ?13,
             rows_undialable = ?14, delimiter = ?15, findings = ?16, leads_added = ?17,
             error = ?11
         WHERE id = ?1",
        &binds![
            import.id.0,
            import.state.as_str(),
            *read,
            *inserted,
            *updated,
            *unchanged,
            *rejected_count,
            import.progress,
            Bind::json(&import.new_statuses),
            Bind::json(&import.columns),
            import.error,
            import.finished_at,
            now,
            *undialable,
            import.delimiter.as_str(),
            Bind::json(&import.findings),
            import.campaign.as_ref().map_or(0, |campaign| campaign.leads_added),
        ],
    )?;
    if rejected.is_empty() {
        return Ok(());
    }
    // Replaces rows that an earlier try of this batch may have stored before its response was lost.
    let has_line = session.dialect().is_any_of("line", "?2");
    let lines = Bind::List(rejected.iter().map(|row| Bind::from(&row.line)).collect());
    session.execute(
        &format!("DELETE FROM rejected_rows WHERE import_id = ?1 AND {has_line}"),
        &[Bind::Integer(import.id.0), lines],
    )?;
    let row =
        |row: &RejectedRow| binds![import.id.0, row.line, Bind::json(&row.diagnostics), replace_nul(&row.row)].to_vec();
    session.execute_many(
        "INSERT INTO rejected_rows (import_id, line, diagnostics, text) VALUES (?1, ?2, ?3, ?4)",
        &rejected.iter().map(row).collect::<Vec<_>>(),
    )
}

/// Deletes old rejected rows, and dry runs that have none left. Returns the number of deleted rows.
fn purge_rejected(session: &dyn Session, before: Timestamp, dry_runs_before: Timestamp) -> Result<u64> {
    let rows = session.execute(
        "DELETE FROM rejected_rows WHERE id IN (
             SELECT r.id FROM imports i JOIN rejected_rows r ON r.import_id = i.id
             WHERE i.started_at < ?1 OR i.dry_run AND i.started_at < ?2
             LIMIT ?3)",
        &binds![before, dry_runs_before, MAX_PURGED_ROWS],
    )?;
    match rows {
        0 => session.execute("DELETE FROM imports WHERE dry_run AND started_at < ?1", &binds![dry_runs_before]),
        count => Ok(count),
    }
}

/// Requests that an import stop. `None` if the import doesn't exist.
fn cancel(session: &dyn Session, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError> {
    let Some(found) = find(session, id)? else { return Ok(None) };
    if found.state != ImportState::Running {
        let diagnostic = Diagnostic::new(Location::default(), "not_running", conflict::import_not_running(id.0));
        return Err(WriteError::Refused(diagnostic));
    }
    if found.cancel_requested_at.is_none() {
        session.execute("UPDATE imports SET cancel_requested_at = ?2 WHERE id = ?1", &binds![id.0, audit.at])?;
        if !found.dry_run {
            audit::record(session, "import.cancel", &id.subject(), audit)?;
        }
    }
    Ok(find(session, id)?)
}

/// Replaces U+0000 in text from a file, because not every database accepts it.
fn replace_nul(text: &str) -> String {
    text.replace('\0', "\u{2400}")
}

/// Error that rolls back a transaction which must not leave changes.
enum RollbackError {
    /// The batch was previewed and is rolled back.
    Previewed(BatchOutcome),
    Failed(StoreError),
}

impl From<StoreError> for RollbackError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl WorkError for RollbackError {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Failed(error) if error.is_conflict())
    }
}

/// Imports rows. `is_undoable` controls whether the undo journal records the changes.
fn import_rows(
    session: &dyn Session,
    rows: &ImportRows,
    import: ImportId,
    is_undoable: bool,
    audit: &AuditContext,
) -> Result<BatchOutcome> {
    let owner = is_undoable.then_some(JournalOwner::Import(import));
    match rows {
        ImportRows::Campaigns(rows) => campaigns::import(session, rows, owner, audit),
        ImportRows::Leads(rows, region) => {
            let sql = "SELECT campaign_id, campaign_status FROM imports WHERE id = ?1";
            let campaign_values = session.find(sql, &binds![import.0], |row| {
                Ok(add_to_campaign::campaign_values(row.get::<Option<i64>>(0)?.map(CampaignId), row.get(1)?))
            })?;
            let options = leads::LeadImportOptions {
                import: Some(import),
                owner,
                region: region.as_deref(),
                campaign_values: campaign_values.unwrap_or_default(),
            };
            leads::import(session, rows, &options, audit)
        }
        ImportRows::CampaignLeads(rows) => campaign_leads::import(session, rows, owner, audit),
        ImportRows::Calls(rows) => calls::import(session, rows, owner, audit),
    }
}

/// Imports a batch unless it was imported already. Updating `rows_read` locks the import, so a retry waits for an earlier try that is still
/// running.
fn import_once(session: &dyn Session, batch: &ImportBatch, audit: &AuditContext) -> Result<BatchOutcome> {
    let ImportBatch { import, rows_read, is_undoable: undoable, rows, .. } = batch;
    let sql = "UPDATE imports SET rows_read = ?2 WHERE id = ?1 AND rows_read < ?2";
    if session.execute(sql, &binds![import.0, *rows_read])? == 0 {
        let missing_outcome = || StoreError::Failed("the import no longer exists, or it has other rows".into());
        return batch.last_outcome().ok_or_else(missing_outcome);
    }
    let outcome = import_rows(session, rows, *import, *undoable, audit)?;
    // Counts cover the committed batches, in case the process crashes before progress is saved. Rejected and undialable rows of this batch
    // are then missing from the counts, as the rejected rows themselves are.
    let count_rows = |kind: &RowOutcome| Bind::from(&(outcome.rows.iter().filter(|row| *row == kind).count() as u64));
    session.execute(
        "UPDATE imports SET rows_inserted = rows_inserted + ?2, rows_updated = rows_updated + ?3,
             rows_unchanged = rows_unchanged + ?4, leads_added = leads_added + ?5
         WHERE id = ?1",
        &[
            Bind::Integer(import.0),
            count_rows(&RowOutcome::Inserted),
            count_rows(&RowOutcome::Updated),
            count_rows(&RowOutcome::Unchanged),
            Bind::from(&outcome.leads_added),
        ],
    )?;
    batch.set_last_outcome(&outcome);
    Ok(outcome)
}

/// Reads a rejected row from `line, diagnostics, text`.
fn read_rejected_row(row: &dyn Row) -> Result<RejectedRow> {
    Ok(RejectedRow { line: row.get(0)?, diagnostics: row.json(1)?, row: row.get(2)? })
}

/// Next rejected rows of an import. Selects the lines that fit the byte limit first, then reads them.
fn read_next_rejected_rows(
    session: &dyn Session,
    id: ImportId,
    after: RejectedRowPosition,
    max_rows: u32,
    max_bytes: u64,
) -> Result<Vec<(RejectedRowPosition, RejectedRow)>> {
    let sql =
        "SELECT r.id, CAST(octet_length(CAST(r.diagnostics AS TEXT)) + octet_length(r.text) AS BIGINT) FROM rejected_rows r
               WHERE r.import_id = ?1 AND r.correction_import_id IS NULL AND (r.line, r.id) > (?2, ?3) ORDER BY r.line, r.id LIMIT ?4";
    let sizes = session.query(sql, &binds![id.0, after.line, after.id, i64::from(max_rows)], |row| {
        Ok((row.get::<i64>(0)?, row.get::<u64>(1)?))
    })?;
    let mut sum = 0;
    let fitting = sizes.iter().enumerate().take_while(|(index, (_, size))| {
        sum += size;
        *index == 0 || sum <= max_bytes
    });
    let ids = Bind::ids(fitting.map(|(_, (id, _))| *id));
    let has_id = session.dialect().is_any_of("id", "?1");
    let sql = format!("SELECT line, diagnostics, text, id FROM rejected_rows WHERE {has_id} ORDER BY line, id");
    session.query(&sql, &[ids], |row| {
        Ok((RejectedRowPosition { line: row.get(0)?, id: row.get(3)? }, read_rejected_row(row)?))
    })
}

super::idempotency::created_record!(Import, ImportId, started_at, find);

#[async_trait]
impl<D: Database> ImportStore for SqlStore<D> {
    async fn create_import(&self, new: &NewImport, audit: &AuditContext) -> Result<Import, WriteError> {
        let (new, own_audit) = (new.clone(), audit.clone());
        self.create_record(audit, move |session| create(session, &new, &own_audit)).await
    }

    async fn preview_import(&self, import: ImportId, rows: ImportRows, audit: &AuditContext) -> Result<BatchOutcome> {
        let audit = audit.clone();
        let work = move |session: &dyn Session| {
            let outcome = import_rows(session, &rows, import, false, &audit);
            Err::<Infallible, _>(outcome.map_or_else(RollbackError::Failed, RollbackError::Previewed))
        };
        match self.database.write(work).await {
            Ok(never) => match never {},
            Err(RollbackError::Previewed(outcome)) => Ok(outcome),
            Err(RollbackError::Failed(error)) => Err(error),
        }
    }

    async fn import_batch(&self, batch: Arc<ImportBatch>, audit: &AuditContext) -> Result<BatchOutcome> {
        let audit = audit.clone();
        let outcome = self.database.write(move |session| import_once(session, &batch, &audit)).await?;
        self.refresh_statistics().await;
        Ok(outcome)
    }

    async fn update_import(&self, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<()> {
        let (import, rejected) = (import.clone(), rejected.to_vec());
        self.database.write(move |session| update(session, &import, &rejected, now)).await
    }

    async fn uncorrected_rejected_rows(&self, id: ImportId, lines: &[u64]) -> Result<Vec<RejectedRow>> {
        let lines = lines.to_vec();
        self.database.read(move |session| corrections::find_uncorrected(session, id, &lines)).await
    }

    async fn mark_corrected(&self, correction: ImportId, lines: &[u64]) -> Result<()> {
        let lines = lines.to_vec();
        self.database.write(move |session| corrections::mark_corrected(session, correction, &lines)).await
    }

    async fn cancel_import(&self, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| cancel(session, id, &audit)).await
    }

    async fn fail_lost_imports(&self, error: &Message, no_progress_since: Timestamp, now: Timestamp) -> Result<u64> {
        let error = error.clone();
        let sql = "UPDATE imports SET state = 'failed', error = ?1, finished_at = ?2
                   WHERE state = 'running' AND progress_at <= ?3";
        self.database.write(move |session| session.execute(sql, &binds![error, now, no_progress_since])).await
    }

    async fn imports(&self, query: &ImportQuery, slice: Slice) -> Result<Page<Import>> {
        let query = query.clone();
        self.database.read(move |session| lists::page(session, &query, slice)).await
    }

    async fn import(&self, id: ImportId) -> Result<Option<Import>> {
        self.database.read(move |session| find(session, id)).await
    }

    async fn rejected_rows(&self, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>> {
        self.database
            .read(move |session| {
                let total = "SELECT count(*) FROM rejected_rows WHERE import_id = ?1 AND correction_import_id IS NULL";
                let total = session.query_value(total, &binds![id.0])?;
                let [limit, offset] = slice_binds(slice);
                let sql = format!(
                    "SELECT r.line, r.diagnostics, CASE WHEN length(r.text) > {REJECTED_ROW_PREVIEW_CHARS}
                         THEN substr(r.text, 1, {REJECTED_ROW_PREVIEW_CHARS}) || '…' ELSE r.text END
                     FROM rejected_rows r WHERE r.import_id = ?1 AND r.correction_import_id IS NULL
                     ORDER BY r.line, r.id LIMIT ?2 OFFSET ?3"
                );
                let items = session.query(&sql, &binds![id.0, limit, offset], read_rejected_row)?;
                Ok(Page { items, total })
            })
            .await
    }

    async fn next_rejected_rows(
        &self,
        id: ImportId,
        after: RejectedRowPosition,
        max_rows: u32,
        max_bytes: u64,
    ) -> Result<Vec<(RejectedRowPosition, RejectedRow)>> {
        self.database.read(move |session| read_next_rejected_rows(session, id, after, max_rows, max_bytes)).await
    }

    async fn begin_undo(&self, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| undo::begin(session, id, &audit)).await
    }

    async fn cancel_undo(&self, id: ImportId, audit: &AuditContext) -> Result<Option<Import>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| undo::cancel(session, id, &audit)).await
    }

    async fn undo_import_step(&self, id: ImportId, now: Timestamp) -> Result<bool> {
        self.database.write(move |session| undo::step(session, id, now)).await
    }

    async fn stalled_undos(&self, no_progress_since: Timestamp) -> Result<Vec<ImportId>> {
        self.database.read(move |session| undo::find_stalled(session, no_progress_since)).await
    }

    async fn rows_skipped_by_undo(&self, id: ImportId, slice: Slice) -> Result<Page<SkippedRecord>> {
        self.database.read(move |session| undo::list_skipped(session, id, slice)).await
    }

    async fn purge_undo_journal(&self, imports_before: Timestamp, actions_before: Timestamp) -> Result<u64> {
        let delete = move |session: &dyn Session| undo_journal::delete_expired(session, imports_before, actions_before);
        self.database.write(delete).await
    }

    async fn purge_rejected_rows(&self, before: Timestamp, dry_runs_before: Timestamp) -> Result<u64> {
        self.database.write(move |session| purge_rejected(session, before, dry_runs_before)).await
    }
}
