//! Timeline of a delivery's attempts.

use leadscribe_engine::api::{Delivery, DeliveryAttempt, DeliveryState};
use leptos::prelude::*;

use super::table::response_cell;
use crate::i18n::datetime;
use crate::i18n::texts::{common, deliveries as texts};
use crate::ui::{Glyph, Icon, LocalTime};

/// The attempts, latest first, preceded by the next one.
#[component]
pub fn AttemptList(delivery: Delivery, attempts: Vec<DeliveryAttempt>) -> impl IntoView {
    let is_delivering = delivery.state == DeliveryState::Delivering;
    let next_attempt_at = delivery.next_attempt_at;
    let next_attempt_text = move || match next_attempt_at.filter(|_| !is_delivering) {
        None => texts::in_progress().to_owned(),
        Some(at) if datetime::is_future(at) => texts::next_attempt(datetime::format_relative(at)),
        Some(at) => texts::next_attempt_due(datetime::format_relative(at)),
    };
    let next_item = (is_delivering || next_attempt_at.is_some()).then(|| {
        view! {
            <li class="attempt attempt-next" data-test="attempt-next">
                <span class="attempt-mark"><Icon glyph=Glyph::Clock /></span>
                <span class="strong">{next_attempt_text}</span>
            </li>
        }
    });
    let items = attempts.into_iter().rev().map(attempt_item).collect_view();
    view! { <ol>{next_item} {items}</ol> }
}

fn attempt_item(attempt: DeliveryAttempt) -> impl IntoView {
    let (glyph, tone) = match attempt.error {
        None => (Glyph::Check, "attempt-mark tone-success"),
        Some(_) => (Glyph::Close, "attempt-mark tone-danger"),
    };
    view! {
        <li class="attempt" data-test="attempt" data-number=attempt.number.to_string()>
            <span class=tone><Icon glyph /></span>
            <div class="stack-tight">
                <div class="row">
                    <span class="strong">{texts::attempt(attempt.number)}</span>
                    <span class="secondary small"><LocalTime at=attempt.started_at /></span>
                    <span class="muted small">{format_duration(attempt.duration_ms)}</span>
                </div>
                {response_cell(attempt.status, attempt.error)}
            </div>
        </li>
    }
}

/// Formats a duration: `< 1 ms`, `12 ms`, `1.5 s`.
fn format_duration(milliseconds: u32) -> String {
    match milliseconds {
        0 => texts::under_one_millisecond().to_owned(),
        1..1_000 => texts::milliseconds_text(milliseconds),
        _ => common::seconds(datetime::format_tenths(f64::from(milliseconds) / 1_000.0)),
    }
}
