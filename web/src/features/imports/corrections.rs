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
use crate::state::mutation::Mutation;
use crate::state::resource::ApiResource;

/// Poll interval for the import of corrected rows.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Key of a rejected row: its import and its line in the file.
type RowKey = (ImportId, u64);

/// Rows being corrected, of all imports viewed so far. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Corrections {
    api: Api,
    drafts: RwSignal<BTreeMap<RowKey, RowDraft>>,
    /// Import of the corrected rows, once it has started.
    correction_import: ApiResource<Import>,
    /// For each sent row: its line in the sent file, and its line in the original file.
    sent_lines: StoredValue<Vec<(u64, u64)>>,
    mutation: Mutation,
    outcome: RwSignal<Option<CorrectionResult>>,
}

/// Result of sending rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectionResult {
    pub imported: u64,
    /// Number of rows that were rejected again.
    pub rejected: u64,
    /// Error of a failed import.
    pub failure: Option<Message>,
}

impl Corrections {
    /// Starts without corrections. `on_done` receives the id of the original import after its corrected rows were imported or rejected.
    pub fn new(api: Api, on_done: Callback<ImportId>) -> Self {
        let corrections = Self {
            api,
            drafts: RwSignal::new(BTreeMap::new()),
            correction_import: ApiResource::new(),
            sent_lines: StoredValue::new(Vec::new()),
            mutation: Mutation::new(),
            outcome: RwSignal::new(None),
        };
        Effect::new(move |_| corrections.poll(on_done));
        corrections
    }

    /// Draft of a row, if it is being corrected.
    pub fn with_draft<U>(self, key: RowKey, read: impl FnOnce(Option<&RowDraft>) -> U) -> U {
        self.drafts.with(|drafts| read(drafts.get(&key)))
    }

    /// Current cells of a row that is being corrected. Untracked.
    pub fn draft_cells(self, key: RowKey) -> Vec<String> {
        self.drafts.with_untracked(|drafts| drafts.get(&key).map(|draft| draft.cells.clone())).unwrap_or_default()
    }

    /// Starts correcting a row.
    pub fn start(self, row: &RejectedRow, import: &Import) {
        if let Some(draft) = RowDraft::from_rejected_row(row, import) {
            self.drafts.update(|drafts| _ = drafts.entry((import.id, row.line)).or_insert(draft));
        }
    }

    /// Discards the edits of a row.
    pub fn discard(self, key: RowKey) {
        self.drafts.update(|drafts| _ = drafts.remove(&key));
    }

    /// Changes a cell of a row.
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

    /// True while corrected rows are being sent or imported.
    pub fn is_busy(self) -> Signal<bool> {
        let is_sending = self.mutation.is_busy();
        let correction_import = self.correction_import;
        Signal::derive(move || {
            is_sending.get()
                || correction_import.with(|import| import.is_some_and(|import| import.state == ImportState::Running))
        })
    }

    /// The request that sends the rows.
    pub fn mutation(self) -> Mutation {
        self.mutation
    }

    /// Result of the rows sent last.
    pub fn outcome(self) -> Option<CorrectionResult> {
        self.outcome.get()
    }

    /// Sends all rows of an import that can be sent.
    pub fn send(self, import: &Import) {
        let rows: Vec<_> = self.drafts.with_untracked(|drafts| {
            let ready = import_drafts(drafts, import).filter(|(_, draft)| draft.is_ready(import));
            ready.map(|(line, draft)| (line, draft.clone())).collect()
        });
        let (text, lines) = corrected_csv(import, &rows);
        let name = format!("{}.corrected.csv", import.file_name.trim_end_matches(".csv"));
        let Ok(file) = File::new_with_str_sequence(&Array::of1(&text.into()), &name) else { return };
        self.sent_lines.set_value(lines);
        self.outcome.set(None);
        let upload = ImportUpload { corrected_import: Some(import.id), ..ImportUpload::new(import.kind, file) };
        let Self { api, correction_import, .. } = self;
        self.mutation.start(api.upload_import(upload, |_| {}, None), move |started: Option<Import>| {
            if let Some(started) = started {
                correction_import.load(async move { Ok(started) });
            }
        });
    }

    /// Polls the import of corrected rows and retries after transient errors. When it ends, removes the drafts of imported rows.
    fn poll(self, on_done: Callback<ImportId>) {
        let Self { api, correction_import, .. } = self;
        // Runs again after each response and each error.
        let error = correction_import.error();
        let Some((id, corrected_import, state)) =
            correction_import.with(|import| import.map(|import| (import.id, import.corrects_import_id, import.state)))
        else {
            return;
        };
        let Some(corrected_import) = corrected_import else { return };
        if state == ImportState::Running {
            if let Some(error) = error.filter(|error| !error.is_retryable()) {
                // The drafts stay, so that the user can send them again.
                self.mutation.set_error(error);
                return correction_import.clear();
            }
            let poll_again = move || {
                if correction_import.try_with_untracked(|import| import.is_some()) == Some(true) {
                    correction_import.load(api.import(id));
                }
            };
            return set_timeout(poll_again, POLL_INTERVAL);
        }
        self.mutation.start(api.rejected_rows(id), move |page| self.finish(corrected_import, &page.items, on_done));
    }

    fn finish(self, corrected_import: ImportId, rejected: &[RejectedRow], on_done: Callback<ImportId>) {
        let result = self
            .correction_import
            .try_with_untracked(|import| import.map(|import| (import.counts.read, import_failure(import))))
            .flatten();
        let (read, failure) = result.unwrap_or_default();
        let sent_lines = self.sent_lines.get_value();
        self.drafts.update(|drafts| {
            // Rows after the last one read weren't processed.
            for (line, original_line) in sent_lines.iter().take(usize::try_from(read).unwrap_or(usize::MAX)) {
                let key = (corrected_import, *original_line);
                match rejected.iter().find(|row| row.line == *line) {
                    None => _ = drafts.remove(&key),
                    Some(row) => {
                        if let Some(draft) = drafts.get_mut(&key) {
                            draft.set_rejected(row.diagnostics.clone());
                        }
                    }
                }
            }
        });
        let rejected_count = rejected.len() as u64;
        self.outcome.set(Some(CorrectionResult {
            imported: read.saturating_sub(rejected_count),
            rejected: rejected_count,
            failure,
        }));
        self.correction_import.clear();
        on_done.run(corrected_import);
    }
}

/// Error of a failed import.
fn import_failure(import: &Import) -> Option<Message> {
    (import.state == ImportState::Failed).then(|| import.error.clone().unwrap_or_else(|| "".into()))
}

fn import_drafts<'a>(
    drafts: &'a BTreeMap<RowKey, RowDraft>,
    import: &Import,
) -> impl Iterator<Item = (u64, &'a RowDraft)> + use<'a> {
    drafts.range((import.id, 0)..=(import.id, u64::MAX)).map(|((_, line), draft)| (*line, draft))
}
