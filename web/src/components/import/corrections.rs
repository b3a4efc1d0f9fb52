//! Corrections of refused rows: the rows being edited, and the import that sends them.

use std::collections::BTreeMap;
use std::time::Duration;

use js_sys::Array;
use leadscribe_engine::api::{Import, ImportId, ImportState, RejectedRow};
use leadscribe_engine::diagnostic::Message;
use leptos::prelude::*;
use web_sys::File;

use super::draft::{RowDraft, corrected_csv};
use crate::api::{Api, Upload};
use crate::attempt::Attempt;
use crate::remote::Remote;

/// Poll interval for the import of corrected rows.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Key of a refused row: its import and its line in the file.
type RowKey = (ImportId, u64);

/// Rows being corrected, of all imports viewed so far. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Corrections {
    api: Api,
    drafts: RwSignal<BTreeMap<RowKey, RowDraft>>,
    /// Import of the corrected rows, once it has started.
    correcting: Remote<Import>,
    /// For each sent row: its line in the sent file, and its line in the original file.
    sent: StoredValue<Vec<(u64, u64)>>,
    attempt: Attempt,
    outcome: RwSignal<Option<SentRows>>,
}

/// Result of sending rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SentRows {
    pub imported: u64,
    /// Number of rows that were refused again.
    pub refused: u64,
    /// Error of a failed import.
    pub failure: Option<Message>,
}

impl Corrections {
    /// Starts without corrections. `on_done` receives the id of the original import after its corrected rows were imported or refused.
    pub fn new(api: Api, on_done: Callback<ImportId>) -> Self {
        let corrections = Self {
            api,
            drafts: RwSignal::new(BTreeMap::new()),
            correcting: Remote::new(),
            sent: StoredValue::new(Vec::new()),
            attempt: Attempt::new(),
            outcome: RwSignal::new(None),
        };
        Effect::new(move |_| corrections.follow(on_done));
        corrections
    }

    /// Draft of a row, if it is being corrected.
    pub fn with_draft<U>(self, key: RowKey, look: impl FnOnce(Option<&RowDraft>) -> U) -> U {
        self.drafts.with(|drafts| look(drafts.get(&key)))
    }

    /// Current cells of a row that is being corrected. Untracked.
    pub fn draft_cells(self, key: RowKey) -> Vec<String> {
        self.drafts.with_untracked(|drafts| drafts.get(&key).map(|draft| draft.cells.clone())).unwrap_or_default()
    }

    /// Starts correcting a row.
    pub fn open(self, row: &RejectedRow, import: &Import) {
        if let Some(draft) = RowDraft::of(row, import) {
            self.drafts.update(|drafts| _ = drafts.entry((import.id, row.line)).or_insert(draft));
        }
    }

    /// Discards the edits of a row.
    pub fn discard(self, key: RowKey) {
        self.drafts.update(|drafts| _ = drafts.remove(&key));
    }

    /// Changes a cell of a row.
    pub fn set_cell(self, key: RowKey, place: usize, text: String) {
        self.outcome.set(None);
        self.drafts.update(|drafts| {
            if let Some(cell) = drafts.get_mut(&key).and_then(|draft| draft.cells.get_mut(place)) {
                *cell = text;
            }
        });
    }

    /// True if there are edits that haven't been sent.
    pub fn has_unsent(self) -> bool {
        self.drafts.with(|drafts| drafts.values().any(RowDraft::is_changed))
    }

    /// Number of rows of an import that can be sent.
    pub fn ready(self, import: &Import) -> u64 {
        self.drafts.with(|drafts| of_import(drafts, import).filter(|(_, draft)| draft.is_ready(import)).count() as u64)
    }

    /// True while corrected rows are being sent or imported.
    pub fn is_busy(self) -> Signal<bool> {
        let busy = self.attempt.is_busy();
        let correcting = self.correcting;
        Signal::derive(move || {
            busy.get() || correcting.with(|import| import.is_some_and(|import| import.state == ImportState::Running))
        })
    }

