//! Filter of the list of deliveries. Each change applies immediately and returns to the first page.

use leadscribe_engine::api::DeliveryState;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::DeliveryQuery;
use crate::components::badge::delivery_state_name;
use crate::components::input::chip_picker::Choice;
use crate::components::input::filter_inputs::{Member, NumberInput, Pick, input_of, named};
use crate::faults::faults_at;
use crate::texts::{deliveries as texts, shell};

/// Parameters whose faults are shown at their inputs.
pub const SHOWN: [&str; 2] = ["call_id", "speech_request_id"];

/// The filter.
#[component]
pub fn DeliveryFilter(
    wanted: Memo<DeliveryQuery>,
    /// Tokens, by id.
    tokens: Signal<Vec<Choice>>,
    /// Faults that the server found in the query.
    faults: Signal<Vec<Diagnostic>>,
    on_change: Callback<DeliveryQuery>,
) -> impl IntoView {
    let input = move |member: Member<DeliveryQuery>| input_of(wanted, on_change, member);
    let at = move |name: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, name)));
    let states = Signal::stored(named(DeliveryState::ALL, DeliveryState::as_str, delivery_state_name));
    let (state, set_state) = input(|query| &mut query.state);
    let (token, set_token) = input(|query| &mut query.token_id);
    let (call, set_call) = input(|query| &mut query.call_id);
    let (request, set_request) = input(|query| &mut query.speech_request_id);
    view! {
        <form class="call-filter" role="search" aria-label=shell::deliveries() on:submit=|event| event.prevent_default()>
            <Pick label=texts::state() none=texts::any_state() choices=states value=state set=set_state />
            <Pick label=texts::token() none=texts::any_token() choices=tokens value=token set=set_token />
            <NumberInput label=texts::call() test="delivery-call" faults=at("call_id") value=call set=set_call />
            <NumberInput label=texts::request() test="delivery-request" faults=at("speech_request_id") value=request set=set_request />
        </form>
    }
}
