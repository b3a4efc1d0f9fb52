//! The selected import: progress, rejected rows and result of its undo. It is polled while the import or its undo is
//! running.

use std::time::Duration;

use leadscribe_engine::api::{Import, ImportId, ImportState, ImportUndoState, Page, RejectedRow, SkippedRecord};
use leptos::prelude::*;

use crate::api::Api;
use crate::browser::focus::focus_after_render;
use crate::features::imports::corrections::Corrections;
use crate::features::imports::rejected_rows::{CorrectionOutcome, RejectedRowsProps, rejected_rows};
use crate::features::imports::report::ImportReport;
use crate::features::imports::undo::{SkippedTable, UndoSection};
use crate::i18n::texts::imports;
use crate::state::{ApiResource, Mutation};
use crate::ui::ErrorNotice;
use crate::ui::input::Button;
use crate::ui::list::SkeletonCard;

/// Interval between requests while an import is running.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

const REPORT_ID: &str = "import-report";

/// State of the selected import. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SelectedImport {
    api: Api,
    id: Memo<Option<ImportId>>,
    import: ApiResource<Import>,
    rejected: ApiResource<Page<RejectedRow>>,
    skipped: ApiResource<Page<SkippedRecord>>,
    /// Import that the user just started. Its report gets the focus with the first response, so that screen readers
    /// announce it.
    just_started: StoredValue<Option<ImportId>>,
}

impl SelectedImport {
    /// Creates the state for the import with this id. Calls `on_change` when the list of imports has changed.
    pub fn new(api: Api, id: Memo<Option<ImportId>>, on_change: Callback<()>) -> Self {
        let (import, rejected, skipped) = (ApiResource::new(), ApiResource::new(), ApiResource::new());
        let selected_import = Self { api, id, import, rejected, skipped, just_started: StoredValue::new(None) };
        Effect::new(move |_| {
            id.track();
            selected_import.load();
        });
        Effect::new(move |_| selected_import.poll(on_change));
        selected_import
    }

    pub fn load(self) {
        self.rejected.clear();
        self.skipped.clear();
        match self.id.get_untracked() {
            Some(id) => self.import.load(self.api.import(id)),
            None => self.import.clear(),
        }
    }

    /// Moves the focus to the report when the first response for this import arrives.
    pub fn focus_when_loaded(self, id: ImportId) {
        self.just_started.set_value(Some(id));
    }

    /// Polls while the import or its undo is running. Afterwards loads the rejected rows and the rows that the undo
    /// left unchanged.
    fn poll(self, on_change: Callback<()>) {
        let Self { api, id: selected_id, import, just_started, .. } = self;
        let progress = |import: &Import| (import.id, import.state, import.undo.as_ref().map(|undo| undo.state));
        // Runs again after each response and each failure.
        let Some((id, state, undo)) = import.with(|import| import.map(progress)) else { return };
        if just_started.get_value() == Some(id) {
            just_started.set_value(None);
            focus_after_render(REPORT_ID.to_owned());
            on_change.run(());
        }
        let is_running = state == ImportState::Running || undo == Some(ImportUndoState::Running);
        // Polling continues while the server can't be reached.
        if import.error.get().is_some_and(|error| !(is_running && error.is_retryable())) {
            return;
        }
        if is_running {
            let poll_again = move || {
                if selected_id.try_get_untracked() == Some(Some(id)) {
                    import.load(api.import(id));
                }
            };
            return set_timeout(poll_again, POLL_INTERVAL);
        }
        self.rejected.load(api.rejected_rows(id));
        if matches!(undo, Some(ImportUndoState::Completed | ImportUndoState::Cancelled)) {
            self.skipped.load(api.undo_skipped_records(id));
        }
        if import.with(|import| import.is_some_and(|import| !import.dry_run)) {
            on_change.run(());
        }
    }
}

/// Import report with the buttons to cancel and undo the import.
#[component]
pub fn SelectedImportReport(
    selected_import: SelectedImport,
    can_undo: bool,
    on_undo: Callback<Import>,
) -> impl IntoView {
    let SelectedImport { import, .. } = selected_import;
    let on_retry = Callback::new(move |()| selected_import.load());
    let report = move || match import.get() {
        Some(import) => Some(
            view! {
                <ImportReport import=import.clone()>
                    <UndoSection import can_undo on_undo />
                </ImportReport>
            }
            .into_any(),
        ),
        None => {
            let is_loading = selected_import.id.get().is_some() && import.is_pending();
            is_loading.then(|| view! { <SkeletonCard bars=14 /> }.into_any())
        }
    };
    view! {
        {move || import.error.get().map(|error| view! { <ErrorNotice error on_retry /> })}
        <div id=REPORT_ID tabindex="-1" class="import-report">
            {report}
        </div>
        {can_undo.then(|| view! { <CancelTaskButton selected_import /> })}
    }
}

/// Cancel button. It isn't part of the report, which is rendered again with each response: it would lose the focus.
#[component]
fn CancelTaskButton(selected_import: SelectedImport) -> impl IntoView {
    let SelectedImport { api, import, .. } = selected_import;
    let mutation = Mutation::new();
    let running_task = Memo::new(move |_| import.with(|import| import.and_then(running_task)));
    let cancel = Callback::new(move |()| {
        // The next response contains the new state.
        match running_task.get_untracked() {
            Some(RunningTask { id, is_undo: true, .. }) => mutation.start(api.cancel_undo(id), |_| {}),
            Some(RunningTask { id, .. }) => mutation.start(api.cancel_import(id), |_| {}),
            None => {}
        }
    });
    view! {
        <Show when=move || running_task.with(Option::is_some)>
            <Button
                class="import-cancel"
                label=move || running_task.get().map_or("", |task| task.cancel_label)
                is_blocked=mutation.is_busy()
                test_id="import-cancel"
                on_press=cancel
            />
        </Show>
        {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
    }
}

/// Rows that the undo left unchanged, and rejected rows.
#[component]
pub fn SelectedImportRows(
    selected_import: SelectedImport,
    corrections: Corrections,
    can_correct: bool,
) -> impl IntoView {
    let SelectedImport { import, rejected, skipped, .. } = selected_import;
    let skipped_table = move || {
        let (total, rows) = skipped.with(|page| page.map(|page| (page.total, page.items.clone())))?;
        (total > 0).then(|| view! { <SkippedTable total rows /> })
    };
    let rejected_rows = move || {
        let import = import.get()?;
        let (count, rows) = rejected.with(|page| page.map(|page| (page.total, page.items.clone())))?;
        (count > 0).then(|| rejected_rows(RejectedRowsProps { import, count, rows, corrections, can_correct }))
    };
    // Rejected rows are stored for a limited time. After that, loading them fails.
    let error_notice = move || rejected.error.get().map(|error| view! { <ErrorNotice error /> });
    (skipped_table, rejected_rows, view! { <CorrectionOutcome corrections /> }, error_notice)
}

/// Running import or undo that can be cancelled.
#[derive(Clone, Copy, PartialEq)]
struct RunningTask {
    id: ImportId,
    is_undo: bool,
    cancel_label: &'static str,
}

fn running_task(import: &Import) -> Option<RunningTask> {
    let is_undo = import.undo.as_ref().is_some_and(|undo| undo.state == ImportUndoState::Running);
    let cancel_label = match import.state {
        _ if is_undo => imports::cancel_undo(),
        ImportState::Running if import.is_stopping() => return None,
        ImportState::Running if import.dry_run => imports::cancel_preview(),
        ImportState::Running => imports::cancel_import(),
        _ => return None,
    };
    Some(RunningTask { id: import.id, is_undo, cancel_label })
}
