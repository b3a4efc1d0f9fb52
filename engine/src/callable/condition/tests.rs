//! Compares resolved conditions with the verdict on each campaign lead.

use chrono::{NaiveTime, TimeDelta};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::api::{CallingHours, CampaignLead, CampaignLeadId, Lead, LeadId, Weekday};
use crate::callable::{Callee, judge, judge_lead};
use crate::filter::predicate::Comparison;
use crate::filter::{Limits, Row, matches, matches_pair, parse_and_check};
use crate::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};
use crate::time;

/// A Friday, noon in UTC and 5:00 in Los Angeles.
const NOW: &str = "2026-05-01T12:00:00Z";

fn now() -> Timestamp {
    time::parse(NOW).expect(NOW)
}

fn statuses() -> Vec<LeadStatus> {
    let status = |(name, dialable): (&str, bool)| LeadStatus { name: name.into(), label: name.into(), dialable };
    [("new", true), ("busy", true), ("closed", false)].map(status).to_vec()
}

/// Campaigns that differ in each rule.
fn campaigns() -> Vec<Campaign> {
    let hours = |start: &str, end: &str| {
        let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").expect(text);
        let days = vec![Weekday::Mon, Weekday::Fri];
        Some(CallingHours { start: time(start), end: time(end), days })
    };
    let campaign = |id, active, calling_hours, max_attempts, daily_attempts| {
        let record = CampaignRecord { name: Some(format!("Campaign {id}")), ..CampaignRecord::default() };
        let campaign = record.create(CampaignId(id), now()).expect("a valid campaign");
        Campaign { active, calling_hours, max_attempts, daily_attempts, ..campaign }
    };
    vec![
        campaign(1, true, None, None, None),
        campaign(2, true, hours("09:00", "18:00"), Some(3), Some(1)),
        campaign(3, false, hours("20:00", "06:00"), Some(3), Some(2)),
        campaign(4, true, hours("04:00", "13:00"), Some(2), Some(0)),
        campaign(5, true, hours("09:00", "18:00"), None, None),
    ]
}

fn leads() -> Vec<Lead> {
    let zones = [None, Some("Europe/Berlin"), Some("America/Los_Angeles"), Some("Mars/Olympus"), Some("")];
    let phones = [
        (None, None),
        (Some("+4930123456"), Some("+4930123456")),
        (Some("12"), None),
        (Some(""), None),
        (Some(" "), None),
    ];
    let mut leads = Vec::new();
    for zone in zones {
        for (phone, normalized) in phones {
            for flags in 0..3 {
                let id = LeadId(leads.len() as i64 + 1);
                let lead = LeadRecord::default().create(id, now());
                // Every other lead has its number in the second field.
                let uses_second_field = id.0 % 2 == 0;
                let number_if = |is_second: bool, number: Option<&str>| {
                    number.filter(|_| uses_second_field == is_second).map(str::to_owned)
                };
                leads.push(Lead {
                    timezone: zone.map(str::to_owned),
                    phone: number_if(false, phone),
                    phone2: number_if(true, phone),
                    phone_normalized: number_if(false, normalized),
                    phone_normalized2: number_if(true, normalized),
                    do_not_call: flags == 1,
                    blacklisted: flags == 2,
                    ..lead
                });
            }
        }
    }
    leads
}

