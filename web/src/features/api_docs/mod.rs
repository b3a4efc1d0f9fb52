//! `/api-reference?operation=…` and `/api-reference?tab=playground&filter=…`: reference of the API from its OpenAPI
//! document, and a playground for filters.

mod playground;

use js_sys::Promise;
use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use crate::api::ApiError;
use crate::browser::query::{query_string, use_navigate_in_place, use_query};
use crate::i18n::texts::{api_page as texts, shell};
use crate::state::ApiResource;
use crate::ui::list::SkeletonBars;
use crate::ui::{ErrorNotice, Glyph, Icon, PageHeader, Tabs};

/// Path of the OpenAPI document.
const DOCUMENT_URL: &str = "/api/openapi.json";

/// A tab: its name in the URL, and its label.
type ApiTab = (&'static str, fn() -> &'static str);

const TABS: [ApiTab; 2] = [("reference", texts::reference), ("playground", shell::playground)];

#[component]
pub fn ApiReferencePage() -> impl IntoView {
    let query = use_query();
    let navigate_in_place = use_navigate_in_place();
    let selected = Memo::new(move |_| {
        let requested_tab = query.get("tab").unwrap_or_default();
        TABS.iter().find(|(tab, _)| *tab == requested_tab).unwrap_or(&TABS[0]).0.to_owned()
    });
    let on_select = Callback::new(move |tab: &'static str| {
        let tab = if tab == TABS[0].0 { "" } else { tab };
        navigate_in_place(&format!("/api-reference{}", query_string(&[("tab", tab)])), false);
    });
    let panel = move || match selected.get().as_str() {
        "playground" => playground::filter_playground(()),
        _ => view! { <Reference /> }.into_any(),
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
}

#[wasm_bindgen(inline_js = "export const importElement = async (url) => (await import(url)).load();")]
extern "C" {
    #[wasm_bindgen(js_name = importElement)]
    fn import_element(url: &str) -> Promise;
}

/// The custom element of `web/api_reference.js`, which shows the OpenAPI document with Swagger UI.
#[component]
fn Reference() -> impl IntoView {
    let query = use_query();
    let navigate_in_place = use_navigate_in_place();
    let script = ApiResource::<()>::new();
    let load = Callback::new(move |()| script.load(load_element()));
    load.run(());
    let operation = Memo::new(move |_| query.get("operation").unwrap_or_default());
    // The address bar names the open operation, so that it can be bookmarked.
    let on_operation = move |event: web_sys::CustomEvent| {
        let id = event.detail().as_string().unwrap_or_default();
        navigate_in_place(&format!("/api-reference{}", query_string(&[("operation", &id)])), true);
    };
    let language_note = texts::in_english();
    let language_note = (!language_note.is_empty())
        .then(|| view! { <p class="small secondary reference-note" data-test="in-english">{language_note}</p> });
    view! {
        {language_note}
        {move || script.error.get().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <api-reference lang="en" operation=operation on:operation=on_operation>
            <div class="stack-tight" aria-hidden="true">
                <SkeletonBars bars=24 />
            </div>
        </api-reference>
    }
}

/// Loads Swagger UI and defines the element.
async fn load_element() -> Result<(), ApiError> {
    let url = document().query_selector("meta[name=api-reference]").ok().flatten();
    let url = url.and_then(|meta| meta.get_attribute("content")).unwrap_or_default();
    JsFuture::from(import_element(&url)).await.map(drop).map_err(|_| ApiError::Offline)
}
