//! Filter playground: a filter as a form or as JSON, its description in words, the request for curl, and the first
//! matching leads. The last filter that was run is part of the URL.

use leadscribe_engine::filter;
use leptos::prelude::*;

use crate::api::use_api;
use crate::browser::query::{query_string, use_navigate_in_place, use_query};
use crate::i18n::datetime;
use crate::i18n::texts::{api_page as texts, common};
use crate::state::ApiResource;
use crate::ui::filter_editor::filter_text::{canonicalize, lead_order, pretty_print, request_filter, set_sort_order};
use crate::ui::filter_editor::{FilterEditor, Names, RelativeDates, check_filter};
use crate::ui::lazy_view::lazy_view;
use crate::ui::lead::columns;
use crate::ui::lead::table::LeadTable;
use crate::ui::list::Total;
use crate::ui::{CurlCommand, ErrorNotice};

/// Initial filter, an example of the syntax.
const INITIAL_FILTER: &str = r#"{"status":["new","callback"],"calls_count":{"lt":3},"limit":"10;0"}"#;

/// Maximum number of leads to show.
const MAX_SHOWN_LEADS: usize = 10;

lazy_view!(
    /// The playground. It belongs to the chunk `leads`, which contains the same editor.
    leads: pub fn filter_playground(()) = playground
);

fn playground((): ()) -> AnyView {
    let api = use_api();
    let leads = ApiResource::new();
    leads.clear();
    let names = Names::from_resources(ApiResource::requested(api.campaigns()), ApiResource::requested(api.statuses()));
    let query = use_query();
    let applied_filter = Memo::new(move |_| query.get("filter"));
    let text =
        RwSignal::new(pretty_print(&applied_filter.get_untracked().unwrap_or_else(|| INITIAL_FILTER.to_owned())));
    let (check_result, explanation) = check_filter(text, names, false);
    let is_applied = Memo::new(move |_| {
        applied_filter
            .get()
            .is_some_and(|applied_filter| text.with(|text| canonicalize(text)) == canonicalize(&applied_filter))
    });

    let load = move || {
        if let Some(applied_filter) = applied_filter.get_untracked() {
            leads.load(api.leads(request_filter(&applied_filter)));
        }
    };
    Effect::new(move |previous: Option<Option<String>>| {
        let applied_filter = applied_filter.get();
        // After back or forward, the editor shows the filter of that history entry.
        if let Some(applied_filter) = applied_filter.as_ref().filter(|_| previous.is_some())
            && text.with_untracked(|text| canonicalize(text)) != canonicalize(applied_filter)
        {
            text.set(pretty_print(applied_filter));
        }
        load();
        applied_filter
    });
    let navigate_in_place = use_navigate_in_place();
    let show = Callback::new(move |filter: String| {
        if applied_filter.get_untracked().as_ref() == Some(&filter) {
            return load();
        }
        let query = query_string(&[("tab", "playground"), ("filter", &filter)]);
        navigate_in_place(&format!("/api-reference{query}"), false);
    });
    let on_order = move |order: String| {
        let mut tree = filter::parse(&applied_filter.get_untracked().unwrap_or_default()).tree;
        set_sort_order(&mut tree, &order);
        show.run(filter::print(&tree));
    };

    let total = Signal::derive(move || leads.with(|response| response.map(|response| response.total_leads)));
    let shown_leads = Signal::derive(move || {
        leads.with(|response| {
            response.map(|response| response.leads.iter().take(MAX_SHOWN_LEADS).cloned().collect::<Vec<_>>())
        })
    });
    let order = lead_order(move || applied_filter.get().unwrap_or_default(), on_order);
    let stale = Signal::derive(move || leads.is_loading.get() && shown_leads.with(Option::is_some));
    let results = move || {
        let is_empty = shown_leads.with(|shown_leads| shown_leads.as_ref().is_some_and(Vec::is_empty));
        if is_empty {
            return view! { <p class="card-body secondary">{texts::response_has_no_leads()}</p> }.into_any();
        }
        view! { <LeadTable leads=shown_leads stale names columns=Signal::stored(columns::default_columns()) order /> }
            .into_any()
    };
    view! {
        <div class="stack">
            <FilterEditor
                prefers_json=true
                text
                check_result
                explanation
                names
                dates=RelativeDates::none(datetime::anchor_now())
                is_applied
                on_apply=Callback::new(move |()| show.run(canonicalize(&text.get_untracked())))
                on_reset=Callback::new(move |()| text.set(pretty_print(INITIAL_FILTER)))
            />
            {move || {
                leads.error.get().map(|error| view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> })
            }}
            <CurlCommand filter=Signal::derive(move || {
                check_result.with(Result::is_ok).then(|| text.with(|text| canonicalize(text)))
            }) />
            <Show when=move || applied_filter.get().is_some() && !leads.has_failed()>
                <section class="table-card mobile-cards" aria-label=common::leads_found()>
                    <div class="card-header">
                        <h2>{texts::first_leads()}</h2>
                        <Total total format=common::leads />
                    </div>
                    {results}
                </section>
            </Show>
        </div>
    }
    .into_any()
}
