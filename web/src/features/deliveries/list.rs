//! `/deliveries?…`: list of deliveries to callbacks with their state.

use leadscribe_engine::api::{ChangeEvent, Delivery};
use leptos::prelude::*;

use crate::api::{DeliveryQuery, ListQuery, use_api, use_event_stream};
use crate::features::deliveries::filter;
use crate::features::deliveries::filter::DeliveryFilter;
use crate::features::deliveries::table::{COLUMNS, DEFAULT_ORDER, delivery_row};
use crate::i18n::texts::{common, deliveries as texts, endpoints, shell};
use crate::state::ApiResource;
use crate::ui::list::{ExportMenu, ItemTable, ListSection, PaginatedList, Total, export_files};
use crate::ui::{EmptyState, Glyph, PageHeader};

#[component]
pub fn DeliveriesPage() -> impl IntoView {
    let api = use_api();
    let tokens = ApiResource::requested(api.speech_tokens());
    let token_choices = Signal::derive(move || {
        let tokens = tokens.get().unwrap_or_default();
        tokens.into_iter().map(|token| (token.id.to_string(), token.name)).collect()
    });

    let build_url = |query: &DeliveryQuery| format!("/deliveries{}", query.query_string());
    let list = PaginatedList::<_, Delivery>::new(build_url, |_| "");
    let PaginatedList { list_query, page_resource, show, .. } = list;
    let on_retry = list.load_with(move |query| api.page(query));
    let refresh = move || page_resource.refresh(api.page(list.page_query()));
    use_event_stream().reload_on(|change| matches!(change, ChangeEvent::Delivery { .. }), refresh);
    let (order, items, stale) = (list.order(DEFAULT_ORDER), list.items(), list.is_stale());
    let table = move || {
        view! { <ItemTable caption=shell::deliveries() columns=&COLUMNS order items stale row=delivery_row /> }
    };
    let empty = || {
        view! {
            <EmptyState
                glyph=Glyph::Deliveries
                title=texts::no_deliveries()
                text=common::no_deliveries_hint()
                link=("/transcripts", common::search_transcripts())
                is_primary=true
            />
        }
    };
    let endpoint_notice = move || {
        let id = list_query.get().same_url_as;
        let show_all_endpoints = move |_| {
            show.run(DeliveryQuery { same_url_as: String::new(), ..list_query.get_untracked().first_page() });
        };
        (!id.is_empty()).then(|| {
            view! {
                <p class="row small" data-test="endpoint-filter">
                    <span>{endpoints::only_deliveries_to_endpoint(id)}</span>
                    <button type="button" class="button button-small" data-test="all-endpoints" on:click=show_all_endpoints>
                        {endpoints::all()}
                    </button>
                </p>
            }
        })
    };
    let total = list.total();
    let note = move || view! { <Total total format=texts::deliveries /> };
    view! {
        <PageHeader title=shell::deliveries() note=ViewFn::from(note)>
            <ExportMenu files=export_files(list_query) />
        </PageHeader>
        <div class="stack">
            <DeliveryFilter query=list_query tokens=token_choices diagnostics=list.diagnostics() on_change=show />
            {endpoint_notice}
            <ListSection
                list
                label=texts::found()
                field_parameters=&filter::FIELD_PARAMETERS
                columns=&COLUMNS
                order
                glyph=Glyph::Deliveries
                no_match=(texts::no_match(), common::remove_filter_hint())
                reset_label=texts::show_all()
                on_retry
                empty
                table
            />
        </div>
    }
}
