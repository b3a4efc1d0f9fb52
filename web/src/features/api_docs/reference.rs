//! Reference of the API: the custom element of `web/api_reference.js`, which shows the OpenAPI document with Swagger UI.

use js_sys::Promise;
use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use crate::api::ApiError;
use crate::browser::query::{query_string, use_query, use_show_url};
use crate::i18n::texts::api_page as texts;
use crate::state::ApiResource;
use crate::ui::ErrorNotice;
use crate::ui::list::SkeletonBars;

#[wasm_bindgen(inline_js = "export const importElement = async (url) => (await import(url)).load();")]
extern "C" {
    #[wasm_bindgen(js_name = importElement)]
    fn import_element(url: &str) -> Promise;
}

#[component]
pub fn Reference() -> impl IntoView {
    let query = use_query();
    let show_url = use_show_url();
    let script = ApiResource::<()>::new();
    let load = Callback::new(move |()| script.load(load_element()));
    load.run(());
    let operation = Memo::new(move |_| query.get("operation").unwrap_or_default());
    // The address bar names the open operation, so that it can be bookmarked.
    let on_operation = move |event: web_sys::CustomEvent| {
        let id = event.detail().as_string().unwrap_or_default();
        show_url(&format!("/api-reference{}", query_string(&[("operation", &id)])), true);
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
