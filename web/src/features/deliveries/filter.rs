//! Filter of the list of deliveries. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::DeliveryState;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::DeliveryQuery;
use crate::i18n::diagnostics_signal;
use crate::i18n::texts::{common, deliveries as texts, shell};
use crate::ui::BadgeState;
use crate::ui::input::{Choice, FieldAccessor, NumberInput, Select, enum_choices, query_field};

/// Parameters whose diagnostics are shown at their inputs.
pub const FIELD_PARAMETERS: [&str; 2] = ["call_id", "speech_request_id"];

#[component]
pub fn DeliveryFilter(
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
