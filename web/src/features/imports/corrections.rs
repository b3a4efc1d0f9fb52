//! Corrections of rejected rows: the rows being edited, and the import that sends them.

use std::collections::BTreeMap;
use std::time::Duration;

use js_sys::Array;
use leadscribe_engine::api::{Import, ImportId, ImportState, RejectedRow};
use leadscribe_engine::diagnostic::Message;
use leptos::prelude::*;
use web_sys::File;

use super::draft::{RowDraft, corrected_csv};
use crate::api::{Api, ImportUpload};
use crate::browser::scheduler::sleep;
use crate::state::Mutation;

/// Poll interval for the import of corrected rows.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Key of a rejected row: its import and its line in the file.
type RowKey = (ImportId, u64);

/// Rows being corrected, of all imports viewed so far. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Corrections {
    api: Api,
    drafts: RwSignal<BTreeMap<RowKey, RowDraft>>,
    /// Sends corrected rows and waits until they are imported.
    pub mutation: Mutation,
    /// Result for the rows that were sent last.
    pub outcome: RwSignal<Option<CorrectionResult>>,
    /// Called with the id of the original import after its corrected rows were imported or rejected.
    on_done: Callback<ImportId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CorrectionResult {
    pub imported: u64,
    /// Number of rows that were rejected again.
    pub rejected: u64,
    /// Error of a failed import.
    pub failure: Option<Message>,
}

impl Corrections {
    pub fn new(api: Api, on_done: Callback<ImportId>) -> Self {
        let (drafts, outcome) = (RwSignal::new(BTreeMap::new()), RwSignal::new(None));
        Self { api, drafts, mutation: Mutation::new(), outcome, on_done }
    }

    /// Passes the draft of a row to `read`; `None` if the row isn't being corrected.
    pub fn with_draft<U>(self, key: RowKey, read: impl FnOnce(Option<&RowDraft>) -> U) -> U {
        self.drafts.with(|drafts| read(drafts.get(&key)))
    }

    pub fn start(self, row: &RejectedRow, import: &Import) {
        if let Some(draft) = RowDraft::from_rejected_row(row, import) {
            self.drafts.update(|drafts| _ = drafts.entry((import.id, row.line)).or_insert(draft));
        }
    }

    pub fn discard(self, key: RowKey) {
        self.drafts.update(|drafts| _ = drafts.remove(&key));
    }

    pub fn set_cell(self, key: RowKey, column: usize, text: String) {
        self.outcome.set(None);
        self.drafts.update(|drafts| {
            if let Some(cell) = drafts.get_mut(&key).and_then(|draft| draft.cells.get_mut(column)) {
                *cell = text;
            }
        });
    }

    /// True if there are edits that haven't been sent.
    pub fn has_unsent(self) -> bool {
        self.drafts.with(|drafts| drafts.values().any(RowDraft::is_changed))
    }

    /// Number of rows of an import that can be sent.
    pub fn ready_count(self, import: &Import) -> u64 {
        self.drafts
            .with(|drafts| import_drafts(drafts, import).filter(|(_, draft)| draft.is_ready(import)).count() as u64)
    }

    /// Sends all rows of an import that can be sent, and waits until they are imported.
    pub fn send(self, import: &Import) {
        let rows: Vec<_> = self.drafts.with_untracked(|drafts| {
            let ready = import_drafts(drafts, import).filter(|(_, draft)| draft.is_ready(import));
            ready.map(|(line, draft)| (line, draft.clone())).collect()
        });
        let (text, lines) = corrected_csv(import, &rows);
        let name = format!("{}.corrected.csv", import.file_name.trim_end_matches(".csv"));
        let Ok(file) = File::new_with_str_sequence(&Array::of1(&text.into()), &name) else { return };
        self.outcome.set(None);
        let (api, original) = (self.api, import.id);
        let upload = ImportUpload { corrected_import: Some(original), ..ImportUpload::new(import.kind, file) };
        let request = async move {
            let Some(mut import) = api.upload_import(upload, |_| {}, None).await? else { return Ok(None) };
            // The page may have been closed.
            while import.state == ImportState::Running && !self.drafts.is_disposed() {
                sleep(POLL_INTERVAL).await;
                match api.import(import.id).await {
                    Err(error) if error.is_retryable() => {}
                    response => import = response?,
                }
            }
            let rejected = api.rejected_rows(import.id).await?;
            Ok(Some((import, rejected.items)))
        };
        self.mutation.start(request, move |result| {
            if let Some((import, rejected)) = result {
                self.finish(original, &lines, &import, &rejected);
            }
        });
    }

    /// Removes the drafts of imported rows. `lines` contains, for each sent row, its line in the sent file and in the
    /// original file.
    fn finish(self, original: ImportId, lines: &[(u64, u64)], import: &Import, rejected: &[RejectedRow]) {
        let read = import.counts.read;
        self.drafts.update(|drafts| {
            // Rows after the last one read weren't processed.
            for (line, original_line) in lines.iter().take(usize::try_from(read).unwrap_or(usize::MAX)) {
                let key = (original, *original_line);
                match (rejected.iter().find(|row| row.line == *line), drafts.get_mut(&key)) {
                    (None, _) => _ = drafts.remove(&key),
                    (Some(row), Some(draft)) => draft.set_rejected(row.diagnostics.clone()),
                    (Some(_), None) => {}
                }
            }
        });
        let rejected = rejected.len() as u64;
        let failure = (import.state == ImportState::Failed)
            .then(|| import.error.clone().unwrap_or_else(|| Message::from_stored(String::new())));
        self.outcome.set(Some(CorrectionResult { imported: read.saturating_sub(rejected), rejected, failure }));
        self.on_done.run(original);
    }
}

fn import_drafts<'a>(
    drafts: &'a BTreeMap<RowKey, RowDraft>,
    import: &Import,
) -> impl Iterator<Item = (u64, &'a RowDraft)> + use<'a> {
    drafts.range((import.id, 0)..=(import.id, u64::MAX)).map(|((_, line), draft)| (*line, draft))
}
