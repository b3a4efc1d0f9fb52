//! `/api-reference?operation=…` and `/api-reference?tab=playground&filter=…`: reference of the API from its OpenAPI document
//! with a form to try each operation, and a playground for filters.

mod body_input;
mod operation;
mod playground;
mod trial;
mod welcome;

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{DOCUMENT, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::reference::list::{OperationList, address};
use crate::components::reference::proof::Proof;
use crate::components::shell::page_head::PageHead;
use crate::components::tabs::Tabs;
use crate::openapi::Document;
use crate::parts;
use crate::query::{query_string, use_query};
use crate::remote::Remote;
use crate::texts::{api_page as texts, palette, shell};
use operation::OperationSheet;
use welcome::Welcome;

pub use playground::playground;

/// A tab: its name in the address, and its label.
type ApiTab = (&'static str, fn() -> &'static str);

const TABS: [ApiTab; 2] = [("reference", texts::reference), ("playground", palette::playground)];

#[component]
pub fn ApiReferencePage() -> impl IntoView {
    let query = use_query();
    let navigate = use_navigate();
    let selected = Memo::new(move |_| {
        let wanted = query.get("tab").unwrap_or_default();
        TABS.iter().find(|(tab, _)| *tab == wanted).unwrap_or(&TABS[0]).0.to_owned()
    });
    let on_select = Callback::new(move |tab: &'static str| {
        let tab = if tab == TABS[0].0 { "" } else { tab };
        let options = NavigateOptions { scroll: false, ..Default::default() };
        navigate(&format!("/api-reference{}", query_string(&[("tab", tab)])), options);
    });
    // Both are kept when another operation is opened.
    let document = Remote::<Arc<Document>>::new();
    let proof = Proof::new();
    let panel = move || match selected.get().as_str() {
        "playground" => parts::filter_playground(),
        _ => view! { <Reference document proof /> }.into_any(),
    };
    view! {
        <PageHead title=shell::api()>
            <a class="button" href=DOCUMENT download="openapi.json" rel="external" data-test="download-document">
                <Icon glyph=Glyph::Download />
                {texts::document()}
            </a>
        </PageHead>
        <Tabs tabs=TABS.map(|(tab, label)| (tab, label())).to_vec() name="api" selected on_select />
        <section
            id="api-panel"
            role="tabpanel"
            aria-labelledby=move || format!("api-tab-{}", selected.get())
        >
            {panel}
        </section>
    }
    .into_any()
}

#[component]
fn Reference(document: Remote<Arc<Document>>, proof: Proof) -> impl IntoView {
    let api = use_api();
    let query = use_query();
    let load = Callback::new(move |()| document.load(api.reference()));
    if document.with(|document| document.is_none()) {
        load.run(());
    }
    let current = Memo::new(move |_| query.get("operation").unwrap_or_default());
    let navigate = use_navigate();
    let on_open = Callback::new(move |id: String| navigate(&address(&id), NavigateOptions::default()));
    let known = Memo::new(move |_| document.with(|document| document.cloned().map(Shared)));
    let list = move || match known.get() {
        Some(Shared(document)) => view! { <OperationList document current on_open /> }.into_any(),
        None => view! { <WaitingList /> }.into_any(),
    };
    let sheet = move || {
        let Some(Shared(document)) = known.get() else {
            return (!document.has_failed()).then(|| view! { <Waiting /> }).into_any();
        };
        let id = current.get();
        match document.operation(&id) {
            Some(operation) => view! { <OperationSheet document operation proof /> }.into_any(),
            None => view! { <Welcome document unknown=id /> }.into_any(),
        }
    };
    let in_english = texts::in_english();
    let in_english = (!in_english.is_empty())
        .then(|| view! { <p class="small secondary reference-note" data-test="in-english">{in_english}</p> });
    view! {
        {in_english}
        {move || document.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <div class="reference">
            {list}
            <div class="reference-sheet">{sheet}</div>
        </div>
    }
    .into_any()
}

/// The document, compared by pointer.
#[derive(Clone)]
struct Shared(Arc<Document>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Placeholder while the document is loaded.
#[component]
fn Waiting() -> impl IntoView {
    view! {
        <div class="card card-body" aria-hidden="true">
            {bars(12)}
        </div>
    }
}

/// Placeholder for the list of operations.
#[component]
fn WaitingList() -> impl IntoView {
    view! {
        <div class="operations card" aria-hidden="true">
            <div class="operation-groups">{bars(24)}</div>
        </div>
        <div class="operation-select" aria-hidden="true">
            <div class="select"></div>
        </div>
    }
}

fn bars(count: usize) -> impl IntoView {
    (0..count).map(|bar| view! { <span class=format!("skeleton skeleton-{}", 1 + bar % 3)></span> }).collect_view()
}
