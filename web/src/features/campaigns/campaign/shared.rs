//! Shared by the pages of an existing and a new campaign.

use leadscribe_engine::api::Campaign;
use leadscribe_engine::callable::format_days;
use leptos::prelude::*;

use crate::features::campaigns::form::FIELD_POINTERS;
use crate::features::campaigns::table::format_hours;
use crate::i18n::language;
use crate::i18n::texts::{campaigns as texts, forms};
use crate::state::Mutation;
use crate::ui::ErrorNotice;
use crate::ui::audit::changed_fields::field_label;

/// Error without the diagnostics that the inputs show themselves.
pub fn form_error_notice(mutation: Mutation) -> Option<AnyView> {
    mutation.form_error(&FIELD_POINTERS).map(|error| view! { <ErrorNotice error /> }.into_any())
}

/// Text of a field of a campaign.
pub fn describe_field(campaign: &Campaign, name: &str) -> String {
    let limit = |limit: Option<u32>| limit.map_or_else(|| texts::without_limit().to_owned(), |limit| limit.to_string());
    let value = match name {
        "active" => if campaign.active { texts::active() } else { texts::inactive() }.to_owned(),
        "calling_hours" => match &campaign.calling_hours {
            None => texts::at_any_time().to_owned(),
            Some(hours) => format!("{}, {}", format_days(&hours.days, language()), format_hours(hours)),
        },
        "max_attempts" => limit(campaign.max_attempts),
        "daily_attempts" => limit(campaign.daily_attempts),
        "freeze_minutes" => campaign.freeze_minutes.to_string(),
        _ => campaign.name.clone(),
    };
    forms::field_is_now(field_label(name), value)
}

/// Path and label of the link back to the list.
pub fn back_link() -> (&'static str, &'static str) {
    ("/campaigns", texts::all_campaigns())
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::CampaignId;

    use crate::features::campaigns::campaign::shared::*;
    use crate::i18n::locale::{Language, set_language};

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
        let lines = || {
            ["name", "active", "calling_hours", "max_attempts", "daily_attempts"]
                .map(|name| describe_field(&campaign, name))
        };
        let expected = [
            "Name: now Solar",
            "Status: now Inactive",
            "Calling hours: now Mon, Tue, 09:00–20:00",
            "Max. calls: now No limit",
            "Max. calls per day: now 2",
        ];
        assert_eq!(lines(), expected);
        set_language(Language::German);
        assert_eq!(lines()[1..3], ["Status: jetzt Inaktiv", "Anrufzeiten: jetzt Mo, Di, 09:00–20:00"]);
    }
}
