//! Endpoints with the counts of their deliveries and the times of the latest ones.

use leadscribe_engine::api::{CallbackEndpoint, ChangeEvent, DeliveryState};
use leptos::prelude::*;

use crate::api::{DeliveryQuery, EndpointQuery, ListQuery, use_api, use_event_stream};
use crate::browser::query::query_string;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, endpoints};
use crate::ui::callback_form::split_url;
use crate::ui::list::{ColumnHeader, ItemTable, Pager, PaginatedList};
use crate::ui::{EmptyState, ErrorNotice, Glyph, OptionalLocalTime};

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
    let (items, total, stale) = (list.items(), list.total(), list.is_stale());
    let is_without_endpoints = Memo::new(move |_| total.get() == Some(0));
    let table = move || {
        if is_without_endpoints.get() {
            let (title, text) = (endpoints::none_yet(), common::no_deliveries_hint());
            let link = ("/transcripts", common::search_transcripts());
            return view! { <EmptyState glyph=Glyph::Deliveries title text link is_primary=true /> }.into_any();
        }
        view! {
            <ItemTable caption=endpoints::endpoints() columns=&COLUMNS items stale skeleton_rows=4 row />
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

static COLUMNS: [ColumnHeader; 6] = [
    ColumnHeader::new(endpoints::endpoint),
    ColumnHeader::new(endpoints::waiting).class("number"),
    ColumnHeader::new(common::delivered).class("number"),
    ColumnHeader::new(common::failed).class("number"),
    ColumnHeader::new(endpoints::last_delivered),
    ColumnHeader::new(endpoints::last_failed),
];

fn row(endpoint: CallbackEndpoint) -> AnyView {
    let (host, path) = split_url(&endpoint.callback_url);
    let id = endpoint.latest_delivery_id.to_string();
    let list_href = move |state: &str| {
        let query = DeliveryQuery { same_url_as: id.clone(), state: state.to_owned(), ..DeliveryQuery::default() };
        format!("/deliveries{}", query.query_string())
    };
    let failed = match endpoint.failed {
        0 => format_count(0).into_any(),
        failed_count => {
            let href = list_href(DeliveryState::Failed.as_str());
            view! { <a class="chip tone-danger" href=href data-test="endpoint-failed">{format_count(failed_count)}</a> }
                .into_any()
        }
    };
    view! {
        <tr data-row="" data-test="endpoint-row">
            <td class="lead-cell">
                <a href=list_href("") class="target-url" data-row-link="" data-test="endpoint">
                    <span class="strong">{host}</span>
                    <span class="muted">{path}</span>
                </a>
            </td>
            <td data-label=endpoints::waiting() class="number">{format_count(endpoint.pending)}</td>
            <td data-label=common::delivered() class="number">{format_count(endpoint.delivered)}</td>
            <td data-label=common::failed() class="number">{failed}</td>
            <td data-label=endpoints::last_delivered() class="nowrap">
                <OptionalLocalTime at=endpoint.last_delivered_at relative=true />
            </td>
            <td data-label=endpoints::last_failed() class="nowrap">
                <OptionalLocalTime at=endpoint.last_failed_at relative=true />
            </td>
        </tr>
    }
    .into_any()
}
