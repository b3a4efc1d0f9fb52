//! Benchmark of filters on callability over generated leads: `callable [LEADS [CAMPAIGNS]]`, by default 100,000 leads in 1,000 campaigns
//! with 120 distinct calling hours.

use std::time::Instant;

use chrono::{DateTime, NaiveTime, TimeDelta};
use leadscribe_engine::api::*;
use leadscribe_engine::filter::{Limits, parse_and_check};
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};
use leadscribe_lead_index::{Builder, LeadIndex};

const ZONES: [&str; 16] = [
    "Europe/Berlin",
    "Europe/London",
    "Europe/Kyiv",
    "Europe/Lisbon",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Asia/Dubai",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Africa/Lagos",
];

/// A Friday, noon in UTC.
fn now() -> Timestamp {
    DateTime::from_timestamp(1_777_636_800, 0).expect("a time in 2026")
}

fn campaign(id: i64) -> Campaign {
    let record = CampaignRecord { name: Some(format!("Campaign {id}")), ..CampaignRecord::default() };
    let campaign = record.create(CampaignId(id), now()).expect("the campaign has a name");
    let hours = id as u32 % 120;
    let time = |minutes: u32| NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).expect("a time of day");
    let (start, end) = (time(7 * 60 + hours % 12 * 15), time(16 * 60 + hours / 12 * 30));
    Campaign {
        active: id % 20 != 0,
        calling_hours: Some(CallingHours { start, end, days: Weekday::ALL[..5].to_vec() }),
        max_attempts: (id % 3 != 0).then_some(3 + id as u32 % 8),
        daily_attempts: (id % 4 != 0).then_some(1 + id as u32 % 3),
        ..campaign
    }
}

fn lead(id: i64) -> (Lead, CampaignLead) {
    let lead = LeadRecord::default().create(LeadId(id), now());
    let phone = Some(format!("+49301{id:06}"));
    let timezone = Some(ZONES[id as usize * 7 % ZONES.len()].to_owned());
    let city = Some(format!("City {}", id % 40));
    let lead =
        Lead { phone: phone.clone(), phone_normalized: phone, timezone, city, do_not_call: id % 50 == 0, ..lead };
    let record = CampaignLeadRecord {
        lead_id: Some(LeadId(id)),
        campaign_id: Some(CampaignId(0)),
        ..CampaignLeadRecord::default()
    };
    let campaign_lead = record.create(CampaignLeadId(id), now()).expect("lead and campaign are set");
    let calls = (id % 9) as u32;
    let campaign_lead = CampaignLead {
        status: ["new", "busy", "callback", "no_answer", "converted", "refused"][id as usize % 6].to_owned(),
        calls_count: calls,
        calls_today: calls.min(2),
        last_call_at: (calls > 0).then(|| now() - TimeDelta::hours(id % 40)),
        freeze_until: (id % 5 == 0).then(|| now() + TimeDelta::hours(id % 7 - 3)),
        callback_at: (id % 30 == 0).then(|| now() + TimeDelta::hours(id % 11 - 5)),
        ..campaign_lead
    };
    (lead, campaign_lead)
}

fn build(leads: i64, campaigns: i64) -> LeadIndex {
    let status = |name: &str| LeadStatus {
        name: name.to_owned(),
        label: name.to_owned(),
        dialable: name != "converted" && name != "refused",
    };
    let statuses = ["new", "busy", "callback", "no_answer", "converted", "refused"].map(status);
    let mut builder = Builder::new((1..=campaigns).map(campaign), statuses);
    for id in 1..=leads {
        let (lead, campaign_lead) = lead(id);
        let first_campaign = 1 + id * 7_919 % campaigns;
        let in_campaign = |campaign: i64, number: i64| CampaignLead {
            id: CampaignLeadId(id * 2 + number),
            campaign_id: CampaignId(campaign),
            ..campaign_lead.clone()
        };
        builder.push(&lead, &[in_campaign(first_campaign, 0), in_campaign(1 + first_campaign % campaigns, 1)]);
    }
    builder.finish()
}

fn repeat_in_group(count: usize, group: &str, make_part: impl Fn(usize) -> String) -> String {
    format!(r#"{{"{group}":[{}]}}"#, (0..count).map(make_part).collect::<Vec<_>>().join(","))
}

/// Ten different verdict conditions, each alone or with a condition on the campaign lead.
fn ten_verdicts() -> String {
    let callable = [r#""status":"new""#, r#""status":"busy""#, r#""weight":{"gt":10}"#, r#""weight":{"gt":50}"#]
        .map(|other| format!(r#"{{"callable":true,{other}}}"#));
    let reasons = ["frozen", "outside_calling_hours", "do_not_call", "status_not_dialable", "attempt_limit"]
        .map(|reason| format!(r#"{{"not_callable_reason":"{reason}"}}"#));
    let uncallable = r#"{"callable":false}"#.to_owned();
    let alternatives: Vec<_> = callable.into_iter().chain(reasons).chain([uncallable]).collect();
    format!(r#"{{"_or":[{}]}}"#, alternatives.join(","))
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse().expect("expected a number"));
    let (leads, campaigns) = (arguments.next().unwrap_or(100_000), arguments.next().unwrap_or(1_000));
    let index = build(leads, campaigns);
    let city = |number: usize| format!(r#"{{"callable":true,"city":"City {number}"}}"#);
    let callable_and_city =
        |number: usize| format!(r#"{{"callable":{},"city":"City {number}"}}"#, number.is_multiple_of(2));
    let callable_or_city = |number: usize| format!(r#"{{"_or":[{{"callable":true}},{{"city":"City {number}"}}]}}"#);
    let reasons: Vec<_> = NotCallableCode::ALL.iter().map(|code| code.as_str()).collect();
    let reason = |number: usize| format!(r#"{{"not_callable_reason":"{}","city":"City {number}"}}"#, reasons[number]);
    for (shape, text) in [
        ("callable", r#"{"callable":true}"#.to_owned()),
        ("not callable", r#"{"callable":false}"#.to_owned()),
        ("outside hours", r#"{"not_callable_reason":"outside_calling_hours"}"#.to_owned()),
        ("inside hours", r#"{"not_callable_reason":{"not":"outside_calling_hours"}}"#.to_owned()),
        ("one campaign", r#"{"campaign_id":7,"callable":true}"#.to_owned()),
        ("ten alternatives", repeat_in_group(10, "_or", city)),
        ("ten of either", repeat_in_group(10, "_or", callable_and_city)),
        ("ten of all", repeat_in_group(10, "_and", callable_or_city)),
        ("ten reasons", repeat_in_group(10, "_or", reason)),
        ("ten verdicts", ten_verdicts()),
        ("200 times", repeat_in_group(200, "_or", |_| r#"{"callable":true}"#.to_owned())),
    ] {
        let filter =
            parse_and_check(&text, &Limits::default()).unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}"));
        let mut times: Vec<_> = (0..5)
            .map(|_| {
                let start = Instant::now();
                let total = index.look_up(&filter, now()).total;
                (start.elapsed(), total)
            })
            .collect();
        times.sort_unstable();
        println!("{shape:<20} {:>10.2} ms, total {}", times[2].0.as_secs_f64() * 1e3, times[2].1);
    }
}
