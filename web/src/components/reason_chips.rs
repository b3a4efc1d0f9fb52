//! Why a lead can't be called now: one chip a reason, its rule on hover and to screen readers.

use leadscribe_engine::api::{NotCallableCode, NotCallableReason};
use leptos::prelude::*;

use super::badge::Tone;
use super::prose::plain;
use crate::when;

/// What staff call a reason.
pub const fn reason_label(code: NotCallableCode) -> &'static str {
    match code {
        NotCallableCode::CampaignInactive => "Campaign off",
        NotCallableCode::NotInCampaign => "In no campaign",
        NotCallableCode::Frozen => "Frozen",
        NotCallableCode::CallbackScheduled => "Callback agreed",
        NotCallableCode::OutsideCallingHours => "Outside hours",
        NotCallableCode::TimezoneUnknown => "Time zone unknown",
        NotCallableCode::DoNotCall => "Do not call",
        NotCallableCode::Blacklisted => "Blacklisted",
        NotCallableCode::AttemptLimit => "Attempts used up",
        NotCallableCode::DailyLimit => "Daily limit",
        NotCallableCode::StatusNotDialable => "Status not dialable",
        NotCallableCode::NoPhone => "No phone",
        NotCallableCode::InvalidPhone => "Phone invalid",
    }
}

/// What time cures is a warning, what somebody decided is a danger, what is missing is neutral.
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

/// The chips of some reasons; of none, nothing.
#[component]
pub fn ReasonChips(reasons: Vec<NotCallableReason>) -> impl IntoView {
    let chips = reasons.into_iter().map(|reason| {
        let until = reason.until.map(|until| format!(" {}", when::distance(until)));
        let title = match reason.until {
            Some(until) => format!("{} Until {}.", plain(&reason.detail), when::exact(until)),
            None => plain(&reason.detail),
        };
        view! {
            <li class=format!("chip {}", tone(reason.code).class()) title=title.clone() data-test="reason" data-code=reason.code.as_str()>
                {reason_label(reason.code)}
                {until.map(|until| view! { <span>{until}</span> })}
                <span class="visually-hidden">" – " {title.clone()}</span>
            </li>
        }
    });
    view! { <ul class="chips">{chips.collect_view()}</ul> }
}
