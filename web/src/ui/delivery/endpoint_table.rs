//! Callback URLs that results were delivered to, with the outcome of the deliveries.

use leadscribe_engine::api::{CallbackEndpoint, DeliveryState};
use leptos::prelude::*;

use super::callback_target::split_url;
use crate::api::{DeliveryQuery, ListQuery};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, endpoints};
use crate::ui::OptionalLocalTime;
use crate::ui::list::{ColumnHeader, ItemTable};

static COLUMNS: [ColumnHeader; 6] = [
    ColumnHeader::new(endpoints::endpoint),
    ColumnHeader::new(endpoints::waiting).class("number"),
    ColumnHeader::new(common::delivered).class("number"),
    ColumnHeader::new(common::failed).class("number"),
    ColumnHeader::new(endpoints::last_delivered),
    ColumnHeader::new(endpoints::last_failed),
];

#[component]
pub fn EndpointTable(
    /// `None` until the first response arrives.
    items: Signal<Option<Vec<CallbackEndpoint>>>,
    stale: Signal<bool>,
) -> impl IntoView {
    view! { <ItemTable caption=endpoints::endpoints() columns=&COLUMNS items stale skeleton_rows=4 row /> }
}

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
