//! Property tests: the same predicate over the same rows returns the same leads from the engine and from the store, in the same order and
//! with the same campaign leads shown, for any limit and cursor.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveTime;
use leadscribe_engine::api::*;
use leadscribe_engine::callable::{judge, judge_lead};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{CampaignSelection, CheckedFilter, Cursor, FieldRef, Limit};
use leadscribe_engine::filter::testing::{
    CAMPAIGNS, CUSTOM_FIELDS, NUMBERS, compare_leads, cursor_values, custom_values, dates, filters, optional, resolve,
    texts, times,
};
use leadscribe_engine::filter::{self, Limits, Row};
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadAction, LeadRecord};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestError, TestRunner};

use super::{TestStore, at, audit_at, campaign_lead_record, new_campaign};
use crate::storage::{CampaignQuery, LookupLead, Slice};

const LEAD_COUNT: i64 = 70;

fn lead_records() -> impl Strategy<Value = LeadRecord> {
    let words = proptest::collection::vec(optional(texts()), 8);
    let numbers = proptest::collection::vec(optional(select(NUMBERS)), 3);
    let custom = proptest::collection::btree_map(
        select(CUSTOM_FIELDS).prop_map(str::to_owned),
        custom_values().prop_map(Some),
        0..4,
    );
    (words, numbers, optional(dates()), any::<[bool; 2]>(), custom, times(), times()).prop_map(
        |(words, numbers, date, flags, custom, created_at, updated_at)| LeadRecord {
            first_name: Some(words[0].clone()),
            last_name: Some(words[1].clone()),
            email: Some(words[2].clone()),
            city: Some(words[3].clone()),
            zip: Some(words[4].clone()),
            phone_normalized: Some(words[5].clone()),
            timezone: Some(words[6].clone()),
            purchase_site: Some(words[7].clone()),
            lat: Some(numbers[0]),
            lng: Some(numbers[1]),
            purchase_amount: Some(numbers[2]),
            purchase_date: Some(date),
            do_not_call: Some(flags[0]),
            blacklisted: Some(flags[1]),
            custom_fields: Some(custom),
            created_at: Some(created_at),
            updated_at: Some(updated_at),
            ..LeadRecord::default()
        },
    )
}

fn campaign_lead_records() -> impl Strategy<Value = Vec<CampaignLeadRecord>> {
    let record_of = |campaign: i64| {
        (
            select(&["new", "busy", "closed"][..]),
            0_u32..4,
            -1_i64..4,
            proptest::collection::vec(optional(times()), 3),
            times(),
        )
            .prop_map(move |(status, calls, weight, times, updated_at)| CampaignLeadRecord {
                campaign_id: Some(CampaignId(campaign)),
                status: Some(status.to_owned()),
                weight: Some(weight),
                calls_count: Some(calls),
                calls_today: Some(calls),
                last_call_at: Some(times[0]),
                last_call_status: Some((calls > 1).then(|| "busy".to_owned())),
                freeze_until: Some(times[1]),
                callback_at: Some(times[2]),
                assigned_user_id: Some((calls == 2).then_some(UserId(2))),
                updated_at: Some(updated_at),
                ..CampaignLeadRecord::default()
            })
    };
    let records: Vec<_> = (1..=CAMPAIGNS.len() as i64).map(record_of).collect();
    (records, subsequence((0..CAMPAIGNS.len()).collect::<Vec<_>>(), 0..=3))
        .prop_map(|(rows, indexes)| indexes.into_iter().map(|index| rows[index].clone()).collect())
}

/// The engine's result for a filter on stored fields.
fn expected_leads(leads: &[LookupLead], filter: &CheckedFilter) -> Vec<LookupLead> {
    let name = |id: CampaignId| CAMPAIGNS[id.0 as usize - 1].to_owned();
    let mut found: Vec<LookupLead> = leads
        .iter()
        .filter_map(|row| {
            let with_name = |campaign_lead: &CampaignLead| (campaign_lead.clone(), name(campaign_lead.campaign_id));
            let pairs: Vec<_> = row.campaign_leads.iter().map(with_name).collect();
            let lead = row.lead.to_lead();
            let matches = filter.matches(&Row { lead: &lead, campaign_leads: &pairs }, at(0));
            let shown = pairs.iter().filter(|(campaign_lead, name)| {
                filter.campaigns == CampaignSelection::All
                    || filter::matches_pair(&filter.predicate, &lead, Some((campaign_lead, name)), at(0))
            });
            let campaign_leads = shown.map(|(campaign_lead, _)| campaign_lead.clone()).collect();
            matches.then(|| LookupLead { campaign_leads, ..row.clone() })
        })
        .collect();
    found.sort_by(|left, right| compare_leads(&filter.order, &left.lead.to_lead(), &right.lead.to_lead()));
    found
}

