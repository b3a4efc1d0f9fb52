//! Rules behind the reasons why leads can't be called, in the user's language and local time, with the labels of
//! statuses. The server's text is English, in UTC, with the names of statuses.

use leadscribe_engine::api::{CampaignDetails, NotCallableCode, NotCallableCode as Code, NotCallableReason, Timestamp};
use leadscribe_engine::callable::{LocalClock, Rule};
use leptos::prelude::*;

use crate::i18n::texts::leads as texts;
use crate::i18n::{Language, datetime, language};
use crate::ui::Tone;
use crate::ui::filter_editor::Names;
use crate::ui::prose::plain;

/// Reasons against calling a lead for a campaign. Calling hours and limits are included if the campaign is known. The
/// lead's local time is the current one, slightly later than the server's evaluation.
pub fn campaign_reasons(
    details: &CampaignDetails,
    timezone: Option<&str>,
    names: Signal<Names>,
) -> Vec<NotCallableReason> {
    let clock = timezone.and_then(|timezone| datetime::local_clock(timezone, datetime::now()));
    let lead = LeadContext { timezone, clock };
    names.with(|names| translate_reasons(details, &lead, names, datetime::format_local))
}

/// Data of the lead that the rules depend on.
struct LeadContext<'a> {
    timezone: Option<&'a str>,
    clock: Option<LocalClock<'a>>,
}

/// Reasons that concern the lead itself, independent of a campaign.
pub fn lead_reasons(reasons: Vec<NotCallableReason>) -> Vec<NotCallableReason> {
    let translate =
        |reason: NotCallableReason| translate_reason(&reason, lead_rule(reason.code), datetime::format_local);
    reasons.into_iter().map(translate).collect()
}

fn translate_reasons(
    details: &CampaignDetails,
    lead: &LeadContext<'_>,
    names: &Names,
    format_time: fn(Timestamp) -> String,
) -> Vec<NotCallableReason> {
    let rule = |code| campaign_rule(code, details, lead, names);
    let translate = |reason: &NotCallableReason| translate_reason(reason, rule(reason.code), format_time);
    details.not_callable_reasons.iter().map(translate).collect()
}

/// Replaces the detail of a reason, or keeps the server's text if the rule isn't known.
fn translate_reason(
    reason: &NotCallableReason,
    rule: Option<Rule<'_>>,
    format_time: fn(Timestamp) -> String,
) -> NotCallableReason {
    let should_translate = |rule: &Rule<'_>| language() != Language::English || has_better_text(rule.code());
    match rule.filter(should_translate) {
        Some(rule) => NotCallableReason { detail: rule.describe_with(language(), format_time), ..*reason },
        None => reason.clone(),
    }
}

/// True if the panel's text is better than the server's even in English. For other reasons the server's text is kept,
/// because it may be more specific.
fn has_better_text(code: Code) -> bool {
    matches!(code, Code::Frozen | Code::CallbackScheduled | Code::StatusNotDialable)
}

/// True if the rule itself says until when it applies.
fn states_end(code: Code) -> bool {
    matches!(code, Code::Frozen | Code::CallbackScheduled)
}

fn campaign_rule<'a>(
    code: Code,
    details: &'a CampaignDetails,
    lead: &LeadContext<'a>,
    names: &'a Names,
) -> Option<Rule<'a>> {
    let campaign = names.campaigns.iter().find(|campaign| campaign.id == details.campaign_id);
    Some(match code {
        Code::CampaignInactive => Rule::CampaignInactive { campaign: &details.campaign_name },
        Code::Frozen => Rule::Frozen { until: details.freeze_until? },
        Code::CallbackScheduled => Rule::CallbackScheduled { at: details.callback_at? },
        Code::OutsideCallingHours => {
            let hours = campaign.and_then(|campaign| campaign.calling_hours.as_ref());
            Rule::OutsideCallingHours { hours, clock: lead.clock }
        }
        Code::TimezoneUnknown => Rule::TimezoneUnknown { timezone: lead.timezone.filter(|name| !name.is_empty()) },
        Code::AttemptLimit => {
            let limit = campaign.and_then(|campaign| campaign.max_attempts);
            Rule::AttemptLimit { calls: details.calls_count, limit }
        }
        Code::DailyLimit => {
            let limit = campaign.and_then(|campaign| campaign.daily_attempts);
            Rule::DailyLimit { calls: details.calls_today, limit }
        }
        Code::StatusNotDialable => {
            let known = names.statuses.iter().find(|status| status.name == details.status);
            Rule::StatusNotDialable { status: known.map_or(&details.status, |status| &status.label) }
        }
        Code::NotInCampaign | Code::DoNotCall | Code::Blacklisted | Code::NoPhone | Code::InvalidPhone => {
            return lead_rule(code);
        }
    })
}

