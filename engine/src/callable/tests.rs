//! Tests each reason's exact wording, and the next callable time under daylight saving time.

use proptest::prelude::*;

use super::*;
use crate::api::{CallingHours, CampaignId, CampaignLeadId, LeadId, Weekday};
use crate::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};
use crate::time;
use crate::zone::Zone;

fn at(text: &str) -> Timestamp {
    time::parse(text).expect(text)
}

/// A lead, campaign lead and campaign without any reason not to call.
fn callable_records(timezone: &str) -> (Lead, CampaignLead, Campaign) {
    let now = at("2026-01-01T00:00:00Z");
    let phone = Some(Some("+4930123456".to_owned()));
    let lead = LeadRecord {
        phone: phone.clone(),
        phone_normalized: phone,
        timezone: Some(Some(timezone.to_owned())),
        ..LeadRecord::default()
    };
    let campaign_lead = CampaignLeadRecord {
        lead_id: Some(LeadId(1)),
        campaign_id: Some(CampaignId(7)),
        ..CampaignLeadRecord::default()
    };
    let campaign = CampaignRecord { name: Some("Spring".to_owned()), ..CampaignRecord::default() };
    (
        lead.create(LeadId(1), now),
        campaign_lead.create(CampaignLeadId(5), now).expect("lead and campaign are given"),
        campaign.create(CampaignId(7), now).expect("the name is given"),
    )
}

fn hours(start: &str, end: &str, days: &[Weekday]) -> Option<CallingHours> {
    let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").expect(text);
    Some(CallingHours { start: time(start), end: time(end), days: days.to_vec() })
}

const WORKDAYS: &[Weekday] = &[Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri];

/// Formats a verdict as lines: each reason, then the next callable time.
fn format_verdict(verdict: &Verdict) -> Vec<String> {
    let until =
        |until: Option<Timestamp>| until.map(|time| format!(" until {}", time::print(time))).unwrap_or_default();
    let reasons =
        verdict.reasons.iter().map(|reason| format!("{}{}: {}", reason.code, until(reason.until), reason.detail));
    reasons.chain(verdict.next_callable_at.map(|time| format!("next {}", time::print(time)))).collect()
}

#[test]
fn callable_lead_has_no_reasons() {
    let (lead, campaign_lead, campaign) = callable_records("Europe/Berlin");
    let verdict = judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at("2026-05-01T09:30:00Z"));
    assert_eq!(verdict, Verdict::default());
    assert!(verdict.is_callable());
}

/// A case with all reasons that can occur together, at 19:14 UTC on 1 May 2026.
fn lead_with_all_reasons() -> (Lead, CampaignLead, Campaign) {
    let (mut lead, mut campaign_lead, mut campaign) = callable_records("Europe/Berlin");
    campaign.active = false;
    campaign.calling_hours = hours("09:00", "20:00", WORKDAYS);
    campaign.max_attempts = Some(5);
    campaign.daily_attempts = Some(1);
    campaign_lead.freeze_until = Some(at("2026-05-01T21:00:00Z"));
    campaign_lead.callback_at = Some(at("2026-05-04T12:00:00Z"));
    campaign_lead.calls_count = 5;
    campaign_lead.calls_today = 1;
    campaign_lead.last_call_at = Some(at("2026-05-01T08:00:00Z"));
    campaign_lead.status = "closed".to_owned();
    lead.do_not_call = true;
    lead.blacklisted = true;
    lead.phone_normalized = None;
    (lead, campaign_lead, campaign)
}

#[test]
fn returns_all_reasons_in_documented_order() {
    let (lead, campaign_lead, campaign) = lead_with_all_reasons();
    let verdict = judge(&Callee::from(&lead), &campaign_lead, &campaign, false, at("2026-05-01T19:14:00Z"));
    assert_eq!(
        format_verdict(&verdict),
        [
            "campaign_inactive: campaign `Spring` is inactive",
            "frozen until 2026-05-01T21:00:00Z: frozen until 1 May 2026, 21:00 UTC",
            "callback_scheduled until 2026-05-04T12:00:00Z: callback scheduled for 4 May 2026, 12:00 UTC",
            "outside_calling_hours until 2026-05-04T07:00:00Z: calling hours are 09:00–20:00 Mon–Fri; \
             the lead's local time is Friday, 21:14 (Europe/Berlin)",
            "do_not_call: the lead asked not to be called",
            "blacklisted: the lead is blacklisted",
            "attempt_limit: called 5 times; the campaign's limit is 5",
            "daily_limit until 2026-05-02T00:00:00Z: called once today (UTC); the campaign's limit is 1 per day",
            "status_not_dialable: leads with status `closed` are not called",
            "invalid_phone: none of the lead's phone numbers is valid",
        ]
    );
    let codes: Vec<_> = verdict.reasons.iter().map(|reason| reason.code).collect();
    assert!(codes.is_sorted(), "the order is that of the documented list");

    let mut judged_codes = Vec::new();
    let now = at("2026-05-01T19:14:00Z");
    judge_codes(&Callee::from(&lead), &campaign_lead, &campaign, false, now, |code| judged_codes.push(code));
    assert_eq!(judged_codes, codes);
}

