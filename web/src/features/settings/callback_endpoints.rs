//! Callback endpoints that received deliveries, with their success rates.

use leadscribe_engine::api::{CallbackEndpoint, ChangeEvent, Page};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::event_stream::use_event_stream;
use crate::api::use_api;
use crate::browser::query::{query_string, use_query};
use crate::i18n::texts::{common, endpoints};
use crate::state::resource::ApiResource;
use crate::ui::delivery::endpoint_table::EndpointTable;
use crate::ui::empty_state::EmptyState;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::icon::Glyph;
use crate::ui::list::page_size::PageSize;
use crate::ui::list::pager::{PageWindow, Pager};

#[component]
pub fn CallbackEndpoints() -> impl IntoView {
    let api = use_api();
    let page_resource = ApiResource::<Page<CallbackEndpoint>>::new();
    let (query, page_size) = (use_query(), PageSize::load("endpoints"));
    let window = Memo::new(move |_| {
        let window = query.get("limit").and_then(|limit| PageWindow::from_limit(&limit));
        window.unwrap_or_else(|| page_size.first_page())
    });
    let request_page = move || api.callback_endpoints(window.get_untracked().limit());
    let load = Callback::new(move |()| page_resource.load(request_page()));
    Effect::new(move |_| {
        window.track();
        load.run(());
    });
    use_event_stream().reload_on(
        |change| matches!(change, ChangeEvent::Delivery { .. }),
        move || page_resource.refresh(request_page()),
    );
    let navigate = use_navigate();
    let on_page = Callback::new(move |selected: PageWindow| {
        page_size.store_if_changed(window.get_untracked(), selected);
        let options = NavigateOptions { scroll: false, ..Default::default() };
        let limit = selected.limit();
        navigate(&format!("/settings{}", query_string(&[("tab", "endpoints"), ("limit", &limit)])), options);
    });
    let total =
        Signal::derive(move || page_resource.with(|request_page| request_page.map(|request_page| request_page.total)));
    let endpoints = Signal::derive(move || {
        page_resource.with(|request_page| request_page.map(|request_page| request_page.items.clone()))
    });
    let is_without_endpoints = Memo::new(move |_| total.get() == Some(0));
    let table = move || {
        if is_without_endpoints.get() {
            return view! {
                <EmptyState glyph=Glyph::Deliveries title=endpoints::none_yet() text=common::no_deliveries_hint()>
                    <a class="button button-primary" href="/transcripts">
                        {common::search_transcripts()}
                    </a>
                </EmptyState>
            }
            .into_any();
        }
        let stale = Signal::derive(move || page_resource.is_loading() && endpoints.with(Option::is_some));
        view! {
            <EndpointTable items=endpoints stale />
            <Pager window total on_change=on_page />
        }
        .into_any()
    };
    view! {
        <p class="secondary">{endpoints::hint()}</p>
        {move || page_resource.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <section class="table-card mobile-cards" hidden=move || page_resource.has_failed() aria-label=endpoints::endpoints()>
            {table}
        </section>
    }
    .into_any()
}
