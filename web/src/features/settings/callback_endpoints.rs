//! Callback endpoints that received deliveries, with their success rates.

use leadscribe_engine::api::{CallbackEndpoint, ChangeEvent};
use leptos::prelude::*;

use crate::api::{EndpointQuery, ListQuery, use_api, use_event_stream};
use crate::browser::query::query_string;
use crate::i18n::texts::{common, endpoints};
use crate::ui::delivery::endpoint_table::EndpointTable;
use crate::ui::list::{Pager, PaginatedList};
use crate::ui::{EmptyState, ErrorNotice, Glyph};

#[component]
pub fn CallbackEndpoints() -> impl IntoView {
    let api = use_api();
    let build_url = |query: &EndpointQuery| {
        format!("/settings{}", query_string(&[&[("tab", "endpoints")], query.pairs().as_slice()].concat()))
    };
    let list = PaginatedList::<_, CallbackEndpoint>::new(build_url, |_| "");
    let PaginatedList { page_resource, window, .. } = list;
    let load = list.load_with(move |query| api.page(query));
    use_event_stream().reload_on(
        |change| matches!(change, ChangeEvent::Delivery { .. }),
        move || page_resource.refresh(api.page(list.page_query())),
    );
    let total = list.total();
    let is_without_endpoints = Memo::new(move |_| total.get() == Some(0));
    let table = move || {
        if is_without_endpoints.get() {
            let (title, text) = (endpoints::none_yet(), common::no_deliveries_hint());
            let link = ("/transcripts", common::search_transcripts());
            return view! { <EmptyState glyph=Glyph::Deliveries title text link is_primary=true /> }.into_any();
        }
        view! {
            <EndpointTable items=list.items() stale=list.is_stale() />
            <Pager window total on_change=list.on_page() />
        }
        .into_any()
    };
    view! {
        <p class="secondary">{endpoints::hint()}</p>
        {move || page_resource.error.get().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <section class="table-card mobile-cards" hidden=move || page_resource.has_failed() aria-label=endpoints::endpoints()>
            {table}
        </section>
    }
    .into_any()
}
