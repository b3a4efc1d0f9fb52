//! Imports and the rows they refused.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::{Json, Micros, count, micros, moment, named, slice_params};
use super::{SqliteStore, audit};
use crate::storage::{ImportStore, Origin, Slice, StoreError, WriteError};

/// What [`import`] reads.
const COLUMNS: &str = "id, kind, file_name, state, rows_read, rows_inserted, rows_updated, rows_unchanged, \
     rows_rejected, progress, new_statuses, columns, error, started_at, finished_at";

fn import(row: &Row<'_>) -> rusqlite::Result<Import> {
    Ok(Import {
        id: ImportId(row.get(0)?),
        kind: named(row, 1, ImportKind::from_name)?,
        file_name: row.get(2)?,
        state: named(row, 3, ImportState::from_name)?,
        counts: ImportCounts {
            read: row.get(4)?,
            inserted: row.get(5)?,
            updated: row.get(6)?,
            unchanged: row.get(7)?,
            rejected: row.get(8)?,
        },
        progress: row.get(9)?,
        new_statuses: row.get::<_, Json<_>>(10)?.0,
        columns: row.get::<_, Json<_>>(11)?.0,
        error: row.get(12)?,
        started_at: row.get::<_, Micros>(13)?.0,
        finished_at: moment(row, 14)?,
    })
}

fn find(connection: &Connection, id: ImportId) -> rusqlite::Result<Option<Import>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM imports WHERE id = ?1"))?
        .query_row([id.0], import)
        .optional()
}

#[async_trait]
impl ImportStore for SqliteStore {
    async fn create_import(&self, kind: ImportKind, file_name: &str, by: &Origin) -> Result<Import, WriteError> {
        let (file_name, by) = (file_name.to_owned(), by.clone());
        self.write(move |transaction| {
            let id = transaction
                .prepare_cached(
                    "INSERT INTO imports (kind, file_name, state, started_at) VALUES (?1, ?2, 'running', ?3)",
                )?
                .insert(params![kind.as_str(), file_name, Micros(by.at)])?;
            audit::record(transaction, "import.create", &format!("import:{id}"), &by)?;
            Ok(Import {
                id: ImportId(id),
                kind,
                file_name,
                state: ImportState::Running,
                counts: ImportCounts::default(),
                progress: 0.0,
                new_statuses: Vec::new(),
                columns: Vec::new(),
                error: None,
                started_at: by.at,
                finished_at: None,
            })
        })
        .await
    }

    async fn update_import(&self, import: &Import, rejected: &[RejectedRow]) -> Result<(), StoreError> {
        let (import, rejected) = (import.clone(), rejected.to_vec());
        self.write(move |transaction| {
            let counts = &import.counts;
            transaction
                .prepare_cached(
                    "UPDATE imports SET state = ?2, rows_read = ?3, rows_inserted = ?4, rows_updated = ?5,
                         rows_unchanged = ?6, rows_rejected = ?7, progress = ?8, new_statuses = ?9, columns = ?10,
                         error = ?11, finished_at = ?12
                     WHERE id = ?1",
                )?
                .execute(params![
                    import.id.0,
                    import.state.as_str(),
                    counts.read,
                    counts.inserted,
                    counts.updated,
                    counts.unchanged,
                    counts.rejected,
                    import.progress,
                    Json(&import.new_statuses),
                    Json(&import.columns),
                    import.error,
                    micros(import.finished_at),
                ])?;
            let mut add = transaction
                .prepare_cached("INSERT INTO import_rejects (import_id, line, faults, row) VALUES (?1, ?2, ?3, ?4)")?;
            for reject in &rejected {
                add.execute(params![import.id.0, reject.line, Json(&reject.faults), reject.row])?;
            }
            Ok(())
        })
        .await
    }

    async fn fail_running_imports(&self, error: &str, now: Timestamp) -> Result<u64, StoreError> {
        let error = error.to_owned();
        self.write(move |transaction| {
            let failed = transaction.execute(
                "UPDATE imports SET state = 'failed', error = ?1, finished_at = ?2 WHERE state = 'running'",
                params![error, Micros(now)],
            )?;
            Ok(failed as u64)
        })
        .await
    }

    async fn imports(&self, slice: Slice) -> Result<Page<Import>, StoreError> {
        self.read(move |snapshot| {
            let total = count(snapshot, "SELECT count(*) FROM imports", [])?;
            let items = snapshot
                .prepare_cached(&format!("SELECT {COLUMNS} FROM imports ORDER BY id DESC LIMIT ?1 OFFSET ?2"))?
                .query_map(slice_params(slice), import)?
                .collect::<Result<_, _>>()?;
            Ok(Page { items, total })
        })
        .await
    }

    async fn import(&self, id: ImportId) -> Result<Option<Import>, StoreError> {
        self.read(move |snapshot| Ok(find(snapshot, id)?)).await
    }

    async fn rejected_rows(&self, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>, StoreError> {
        self.read(move |snapshot| {
            let total = count(snapshot, "SELECT count(*) FROM import_rejects WHERE import_id = ?1", [id.0])?;
            let [limit, offset] = slice_params(slice);
            let items = snapshot
                .prepare_cached(
                    "SELECT line, faults, row FROM import_rejects WHERE import_id = ?1
                     ORDER BY line, id LIMIT ?2 OFFSET ?3",
                )?
                .query_map([id.0, limit, offset], |row| {
                    Ok(RejectedRow { line: row.get(0)?, faults: row.get::<_, Json<_>>(1)?.0, row: row.get(2)? })
                })?
                .collect::<Result<_, _>>()?;
            Ok(Page { items, total })
        })
        .await
    }
}
