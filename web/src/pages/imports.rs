//! `/imports`: upload a CSV file, watch it go in, see what was refused.

use std::time::Duration;

use leadscribe_engine::api::{Import, ImportId, ImportKind, ImportState};
use leptos::prelude::*;
use web_sys::File;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::badge::spelled;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::file_drop::FileDrop;
use crate::components::icon::Glyph;
use crate::components::import_columns::ImportColumns;
use crate::components::import_report::{ImportReport, RejectedTable};
use crate::components::import_table::ImportTable;
use crate::components::page_head::PageHead;
use crate::remote::Remote;
use crate::session::use_session;

/// How often a running import is asked about.
const POLL: Duration = Duration::from_secs(1);

#[component]
pub fn ImportsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let past = Remote::new();
    let (current, rejected) = (Remote::<Import>::new(), Remote::new());
    past.load(api.imports());
    current.clear();
    rejected.clear();

    let watched = StoredValue::new(None::<ImportId>);
    let watch = Callback::new(move |id: ImportId| {
        watched.set_value(Some(id));
        rejected.clear();
        current.load(api.import(id));
    });
    let watch_again = Callback::new(move |()| {
        if let Some(id) = watched.get_value() {
            watch.run(id);
        }
    });
    // Asks again while the import runs; when it is over, for the refused rows and the list.
    Effect::new(move |_| {
        let Some((id, state)) = current.with(|import| import.map(|import| (import.id, import.state))) else { return };
        // Follows the progress too: every answer leads here again.
        current.with(|import| import.map(|import| import.counts));
        if state == ImportState::Running {
            set_timeout(
                move || {
                    if is_shown(current, id) {
                        current.load(api.import(id))
                    }
                },
                POLL,
            );
        } else {
            rejected.load(api.rejected_rows(id));
            past.load(api.imports());
        }
    });
    let report = move || current.get().map(|import| view! { <ImportReport import /> });
    let rejected_rows = move || {
        let (id, count) = current.with(|import| import.map(|import| (import.id, import.counts.rejected)))?;
        let rows = rejected.with(|page| page.map(|page| page.items.clone()))?;
        (count > 0).then(|| view! { <RejectedTable id count rows /> })
    };
    let list = move || {
        match past.with(|page| page.map(|page| page.items.clone())) {
        Some(items) if items.is_empty() => {
            view! { <Empty glyph=Glyph::Imports title="No imports yet" text="Files that were imported are listed here, with what became of their rows." /> }.into_any()
        }
        items => view! { <ImportTable imports=items on_open=watch /> }.into_any(),
    }
    };
    view! {
        <PageHead title="Imports" />
        <div class="stack">
            <Show
                when=move || session.may_write()
                fallback=|| view! { <p class="secondary">"Your role may look at imports, but not start one."</p> }
            >
                <NewImport on_started=watch />
            </Show>
            {move || current.error().map(|error| view! { <ErrorNotice error on_retry=watch_again /> })}
            {report}
            {rejected_rows}
            <section class="stack-tight" aria-labelledby="past">
                <h2 id="past">"Earlier imports"</h2>
                {move || past.error().map(|error| view! { <ErrorNotice error on_retry=Callback::new(move |()| past.load(api.imports())) /> })}
                <div class="table-card as-cards" hidden=move || past.has_failed()>
                    {list}
                </div>
            </section>
        </div>
    }
    .into_any()
}

/// Whether the page still shows this import.
fn is_shown(current: Remote<Import>, id: ImportId) -> bool {
    current.try_with_untracked(|import| import.is_some_and(|import| import.id == id)).unwrap_or(false)
}

/// Kind, columns and file.
#[component]
fn NewImport(on_started: Callback<ImportId>) -> impl IntoView {
    let api = use_api();
    let kind = RwSignal::new(ImportKind::Leads);
    let sent = RwSignal::new(0.0);
    let attempt = Attempt::new();
    let kinds = ImportKind::ALL.iter().map(|one| {
        let one = *one;
        view! {
            <button
                type="button"
                aria-pressed=move || (kind.get() == one).to_string()
                data-test=format!("import-{one}")
                on:click=move |_| kind.set(one)
            >
                {spelled(one.as_str())}
            </button>
        }
    });
    let on_file = Callback::new(move |file: File| {
        sent.set(0.0);
        let upload = api.upload(kind.get_untracked(), file, move |part| _ = sent.try_set(part));
        attempt.start(upload, move |import| on_started.run(import.id));
    });
    let is_busy = attempt.is_busy();
    let label = Signal::derive(move || {
        if is_busy.get() {
            format!("Uploading, {:.0} %", sent.get() * 100.0)
        } else {
            format!("{} as a CSV file", spelled(kind.get().as_str()))
        }
    });
    view! {
        <section class="card" aria-labelledby="new-import">
            <div class="card-head">
                <h2 id="new-import">"Import a file"</h2>
                <div class="segments" role="group" aria-label="What the file holds">
                    {kinds.collect_view()}
                </div>
            </div>
            <div class="card-body import-new">
                <FileDrop
                    id="import-file"
                    label
                    accept=".csv,text/csv"
                    disabled=is_busy
                    on_file
                />
                <ImportColumns kind />
            </div>
            {move || {
                attempt
                    .refusal()
                    .map(|error| {
                        view! {
                            <div class="card-body">
                                <ErrorNotice error />
                            </div>
                        }
                    })
            }}
        </section>
    }
}
