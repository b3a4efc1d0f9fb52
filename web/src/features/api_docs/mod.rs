//! `/api-reference?operation=…` and `/api-reference?tab=playground&filter=…`: reference of the API from its OpenAPI document,
//! and a playground for filters.

mod playground;
mod reference;

use leptos::prelude::*;

use crate::browser::query::{query_string, use_query, use_show_url};
use crate::i18n::texts::{api_page as texts, palette, shell};
use crate::ui::{Glyph, Icon, PageHeader, Tabs};
use reference::Reference;

/// Path of the OpenAPI document.
const DOCUMENT_URL: &str = "/api/openapi.json";

/// A tab: its name in the URL, and its label.
type ApiTab = (&'static str, fn() -> &'static str);

const TABS: [ApiTab; 2] = [("reference", texts::reference), ("playground", palette::playground)];

#[component]
pub fn ApiReferencePage() -> impl IntoView {
    let query = use_query();
    let show_url = use_show_url();
    let selected = Memo::new(move |_| {
        let requested_tab = query.get("tab").unwrap_or_default();
        TABS.iter().find(|(tab, _)| *tab == requested_tab).unwrap_or(&TABS[0]).0.to_owned()
    });
    let on_select = Callback::new(move |tab: &'static str| {
        let tab = if tab == TABS[0].0 { "" } else { tab };
        show_url(&format!("/api-reference{}", query_string(&[("tab", tab)])), false);
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