/// Queries once with the original filter, and then page by page with the same filter on stored fields.
async fn check_filter(
    store: &TestStore,
    filter: &CheckedFilter,
    stored_filter: &CheckedFilter,
    expected: Vec<LookupLead>,
) {
    let (count, offset) = (filter.limit.count as usize, filter.limit.offset as usize);
    let result = store.look_up(filter, at(0)).await.unwrap();
    let page: Vec<_> = expected.iter().skip(offset).take(count).cloned().collect();
    assert_eq!(result.leads, page);
    assert_eq!(result.total, expected.len() as u64);
    assert_eq!(result.has_more, expected.len() > offset + count);
    let shown = page.iter().flat_map(|lead| &lead.campaign_leads).map(|campaign_lead| campaign_lead.campaign_id);
    let shown: BTreeSet<_> = shown.collect();
    assert_eq!(
        result.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<_>>(),
        shown.into_iter().collect::<Vec<_>>()
    );

    let mut page_filter =
        CheckedFilter { limit: Limit { count: 9, offset: 0 }, cursor: Some(Cursor::Start), ..stored_filter.clone() };
    let mut paged = Vec::new();
    loop {
        let result = store.look_up(&page_filter, at(0)).await.unwrap();
        assert_eq!(result.total, expected.len() as u64);
        let has_more = result.has_more;
        paged.extend(result.leads);
        match paged.last() {
            Some(last) if has_more => {
                page_filter.cursor = Some(Cursor::After(cursor_values(&page_filter.order, &last.lead.to_lead())))
            }
            _ => break,
        }
    }
    assert_eq!(paged, expected);
}

/// Fills a store with leads that are the same in every run, so that the filter alone reproduces a failure. Returns all leads.
async fn fill_store(store: &TestStore) -> Vec<LookupLead> {
    for name in CAMPAIGNS {
        new_campaign(store, name).await;
    }
    let mut runner = TestRunner::deterministic();
    for id in 1..=LEAD_COUNT {
        let lead = lead_records().new_tree(&mut runner).unwrap().current();
        store.create_lead(LeadRecord { id: Some(LeadId(id)), ..lead }, &audit_at(0)).await.unwrap();
        for row in campaign_lead_records().new_tree(&mut runner).unwrap().current() {
            let campaign = row.campaign_id.unwrap();
            let pair = campaign_lead_record(LeadId(id), campaign);
            let row = CampaignLeadRecord { lead_id: pair.lead_id, ..row };
            store.create_campaign_lead(row, &audit_at(0)).await.unwrap();
        }
    }
    all_leads(store).await
}

async fn all_leads(store: &TestStore) -> Vec<LookupLead> {
    let mut leads = Vec::new();
    for id in 1..=LEAD_COUNT {
        leads.extend(store.lead(LeadId(id), at(0)).await.unwrap().unwrap().leads);
    }
    leads
}

pub async fn random_filters_agree_with_the_engine(store: TestStore) {
    fill_store(&store).await;
    set_callability_rules(&store).await;
    let leads = all_leads(&store).await;
    let campaigns = store.campaigns(&CampaignQuery::default(), Slice { count: 100, offset: 0 }).await.unwrap().items;
    let statuses = store.statuses().await.unwrap();
    let result_sizes = std::cell::RefCell::new(BTreeMap::new());
    let config = Config { cases: 600, failure_persistence: None, ..Config::default() };
    let handle = tokio::runtime::Handle::current();
    let result = tokio::task::block_in_place(|| {
        TestRunner::new(config).run(&filters(), |filter| {
            let stored_filter = resolve(&filter, &campaigns, &statuses);
            let expected = expected_leads(&leads, &stored_filter);
            *result_sizes.borrow_mut().entry(expected.len()).or_insert(0) += 1;
            handle.block_on(check_filter(&store, &filter, &stored_filter, expected));
            Ok(())
        })
    });
    if let Err(TestError::Fail(reason, filter)) = &result {
        panic!("{reason}\n{filter:#?}");
    }
    result.unwrap();
    // Filters that match nothing or everything would prove little.
    assert!(result_sizes.borrow().len() > 20, "{result_sizes:?}");
}