#[test]
fn describes_each_rule_in_german() {
    let (lead, campaign_lead, campaign) = lead_with_all_reasons();
    let callee = Callee::from(&lead);
    let hours = LocalHours::new(&campaign, callee.timezone.as_deref());
    let input =
        VerdictInput { callee: &callee, campaign_lead: &campaign_lead, campaign: &campaign, is_dialable: false, hours };
    let mut texts = Vec::new();
    input.for_each_obstacle(at("2026-05-01T19:14:00Z"), |rule, _| texts.push(rule.describe(Language::German)));
    let other_rules = [
        Rule::NotInCampaign,
        Rule::OutsideCallingHours { hours: None, clock: None },
        Rule::OutsideCallingHours { hours: campaign.calling_hours.as_ref(), clock: None },
        Rule::TimezoneUnknown { timezone: None },
        Rule::TimezoneUnknown { timezone: Some("Mars/Olympus") },
        Rule::AttemptLimit { calls: 5, limit: None },
        Rule::DailyLimit { calls: 2, limit: None },
        Rule::NoPhone,
    ];
    texts.extend(other_rules.map(|rule| rule.describe(Language::German)));
    assert_eq!(
        texts,
        [
            "Kampagne `Spring` ist inaktiv",
            "pausiert bis 1. Mai 2026, 21:00 UTC",
            "Rückruf vereinbart für den 4. Mai 2026, 12:00 UTC",
            "Anrufzeiten sind 09:00–20:00 Mo–Fr; Ortszeit des Leads ist Freitag, 21:14 (Europe/Berlin)",
            "der Lead möchte nicht angerufen werden",
            "der Lead steht auf der Sperrliste",
            "5-mal angerufen; das Limit der Kampagne ist 5",
            "heute (UTC) einmal angerufen; das Limit der Kampagne ist 1 pro Tag",
            "Leads mit Status `closed` werden nicht angerufen",
            "keine der Telefonnummern des Leads ist gültig",
            "der Lead ist in keiner Kampagne",
            "außerhalb der Anrufzeiten der Kampagne",
            "Anrufzeiten sind 09:00–20:00 Mo–Fr",
            "die Kampagne hat Anrufzeiten, aber der Lead hat keine Zeitzone",
            "die Kampagne hat Anrufzeiten, aber die Zeitzone `Mars/Olympus` des Leads ist unbekannt",
            "das Limit der Kampagne ist erreicht (Anrufe: 5)",
            "das Tageslimit der Kampagne ist erreicht (Anrufe heute, UTC: 2)",
            "der Lead hat keine Telefonnummer",
        ]
    );
}

#[test]
fn returns_the_leads_own_reasons() {
    let (mut lead, ..) = callable_records("Europe/Berlin");
    assert_eq!(judge_lead(&Callee::from(&lead), true), []);
    lead.phone = None;
    lead.phone_normalized = None;
    lead.phone2 = Some(String::new());
    lead.do_not_call = true;
    let lines = judge_lead(&Callee::from(&lead), false)
        .iter()
        .map(|reason| format!("{}: {}", reason.code, reason.detail))
        .collect::<Vec<_>>();
    assert_eq!(
        lines,
        [
            "not_in_campaign: the lead isn't in a campaign",
            "do_not_call: the lead asked not to be called",
            "no_phone: the lead has no phone number",
        ]
    );
    for invalid_number in ["12", " "] {
        lead.phone2 = Some(invalid_number.to_owned());
        assert_eq!(judge_lead(&Callee::from(&lead), true)[1].code, Code::InvalidPhone);
    }
    lead.phone_normalized2 = Some("+4930123456".to_owned());
    assert_eq!(judge_lead(&Callee::from(&lead), true).len(), 1);
}