/// Campaign leads in every state for a lead and a campaign.
fn campaign_leads(lead: LeadId, campaign: CampaignId) -> Vec<CampaignLead> {
    let record =
        CampaignLeadRecord { lead_id: Some(lead), campaign_id: Some(campaign), ..CampaignLeadRecord::default() };
    let new = record.create(CampaignLeadId(1), now()).expect("lead and campaign are given");
    let optional_times =
        [None, Some(-1), Some(0), Some(1)].map(|offset| offset.map(|offset| now() + TimeDelta::microseconds(offset)));
    let mut campaign_leads = Vec::new();
    for status in ["new", "closed", "unknown"] {
        for calls_count in [0, 1, 2, 3] {
            let last_call_at =
                (calls_count > 0).then(|| now() - TimeDelta::hours(if calls_count > 2 { 13 } else { 1 }));
            let called = CampaignLead {
                status: status.to_owned(),
                calls_count,
                calls_today: calls_count,
                last_call_at,
                ..new.clone()
            };
            campaign_leads.extend(optional_times.map(|freeze_until| CampaignLead { freeze_until, ..called.clone() }));
            campaign_leads.extend(optional_times.map(|callback_at| CampaignLead { callback_at, ..called.clone() }));
        }
    }
    campaign_leads
}

/// Resolves a filter with the rules.
fn resolve(rules: &Rules<'_>, text: &str) -> Predicate {
    let filter =
        parse_and_check(text, &Limits::default()).unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}"));
    assert!(filter.predicate.has_verdict_condition(), "{text}");
    let predicate = rules.resolve(&filter.predicate);
    assert!(!predicate.has_verdict_condition(), "{predicate:?}");
    predicate
}

