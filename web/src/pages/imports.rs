//! `/imports` and `/imports/{id}`: a CSV file's columns and what it would change, the import as it goes, what was refused, and
//! how all of it is undone.

mod call_details;
mod new_import;
mod reading;

use std::time::Duration;

use leadscribe_engine::api::{Import, ImportId, ImportState, ImportUndoState, Page};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};

use crate::api::{ImportQuery, ListQuery, use_api};
use crate::attempt::Attempt;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::components::import::filter::ImportFilter;
use crate::components::import::report::{ImportReport, RejectedTable};
use crate::components::import::table::{HEADS, ImportTable, LATEST};
use crate::components::import::undo::{LeftTable, UndoPart, question};
use crate::components::input::search_input::is_typed_on;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::{Pager, Window};
use crate::components::list::table::SkeletonCard;
use crate::components::recording::uploads::RecordingUploadsCard;
use crate::components::shell::page_head::PageHead;
use crate::focus::focus_soon;
use crate::order::ListOrder;
use crate::query::use_query;
use crate::recording_uploads::RecordingUploads;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::imports;
use new_import::{NewImport, Started};

/// How often a running import is asked about.
const POLL: Duration = Duration::from_secs(1);

/// Where the page is, with the id of the import that it shows behind it.
const PATH: &str = "/imports";

const FIRST_PAGE: Window = Window { size: 50, offset: 0 };

/// The id of what is said of the import that is shown.
const REPORT: &str = "import-report";

