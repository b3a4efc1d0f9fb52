//! `/imports`: a CSV file's columns and what it would change, the import as it goes, and what was refused.

mod new_import;

use std::time::Duration;

use leadscribe_engine::api::{Import, ImportId, ImportState};
use leptos::prelude::*;

use crate::api::use_api;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::components::import_report::{ImportReport, RejectedTable};
use crate::components::import_table::ImportTable;
use crate::components::page_head::PageHead;
use crate::remote::Remote;
use crate::session::use_session;
use new_import::NewImport;

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
    let start = Callback::new(move |import: Import| watch.run(import.id));
    // What a dry run found out is about the file as it was read then.
    let forget = Callback::new(move |()| {
        watched.set_value(None);
        current.clear();
        rejected.clear();
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
            if current.with(|import| import.is_some_and(|import| !import.dry_run)) {
                past.load(api.imports());
            }
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
                <NewImport on_started=start on_changed=forget />
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
