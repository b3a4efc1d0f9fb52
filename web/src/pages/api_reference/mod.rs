//! `/api-reference?operation=…` and `/api-reference?tab=playground&filter=…`: reference of the API from its OpenAPI document
//! with a form to try each operation, and a playground for filters.

mod body_input;
mod operation;
mod operation_form;
mod playground;
mod welcome;

use std::sync::Arc;

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{DOCUMENT_URL, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::reference::list::{OperationList, operation_href};
use crate::components::reference::request_credentials::RequestCredentials;
use crate::components::shell::page_header::PageHeader;
use crate::components::tabs::Tabs;
use crate::openapi::Document;
use crate::query::{query_string, use_query};
use crate::resource::ApiResource;
use crate::texts::{api_page as texts, palette, shell};
use operation::OperationView;
use welcome::Welcome;

/// A tab: its name in the URL, and its label.
type ApiTab = (&'static str, fn() -> &'static str);

const TABS: [ApiTab; 2] = [("reference", texts::reference), ("playground", palette::playground)];

#[component]
pub fn ApiReferencePage() -> impl IntoView {
    let query = use_query();
    let navigate = use_navigate();
    let selected = Memo::new(move |_| {
        let requested_tab = query.get("tab").unwrap_or_default();
        TABS.iter().find(|(tab, _)| *tab == requested_tab).unwrap_or(&TABS[0]).0.to_owned()
    });
    let on_select = Callback::new(move |tab: &'static str| {
        let tab = if tab == TABS[0].0 { "" } else { tab };
        let options = NavigateOptions { scroll: false, ..Default::default() };
        navigate(&format!("/api-reference{}", query_string(&[("tab", tab)])), options);
    });
    // Both are kept when another operation is opened.
    let document = ApiResource::<Arc<Document>>::new();
    let credentials = RequestCredentials::new();
    let panel = move || match selected.get().as_str() {
        "playground" => playground::filter_playground(()),
        _ => view! { <Reference document credentials /> }.into_any(),
    };
    view! {
        <PageHeader title=shell::api()>
            <a class="button" href=DOCUMENT_URL download="openapi.json" rel="external" data-test="download-document">
                <Icon glyph=Glyph::Download />
                {texts::document()}
            </a>
        </PageHeader>
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
fn Reference(document: ApiResource<Arc<Document>>, credentials: RequestCredentials) -> impl IntoView {
    let api = use_api();
    let query = use_query();
    let load = Callback::new(move |()| document.load(api.openapi_document()));
    if document.with(|document| document.is_none()) {
        load.run(());
    }
    let current = Memo::new(move |_| query.get("operation").unwrap_or_default());
    let navigate = use_navigate();
    let on_open = Callback::new(move |id: String| navigate(&operation_href(&id), NavigateOptions::default()));
    let shared_document = Memo::new(move |_| document.with(|document| document.cloned().map(SharedDocument)));
    let list = move || match shared_document.get() {
        Some(SharedDocument(document)) => view! { <OperationList document current on_open /> }.into_any(),
        None => view! { <OperationListSkeleton /> }.into_any(),
    };
    let operation_view = move || {
        let Some(SharedDocument(document)) = shared_document.get() else {
            return (!document.has_failed()).then(|| view! { <OperationSkeleton /> }).into_any();
        };
        let id = current.get();
        match document.operation(&id) {
            Some(operation) => view! { <OperationView document operation credentials /> }.into_any(),
            None => view! { <Welcome document unknown_operation=id /> }.into_any(),
        }
    };
    let language_note = texts::in_english();
    let language_note = (!language_note.is_empty())
        .then(|| view! { <p class="small secondary reference-note" data-test="in-english">{language_note}</p> });
    view! {
        {language_note}
        {move || document.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <div class="reference">
            {list}
            <div class="reference-sheet">{operation_view}</div>
        </div>
    }
    .into_any()
}

/// The document, compared by pointer.
#[derive(Clone)]
struct SharedDocument(Arc<Document>);

impl PartialEq for SharedDocument {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Placeholder while the document is loaded.
#[component]
fn OperationSkeleton() -> impl IntoView {
    view! {
        <div class="card card-body" aria-hidden="true">
            {skeleton_bars(12)}
        </div>
    }
}

/// Placeholder for the list of operations.
#[component]
fn OperationListSkeleton() -> impl IntoView {
    view! {
        <div class="operations card" aria-hidden="true">
            <div class="operation-groups">{skeleton_bars(24)}</div>
        </div>
        <div class="operation-select" aria-hidden="true">
            <div class="select"></div>
        </div>
    }
}

fn skeleton_bars(count: usize) -> impl IntoView {
    (0..count).map(|bar| view! { <span class=format!("skeleton skeleton-{}", 1 + bar % 3)></span> }).collect_view()
}