    /// The request that sends the rows.
    pub fn attempt(self) -> Attempt {
        self.attempt
    }

    /// Result of the rows sent last.
    pub fn outcome(self) -> Option<SentRows> {
        self.outcome.get()
    }

    /// Sends all rows of an import that can be sent.
    pub fn send(self, import: &Import) {
        let rows: Vec<_> = self.drafts.with_untracked(|drafts| {
            let ready = of_import(drafts, import).filter(|(_, draft)| draft.is_ready(import));
            ready.map(|(line, draft)| (line, draft.clone())).collect()
        });
        let (text, lines) = corrected_csv(import, &rows);
        let name = format!("{}.corrected.csv", import.file_name.trim_end_matches(".csv"));
        let Ok(file) = File::new_with_str_sequence(&Array::of1(&text.into()), &name) else { return };
        self.sent.set_value(lines);
        self.outcome.set(None);
        let upload = Upload { corrects: Some(import.id), ..Upload::new(import.kind, file) };
        let Self { api, correcting, .. } = self;
        self.attempt.start(api.upload(upload, |_| {}, None), move |begun: Option<Import>| {
            if let Some(begun) = begun {
                correcting.load(async move { Ok(begun) });
            }
        });
    }

    /// Polls the import of corrected rows and retries after transient errors. When it ends, removes the drafts of imported rows.
    fn follow(self, on_done: Callback<ImportId>) {
        let Self { api, correcting, .. } = self;
        // Runs again after each response and each error.
        let error = correcting.error();
        let Some((id, corrects, state)) =
            correcting.with(|import| import.map(|import| (import.id, import.corrects, import.state)))
        else {
            return;
        };
        let Some(corrects) = corrects else { return };
        if state == ImportState::Running {
            if let Some(error) = error.filter(|error| !error.may_pass()) {
                // The drafts stay, so that the user can send them again.
                self.attempt.refuse(error);
                return correcting.clear();
            }
            let ask = move || {
                if correcting.try_with_untracked(|import| import.is_some()) == Some(true) {
                    correcting.load(api.import(id));
                }
            };
            return set_timeout(ask, POLL_INTERVAL);
        }
        self.attempt.start(api.rejected_rows(id), move |page| self.finish(corrects, &page.items, on_done));
    }

    fn finish(self, corrects: ImportId, refused: &[RejectedRow], on_done: Callback<ImportId>) {
        let ended = self
            .correcting
            .try_with_untracked(|import| import.map(|import| (import.counts.read, failure_of(import))))
            .flatten();
        let (read, failure) = ended.unwrap_or_default();
        let sent = self.sent.get_value();
        self.drafts.update(|drafts| {
            // Rows after the last one read weren't processed.
            for (line, refused_at) in sent.iter().take(usize::try_from(read).unwrap_or(usize::MAX)) {
                let key = (corrects, *refused_at);
                match refused.iter().find(|row| row.line == *line) {
                    None => _ = drafts.remove(&key),
                    Some(row) => {
                        if let Some(draft) = drafts.get_mut(&key) {
                            draft.refuse(row.faults.clone());
                        }
                    }
                }
            }
        });
        let again = refused.len() as u64;
        self.outcome.set(Some(SentRows { imported: read.saturating_sub(again), refused: again, failure }));
        self.correcting.clear();
        on_done.run(corrects);
    }
}

/// Error of a failed import.
fn failure_of(import: &Import) -> Option<Message> {
    (import.state == ImportState::Failed).then(|| import.error.clone().unwrap_or_else(|| "".into()))
}

fn of_import<'a>(
    drafts: &'a BTreeMap<RowKey, RowDraft>,
    import: &Import,
) -> impl Iterator<Item = (u64, &'a RowDraft)> + use<'a> {
    drafts.range((import.id, 0)..=(import.id, u64::MAX)).map(|((_, line), draft)| (*line, draft))
}