#[test]
fn freeze_end_is_exclusive() {
    let (lead, mut campaign_lead, campaign) = callable_records("Europe/Berlin");
    campaign_lead.freeze_until = Some(at("2026-05-01T09:30:00Z"));
    let verdict = |now| judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at(now));
    assert_eq!(
        format_verdict(&verdict("2026-05-01T09:29:59.999999Z")),
        ["frozen until 2026-05-01T09:30:00Z: frozen until 1 May 2026, 09:30 UTC", "next 2026-05-01T09:30:00Z"]
    );
    assert!(verdict("2026-05-01T09:30:00Z").is_callable());
}

#[test]
fn ignores_daily_count_of_another_day() {
    let (lead, mut campaign_lead, mut campaign) = callable_records("Europe/Berlin");
    campaign.daily_attempts = Some(2);
    campaign_lead.calls_today = 2;
    campaign_lead.last_call_at = Some(at("2026-05-01T23:59:59Z"));
    let verdict = |now| judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at(now));
    assert_eq!(verdict("2026-05-01T23:59:59.5Z").next_callable_at, Some(at("2026-05-02T00:00:00Z")));
    assert!(verdict("2026-05-02T00:00:00Z").is_callable());
}

#[test]
fn attempt_limit_never_expires() {
    let (lead, mut campaign_lead, mut campaign) = callable_records("Europe/Berlin");
    campaign.max_attempts = Some(3);
    campaign_lead.calls_count = 3;
    campaign_lead.freeze_until = Some(at("2026-06-01T00:00:00Z"));
    assert_eq!(
        judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at("2026-05-01T00:00:00Z")).next_callable_at,
        None
    );
}

#[test]
fn daily_limit_of_zero_never_expires() {
    let (lead, campaign_lead, mut campaign) = callable_records("Europe/Berlin");
    campaign.daily_attempts = Some(0);
    let verdict = judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at("2026-05-01T10:00:00Z"));
    assert_eq!(
        format_verdict(&verdict),
        ["daily_limit: called 0 times today (UTC); the campaign's limit is 0 per day"]
    );
}

#[test]
fn unknown_time_zone_blocks_campaigns_with_calling_hours() {
    let (mut lead, campaign_lead, mut campaign) = callable_records("Europe/Berlin");
    let now = at("2026-05-01T10:00:00Z");
    lead.timezone = None;
    assert!(
        judge(&Callee::from(&lead), &campaign_lead, &campaign, true, now).is_callable(),
        "the zone is irrelevant without calling hours"
    );
    campaign.calling_hours = hours("09:00", "20:00", WORKDAYS);
    assert_eq!(
        format_verdict(&judge(&Callee::from(&lead), &campaign_lead, &campaign, true, now)),
        ["timezone_unknown: the campaign has calling hours, but the lead has no time zone"]
    );
    lead.timezone = Some("Mars/Olympus".to_owned());
    assert_eq!(
        format_verdict(&judge(&Callee::from(&lead), &campaign_lead, &campaign, true, now)),
        ["timezone_unknown: the campaign has calling hours, but the lead's time zone `Mars/Olympus` is unknown"]
    );
}

#[test]
fn next_callable_time_respects_calling_hours() {
    let (lead, mut campaign_lead, mut campaign) = callable_records("America/New_York");
    campaign.calling_hours = hours("09:00", "17:00", WORKDAYS);
    campaign.daily_attempts = Some(1);
    campaign_lead.calls_today = 1;
    campaign_lead.last_call_at = Some(at("2026-05-01T15:00:00Z"));
    // Friday noon in New York: the daily limit ends in the evening; calling opens on Monday.
    let verdict = judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at("2026-05-01T16:00:00Z"));
    assert_eq!(verdict.reasons.len(), 1);
    assert_eq!(verdict.next_callable_at, Some(at("2026-05-04T13:00:00Z")));
}

/// Returns `open` if calling is open at `now`, or else the time at which it opens.
fn next_opening(zone: &str, start: &str, end: &str, days: &[Weekday], now: &str) -> String {
    let (lead, campaign_lead, mut campaign) = callable_records(zone);
    campaign.calling_hours = hours(start, end, days);
    let verdict = judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at(now));
    match verdict.next_callable_at {
        _ if verdict.is_callable() => "open".to_owned(),
        Some(next) => time::print(next),
        None => "never".to_owned(),
    }
}

