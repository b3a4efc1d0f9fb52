//! The shown import: progress, refused rows and result of its undo. It is polled while the import or its undo is running.

use std::time::Duration;

use leadscribe_engine::api::{Import, ImportId, ImportState, ImportUndoState, LeftRow, Page, RejectedRow};
use leptos::prelude::*;

use crate::api::Api;
use crate::attempt::Attempt;
use crate::components::error_notice::ErrorNotice;
use crate::components::import::corrections::Corrections;
use crate::components::import::rejected::{CorrectionOutcome, RefusedRows};
use crate::components::import::report::ImportReport;
use crate::components::import::undo::{LeftTable, UndoPart};
use crate::components::input::work_button::WorkButton;
use crate::components::list::table::SkeletonCard;
use crate::focus::focus_soon;
use crate::parts;
use crate::remote::Remote;
use crate::texts::imports;

/// Interval between requests while an import is running.
const POLL: Duration = Duration::from_secs(1);

/// Id of the import report.
const REPORT: &str = "import-report";

/// State of the shown import. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct ShownImport {
    api: Api,
    /// Id of the shown import.
    id: Memo<Option<ImportId>>,
    import: Remote<Import>,
    rejected: Remote<Page<RejectedRow>>,
    left: Remote<Page<LeftRow>>,
    /// Import that the user just started. Its report gets the focus with the first answer, so that screen readers announce it.
    begun: StoredValue<Option<ImportId>>,
}

impl ShownImport {
    /// State for the import with this id. Calls `on_change` when the list of imports has changed.
    pub fn new(api: Api, id: Memo<Option<ImportId>>, on_change: Callback<()>) -> Self {
        let (import, rejected, left) = (Remote::new(), Remote::new(), Remote::new());
        let shown = Self { api, id, import, rejected, left, begun: StoredValue::new(None) };
        Effect::new(move |_| {
            id.track();
            shown.load();
        });
        Effect::new(move |_| shown.follow(on_change));
        shown
    }

    /// Loads everything.
    pub fn load(self) {
        self.rejected.clear();
        self.left.clear();
        match self.id.get_untracked() {
            Some(id) => self.import.load(self.api.import(id)),
            None => self.import.clear(),
        }
    }

    /// Moves the focus to the import with its first answer.
    pub fn begin(self, id: ImportId) {
        self.begun.set_value(Some(id));
    }

    /// Polls while the import or its undo is running. Afterwards loads the refused rows and the rows that the undo left unchanged.
    fn follow(self, on_change: Callback<()>) {
        let Self { api, id: shown, import, begun, .. } = self;
        let read = |import: &Import| (import.id, import.state, import.undo.as_ref().map(|undo| undo.state));
        // Runs again after each answer and each failure.
        let Some((id, state, undo)) = import.with(|import| import.map(read)) else { return };
        if begun.get_value() == Some(id) {
            begun.set_value(None);
            focus_soon(REPORT.to_owned());
            on_change.run(());
        }
        let is_running = state == ImportState::Running || undo == Some(ImportUndoState::Running);
        // Polling continues while the server can't be reached.
        if import.error().is_some_and(|error| !(is_running && error.may_pass())) {
            return;
        }
        if is_running {
            let ask = move || {
                if shown.try_get_untracked() == Some(Some(id)) {
                    import.load(api.import(id));
                }
            };
            return set_timeout(ask, POLL);
        }
        self.rejected.load(api.rejected_rows(id));
        if matches!(undo, Some(ImportUndoState::Completed | ImportUndoState::Cancelled)) {
            self.left.load(api.left_rows(id));
        }
        if import.with(|import| import.is_some_and(|import| !import.dry_run)) {
            on_change.run(());
        }
    }
}

/// Import report with the buttons to cancel and undo the import.
#[component]
pub fn ShownReport(shown: ShownImport, may_undo: bool, on_undo: Callback<Import>) -> impl IntoView {
    let ShownImport { import, .. } = shown;
    let on_retry = Callback::new(move |()| shown.load());
    let report = move || match import.get() {
        Some(import) => Some(
            view! {
                <ImportReport import=import.clone()>
                    <UndoPart import may_undo on_undo />
                </ImportReport>
            }
            .into_any(),
        ),
        None => {
            let is_awaited = shown.id.get().is_some() && import.is_awaited();
            is_awaited.then(|| view! { <SkeletonCard bars=14 /> }.into_any())
        }
    };
    view! {
        {move || import.error().map(|error| view! { <ErrorNotice error on_retry /> })}
        <div id=REPORT tabindex="-1" class="import-report">
            {report}
        </div>
        {may_undo.then(|| view! { <CancelWork shown /> })}
    }
}

/// Cancel button. It is separate from the report, which is rendered again with each answer, so that it keeps the focus.
#[component]
fn CancelWork(shown: ShownImport) -> impl IntoView {
    let ShownImport { api, import, .. } = shown;
    let cancelling = Attempt::new();
    let under_way = Memo::new(move |_| import.with(|import| import.and_then(work_under_way)));
    let label = move || match under_way.get() {
        Some((_, Work::Count)) => imports::cancel_count(),
        Some((_, Work::Undo)) => imports::cancel_undo(),
        _ => imports::cancel_import(),
    };
    let cancel = Callback::new(move |()| {
        // The next answer contains the new state.
        match under_way.get_untracked() {
            Some((id, Work::Undo)) => cancelling.start(api.cancel_undo(id), |_| {}),
            Some((id, _)) => cancelling.start(api.cancel_import(id), |_| {}),
            None => {}
        }
    });
    view! {
        <Show when=move || under_way.get().is_some()>
            <WorkButton class="button import-cancel" held=cancelling.is_busy() test="import-cancel" on_press=cancel>
                {label}
            </WorkButton>
        </Show>
        {move || cancelling.refusal().map(|error| view! { <ErrorNotice error /> })}
    }
}

/// Rows that the undo left unchanged, and refused rows.
#[component]
pub fn ShownRows(shown: ShownImport, corrections: Corrections, may_correct: bool) -> impl IntoView {
    let ShownImport { import, rejected, left, .. } = shown;
    let left_rows = move || {
        let (total, rows) = left.with(|page| page.map(|page| (page.total, page.items.clone())))?;
        (total > 0).then(|| view! { <LeftTable total rows /> })
    };
    let rejected_rows = move || {
        let import = import.get()?;
        let (count, rows) = rejected.with(|page| page.map(|page| (page.total, page.items.clone())))?;
        (count > 0).then(|| parts::rejected_rows(RefusedRows { import, count, rows, corrections, may_correct }))
    };
    // Refused rows are stored for a limited time.
    let gone = move || rejected.error().map(|error| view! { <ErrorNotice error /> });
    (left_rows, rejected_rows, view! { <CorrectionOutcome corrections /> }, gone)
}

/// Work of an import that may be running.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Work {
    Count,
    Import,
    Undo,
}

/// Running work of an import that hasn't been cancelled.
fn work_under_way(import: &Import) -> Option<(ImportId, Work)> {
    let is_undone = import.undo.as_ref().is_some_and(|undo| undo.state == ImportUndoState::Running);
    let work = match import.state {
        _ if is_undone => Work::Undo,
        ImportState::Running if import.is_stopping() => return None,
        ImportState::Running if import.dry_run => Work::Count,
        ImportState::Running => Work::Import,
        _ => return None,
    };
    Some((import.id, work))
}