#[test]
fn resolved_conditions_match_verdicts() {
    let (campaigns, statuses, leads) = (campaigns(), statuses(), leads());
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let rules = Rules { campaigns: &campaign_refs, statuses: &statuses, now: now() };
    let filter = |text: &str| resolve(&rules, text);
    let [callable, uncallable, none, some] = [
        r#"{"callable":true}"#,
        r#"{"callable":false}"#,
        r#"{"not_callable_reason":null}"#,
        r#"{"not_callable_reason":{"null":false}}"#,
    ]
    .map(filter);
    let ends_with_limit = filter(r#"{"not_callable_reason":{"ends_with":"_LIMIT"}}"#);
    let by_code =
        |text: &str| -> Vec<_> { Code::ALL.iter().map(|code| filter(&text.replace("CODE", code.as_str()))).collect() };
    let has_code = by_code(r#"{"not_callable_reason":"CODE"}"#);
    let has_code_or_none = by_code(r#"{"not_callable_reason":["CODE",null]}"#);
    let lacks_code = by_code(r#"{"not_callable_reason":{"not":"CODE"}}"#);
    let has_other_code = by_code(r#"{"not_callable_reason":{"not":["CODE",null]}}"#);
    let in_third_campaign = by_code(r#"{"campaign_id":3,"not_callable_reason":"CODE"}"#);
    let (mut callable_count, mut counts_by_code) = (0, std::collections::BTreeMap::new());
    for lead in &leads {
        for campaign in &campaigns {
            for campaign_lead in campaign_leads(lead.id, campaign.id) {
                let dialable = statuses.iter().any(|status| status.name == campaign_lead.status && status.dialable);
                let verdict = judge(&Callee::from(lead), &campaign_lead, campaign, dialable, now());
                let pairs = [(campaign_lead, campaign.name.clone())];
                let row = Row { lead, campaign_leads: &pairs };
                let matches_row = |predicate: &Predicate| matches(predicate, &row, now());
                let is_callable = verdict.is_callable();
                assert_eq!([&callable, &none].map(matches_row), [is_callable; 2], "{row:?}");
                assert_eq!([&uncallable, &some].map(matches_row), [!is_callable; 2], "{row:?}");
                callable_count += u32::from(is_callable);
                let codes: Vec<_> = verdict.reasons.iter().map(|reason| reason.code).collect();
                let has_limit = codes.contains(&Code::AttemptLimit) || codes.contains(&Code::DailyLimit);
                assert_eq!(matches_row(&ends_with_limit), has_limit, "{row:?}");
                for (index, code) in Code::ALL.iter().enumerate() {
                    let has_reason = codes.contains(code);
                    let expected = [
                        has_reason,
                        has_reason || is_callable,
                        !has_reason,
                        !has_reason && !is_callable,
                        has_reason && campaign.id.0 == 3,
                    ];
                    let predicates = [&has_code, &has_code_or_none, &lacks_code, &has_other_code, &in_third_campaign];
                    assert_eq!(predicates.map(|by_code| matches_row(&by_code[index])), expected, "{code}: {row:?}");
                    *counts_by_code.entry(*code).or_insert(0) += u32::from(has_reason);
                }
            }
        }
    }
    counts_by_code.remove(&Code::NotInCampaign);
    assert!(
        callable_count > 0 && counts_by_code.values().all(|count| *count > 0),
        "{callable_count}, {counts_by_code:?}"
    );
}

#[test]
fn leads_without_campaigns_have_only_own_reasons() {
    let (campaigns, statuses) = (campaigns(), statuses());
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let own_codes = [Code::NotInCampaign, Code::DoNotCall, Code::Blacklisted, Code::NoPhone, Code::InvalidPhone];
    // Rules of campaigns without the lead don't matter.
    for campaigns in [&campaign_refs[..], &campaign_refs[..1], &[]] {
        let rules = Rules { campaigns, statuses: &statuses, now: now() };
        for lead in leads() {
            let row = Row { lead: &lead, campaign_leads: &[] };
            let matches_row = |text: &str| matches(&resolve(&rules, text), &row, now());
            assert!(matches_row(r#"{"callable":false}"#) && !matches_row(r#"{"callable":true}"#), "{lead:?}");
            let reasons = judge_lead(&Callee::from(&lead), false);
            for code in Code::ALL {
                let has_reason = reasons.iter().any(|reason| reason.code == *code);
                let matches_code = matches_row(&format!(r#"{{"not_callable_reason":"{code}"}}"#));
                assert_eq!(matches_code, has_reason, "{code}: {lead:?}");
                let matches_negation = matches_row(&format!(r#"{{"not_callable_reason":{{"not":"{code}"}}}}"#));
                assert_eq!(matches_negation, own_codes.contains(code) && !has_reason, "not {code}: {lead:?}");
            }
        }
    }
}

/// Counts the conditions of a predicate. A shared one counts once.
fn count_distinct_conditions<'p>(predicate: &'p Predicate, shared: &mut Vec<&'p Arc<Predicate>>) -> usize {
    match predicate {
        Predicate::All(parts) | Predicate::Any(parts) => {
            parts.iter().map(|part| count_distinct_conditions(part, shared)).sum()
        }
        Predicate::Field(..) => 1,
        Predicate::Verdict(condition) if shared.iter().any(|seen| Arc::ptr_eq(seen, condition)) => 0,
        Predicate::Verdict(condition) => {
            shared.push(condition);
            count_distinct_conditions(condition, shared)
        }
    }
}

fn count_conditions(rules: &Rules<'_>, text: &str) -> usize {
    count_distinct_conditions(&resolve(rules, text), &mut Vec::new())
}

#[test]
fn resolves_equal_verdict_conditions_once() {
    let campaigns = campaigns();
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let rules = Rules { campaigns: &campaign_refs, statuses: &statuses(), now: now() };
    let single_count = count_conditions(&rules, r#"{"callable":true}"#);
    let repeat_in_group = |group: &str, part: &str| {
        let parts: Vec<_> = (0..50).map(|number| part.replace("CITY", &format!("City {number}"))).collect();
        format!(r#"{{"{group}":[{}]}}"#, parts.join(","))
    };
    assert_eq!(count_conditions(&rules, &repeat_in_group("_or", r#"{"callable":true}"#)), single_count);
    assert_eq!(count_conditions(&rules, &repeat_in_group("_and", r#"{"callable":true}"#)), single_count);
    assert_eq!(
        count_conditions(&rules, &repeat_in_group("_or", r#"{"callable":true,"city":"CITY"}"#)),
        single_count + 50
    );
    let callable_or_city = r#"{"_or":[{"callable":true},{"city":"CITY"}]}"#;
    assert_eq!(count_conditions(&rules, &repeat_in_group("_and", callable_or_city)), single_count + 50);
    let deep = r#"{"_or":[{"city":"CITY","_or":[{"callable":true,"zip":"1"},{"zip":"2"}]}]}"#;
    assert_eq!(count_conditions(&rules, &repeat_in_group("_or", deep)), single_count + 150);
}

#[test]
fn merges_alternatives_with_a_shared_verdict() {
    let campaigns = campaigns();
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let rules = Rules { campaigns: &campaign_refs, statuses: &statuses(), now: now() };
    let text = r#"{"_or":[{"callable":true,"city":"Bonn"},{"zip":"1"},{"city":"Rome","callable":true}]}"#;
    let Predicate::Any(parts) = resolve(&rules, text) else { panic!("alternatives") };
    let [Predicate::All(merged), Predicate::Field(..)] = &parts[..] else { panic!("{parts:?}") };
    let [Predicate::Verdict(_), Predicate::Any(cities)] = &merged[..] else { panic!("{merged:?}") };
    assert_eq!(cities.len(), 2);
    assert_eq!(resolve(&rules, r#"{"callable":[]}"#), Predicate::Any(Vec::new()));
    assert_eq!(resolve(&rules, r#"{"callable":[true,false]}"#), Predicate::All(Vec::new()));
}

#[test]
fn drops_redundant_verdicts() {
    let campaigns = campaigns();
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let rules = Rules { campaigns: &campaign_refs, statuses: &statuses(), now: now() };
    let uncallable_count = count_conditions(&rules, r#"{"callable":false}"#);
    let text_with_reason = r#"{"_or":[{"not_callable_reason":"frozen"},{"callable":false}]}"#;
    assert_eq!(count_conditions(&rules, text_with_reason), uncallable_count);
    let text = r#"{"_or":[{"callable":true,"city":"Bonn"},{"callable":false},{"callable":true,"zip":["1","2"]}]}"#;
    let Predicate::Any(parts) = resolve(&rules, text) else { panic!("alternatives") };
    let [Predicate::Field(..), Predicate::Field(..), Predicate::Verdict(_)] = &parts[..] else { panic!("{parts:?}") };
    let Predicate::All(parts) = resolve(&rules, r#"{"callable":true,"_or":[{"callable":false},{"zip":"1"}]}"#) else {
        panic!("conditions")
    };
    let [Predicate::Verdict(_), Predicate::Field(..)] = &parts[..] else { panic!("{parts:?}") };
}

#[test]
fn campaign_condition_narrows_verdict() {
    let templates = campaigns();
    let campaigns: Vec<_> = (1..=500)
        .map(|id| Campaign { id: CampaignId(id), max_attempts: Some(id as u32), ..templates[1].clone() })
        .collect();
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let rules = Rules { campaigns: &campaign_refs, statuses: &statuses(), now: now() };
    let wide_count = count_conditions(&rules, r#"{"callable":true}"#);
    assert!(wide_count > 1_000, "each limit has its own condition: {wide_count}");
    for narrow in [
        r#"{"campaign_id":7,"callable":true}"#,
        r#"{"callable":true,"campaign_id":[7,8,999]}"#,
        r#"{"campaign_id":7,"_or":[{"city":"Bonn"},{"callable":true}]}"#,
        r#"{"campaign_id":[7,8],"_and":[{"_or":[{"campaign_id":[8,9],"callable":true},{"zip":"1"}]}]}"#,
    ] {
        let narrow = count_conditions(&rules, narrow);
        assert!(narrow < 40, "{narrow}");
    }
    assert!(count_conditions(&rules, r#"{"_or":[{"campaign_id":7},{"callable":true}]}"#) > wide_count);
}

#[test]
fn groups_zones_with_the_same_open_campaigns() {
    let templates = campaigns();
    let hours = |minutes: u32| {
        let time = |minutes: u32| NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).expect("a time of day");
        Some(CallingHours { start: time(minutes), end: time(600 + minutes), days: Weekday::ALL.to_vec() })
    };
    let campaigns: Vec<_> = (0..1_000_i64)
        .map(|id| Campaign { id: CampaignId(id), calling_hours: hours(id as u32 % 120 * 7), ..templates[0].clone() })
        .collect();
    let campaign_refs: Vec<_> = campaigns.iter().collect();
    let rules = Rules { campaigns: &campaign_refs, statuses: &[], now: now() };
    let conditions = count_conditions(&rules, r#"{"not_callable_reason":"outside_calling_hours"}"#);
    assert!((20..100).contains(&conditions), "{conditions}");
}

/// Campaigns with different hours, limits and activity.
fn many_campaigns() -> impl Strategy<Value = Vec<Campaign>> {
    let days = proptest::collection::btree_set(0_usize..7, 1..7);
    let hours = (0_u32..96, 0_u32..96, days).prop_map(|(start, end, days)| {
        let time = |quarter: u32| NaiveTime::from_hms_opt(quarter / 4, quarter % 4 * 15, 0).expect("a time of day");
        let days = days.into_iter().map(|day| Weekday::ALL[day]).collect();
        CallingHours { start: time(start), end: time(end), days }
    });
    let limit = || proptest::option::of(0_u32..4);
    let rules = (any::<bool>(), proptest::option::weighted(0.7, hours), limit(), limit());
    proptest::collection::vec(rules, 1..40).prop_map(|rules| {
        let campaign = |(id, (active, calling_hours, max_attempts, daily_attempts))| {
            let record = CampaignRecord { name: Some(format!("Campaign {id}")), ..CampaignRecord::default() };
            let campaign = record.create(CampaignId(id), now()).expect("a valid campaign");
            Campaign { active, calling_hours, max_attempts, daily_attempts, ..campaign }
        };
        (1..).zip(rules).map(campaign).collect()
    })
}

/// Filters in which the same verdict conditions occur repeatedly.
fn verdict_filters() -> impl Strategy<Value = Predicate> {
    let code = || select(Code::ALL.to_vec()).prop_map(|code| Value::Text(code.as_str().to_owned()));
    let codes = || (proptest::collection::vec(code(), 0..3), any::<bool>());
    let reasons = prop_oneof![
        codes().prop_map(|(values, includes_null)| Test::In { values, includes_null }),
        codes().prop_map(|(values, includes_null)| Test::NotIn { values, includes_null }),
        any::<bool>().prop_map(Test::IsNull),
    ];
    let campaign = proptest::collection::vec((1_i64..42).prop_map(Value::Integer), 1..20);
    let status = select(vec!["new", "busy", "closed"]).prop_map(|name| vec![Value::Text(name.to_owned())]);
    let zone = select(vec!["Europe/Berlin", "America/Los_Angeles"]).prop_map(|name| vec![Value::Text(name.to_owned())]);
    let is_in = |field, values, includes_null| field_test(field, Test::In { values, includes_null });
    let leaf = prop_oneof![
        4 => any::<bool>().prop_map(move |callable| is_in(FieldId::Callable, vec![Value::Boolean(callable)], false)),
        3 => reasons.prop_map(|test| field_test(FieldId::NotCallableReason, test)),
        2 => (campaign, any::<bool>()).prop_map(move |(ids, includes_null)| is_in(FieldId::CampaignId, ids, includes_null)),
        1 => status.prop_map(move |values| is_in(FieldId::Status, values, false)),
        1 => zone.prop_map(move |values| is_in(FieldId::Timezone, values, false)),
        1 => (0_i64..4).prop_map(|calls| {
            field_test(FieldId::CallsCount, Test::Compare(Comparison::Less, Value::Integer(calls)))
        }),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Predicate::All),
            proptest::collection::vec(inner, 0..5).prop_map(Predicate::Any),
        ]
    })
}

/// Evaluates a predicate for a lead with one of its campaign leads, or without one. `codes` are the reasons that the
/// verdict gives.
fn matches_verdict(predicate: &Predicate, lead: &Lead, pair: Option<(&CampaignLead, &str)>, codes: &[Code]) -> bool {
    let own_codes = [Code::NotInCampaign, Code::DoNotCall, Code::Blacklisted, Code::NoPhone, Code::InvalidPhone];
    match predicate {
        Predicate::All(parts) => parts.iter().all(|part| matches_verdict(part, lead, pair, codes)),
        Predicate::Any(parts) => parts.iter().any(|part| matches_verdict(part, lead, pair, codes)),
        Predicate::Field(FieldRef::Builtin(FieldId::Callable), test) => {
            test.passes(Some(FieldValueRef::Boolean(codes.is_empty())))
        }
        Predicate::Field(FieldRef::Builtin(FieldId::NotCallableReason), test) => {
            let text = |code: Code| Value::Text(code.as_str().to_owned());
            let passes = |test: &Test| match codes {
                [] => test.passes(None),
                codes => codes.iter().any(|code| test.passes(Some(FieldValueRef::Text(code.as_str())))),
            };
            match test {
                // Outside a campaign, only the absence of the lead's own reasons is defined.
                Test::NotIn { values, includes_null } => {
                    let can_be_absent =
                        |value: &Value| pair.is_some() || own_codes.iter().any(|code| text(*code) == *value);
                    values.iter().all(can_be_absent)
                        && !passes(&Test::In { values: values.clone(), includes_null: *includes_null })
                }
                test => passes(test),
            }
        }
        stored_predicate => matches_pair(stored_predicate, lead, pair, now()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_verdict_filters_match_judge(
        campaigns in many_campaigns(),
        filters in proptest::collection::vec(verdict_filters(), 8),
        picks in proptest::collection::vec((any::<prop::sample::Index>(), proptest::collection::vec(any::<prop::sample::Index>(), 0..4)), 12),
        hours in 0_i64..24 * 7,
    ) {
        let (statuses, leads, now) = (statuses(), leads(), now() + TimeDelta::hours(hours));
        let all: Vec<_> = campaigns.iter().collect();
        let rules = Rules { campaigns: &all, statuses: &statuses, now };
        let resolved: Vec<_> = filters.iter().map(|filter| rules.resolve(filter)).collect();
        for (lead, campaign_picks) in &picks {
            let lead = lead.get(&leads);
            let mut pairs: Vec<(CampaignLead, String)> = Vec::new();
            for pick in campaign_picks {
                let campaign = pick.get(&campaigns);
                if pairs.iter().all(|(existing, _)| existing.campaign_id != campaign.id) {
                    let campaign_lead = pick.get(&campaign_leads(lead.id, campaign.id)).clone();
                    pairs.push((campaign_lead, campaign.name.clone()));
                }
            }
            let row = Row { lead, campaign_leads: &pairs };
            for (filter, resolved) in filters.iter().zip(&resolved) {
                let codes = |reasons: Vec<crate::api::NotCallableReason>| reasons.iter().map(|reason| reason.code).collect::<Vec<_>>();
                let expected = match &pairs[..] {
                    [] => matches_verdict(filter, lead, None, &codes(judge_lead(&Callee::from(lead), false))),
                    pairs => pairs.iter().any(|(campaign_lead, name)| {
                        let campaign = all.iter().find(|campaign| campaign.id == campaign_lead.campaign_id).expect("a campaign of the pair");
                        let dialable = statuses.iter().any(|status| status.name == campaign_lead.status && status.dialable);
                        let verdict = judge(&Callee::from(lead), campaign_lead, campaign, dialable, now);
                        matches_verdict(filter, lead, Some((campaign_lead, name)), &codes(verdict.reasons))
                    }),
                };
                prop_assert_eq!(matches(resolved, &row, now), expected, "{:?} {:?}", filter, row);
            }
        }
    }
}
