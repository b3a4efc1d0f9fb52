//! `/imports` and `/imports/{id}`: import of a CSV file with column mapping and dry run, its progress, refused rows and undo.

mod call_details;
mod new_import;
mod reading;
mod shown;

use leadscribe_engine::api::{Import, ImportId};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};

use crate::api::{ImportQuery, ListQuery, use_api};
use crate::components::dialog::confirm::{ConfirmDialog, Doubt};
use crate::components::empty::{BehindLast, Empty, NoMatch};
use crate::components::icon::Glyph;
use crate::components::import::corrections::Corrections;
use crate::components::import::filter::ImportFilter;
use crate::components::import::table::{HEADS, ImportTable, LATEST};
use crate::components::import::undo::question;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::Pager;
use crate::components::recording::uploads::RecordingUploadsCard;
use crate::components::shell::leave_guard::LeaveGuard;
use crate::components::shell::page_head::PageHead;
use crate::paged::Paged;
use crate::recording_uploads::RecordingUploads;
use crate::session::use_session;
use crate::texts::imports;
pub use new_import::{FileToImport, picked_file};
use new_import::{NewImport, Started};
use shown::{ShownImport, ShownReport, ShownRows};

/// Path of the page; the id of the shown import is appended.
const PATH: &str = "/imports";

/// Default number of rows per page.
const ROWS: u64 = 50;

#[component]
pub fn ImportsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let (params, navigate) = (use_params_map(), StoredValue::new_local(use_navigate()));
    let shown = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(ImportId));
    // The list stays the same, whichever import is shown above it.
    let address = move |query: &ImportQuery| shown_at(shown.get_untracked(), query);
    let list = Paged::<_, Import>::new(ROWS, address, |query| &query.name);
    let Paged { wanted, found: past, window, show } = list;
    let load = move || past.load(api.imports(list.part()));
    let refresh = move || past.refresh(api.imports(list.part()));
    Effect::new(move |_| {
        wanted.track();
        load();
    });
    let go = move |id: Option<ImportId>, replace: bool| {
        let options = NavigateOptions { replace, scroll: false, ..Default::default() };
        let to = wanted.with_untracked(|wanted| shown_at(id, wanted));
        navigate.with_value(|navigate| navigate(&to, options));
    };
    let current = ShownImport::new(api, shown, Callback::new(move |()| refresh()));
    let corrections = Corrections::new(
        api,
        Callback::new(move |id| {
            if shown.get_untracked() == Some(id) {
                current.load();
            }
            refresh();
        }),
    );
    let watch = Callback::new(move |id: ImportId| match shown.get_untracked() == Some(id) {
        true => current.load(),
        false => {
            current.begin(id);
            go(Some(id), false);
        }
    });
    let uploads = RecordingUploads::new();
    let start = Callback::new(move |started: Started| {
        uploads.start(api, started.import.id, started.chosen);
        watch.run(started.import.id);
    });
    // The result of a dry run applies to the mapping at that time only.
    let forget = Callback::new(move |()| {
        if shown.get_untracked().is_some() {
            go(None, true);
        }
    });
    let doubt = Doubt::<Import>::new();
    let on_undo = Callback::new(move |import| doubt.ask(import));
    let confirmed = Callback::new(move |import: Import| {
        doubt.attempt().start(api.undo_import(import.id), move |import| {
            doubt.close();
            watch.run(import.id);
            refresh();
        });
    });
    let may_undo = session.may_write();
    let (order, on_reset) = (list.order(LATEST), list.on_reset());
    let (imports, total, stale) = (list.items(), list.total(), list.is_stale());
    let (is_behind, on_first) = (list.is_behind(), list.on_first());
    let is_empty = Memo::new(move |_| total.get() == Some(0));
    let none_yet = Memo::new(move |_| is_empty.get() && !wanted.with(ListQuery::is_narrow));
    let table = move || {
        if is_empty.get() {
            return view! { <NoImports narrow=!none_yet.get() on_reset /> }.into_any();
        }
        if is_behind.get() {
            return view! { <BehindLast glyph=Glyph::Imports on_first /> }.into_any();
        }
        let query = Signal::derive(move || wanted.with(ListQuery::query_string));
        view! {
            <OrderPick heads=&HEADS order />
            <ImportTable imports stale order query may_undo on_undo />
            <Pager window total stale on_change=list.on_page() />
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
            <ShownReport shown=current may_undo on_undo />
            {move || {
                let on_stop = Callback::new(move |()| uploads.stop());
                uploads.get().map(|uploading| view! { <RecordingUploadsCard uploading on_stop /> })
            }}
            <ShownRows shown=current corrections may_correct=session.may_write() />
            <section class="stack-tight" aria-labelledby="past">
                <div class="spread">
                    <h2 id="past">{imports::earlier()}</h2>
                    <Show when=move || !none_yet.get()>
                        <ExportMenu files=files_of(wanted) />
                    </Show>
                </div>
                <ImportFilter wanted on_change=show />
                <ListError
                    error=list.error()
                    shown=&[]
                    show_all=imports::show_all()
                    on_reset
                    on_retry=Callback::new(move |()| load())
                />
                <div class="table-card as-cards" hidden=move || past.has_failed()>
                    {table}
                </div>
            </section>
        </div>
        <LeaveGuard unsaved=Signal::derive(move || corrections.has_unsent()) stays_below=PATH />
        <ConfirmDialog doubt question on_confirm=confirmed />
    }
    .into_any()
}

/// Address of a list query, with or without an import shown above it.
fn shown_at(import: Option<ImportId>, query: &ImportQuery) -> String {
    let place = import.map(|id| format!("/{id}")).unwrap_or_default();
    format!("{PATH}{place}{}", query.query_string())
}

#[component]
fn NoImports(narrow: bool, on_reset: Callback<()>) -> impl IntoView {
    if narrow {
        let (title, text, show_all) = (imports::no_match(), imports::widen(), imports::show_all());
        return view! { <NoMatch glyph=Glyph::Imports title text show_all on_reset /> }.into_any();
    }
    view! { <Empty glyph=Glyph::Imports title=imports::none_yet() text=imports::none_yet_about() /> }.into_any()
}
