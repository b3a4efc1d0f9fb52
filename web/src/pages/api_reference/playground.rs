//! Filter playground: a filter as a form or as JSON, its description in plain English, the request as code, and the first
//! matching leads. The last filter that was run is part of the address.

use leadscribe_engine::filter;
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{EXTENDED_DATA, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::{Dates, FilterEditor, Names, judge};
use crate::components::lead::columns;
use crate::components::lead::table::LeadTable;
use crate::components::list::total::Total;
use crate::components::request_code::RequestCode;
use crate::filter_text::{canonical, order_of, pretty, request, sort};
use crate::query::{query_string, use_query};
use crate::remote::Remote;
use crate::request::Request;
use crate::texts::{api_page as texts, common};
use crate::when;

/// Initial filter, an example of the syntax.
const FIRST: &str = r#"{"status":["new","callback"],"calls_count":{"lt":3},"limit":"10;0"}"#;

/// Maximum number of leads to show.
const SHOWN: usize = 10;

/// Entry point of the playground for its lazy-loaded part.
pub fn playground() -> AnyView {
    view! { <Playground /> }.into_any()
}

#[component]
fn Playground() -> impl IntoView {
    let api = use_api();
    let (leads, campaigns, statuses) = (Remote::new(), Remote::new(), Remote::new());
    leads.clear();
    campaigns.load(api.campaigns());
    statuses.load(api.statuses());
    let names = Names::of(campaigns, statuses);
    let query = use_query();
    let run = Memo::new(move |_| query.get("filter"));
    let text = RwSignal::new(pretty(&run.get_untracked().unwrap_or_else(|| FIRST.to_owned())));
    let (verdict, reading) = judge(text, names, false);
    let is_run = Memo::new(move |_| run.get().is_some_and(|run| text.with(|text| canonical(text)) == canonical(&run)));

    let load = move || {
        if let Some(run) = run.get_untracked() {
            leads.load(api.leads(request(&run)));
        }
    };
    Effect::new(move |shown_before: Option<Option<String>>| {
        let run = run.get();
        // After back or forward, the editor shows the filter of that history entry.
        if let Some(run) = run.as_ref().filter(|_| shown_before.is_some())
            && text.with_untracked(|text| canonical(text)) != canonical(run)
        {
            text.set(pretty(run));
        }
        load();
        run
    });
    let navigate = use_navigate();
    let show = Callback::new(move |filter: String| {
        if run.get_untracked().as_ref() == Some(&filter) {
            return load();
        }
        let query = query_string(&[("tab", "playground"), ("filter", &filter)]);
        let options = NavigateOptions { scroll: false, ..Default::default() };
        navigate(&format!("/api-reference{query}"), options);
    });
    let on_sort = Callback::new(move |field: FieldId| {
        let mut tree = filter::parse(&run.get_untracked().unwrap_or_default()).tree;
        sort(&mut tree, field);
        show.run(filter::print(&tree));
    });

    let total = Signal::derive(move || leads.with(|answer| answer.map(|answer| answer.total_leads)));
    let found = Signal::derive(move || {
        leads.with(|answer| answer.map(|answer| answer.leads.iter().take(SHOWN).cloned().collect::<Vec<_>>()))
    });
    let order = Signal::derive(move || order_of(&filter::parse(&run.get().unwrap_or_default()).tree));
    let stale = Signal::derive(move || leads.is_loading() && found.with(Option::is_some));
    let results = move || {
        let is_empty = found.with(|found| found.as_ref().is_some_and(Vec::is_empty));
        if is_empty {
            return view! { <p class="card-body secondary">{texts::none_in_answer()}</p> }.into_any();
        }
        view! { <LeadTable leads=found stale names columns=Signal::stored(columns::usual()) order on_sort /> }
            .into_any()
    };
    view! {
        <div class="stack">
            <FilterEditor
                for_developers=true
                text
                verdict
                reading
                names
                dates=Dates::none(when::anchor())
                applied=is_run
                on_apply=Callback::new(move |()| show.run(canonical(&text.get_untracked())))
                on_reset=Callback::new(move |()| text.set(pretty(FIRST)))
            />
            {move || {
                leads.error().map(|error| view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> })
            }}
            <RequestCode
                request=Signal::derive(move || Request::json("PUT", EXTENDED_DATA, text.with(|text| canonical(text))))
                title=texts::request_for_it()
            />
            <Show when=move || run.get().is_some() && !leads.has_failed()>
                <section class="table-card as-cards" aria-label=texts::leads_found()>
                    <div class="card-head">
                        <h2>{texts::first_leads()}</h2>
                        <Total total say=common::leads />
                    </div>
                    {results}
                </section>
            </Show>
        </div>
    }
    .into_any()
}
