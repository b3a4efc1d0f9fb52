//! Table of deliveries: state, target and result of the latest attempt.

use leadscribe_engine::api::{CallId, Delivery, Timestamp};
use leadscribe_engine::diagnostic::{Message, work};
use leptos::prelude::*;

use crate::api::to_sentence;
use crate::i18n::texts::{common, deliveries as texts, errors};
use crate::i18n::{datetime, language};
use crate::ui::delivery::callback_target::CallbackTarget;
use crate::ui::list::ColumnHeader;
use crate::ui::{LocalTime, OptionalLocalTime, StateBadge};

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
                {errors::request(id)}
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
            <td data-label=common::call() class="nowrap">{call_cell(delivery.call_id)}</td>
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

/// Link to the call, or a label for a test delivery.
pub fn call_cell(call: Option<CallId>) -> AnyView {
    match call {
        Some(id) => view! { <a href=format!("/calls/{id}")>{common::call_number(id)}</a> }.into_any(),
        None => view! { <span class="chip">{texts::test()}</span> }.into_any(),
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