#[test]
fn calling_hours_follow_the_leads_local_time() {
    let every_day = Weekday::ALL;
    for (zone, start, end, days, now, expected) in [
        // Bounds: the start is included, the end is excluded.
        ("Europe/Berlin", "09:00", "20:00", WORKDAYS, "2026-05-01T06:59:59.999999Z", "2026-05-01T07:00:00Z"),
        ("Europe/Berlin", "09:00", "20:00", WORKDAYS, "2026-05-01T07:00:00Z", "open"),
        ("Europe/Berlin", "09:00", "20:00", WORKDAYS, "2026-05-01T17:59:59.999999Z", "open"),
        ("Europe/Berlin", "09:00", "20:00", WORKDAYS, "2026-05-01T18:00:00Z", "2026-05-04T07:00:00Z"),
        // Past midnight: Friday's hours run into Saturday; Sunday has none.
        ("Europe/Berlin", "18:00", "02:00", WORKDAYS, "2026-05-01T23:30:00Z", "open"),
        ("Europe/Berlin", "18:00", "02:00", WORKDAYS, "2026-05-02T00:00:00Z", "2026-05-04T16:00:00Z"),
        ("Europe/Berlin", "18:00", "02:00", WORKDAYS, "2026-05-03T22:30:00Z", "2026-05-04T16:00:00Z"),
        // An end at midnight, and a whole day.
        ("Europe/Berlin", "18:00", "00:00", every_day, "2026-05-01T21:59:59Z", "open"),
        ("Europe/Berlin", "18:00", "00:00", every_day, "2026-05-01T22:00:00Z", "2026-05-02T16:00:00Z"),
        ("Europe/Berlin", "06:00", "06:00", &[Weekday::Mon], "2026-05-05T03:59:59Z", "open"),
        ("Europe/Berlin", "06:00", "06:00", &[Weekday::Mon], "2026-05-05T04:00:00Z", "2026-05-11T04:00:00Z"),
        // Far from UTC, the local day differs.
        ("Pacific/Kiritimati", "09:00", "20:00", &[Weekday::Sat], "2026-05-01T19:00:00Z", "open"),
        ("Pacific/Pago_Pago", "09:00", "20:00", &[Weekday::Fri], "2026-05-02T06:00:00Z", "open"),
        // Berlin sets its clock forward from 02:00 to 03:00 on 29 March 2026, at 01:00 UTC.
        ("Europe/Berlin", "09:00", "20:00", every_day, "2026-03-28T20:00:00Z", "2026-03-29T07:00:00Z"),
        ("Europe/Berlin", "02:30", "05:00", every_day, "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "02:10", "02:50", every_day, "2026-03-29T00:00:00Z", "2026-03-30T00:10:00Z"),
        // Berlin sets its clock back from 03:00 to 02:00 on 25 October 2026, at 01:00 UTC, so 02:00 to 03:00 occurs twice.
        ("Europe/Berlin", "02:30", "05:00", every_day, "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"),
        ("Europe/Berlin", "02:30", "05:00", every_day, "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
        ("Europe/Berlin", "01:00", "02:30", every_day, "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z"),
        ("Europe/Berlin", "09:00", "20:00", every_day, "2026-10-24T20:00:00Z", "2026-10-25T08:00:00Z"),
        // New York: forward on 8 March 2026 at 07:00 UTC, back on 1 November 2026 at 06:00 UTC.
        ("America/New_York", "09:00", "20:00", every_day, "2026-03-08T06:00:00Z", "2026-03-08T13:00:00Z"),
        ("America/New_York", "02:00", "04:00", every_day, "2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z"),
        ("America/New_York", "00:30", "01:30", every_day, "2026-11-01T05:30:00Z", "2026-11-01T06:00:00Z"),
        // Lord Howe shifts by half an hour: back from 02:00 to 01:30 on 5 April 2026, at 15:00 UTC of the day before.
        ("Australia/Lord_Howe", "01:00", "01:45", every_day, "2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z"),
        ("Australia/Lord_Howe", "09:00", "20:00", every_day, "2026-04-04T20:00:00Z", "2026-04-04T22:30:00Z"),
        // Forward from 02:00 to 02:30 on 4 October 2026, at 15:30 UTC of the day before.
        ("Australia/Lord_Howe", "02:15", "03:00", every_day, "2026-10-03T15:00:00Z", "2026-10-03T15:30:00Z"),
        // Samoa skipped Friday, 30 December 2011.
        ("Pacific/Apia", "09:00", "17:00", &[Weekday::Fri], "2011-12-24T12:00:00Z", "2012-01-05T19:00:00Z"),
        ("UTC", "09:00", "20:00", &[], "2026-05-01T10:00:00Z", "never"),
    ] {
        assert_eq!(next_opening(zone, start, end, days, now), expected, "{zone} {start}–{end} {days:?} at {now}");
    }
}

#[test]
fn next_opening_is_after_the_given_time() {
    let hours = hours("09:00", "20:00", Weekday::ALL).unwrap();
    let next = hours::next_opening(&hours, Zone::find("UTC").expect("UTC"), at("2026-05-01T09:00:00Z"));
    assert_eq!(next, Some(at("2026-05-02T09:00:00Z")));
}

#[test]
fn formats_days_in_short_form() {
    for (days, expected) in [
        (Weekday::ALL, "every day"),
        (WORKDAYS, "Mon–Fri"),
        (&[Weekday::Mon, Weekday::Wed, Weekday::Fri][..], "Mon, Wed, Fri"),
        (&[Weekday::Mon, Weekday::Tue, Weekday::Thu, Weekday::Fri, Weekday::Sat][..], "Mon, Tue, Thu–Sat"),
    ] {
        let (lead, campaign_lead, mut campaign) = callable_records("UTC");
        campaign.calling_hours = hours("09:00", "20:00", days);
        let verdict = judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at("2026-05-01T05:00:00Z"));
        assert_eq!(
            verdict.reasons[0].detail,
            format!("calling hours are 09:00–20:00 {expected}; the lead's local time is Friday, 05:00 (UTC)")
        );
    }
}

/// 2020 to 2030, in microseconds.
const TIME_RANGE_MICROS: std::ops::Range<i64> = 1_577_836_800_000_000..1_893_456_000_000_000;

fn timestamps() -> impl Strategy<Value = Timestamp> {
    TIME_RANGE_MICROS.prop_map(|micros| Timestamp::from_timestamp_micros(micros).expect("within the years"))
}

fn minutes() -> impl Strategy<Value = NaiveTime> {
    (0_u32..24, 0_u32..60).prop_map(|(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0).expect("a time"))
}

prop_compose! {
    fn cases()(
        zone in prop::sample::select(&["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "Africa/Casablanca"][..]),
        start in minutes(),
        end in minutes(),
        days in prop::sample::subsequence(Weekday::ALL, 1..=7),
        now in timestamps(),
        freeze in prop::option::of(0_i64..20_000),
        callback in prop::option::of(0_i64..20_000),
        last_call in prop::option::of(0_i64..3_000),
        daily in prop::option::of(1_u32..3),
    ) -> (Lead, CampaignLead, Campaign, Timestamp) {
        let (lead, mut campaign_lead, mut campaign) = callable_records(zone);
        let minutes = chrono::TimeDelta::minutes;
        campaign.calling_hours = Some(CallingHours { start, end, days });
        campaign.daily_attempts = daily;
        campaign_lead.freeze_until = freeze.map(|later| now + minutes(later));
        campaign_lead.callback_at = callback.map(|later| now + minutes(later));
        campaign_lead.last_call_at = last_call.map(|earlier| now - minutes(earlier));
        campaign_lead.calls_today = 2;
        (lead, campaign_lead, campaign, now)
    }
}

proptest! {
    #[test]
    fn next_callable_time_is_the_earliest_callable_time(
        (lead, campaign_lead, campaign, now) in cases(),
        fraction in 0.0_f64..1.0,
    ) {
        let judge = |at| judge(&Callee::from(&lead), &campaign_lead, &campaign, true, at);
        let verdict = judge(now);
        match verdict.next_callable_at {
            None => prop_assert!(
                verdict.is_callable(),
                "every reason expires, but there is no next callable time: {:?}",
                verdict.reasons
            ),
            Some(next) => {
                prop_assert!(next > now);
                prop_assert_eq!(judge(next).reasons, []);
                let microsecond = chrono::TimeDelta::microseconds(1);
                prop_assert!(!judge(next - microsecond).is_callable());
                let between = now + chrono::TimeDelta::microseconds(((next - now).num_microseconds().expect("a short time") as f64 * fraction) as i64);
                prop_assert!(between == next || !judge(between).is_callable(), "callable already at {}", between);
            }
        }
    }
}