/// Gives the campaigns different rules, and the leads time zones and numbers that make them callable or not.
async fn set_callability_rules(store: &TestStore) {
    let hours = |start: &str, end: &str| {
        let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").unwrap();
        Some(CallingHours { start: time(start), end: time(end), days: Weekday::ALL.to_vec() })
    };
    let rules = [
        (true, None, Some(2), None),
        (true, hours("09:00", "18:00"), None, Some(2)),
        (true, hours("20:00", "06:00"), Some(3), Some(1)),
        (false, None, None, None),
    ];
    for (id, (active, calling_hours, max_attempts, daily_attempts)) in (1..).zip(rules) {
        let record = CampaignRecord {
            active: Some(active),
            calling_hours: Some(calling_hours),
            max_attempts: Some(max_attempts),
            daily_attempts: Some(daily_attempts),
            ..CampaignRecord::default()
        };
        store.update_campaign(CampaignId(id), record, None, &audit_at(0)).await.unwrap().unwrap();
    }
    let zones = [Some("Europe/Berlin"), Some("America/Los_Angeles"), None, Some(""), Some("Mars/Olympus")];
    let numbers = [
        (Some("+4930123456"), Some("+4930123456")),
        (Some("12"), None),
        (None, None),
        (Some(" "), None),
        (Some(""), None),
    ];
    for id in 1..=LEAD_COUNT {
        let (phone, normalized_phone) = numbers[id as usize / 2 % numbers.len()];
        let text = |text: Option<&str>| Some(text.map(str::to_owned));
        let record = LeadRecord {
            timezone: text(zones[id as usize % zones.len()]),
            phone: text(phone),
            phone_normalized: text(normalized_phone),
            do_not_call: Some(id % 7 == 0),
            blacklisted: Some(id % 11 == 0),
            ..LeadRecord::default()
        };
        store.update_lead(LeadId(id), record, None, None, &audit_at(0)).await.unwrap().unwrap();
    }
}

