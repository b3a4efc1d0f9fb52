//! Timeline of a delivery's attempts.

use leadscribe_engine::api::{Delivery, DeliveryAttempt, DeliveryState};
use leptos::prelude::*;

use super::table::answer;
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;
use crate::texts::deliveries as texts;
use crate::when;

/// The attempts, latest first, preceded by the next one.
#[component]
pub fn AttemptList(delivery: Delivery, attempts: Vec<DeliveryAttempt>) -> impl IntoView {
    let is_under_way = delivery.state == DeliveryState::Delivering;
    let next = delivery.next_attempt_at;
    let text = move || match next.filter(|_| !is_under_way) {
        None => texts::under_way().to_owned(),
        Some(at) if when::is_ahead(at) => texts::next_attempt(when::relative(at)),
        Some(at) => texts::next_attempt_due(when::relative(at)),
    };
    let coming = (is_under_way || next.is_some()).then(|| {
        view! {
            <li class="attempt attempt-coming" data-test="attempt-coming">
                <span class="attempt-mark"><Icon glyph=Glyph::Clock /></span>
                <span class="strong">{text}</span>
            </li>
        }
    });
    let items = attempts.into_iter().rev().map(attempt).collect_view();
    view! { <ol class="attempts">{coming} {items}</ol> }
}

fn attempt(attempt: DeliveryAttempt) -> impl IntoView {
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
                    <span class="secondary small"><Moment at=attempt.at /></span>
                    <span class="muted small">{took(attempt.duration_ms)}</span>
                </div>
                {answer(attempt.status, attempt.error)}
            </div>
        </li>
    }
}

/// Formats a duration: `< 1 ms`, `12 ms`, `1.5 s`.
fn took(milliseconds: u32) -> String {
    match milliseconds {
        0 => texts::took_less().to_owned(),
        1..1_000 => texts::took_milliseconds(milliseconds),
        _ => texts::took_seconds(when::tenths(f64::from(milliseconds) / 1_000.0)),
    }
}
