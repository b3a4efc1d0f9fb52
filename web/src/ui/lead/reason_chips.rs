//! Chips for the reasons why a lead can't be called, with the rule on hover and for screen readers.

use leadscribe_engine::api::{NotCallableCode, NotCallableReason, Timestamp};
use leptos::prelude::*;

use crate::i18n::texts::lead_table as texts;
use crate::i18n::{datetime, language};
use crate::ui::Tone;
use crate::ui::prose::plain;

/// Temporary reasons are warnings, decisions of staff are dangers, and missing data is neutral.
const fn tone(code: NotCallableCode) -> Tone {
    match code {
        NotCallableCode::Frozen
        | NotCallableCode::CallbackScheduled
        | NotCallableCode::OutsideCallingHours
        | NotCallableCode::DailyLimit => Tone::Warning,
        NotCallableCode::DoNotCall
        | NotCallableCode::Blacklisted
        | NotCallableCode::AttemptLimit
        | NotCallableCode::StatusNotDialable => Tone::Danger,
        NotCallableCode::CampaignInactive
        | NotCallableCode::NotInCampaign
        | NotCallableCode::TimezoneUnknown
        | NotCallableCode::NoPhone
        | NotCallableCode::InvalidPhone => Tone::Neutral,
    }
}

/// Chips of these reasons; renders nothing if there are none.
#[component]
pub fn ReasonChips(reasons: Vec<NotCallableReason>) -> impl IntoView {
    let chips = reasons.into_iter().map(|reason| {
        let until = reason.until.map(|until| {
            // After the end time has passed, the server may have set a new one.
            let remaining = move || if datetime::is_past(until) { String::new() } else { format!(" {}", datetime::format_distance(until)) };
            view! { <span>{Signal::derive(remaining)}</span> }
        });
        let describe = |format_time: fn(Timestamp) -> String| match reason.until {
            Some(until) => texts::rule_until(plain(&reason.detail), format_time(until)),
            None => plain(&reason.detail),
        };
        let label = reason.code.label(language());
        // A narrow column may cut off the chip, so the title contains the label.
        let title = format!("{label} – {}", describe(datetime::format_exact));
        view! {
            <li class=format!("chip {}", tone(reason.code).class()) title=title data-test="reason" data-code=reason.code.as_str()>
                {label}
                {until}
                <span class="visually-hidden">" – " {describe(datetime::format_local)}</span>
            </li>
        }
    });
    view! { <ul class="chips">{chips.collect_view()}</ul> }
}
