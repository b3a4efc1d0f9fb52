//! `/deliveries?…`: list of deliveries to callbacks with their state.

use leadscribe_engine::api::{ChangeEvent, Delivery, SpeechToken};
use leptos::prelude::*;

use crate::api::event_stream::use_event_stream;
use crate::api::{DeliveryQuery, ListQuery, use_api};
use crate::features::deliveries::filter;
use crate::features::deliveries::filter::DeliveryFilter;
use crate::features::deliveries::table::{COLUMNS, DEFAULT_ORDER, DeliveryTable};
use crate::i18n::texts::{common, deliveries as texts, endpoints, shell};
use crate::state::resource::ApiResource;
use crate::ui::empty_state::{EmptyState, NoMatches, PageOutOfRange};
use crate::ui::icon::Glyph;
use crate::ui::list::column_headers::OrderSelect;
use crate::ui::list::export_menu::{ExportMenu, export_files};
use crate::ui::list::invalid_query::ListError;
use crate::ui::list::pager::Pager;
use crate::ui::list::paginated_list::PaginatedList;
use crate::ui::list::total::Total;
use crate::ui::page_header::PageHeader;

#[component]
pub fn DeliveriesPage() -> impl IntoView {
    let api = use_api();
    let tokens = ApiResource::<Vec<SpeechToken>>::new();
    tokens.load(api.speech_tokens());
    let token_choices = Signal::derive(move || {
        let tokens = tokens.get().unwrap_or_default();
        tokens.into_iter().map(|token| (token.id.to_string(), token.name)).collect()
    });

    let build_url = |query: &DeliveryQuery| format!("/deliveries{}", query.query_string());
    let list = PaginatedList::<_, Delivery>::new(build_url, |_| "");
    let PaginatedList { list_query, page_resource, window, show, .. } = list;
    let load = move || page_resource.load(api.page(list.page_query()));
    Effect::new(move |_| {
        list_query.track();
        load();
    });
    let refresh = move || page_resource.refresh(api.page(list.page_query()));
    use_event_stream().reload_on(|change| matches!(change, ChangeEvent::Delivery { .. }), refresh);
    let (order, on_reset) = (list.order(DEFAULT_ORDER), list.on_reset());
    let (deliveries, is_empty, stale) = (list.items(), list.is_empty(), list.is_stale());
    let (is_past_end, on_first) = (list.is_past_end(), list.on_first_page());
    let table = move || match (is_past_end.get(), is_empty.get()) {
        (true, _) => view! { <PageOutOfRange glyph=Glyph::Deliveries on_first /> }.into_any(),
        (_, true) => {
            view! { <NoDeliveries is_filtered=list_query.with(ListQuery::has_conditions) on_reset /> }.into_any()
        }
        (_, false) => view! { <DeliveryTable deliveries stale order /> }.into_any(),
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
            <ListError
                error=list.error()
                field_parameters=&filter::FIELD_PARAMETERS
                reset_label=texts::show_all()
                on_reset
                on_retry=Callback::new(move |()| load())
            />
            <section class="table-card mobile-cards" hidden=move || page_resource.has_failed() aria-label=texts::found()>
                <OrderSelect headers=&COLUMNS order />
                {table} <Pager window total stale on_change=list.on_page() />
            </section>
        </div>
    }
}

#[component]
fn NoDeliveries(is_filtered: bool, on_reset: Callback<()>) -> impl IntoView {
    if is_filtered {
        let (title, text, reset_label) = (texts::no_match(), common::remove_filter_hint(), texts::show_all());
        return view! { <NoMatches glyph=Glyph::Deliveries title text reset_label on_reset /> }.into_any();
    }
    view! {
        <EmptyState glyph=Glyph::Deliveries title=texts::no_deliveries() text=common::no_deliveries_hint()>
            <a class="button button-primary" href="/transcripts">
                {common::search_transcripts()}
            </a>
        </EmptyState>
    }
    .into_any()
}
