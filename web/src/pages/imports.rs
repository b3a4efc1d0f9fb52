//! `/imports` and `/imports/{id}`: a CSV file's columns and what it would change, the import as it goes, what was refused, and
//! how all of it is undone.

mod call_details;
mod new_import;
mod reading;
mod shown;

use leadscribe_engine::api::{Import, ImportId, Page};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_params_map};

use crate::api::{ImportQuery, ListQuery, use_api};
use crate::components::dialog::confirm::{ConfirmDialog, Doubt};
use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::import::filter::ImportFilter;
use crate::components::import::table::{HEADS, ImportTable, LATEST};
use crate::components::import::undo::question;
use crate::components::input::search_input::is_typed_on;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::{Pager, Window};
use crate::components::recording::uploads::RecordingUploadsCard;
use crate::components::shell::page_head::PageHead;
use crate::order::ListOrder;
use crate::query::use_query;
use crate::recording_uploads::RecordingUploads;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::imports;
use new_import::{NewImport, Started};
use shown::{ShownImport, ShownReport, ShownRows};

/// Where the page is, with the id of the import that it shows behind it.
const PATH: &str = "/imports";

const FIRST_PAGE: Window = Window { size: 50, offset: 0 };

#[component]
pub fn ImportsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let past = Remote::<Page<Import>>::new();
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
    let current = ShownImport::new(api, shown, Callback::new(move |()| past.refresh(page())));
    let watch = Callback::new(move |id: ImportId| match shown.get_untracked() == Some(id) {
        true => current.load(),
        false => {
            current.begin(id);
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
            <ShownReport shown=current may_undo on_undo />
            {move || {
                let on_stop = Callback::new(move |()| uploads.stop());
                uploads.get().map(|uploading| view! { <RecordingUploadsCard uploading on_stop /> })
            }}
            <ShownRows shown=current />
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
