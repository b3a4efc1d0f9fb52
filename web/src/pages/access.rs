//! `/access?tab=…`: speech tokens, API keys and staff.

mod api_keys;
mod signing_secret;
mod speech_tokens;
mod users;

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::components::page_head::PageHead;
use crate::components::tabs::Tabs;
use crate::query::{query_string, use_query};
use crate::session::use_session;
use api_keys::ApiKeys;
use speech_tokens::SpeechTokens;
use users::Users;

const TOKENS: &str = "tokens";
const KEYS: &str = "keys";
const USERS: &str = "users";

const TABS: [(&str, &str); 3] = [(TOKENS, "Speech tokens"), (KEYS, "API keys"), (USERS, "Staff")];

#[component]
pub fn AccessPage() -> impl IntoView {
    let session = use_session();
    let query = use_query();
    let navigate = use_navigate();
    let selected = Memo::new(move |_| query.get("tab").unwrap_or_else(|| TOKENS.to_owned()));
    let on_select = Callback::new(move |tab: &'static str| {
        let options = NavigateOptions { scroll: false, ..Default::default() };
        navigate(&format!("/access{}", query_string(&[("tab", tab)])), options);
    });
    let tabs = move || {
        // Keys and staff are the administrators' alone, to look at too.
        let count = if session.is_admin() { TABS.len() } else { 1 };
        view! { <Tabs tabs=TABS[..count].to_vec() name="access" selected on_select /> }
    };
    let tab = Signal::derive(move || {
        let label = TABS.iter().find(|(value, _)| selected.with(|selected| selected == value)).map(|(_, label)| *label);
        label.unwrap_or("Access").to_owned()
    });
    let panel = move || match selected.get().as_str() {
        KEYS if session.is_admin() => view! { <ApiKeys /> }.into_any(),
        USERS if session.is_admin() => view! { <Users /> }.into_any(),
        _ => view! { <SpeechTokens /> }.into_any(),
    };
    view! {
        <PageHead title="Access" tab />
        {tabs}
        <section
            id="access-panel"
            role="tabpanel"
            aria-labelledby=move || format!("access-tab-{}", selected.get())
            class="stack"
        >
            {panel}
        </section>
    }
    .into_any()
}