fn lead_rule(code: Code) -> Option<Rule<'static>> {
    match code {
        Code::NotInCampaign => Some(Rule::NotInCampaign),
        Code::DoNotCall => Some(Rule::DoNotCall),
        Code::Blacklisted => Some(Rule::Blacklisted),
        Code::NoPhone => Some(Rule::NoPhone),
        Code::InvalidPhone => Some(Rule::InvalidPhone),
        _ => None,
    }
}

/// Warning: the reason ends by itself. Danger: the lead must not be called again. Neutral: something is missing or
/// inactive.
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
            Some(until) if !states_end(reason.code) => texts::rule_until(plain(&reason.detail), format_time(until)),
            _ => plain(&reason.detail),
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

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{Campaign, LeadStatus, Weekday};

    use crate::i18n::locale::set_language;
    use crate::ui::lead::reason_rules::*;

    #[test]
    fn translates_reasons_to_german() {
        let details: CampaignDetails = serde_json::from_value(serde_json::json!({
            "campaign_lead_id": 1, "campaign_id": 7, "campaign_name": "Solar", "status": "new", "weight": 1,
            "calls_count": 3, "calls_today": 1, "last_call_at": null, "last_call_status": null,
            "freeze_until": "2026-05-01T21:00:00Z", "callback_at": null, "assigned_user_id": null,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "callable": false,
            "not_callable_reasons": [
                { "code": "frozen", "until": "2026-05-01T21:00:00Z", "detail": "frozen until 1 May 2026, 21:00 UTC" },
                { "code": "callback_scheduled", "detail": "callback scheduled for tomorrow" },
                { "code": "outside_calling_hours", "detail": "calling hours are 09:00–20:00 Mon–Fri" },
                { "code": "timezone_unknown", "detail": "the campaign has calling hours, but the lead has no time zone" },
                { "code": "attempt_limit", "detail": "called 3 times; the campaign's limit is 3" },
                { "code": "status_not_dialable", "detail": "leads with status `new` are not called" },
                { "code": "no_phone", "detail": "the lead has no phone number" }
            ]
        }))
        .unwrap();
        let campaign: Campaign = serde_json::from_value(serde_json::json!({
            "id": 7, "name": "Solar", "active": true, "max_attempts": 3, "daily_attempts": null, "freeze_minutes": 0,
            "calling_hours": { "start": "09:00", "end": "20:00", "days": ["mon", "tue", "wed", "thu", "fri"] },
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"
        }))
        .unwrap();
        let time = chrono::NaiveTime::from_hms_opt(21, 30, 0).unwrap();
        let clock = LocalClock { time, day: Weekday::Fri, zone: "Europe/Berlin" };
        let lead = LeadContext { timezone: Some("Europe/Berlin"), clock: Some(clock) };
        let format_time = |at: Timestamp| at.format("%H.%M").to_string();
        let translate = |campaigns: &[Campaign], language| -> Vec<_> {
            let statuses = vec![LeadStatus { name: "new".to_owned(), label: "Neu".to_owned(), dialable: false }];
            let names = Names { campaigns: campaigns.to_vec(), statuses, staff: Vec::new() };
            set_language(language);
            let reasons = translate_reasons(&details, &lead, &names, format_time);
            reasons.into_iter().map(|reason| reason.detail).collect()
        };
        assert_eq!(
            translate(&[campaign], Language::German),
            [
                "pausiert bis 21.00",
                "callback scheduled for tomorrow",
                "Anrufzeiten sind 09:00–20:00 Mo–Fr; Ortszeit des Leads ist Freitag, 21:30 (Europe/Berlin)",
                "die Kampagne hat Anrufzeiten, aber die Zeitzone `Europe/Berlin` des Leads ist unbekannt",
                "3-mal angerufen; das Limit der Kampagne ist 3",
                "Leads mit Status `Neu` werden nicht angerufen",
                "der Lead hat keine Telefonnummer",
            ]
        );
        let unknown = translate(&[], Language::German);
        assert_eq!(unknown[2], "außerhalb der Anrufzeiten der Kampagne");
        assert_eq!(unknown[4], "das Limit der Kampagne ist erreicht (Anrufe: 3)");
        let english = translate(&[], Language::English);
        assert_eq!((&*english[0], &*english[2]), ("frozen until 21.00", "calling hours are 09:00–20:00 Mon–Fri"));
        assert_eq!(english[5], "leads with status `Neu` are not called");
        let reasons = details.not_callable_reasons;
        assert_eq!(lead_reasons(reasons.clone()), reasons);
        set_language(Language::German);
        assert_eq!(lead_reasons(reasons)[6].detail, "der Lead hat keine Telefonnummer");
    }
}
