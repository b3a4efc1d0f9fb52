//! `/deliveries?…`: list of deliveries to callbacks with their state.

use leadscribe_engine::api::{ChangeEvent, Delivery, DeliveryState, Timestamp};
use leadscribe_engine::diagnostic::{Diagnostic, Message, work};
use leptos::prelude::*;

use crate::api::{DeliveryQuery, ListQuery, to_sentence, use_api, use_event_stream};
use crate::i18n::texts::{common, deliveries as texts, endpoints, problems, shell};
use crate::i18n::{datetime, diagnostics_signal, language};
use crate::state::ApiResource;
use crate::ui::callback_form::CallbackTarget;
use crate::ui::input::{Choice, FieldAccessor, NumberInput, Select, enum_choices, query_field};
use crate::ui::list::{ColumnHeader, ExportMenu, ItemTable, ListSection, PaginatedList, Total, export_files};
use crate::ui::{BadgeState, EmptyState, Glyph, LocalTime, OptionalLocalTime, PageHeader, StateBadge};

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
                field_parameters=&FIELD_PARAMETERS
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

/// Parameters whose diagnostics are shown at their inputs.
const FIELD_PARAMETERS: [&str; 2] = ["call_id", "speech_request_id"];

#[component]
fn DeliveryFilter(
    query: Memo<DeliveryQuery>,
    /// Tokens, by id.
    tokens: Signal<Vec<Choice>>,
    /// Diagnostics that the server found in the query.
    diagnostics: Signal<Vec<Diagnostic>>,
    on_change: Callback<DeliveryQuery>,
) -> impl IntoView {
    let input = move |accessor: FieldAccessor<DeliveryQuery>| query_field(query, on_change, accessor);
    let states = Signal::stored(enum_choices(DeliveryState::ALL, DeliveryState::as_str, BadgeState::state_label));
    let (state, set_state) = input(|query| &mut query.state);
    let (token, set_token) = input(|query| &mut query.token_id);
    let number_input = move |label, test_id, name, accessor| {
        let (value, set) = input(accessor);
        view! { <NumberInput label test_id diagnostics=diagnostics_signal(diagnostics, name) value set /> }
    };
    view! {
        <form class="call-filter" role="search" aria-label=shell::deliveries() on:submit=|event| event.prevent_default()>
            <Select label=common::status() empty_label=common::any_status() choices=states value=state set=set_state />
            <Select label=common::token() empty_label=common::any_token() choices=tokens value=token set=set_token />
            {number_input(common::call(), "delivery-call", "call_id", |query| &mut query.call_id)}
            {number_input(texts::request(), "delivery-request", "speech_request_id", |query| {
                &mut query.speech_request_id
            })}
        </form>
    }
}

pub static COLUMNS: [ColumnHeader; 7] = [
    ColumnHeader::new(texts::delivery).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(common::status).sorted_by("state"),
    ColumnHeader::new(common::call).sorted_by("-call_id"),
    ColumnHeader::new(texts::endpoint).sorted_by("callback.callback_url"),
    ColumnHeader::new(common::attempts).sorted_by("-attempts"),
    ColumnHeader::new(texts::last_response).sorted_by("last_status"),
    ColumnHeader::new(common::created).sorted_by("-created_at"),
];

pub const DEFAULT_ORDER: &str = "-id";

pub fn delivery_row(delivery: Delivery) -> AnyView {
    let id = delivery.id.to_string();
    let request = delivery.speech_request_id.map(|id| {
        view! {
            <a class="cell-detail" href=format!("/deliveries?speech_request_id={id}")>
                {problems::request(id)}
            </a>
        }
    });
    let next = delivery.next_attempt_at.map(|at| {
        view! { <div class="cell-detail nowrap">{move || next_attempt_text(at)}</div> }
    });
    let finished = delivery.finished_at.map(|at| {
        view! { <div class="cell-detail nowrap">{move || datetime::format_relative(at)}</div> }
    });
    view! {
        <tr data-row="" data-test="delivery-row" data-id=id.clone()>
            <td class="lead-cell nowrap">
                <a class="row-link" data-row-link="" href=format!("/deliveries/{id}")>"#" {id.clone()}</a>
                <div>{request}</div>
            </td>
            <td data-label=common::status()>
                <div><StateBadge state=delivery.state /> {next} {finished}</div>
            </td>
            <td data-label=common::call() class="nowrap">{call_cell(&delivery)}</td>
            <td data-label=texts::endpoint()>
                <CallbackTarget callback=delivery.callback />
            </td>
            <td data-label=common::attempts()>{delivery.attempts.to_string()}</td>
            <td data-label=texts::last_response()>{response_cell(delivery.last_status, delivery.last_error)}</td>
            <td data-label=common::created() class="nowrap">
                <LocalTime at=delivery.created_at />
            </td>
        </tr>
    }
    .into_any()
}

/// Time of the next attempt.
fn next_attempt_text(at: Timestamp) -> String {
    if datetime::is_future(at) {
        texts::next(datetime::format_relative(at))
    } else {
        texts::due(datetime::format_relative(at))
    }
}

/// Link to the call, or a label for a test delivery or an event of another record.
pub fn call_cell(delivery: &Delivery) -> AnyView {
    match (delivery.call_id, delivery.event) {
        (Some(id), _) => view! { <a href=format!("/calls/{id}")>{common::call_number(id)}</a> }.into_any(),
        (None, Some(event)) => view! { <span class="chip mono">{event.as_str()}</span> }.into_any(),
        (None, None) => view! { <span class="chip">{texts::test()}</span> }.into_any(),
    }
}

/// Status and error of an attempt.
pub fn response_cell(status: Option<u16>, error: Option<Message>) -> AnyView {
    let has_failed = error.is_some();
    // Hidden if the error only repeats the status.
    let error = error.filter(|error| status.is_none_or(|status| *error != work::response_status(u32::from(status))));
    let class = if has_failed { "chip mono tone-danger" } else { "chip mono tone-success" };
    let status = status.map(|status| view! { <span class=class>{status.to_string()}</span> });
    if status.is_none() && error.is_none() {
        return view! { <OptionalLocalTime at=None /> }.into_any();
    }
    view! {
        <span class="delivery-response">
            {status} {error.map(|error| view! { <span class="secondary">{to_sentence(&error.text(language()))}</span> })}
        </span>
    }
    .into_any()
}
