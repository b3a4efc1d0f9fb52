//! Labels of the reasons, in every language.

use crate::api::NotCallableCode as Code;
use crate::wording::{Language, wording};

wording! {
    campaign_inactive: "Campaign inactive" | "Kampagne inaktiv";
    not_in_campaign: "Not in a campaign" | "In keiner Kampagne";
    frozen: "Frozen" | "Pausiert";
    callback_scheduled: "Callback scheduled" | "Rückruf vereinbart";
    outside_calling_hours: "Outside hours" | "Keine Anrufzeit";
    timezone_unknown: "Time zone unknown" | "Zeitzone unbekannt";
    do_not_call: "Do not call" | "Nicht anrufen";
    blacklisted: "Blacklisted" | "Auf der Sperrliste";
    attempt_limit: "Call limit reached" | "Anruflimit erreicht";
    daily_limit: "Daily limit reached" | "Tageslimit erreicht";
    status_not_dialable: "Status not callable" | "Status nicht anrufbar";
    no_phone: "No phone number" | "Keine Telefonnummer";
    invalid_phone: "Invalid phone number" | "Telefonnummer ungültig";
}

impl Code {
    /// Returns the label.
    pub const fn label(self, language: Language) -> &'static str {
        match self {
            Self::CampaignInactive => campaign_inactive(language),
            Self::NotInCampaign => not_in_campaign(language),
            Self::Frozen => frozen(language),
            Self::CallbackScheduled => callback_scheduled(language),
            Self::OutsideCallingHours => outside_calling_hours(language),
            Self::TimezoneUnknown => timezone_unknown(language),
            Self::DoNotCall => do_not_call(language),
            Self::Blacklisted => blacklisted(language),
            Self::AttemptLimit => attempt_limit(language),
            Self::DailyLimit => daily_limit(language),
            Self::StatusNotDialable => status_not_dialable(language),
            Self::NoPhone => no_phone(language),
            Self::InvalidPhone => invalid_phone(language),
        }
    }
}
