//! Callback endpoints that received deliveries, with their success rates.

use leadscribe_engine::api::{CallbackEndpoint, Change, Page};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::use_api;
use crate::components::delivery::endpoint_table::EndpointTable;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::components::list::pager::{Pager, Window};
use crate::live::use_live;
use crate::query::{query_string, use_query};
use crate::remote::Remote;
use crate::texts::endpoints;

const FIRST_PAGE: Window = Window { size: 50, offset: 0 };

#[component]
pub fn CallbackEndpoints() -> impl IntoView {
    let api = use_api();
    let found = Remote::<Page<CallbackEndpoint>>::new();
    let query = use_query();
    let window =
        Memo::new(move |_| query.get("limit").and_then(|limit| Window::from_limit(&limit)).unwrap_or(FIRST_PAGE));
    let page = move || api.callback_endpoints(window.get_untracked().limit());
    let load = Callback::new(move |()| found.load(page()));
    Effect::new(move |_| {
        window.track();
        load.run(());
    });
    use_live().reload(|change| matches!(change, Change::Delivery { .. }), move || found.refresh(page()));
    let navigate = use_navigate();
    let on_page = Callback::new(move |window: Window| {
        let options = NavigateOptions { scroll: false, ..Default::default() };
        let limit = window.limit();
        navigate(&format!("/settings{}", query_string(&[("tab", "endpoints"), ("limit", &limit)])), options);
    });
    let total = Signal::derive(move || found.with(|page| page.map(|page| page.total)));
    let endpoints = Signal::derive(move || found.with(|page| page.map(|page| page.items.clone())));
    let none_yet = Memo::new(move |_| total.get() == Some(0));
    let table = move || {
        if none_yet.get() {
            return view! {
                <Empty glyph=Glyph::Deliveries title=endpoints::none() text=endpoints::none_about()>
                    <a class="button button-primary" href="/transcripts">
                        {endpoints::search_transcripts()}
                    </a>
                </Empty>
            }
            .into_any();
        }
        let stale = Signal::derive(move || found.is_loading() && endpoints.with(Option::is_some));
        view! {
            <EndpointTable found=endpoints stale />
            <Pager window total on_change=on_page />
        }
        .into_any()
    };
    view! {
        <p class="secondary">{endpoints::about()}</p>
        {move || found.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=endpoints::endpoints()>
            {table}
        </section>
    }
    .into_any()
}