pub async fn verdict_filters_agree_with_single_leads(store: TestStore) {
    fill_store(&store).await;
    set_callability_rules(&store).await;
    let mut codes = BTreeSet::new();
    for now in [at(0), at(7 * 3600), at(86_400)] {
        // Expected leads by filter, each with the shown campaigns.
        let mut expected: BTreeMap<String, BTreeMap<i64, Vec<i64>>> = BTreeMap::new();
        for id in 1..=LEAD_COUNT {
            let result = store.lead(LeadId(id), now).await.unwrap().unwrap();
            let (lead, mut expect) = (&result.leads[0], |filter: String, campaign: Option<CampaignId>| {
                expected.entry(filter).or_default().entry(id).or_default().extend(campaign.map(|id| id.0));
            });
            let callee = lead.lead.callee();
            if lead.campaign_leads.is_empty() {
                expect(r#"{"callable":false}"#.to_owned(), None);
                for reason in judge_lead(&callee, false) {
                    expect(format!(r#"{{"not_callable_reason":"{}"}}"#, reason.code), None);
                }
            }
            for campaign_lead in &lead.campaign_leads {
                let campaign =
                    result.campaigns.iter().find(|campaign| campaign.id == campaign_lead.campaign_id).unwrap();
                let dialable =
                    result.statuses.iter().any(|status| status.name == campaign_lead.status && status.dialable);
                let verdict = judge(&callee, campaign_lead, campaign, dialable, now);
                expect(format!(r#"{{"callable":{}}}"#, verdict.is_callable()), Some(campaign.id));
                for code in verdict.reasons.iter().map(|reason| reason.code) {
                    expect(format!(r#"{{"not_callable_reason":"{code}"}}"#), Some(campaign.id));
                    if campaign.id.0 == 3 {
                        expect(format!(r#"{{"campaign_id":3,"not_callable_reason":"{code}"}}"#), Some(campaign.id));
                    }
                    codes.insert(code.as_str());
                }
            }
        }
        // Conditions on the lead alone show all of its campaigns, like any filter on leads.
        let lead_codes = [r#""do_not_call""#, r#""blacklisted""#, r#""no_phone""#, r#""invalid_phone""#];
        for (text, leads) in expected {
            let filter = filter::parse_and_check(&text, &Limits::default()).unwrap();
            let result = store.look_up(&filter, now).await.unwrap();
            let shown = result.leads.iter().map(|lead| {
                let campaigns = lead.campaign_leads.iter().map(|campaign_lead| campaign_lead.campaign_id.0);
                (lead.lead.id().0, campaigns.collect::<Vec<_>>())
            });
            let shown: BTreeMap<_, _> = shown.collect();
            match lead_codes.iter().any(|code| text.contains(code)) && !text.contains("campaign_id") {
                true => assert!(shown.keys().eq(leads.keys()), "{text}: {shown:?}"),
                false => assert_eq!(shown, leads, "{text}"),
            }
            assert_eq!(result.total, leads.len() as u64, "{text}");
        }
    }
    assert_eq!(
        codes.len(),
        NotCallableCode::ALL.len() - 1,
        "all reasons except that of leads without campaigns: {codes:?}"
    );
}

/// Number of campaigns with different rules. With this many, a filter once bound more values than a statement supports.
const CAMPAIGN_COUNT: i64 = 128;

pub async fn many_verdict_conditions_are_evaluated(store: TestStore) {
    let time = |minutes: u32| NaiveTime::from_hms_opt(minutes / 60 % 24, minutes % 60, 0).unwrap();
    for id in 1..=CAMPAIGN_COUNT {
        let number = u32::try_from(id).unwrap();
        let hours = CallingHours { start: time(number * 7), end: time(600 + number * 7), days: Weekday::ALL.to_vec() };
        let record = CampaignRecord {
            name: Some(format!("Campaign {id}")),
            calling_hours: Some(Some(hours)),
            max_attempts: Some(Some(number)),
            daily_attempts: Some(Some(number)),
            ..CampaignRecord::default()
        };
        store.create_campaign(record, &audit_at(0)).await.unwrap();
        let lead = LeadRecord {
            timezone: Some(Some("Europe/Berlin".to_owned())),
            phone: Some(Some("+4930123456".to_owned())),
            phone_normalized: Some(Some("+4930123456".to_owned())),
            ..LeadRecord::default()
        };
        let lead = store.create_lead(lead, &audit_at(0)).await.unwrap();
        store.create_campaign_lead(campaign_lead_record(lead.id, CampaignId(id)), &audit_at(0)).await.unwrap();
    }
    let filter = |text: &str| filter::parse_and_check(text, &Limits::default()).unwrap();
    let group = |group: &str, count: i64, part: &dyn Fn(i64) -> String| {
        format!(r#"{{"{group}":[{}]}}"#, (0..count).map(part).collect::<Vec<_>>().join(","))
    };
    let callable = store.look_up(&filter(r#"{"callable":true}"#), at(0)).await.unwrap().total;
    assert!((1..CAMPAIGN_COUNT as u64).contains(&callable), "{callable}");

    let ids = |index: i64| {
        (0..16).map(|step| (1 + (index + step * 8) % CAMPAIGN_COUNT).to_string()).collect::<Vec<_>>().join(",")
    };
    let codes = NotCallableCode::ALL;
    let code = |index: i64| codes[usize::try_from(index).unwrap() % codes.len()];
    let every_other = |index: i64| format!(r#"{{"callable":{},"zip":"{index}"}}"#, index % 2 == 0);
    for (text, total) in [
        (group("_or", 200, &|_| r#"{"callable":true}"#.to_owned()), callable),
        (group("_and", 200, &|_| r#"{"callable":true}"#.to_owned()), callable),
        (group("_and", 100, &|index| format!(r#"{{"_or":[{{"callable":true}},{{"zip":"{index}"}}]}}"#)), callable),
        (group("_or", 100, &|index| format!(r#"{{"campaign_id":[{}],"callable":true}}"#, ids(index))), callable),
        (group("_or", 100, &every_other), 0),
        (
            group("_or", 100, &|index| {
                format!(r#"{{"not_callable_reason":["{}","{}"],"zip":"{index}"}}"#, code(index), code(index / 13))
            }),
            0,
        ),
        (
            group("_or", 50, &|index| {
                format!(r#"{{"zip":"1","_or":[{{"callable":true,"city":"{index}"}},{{"city":"x"}}]}}"#)
            }),
            0,
        ),
    ] {
        let result = store.look_up(&filter(&text), at(0)).await.unwrap_or_else(|error| panic!("{error:?}: {text}"));
        assert_eq!(result.total, total, "{text}");
        let action = format!(r#"{{"filter":{text},"set":{{"weight":5}}}}"#);
        let action = LeadAction::from_json(&action, &Limits::default()).unwrap();
        let outcome = store.preview_lead_action(&action, at(0)).await.unwrap();
        assert_eq!(outcome.leads.changed + outcome.leads.unchanged, total, "{text}");
    }
}

/// Result of counting the values directly.
fn count_values(lookup_leads: &[LookupLead], field: &FieldRef, prefix: &str) -> Vec<FieldValue> {
    let mut leads: BTreeMap<String, u64> = BTreeMap::new();
    for lookup_lead in lookup_leads {
        let (lead, campaign_leads) = (lookup_lead.lead.to_lead(), lookup_lead.campaign_leads.iter());
        let values: Vec<String> = match field {
            FieldRef::Custom(name) => match lead.custom_fields.get(name) {
                Some(CustomValue::Text(text)) => vec![text.clone()],
                _ => Vec::new(),
            },
            FieldRef::Builtin(FieldId::City) => lead.city.into_iter().collect(),
            FieldRef::Builtin(FieldId::Status) => campaign_leads.map(|entry| entry.status.clone()).collect(),
            FieldRef::Builtin(FieldId::LastCallStatus) => {
                campaign_leads.filter_map(|entry| entry.last_call_status.clone()).collect()
            }
            FieldRef::Builtin(_) => {
                campaign_leads.map(|entry| CAMPAIGNS[entry.campaign_id.0 as usize - 1].to_owned()).collect()
            }
        };
        for value in values.into_iter().collect::<BTreeSet<_>>() {
            *leads.entry(value).or_default() += 1;
        }
    }
    let prefix = prefix.to_ascii_lowercase();
    leads.retain(|value, _| value.to_ascii_lowercase().starts_with(&prefix));
    let mut values: Vec<_> = leads.into_iter().map(|(value, leads)| FieldValue { value, leads }).collect();
    // Already sorted by value; the sort is stable.
    values.sort_by_key(|entry| std::cmp::Reverse(entry.leads));
    values
}

pub async fn value_counts_agree_with_naive_count(store: TestStore) {
    let lookup_leads = fill_store(&store).await;
    let known_fields =
        [FieldId::City, FieldId::Status, FieldId::LastCallStatus, FieldId::CampaignName].map(FieldRef::Builtin);
    let custom_fields = CUSTOM_FIELDS.iter().map(|name| FieldRef::Custom((*name).to_owned()));
    let mut max_values = 0;
    for field in known_fields.into_iter().chain(custom_fields) {
        for prefix in ["", "a", "AD", "new", "\u{e9}", "\u{c9}", "%", "'", "\\", "sPRI", "x"] {
            let expected = count_values(&lookup_leads, &field, prefix);
            max_values = max_values.max(expected.len());
            assert_eq!(store.field_values(&field, prefix, 100).await.unwrap(), expected, "{field:?} {prefix:?}");
            let first: Vec<_> = expected.into_iter().take(2).collect();
            assert_eq!(store.field_values(&field, prefix, 2).await.unwrap(), first, "{field:?} {prefix:?}");
        }
    }
    assert!(max_values > 8, "{max_values}");
}
