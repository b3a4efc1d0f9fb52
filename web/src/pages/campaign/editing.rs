//! Shared by the pages of an existing and a new campaign.

use leadscribe_engine::api::Campaign;
use leadscribe_engine::callable::days_in_short;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::attempt::Attempt;
use crate::components::audit::changed_fields::label_of;
use crate::components::campaign::draft::CampaignDraft;
use crate::components::campaign::form::SHOWN;
use crate::components::campaign::table::times;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::language::language;
use crate::texts::{campaigns as texts, forms};

/// Faults of the engine and the server. The server's faults are cleared by the next change.
pub fn all_faults(
    own: Signal<Vec<Diagnostic>>,
    draft: RwSignal<CampaignDraft>,
    attempt: Attempt,
) -> Signal<Vec<Diagnostic>> {
    Effect::new(move |_| {
        draft.track();
        attempt.clear();
    });
    Signal::derive(move || {
        let mut faults = own.get();
        faults.extend(attempt.refusal().iter().flat_map(|error| error.faults()).cloned());
        faults
    })
}

/// Refusal without the faults that the inputs show themselves.
pub fn refusal(attempt: Attempt) -> Option<AnyView> {
    attempt.refusal_beside(&SHOWN).map(|error| view! { <ErrorNotice error /> }.into_any())
}

/// Text of a field of a campaign.
pub fn told(campaign: &Campaign, name: &str) -> String {
    let limit = |limit: Option<u32>| limit.map_or_else(|| texts::without_limit().to_owned(), |limit| limit.to_string());
    let value = match name {
        "active" => if campaign.active { texts::active() } else { texts::off() }.to_owned(),
        "calling_hours" => match &campaign.calling_hours {
            None => texts::at_any_time().to_owned(),
            Some(hours) => format!("{}, {}", days_in_short(&hours.days, language()), times(hours)),
        },
        "max_attempts" => limit(campaign.max_attempts),
        "daily_attempts" => limit(campaign.daily_attempts),
        "freeze_minutes" => campaign.freeze_minutes.to_string(),
        _ => campaign.name.clone(),
    };
    forms::field_is_now(label_of(name), value)
}

/// Link back to the list.
pub fn to_all() -> AnyView {
    view! {
        <a class="breadcrumb" href="/campaigns">
            <Icon glyph=Glyph::Previous />
            {texts::all_campaigns()}
        </a>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::CampaignId;

    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn conflict_shows_campaign_values_as_in_the_form() {
        let campaign = Campaign {
            id: CampaignId(7),
            name: "Solar".to_owned(),
            active: false,
            calling_hours: serde_json::from_str(r#"{"start":"09:00","end":"20:00","days":["mon","tue"]}"#).unwrap(),
            max_attempts: None,
            daily_attempts: Some(2),
            freeze_minutes: 90,
            created_at: Default::default(),
            updated_at: Default::default(),
        };
        let all =
            || ["name", "active", "calling_hours", "max_attempts", "daily_attempts"].map(|name| told(&campaign, name));
        let expected = [
            "Name: now Solar",
            "Status: now Off",
            "Calling hours: now Mon, Tue, 09:00–20:00",
            "Max. calls: now No limit",
            "Max. calls per day: now 2",
        ];
        assert_eq!(all(), expected);
        speak(Language::German);
        assert_eq!(all()[1..3], ["Status: jetzt Inaktiv", "Anrufzeiten: jetzt Mo, Di, 09:00–20:00"]);
    }
}