#[component]
pub fn ImportsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let past = Remote::<Page<Import>>::new();
    let (current, rejected, left) = (Remote::<Import>::new(), Remote::new(), Remote::new());
    current.clear();
    rejected.clear();
    left.clear();

    let (params, navigate) = (use_params_map(), StoredValue::new_local(use_navigate()));
    let shown = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(ImportId));
    let address = use_query();
    let wanted = Memo::new(move |_| ImportQuery::from_pairs(|name| address.get(name)));
    let window = Signal::derive(move || Window::from_limit(&wanted.get().limit).unwrap_or(FIRST_PAGE));
    let page = move || api.imports(ImportQuery { limit: window.get_untracked().limit(), ..wanted.get_untracked() });
    Effect::new(move |_| {
        wanted.track();
        past.load(page());
    });
    let go = move |id: Option<ImportId>, query: &ImportQuery, replace: bool| {
        let place = id.map(|id| format!("/{id}")).unwrap_or_default();
        let options = NavigateOptions { replace, scroll: false, ..Default::default() };
        navigate.with_value(|navigate| navigate(&format!("{PATH}{place}{}", query.query_string()), options));
    };
    let show = Callback::new(move |query: ImportQuery| {
        let replace = is_typed_on(&wanted.get_untracked().name, &query.name);
        go(shown.get_untracked(), &query, replace);
    });
    let order = ListOrder::of(wanted, LATEST, show);
    let on_page = Callback::new(move |window: Window| {
        show.run(ImportQuery { limit: window.limit(), ..wanted.get_untracked() });
    });
    // What began is shown and read out once the first is known of it, wherever on the page it was begun.
    let begun = StoredValue::new(None::<ImportId>);
    let load = Callback::new(move |()| {
        rejected.clear();
        left.clear();
        match shown.get_untracked() {
            Some(id) => current.load(api.import(id)),
            None => current.clear(),
        }
    });
    Effect::new(move |_| {
        shown.track();
        load.run(());
    });
    let watch = Callback::new(move |id: ImportId| match shown.get_untracked() == Some(id) {
        true => load.run(()),
        false => {
            begun.set_value(Some(id));
            go(Some(id), &wanted.get_untracked(), false);
        }
    });
    let uploads = RecordingUploads::new();
    let start = Callback::new(move |started: Started| {
        uploads.start(api, started.import.id, started.chosen);
        watch.run(started.import.id);
    });
    // What a dry run found out is about the file as it was read then.
    let forget = Callback::new(move |()| {
        if shown.get_untracked().is_some() {
            go(None, &wanted.get_untracked(), true);
        }
    });
    // Asks again while the import or its undo runs; when it is over, for the refused rows, what was left and the list.
    Effect::new(move |_| {
        let read = |import: &Import| (import.id, import.state, import.undo.as_ref().map(|undo| undo.state));
        // Every answer leads here again.
        let Some((id, state, undo)) = current.with(|import| import.map(read)) else { return };
        if begun.get_value() == Some(id) {
            begun.set_value(None);
            focus_soon(REPORT.to_owned());
            past.refresh(page());
        }
        if state == ImportState::Running || undo == Some(ImportUndoState::Running) {
            set_timeout(
                move || {
                    if shown.try_get_untracked() == Some(Some(id)) {
                        current.load(api.import(id));
                    }
                },
                POLL,
            );
        } else {
            rejected.load(api.rejected_rows(id));
            if matches!(undo, Some(ImportUndoState::Completed | ImportUndoState::Cancelled)) {
                left.load(api.left_rows(id));
            }
            if current.with(|import| import.is_some_and(|import| !import.dry_run)) {
                past.refresh(page());
            }
        }
    });
    let doubt = Doubt::<Import>::new();
    let on_undo = Callback::new(move |import| doubt.ask(import));
    let confirmed = Callback::new(move |import: Import| {
        doubt.attempt().start(api.undo_import(import.id), move |import| {
            doubt.close();
            watch.run(import.id);
            past.refresh(page());
        });
    });
    let may_undo = session.may_write();
    // Not part of the report, which is made anew with each answer: the keyboard stays at the button.
    let cancelling = Attempt::new();
    let to_cancel = Memo::new(move |_| current.with(|import| import.and_then(work_under_way)));
    let cancel_label = move || match to_cancel.get() {
        Some((_, Work::Count)) => imports::cancel_count(),
        Some((_, Work::Undo)) => imports::cancel_undo(),
        _ => imports::cancel_import(),
    };
    let cancel = move |_| {
        // The next answer says so.
        match to_cancel.get_untracked() {
            Some((id, Work::Undo)) => cancelling.start(api.cancel_undo(id), |_| {}),
            Some((id, _)) => cancelling.start(api.cancel_import(id), |_| {}),
            None => {}
        }
    };
    let report = move || match current.get() {
        Some(import) => Some(
            view! {
                <ImportReport import=import.clone()>
                    <UndoPart import may_undo on_undo />
                </ImportReport>
            }
            .into_any(),
        ),
        None => (shown.get().is_some() && current.is_awaited()).then(|| view! { <SkeletonCard bars=14 /> }.into_any()),
    };
    let left_rows = move || {
        let kind = current.with(|import| import.map(|import| import.kind))?;
        let (total, rows) = left.with(|page| page.map(|page| (page.total, page.items.clone())))?;
        (total > 0).then(|| view! { <LeftTable kind total rows /> })
    };
    let rejected_rows = move || {
        let (id, count) = current.with(|import| import.map(|import| (import.id, import.counts.rejected)))?;
        let rows = rejected.with(|page| page.map(|page| page.items.clone()))?;
        (count > 0).then(|| view! { <RejectedTable id count rows /> })
    };
    let items = Signal::derive(move || past.with(|page| page.map(|page| page.items.clone())));
    let total = Signal::derive(move || past.with(|page| page.map(|page| page.total)));
    let is_empty = Memo::new(move |_| total.get() == Some(0));
    let none_yet = Memo::new(move |_| is_empty.get() && !wanted.with(ListQuery::is_narrow));
    let list = move || {
        if is_empty.get() {
            return view! { <NoImports narrow=!none_yet.get() show /> }.into_any();
        }
        let stale = Signal::derive(move || past.is_loading() && items.with(Option::is_some));
        let query = Signal::derive(move || wanted.with(ListQuery::query_string));
        view! {
            <OrderPick heads=&HEADS order />
            <ImportTable imports=items stale order query may_undo on_undo />
            <Pager window total on_change=on_page />
        }
        .into_any()
    };
    view! {
        <PageHead title=imports::imports() />
        <div class="stack" class:shows-import=move || shown.get().is_some()>
            <Show
                when=move || session.may_write()
                fallback=|| view! { <p class="secondary">{imports::role_only_reads()}</p> }
            >
                <NewImport on_started=start on_changed=forget uploading=Signal::derive(move || uploads.is_busy()) />
            </Show>
            {move || current.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
            <div id=REPORT tabindex="-1" class="import-report">
                {report}
            </div>
            <Show when=move || may_undo && to_cancel.get().is_some()>
                <button type="button" class="button import-cancel" disabled=cancelling.is_busy() data-test="import-cancel" on:click=cancel>
                    {cancel_label}
                </button>
            </Show>
            {move || cancelling.refusal().map(|error| view! { <ErrorNotice error /> })}
            {move || {
                let on_stop = Callback::new(move |()| uploads.stop());
                uploads.get().map(|uploading| view! { <RecordingUploadsCard uploading on_stop /> })
            }}
            {left_rows}
            {rejected_rows}
            <section class="stack-tight" aria-labelledby="past">
                <div class="spread">
                    <h2 id="past">{imports::earlier()}</h2>
                    <Show when=move || !none_yet.get()>
                        <ExportMenu files=files_of(wanted) />
                    </Show>
                </div>
                <ImportFilter wanted on_change=show />
                <ListError
                    error=Signal::derive(move || past.error())
                    shown=&[]
                    show_all=imports::show_all()
                    on_reset=Callback::new(move |()| show.run(ImportQuery::default()))
                    on_retry=Callback::new(move |()| past.load(page()))
                />
                <div class="table-card as-cards" hidden=move || past.has_failed()>
                    {list}
                </div>
            </section>
        </div>
        <ConfirmDialog doubt question on_confirm=confirmed />
    }
    .into_any()
}

#[component]
fn NoImports(narrow: bool, show: Callback<ImportQuery>) -> impl IntoView {
    if narrow {
        return view! {
            <Empty glyph=Glyph::Imports title=imports::no_match() text=imports::widen()>
                <button type="button" class="button" on:click=move |_| show.run(ImportQuery::default())>
                    {imports::show_all()}
                </button>
            </Empty>
        }
        .into_any();
    }
    view! { <Empty glyph=Glyph::Imports title=imports::none_yet() text=imports::none_yet_about() /> }.into_any()
}

/// What of an import can be under way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Work {
    Count,
    Import,
    Undo,
}

/// What of an import goes on and wasn't cancelled yet.
fn work_under_way(import: &Import) -> Option<(ImportId, Work)> {
    let is_undone = import.undo.as_ref().is_some_and(|undo| undo.state == ImportUndoState::Running);
    let work = match import.state {
        ImportState::Running if import.error.is_none() && import.dry_run => Work::Count,
        ImportState::Running if import.error.is_none() => Work::Import,
        _ if is_undone => Work::Undo,
        _ => return None,
    };
    Some((import.id, work))
}
