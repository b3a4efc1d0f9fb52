//! Property tests: the same filter over the same leads returns the same result from the index and from the engine, after any changes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Cycle;
use std::vec::IntoIter;

use chrono::NaiveDate;
use leadscribe_engine::api::*;
use leadscribe_engine::callable::Callee;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{CampaignSelection, CheckedFilter, Cursor, FieldRef, Limit};
use leadscribe_engine::filter::testing::{
    CAMPAIGNS, CUSTOM_FIELDS, NUMBERS, ZONES, compare_leads, cursor_values, custom_values, dates, filters, optional,
    resolve, statuses, texts, times, timestamp, with_campaign_rules,
};
use leadscribe_engine::filter::{self, Row};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::{Builder, LeadIndex, Members, PackedLead};

const MAX_LEAD_ID: i64 = 40;

/// Values for the members of a lead, by type.
#[derive(Clone, Debug)]
struct MemberValues {
    texts: Cycle<IntoIter<Option<String>>>,
    numbers: Cycle<IntoIter<Option<f64>>>,
    dates: Cycle<IntoIter<Option<NaiveDate>>>,
    flags: Cycle<IntoIter<bool>>,
    times: Cycle<IntoIter<Timestamp>>,
    custom_fields: BTreeMap<String, CustomValue>,
}

/// Type of a lead's member.
trait Member {
    fn take(values: &mut MemberValues) -> Self;
}

macro_rules! members {
    ($($type:ty: $values:ident => $value:expr;)+) => {
        $(impl Member for $type {
            fn take($values: &mut MemberValues) -> Self {
                $value
            }
        })+
    };
}

members! {
    LeadId: _values => LeadId(0);
    Option<ImportId>: values => bool::take(values).then_some(ImportId(7));
    Option<String>: values => values.texts.next().flatten();
    Option<f64>: values => values.numbers.next().flatten();
    Option<NaiveDate>: values => values.dates.next().flatten();
    bool: values => values.flags.next().unwrap_or_default();
    Timestamp: values => values.times.next().unwrap_or_default();
    BTreeMap<String, CustomValue>: values => std::mem::take(&mut values.custom_fields);
}

macro_rules! lead {
    ($($(#[$attribute:meta])* $member:ident: $type:ty [$($about:tt)*];)+) => {
        fn take_lead(values: &mut MemberValues) -> Lead {
            Lead { $($member: Member::take(values)),+ }
        }
    };
}
leadscribe_engine::lead_members!(lead);

fn leads() -> impl Strategy<Value = Lead> {
    let texts = proptest::collection::vec(optional(texts()), 17);
    let numbers = proptest::collection::vec(optional(select(NUMBERS)), 3);
    let dates = proptest::collection::vec(optional(dates()), 2);
    let flags = proptest::collection::vec(any::<bool>(), 3);
    let times = proptest::collection::vec(times(), 3);
    let custom = proptest::collection::btree_map(select(CUSTOM_FIELDS).prop_map(str::to_owned), custom_values(), 0..4);
    (texts, numbers, dates, flags, times, custom, optional(select(ZONES))).prop_map(
        |(texts, numbers, dates, flags, times, custom_fields, zone)| {
            let mut values = MemberValues {
                texts: texts.into_iter().cycle(),
                numbers: numbers.into_iter().cycle(),
                dates: dates.into_iter().cycle(),
                flags: flags.into_iter().cycle(),
                times: times.into_iter().cycle(),
                custom_fields,
            };
            Lead { timezone: zone.map(str::to_owned), ..take_lead(&mut values) }
        },
    )
}

fn campaign_leads() -> impl Strategy<Value = Vec<CampaignLead>> {
    let campaign_lead = |campaign: i64| {
        let times = (proptest::collection::vec(optional(times()), 3), times(), times());
        (select(&["new", "busy", "closed"][..]), 0_u32..4, -1_i64..4, times).prop_map(
            move |(status, calls, weight, (times, created_at, updated_at))| CampaignLead {
                id: CampaignLeadId(0),
                lead_id: LeadId(0),
                campaign_id: CampaignId(campaign),
                status: status.to_owned(),
                weight,
                calls_count: calls,
                calls_today: calls,
                last_call_at: times[0],
                last_call_status: (calls > 1).then(|| "busy".to_owned()),
                freeze_until: times[1],
                callback_at: times[2],
                assigned_user_id: (calls == 2).then_some(UserId(2)),
                created_at,
                updated_at,
            },
        )
    };
    let all_campaigns: Vec<_> = (1..=CAMPAIGNS.len() as i64).map(campaign_lead).collect();
    (all_campaigns, subsequence((0..CAMPAIGNS.len()).collect::<Vec<_>>(), 0..=3))
        .prop_map(|(rows, indexes)| indexes.into_iter().map(|index| rows[index].clone()).collect())
}

/// Leads by id, with their campaign leads.
type Leads = BTreeMap<i64, (Lead, Vec<CampaignLead>)>;

/// New state of a lead; `None` if it is deleted.
type NewState = Option<(Lead, Vec<CampaignLead>)>;

/// Leads to build an index from, and later changes. Some changed leads are new and have ids between the others.
fn histories() -> impl Strategy<Value = (Leads, Vec<(i64, NewState)>)> {
    let lead = || (leads(), campaign_leads());
    let built = proptest::collection::btree_map((1..MAX_LEAD_ID / 2).prop_map(|half| 2 * half), lead(), 0..30);
    let changes = proptest::collection::vec((1..MAX_LEAD_ID, proptest::option::weighted(0.8, lead())), 0..30);
    let assign_ids = |id: i64, (lead, campaign_leads): (Lead, Vec<CampaignLead>)| {
        let lead = Lead { id: LeadId(id), ..lead };
        let assign_id = |campaign_lead: CampaignLead| {
            let number = id * CAMPAIGNS.len() as i64 - campaign_lead.campaign_id.0;
            CampaignLead { id: CampaignLeadId(number), lead_id: LeadId(id), ..campaign_lead }
        };
        (lead, campaign_leads.into_iter().map(assign_id).collect())
    };
    (built, changes).prop_map(move |(built, changes)| {
        let built = built.into_iter().map(|(id, lead)| (id, assign_ids(id, lead)));
        let changes = changes.into_iter().map(|(id, state)| (id, state.map(|lead| assign_ids(id, lead))));
        (built.collect(), changes.collect())
    })
}

fn campaign(id: i64) -> Campaign {
    with_campaign_rules(Campaign {
        id: CampaignId(id),
        name: CAMPAIGNS[id as usize - 1].to_owned(),
        active: true,
        calling_hours: None,
        max_attempts: None,
        daily_attempts: None,
        freeze_minutes: 0,
        created_at: timestamp(0),
        updated_at: timestamp(0),
    })
}

fn campaigns() -> Vec<Campaign> {
    (1..=CAMPAIGNS.len() as i64).map(campaign).collect()
}

/// A lead of a result: with the shown campaign leads, and whether it is in any campaign.
type ExpectedLead = (Lead, Vec<CampaignLead>, bool);

/// The engine's result for a filter on stored fields.
fn expected_leads(leads: &Leads, filter: &CheckedFilter) -> Vec<ExpectedLead> {
    let name = |id: CampaignId| CAMPAIGNS[id.0 as usize - 1].to_owned();
    let mut matching_leads: Vec<ExpectedLead> = Vec::new();
    for (lead, campaign_leads) in leads.values() {
        let mut pairs: Vec<_> = campaign_leads
            .iter()
            .map(|campaign_lead| (campaign_lead.clone(), name(campaign_lead.campaign_id)))
            .collect();
        pairs.sort_by_key(|(campaign_lead, _)| campaign_lead.id);
        if filter.matches(&Row { lead, campaign_leads: &pairs }, timestamp(0)) {
            let shown = pairs.iter().filter(|(campaign_lead, name)| {
                filter.campaigns == CampaignSelection::All
                    || filter::matches_pair(&filter.predicate, lead, Some((campaign_lead, name)), timestamp(0))
            });
            let with_calls_today = |campaign_lead: &CampaignLead| CampaignLead {
                calls_today: filter::calls_today(campaign_lead, timestamp(0)),
                ..campaign_lead.clone()
            };
            matching_leads.push((
                lead.clone(),
                shown.map(|(campaign_lead, _)| with_calls_today(campaign_lead)).collect(),
                !pairs.is_empty(),
            ));
        }
    }
    matching_leads.sort_by(|left, right| compare_leads(&filter.order, &left.0, &right.0));
    matching_leads
}

fn look_up(index: &LeadIndex, filter: &CheckedFilter) -> (Vec<ExpectedLead>, u64, bool) {
    let page = index.look_up(filter, timestamp(0));
    let leads = page.leads.iter().map(|lead| {
        let campaign_leads =
            page.campaign_leads(lead).iter().map(|campaign_lead| campaign_lead.to_campaign_lead(timestamp(0)));
        (lead.row.to_lead(), campaign_leads.collect(), lead.is_in_campaign)
    });
    (leads.collect(), page.total, page.has_more)
}

/// Queries once with the original filter, and then page by page with the same filter on stored fields.
fn check(
    index: &LeadIndex,
    filter: &CheckedFilter,
    stored: &CheckedFilter,
    expected: &[ExpectedLead],
) -> Result<(), TestCaseError> {
    let (count, offset) = (filter.limit.count as usize, filter.limit.offset as usize);
    let expected_page: Vec<_> = expected.iter().skip(offset).take(count).cloned().collect();
    let (leads, total, has_more) = look_up(index, filter);
    prop_assert_eq!(leads, expected_page);
    prop_assert_eq!((total, has_more), (expected.len() as u64, expected.len() > offset + count));

    let mut page_filter =
        CheckedFilter { limit: Limit { count: 7, offset: 0 }, cursor: Some(Cursor::Start), ..stored.clone() };
    let mut collected: Vec<ExpectedLead> = Vec::new();
    loop {
        let (leads, total, has_more) = look_up(index, &page_filter);
        prop_assert_eq!(total, expected.len() as u64);
        collected.extend(leads);
        match collected.last() {
            Some((last, ..)) if has_more => {
                page_filter.cursor = Some(Cursor::After(cursor_values(&page_filter.order, last)))
            }
            _ => break,
        }
    }
    prop_assert_eq!(&collected[..], expected);
    Ok(())
}

fn build(leads: &Leads) -> LeadIndex {
    let mut builder = Builder::new(campaigns(), statuses());
    leads.values().for_each(|(lead, campaign_leads)| builder.push(lead, campaign_leads));
    builder.finish()
}

#[test]
fn random_filters_agree_with_the_engine_after_random_changes() {
    let matched = RefCell::new(BTreeSet::new());
    let config = Config { cases: 100, failure_persistence: None, ..Config::default() };
    let filters = proptest::collection::vec(filters(), 16);
    let result = TestRunner::new(config).run(&(histories(), filters), |((mut leads, changes), filters)| {
        let mut index = build(&leads);
        let stored: Vec<_> = filters.iter().map(|filter| resolve(filter, &campaigns(), &statuses())).collect();
        for (filter, stored) in filters.iter().zip(&stored).take(4) {
            check(&index, filter, stored, &expected_leads(&leads, stored))?;
        }
        let (snapshot, snapshot_leads) = (index.clone(), leads.clone());
        for (id, state) in changes {
            index.apply(LeadId(id), state.as_ref().map(|(lead, campaign_leads)| (lead, &campaign_leads[..])));
            match state {
                Some(state) => _ = leads.insert(id, state),
                None => _ = leads.remove(&id),
            }
        }
        prop_assert_eq!(index.len(), leads.len());
        let rebuilt = index.rebuild();
        for (filter, stored) in filters.iter().zip(&stored) {
            let expected = expected_leads(&leads, stored);
            matched.borrow_mut().insert(expected.len());
            check(&index, filter, stored, &expected)?;
            check(&rebuilt, stored, stored, &expected)?;
        }
        for stored in stored.iter().take(4) {
            check(&snapshot, stored, stored, &expected_leads(&snapshot_leads, stored))?;
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    // Filters that match nothing or everything would prove little.
    assert!(matched.borrow().len() > 20, "{matched:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn packed_rows_round_trip(
        lead in leads(), campaign_leads in campaign_leads(), members in proptest::collection::btree_set(0_usize..32, 0..32),
    ) {
        let lead = Lead { id: LeadId(7), ..lead };
        let mut index = LeadIndex::default();
        index.apply(lead.id, Some((&lead, &campaign_leads)));
        let row = index.lead(lead.id).unwrap();
        prop_assert_eq!(&row.to_lead(), &lead);
        let campaign_leads: Vec<_> =
            campaign_leads.into_iter().map(|campaign_lead| CampaignLead { lead_id: lead.id, ..campaign_lead }).collect();
        let unpacked: Vec<_> = row.campaign_leads().map(|campaign_lead| campaign_lead.to_stored()).collect();
        prop_assert_eq!(unpacked, campaign_leads);

        let packed = row.to_packed();
        prop_assert_eq!(&packed, &PackedLead::pack(&lead));
        let mut json = Vec::new();
        packed.write_json(Members::ALL, &mut json);
        json.push(b'}');
        let text = serde_json::to_string(&lead).unwrap();
        prop_assert_eq!(std::str::from_utf8(&json).unwrap(), &text);

        let names: BTreeSet<String> =
            filter::member_names().enumerate().filter(|(at, _)| members.contains(at)).map(|(_, name)| name.to_owned()).collect();
        let mut expected_members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
        expected_members.retain(|name, _| names.contains(name));
        json.clear();
        packed.write_json(Members::from_names(&names), &mut json);
        json.push(b'}');
        let selected_members: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&json).unwrap();
        prop_assert_eq!(selected_members, expected_members);

        prop_assert_eq!(packed.callee(), Callee::from(&lead));
    }
}

/// Fields whose values are counted, one of each kind.
const COUNTED_FIELDS: [FieldId; 5] =
    [FieldId::City, FieldId::Zip, FieldId::Status, FieldId::LastCallStatus, FieldId::CampaignName];

/// Result of counting the values directly.
fn count_values(all_leads: &Leads, field: &FieldRef, prefix: &str, count: usize) -> Vec<FieldValue> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (lead, campaign_leads) in all_leads.values() {
        let mut values = BTreeSet::new();
        match field {
            FieldRef::Custom(name) => {
                if let Some(CustomValue::Text(text)) = lead.custom_fields.get(name) {
                    values.insert(text.clone());
                }
            }
            FieldRef::Builtin(FieldId::City) => values.extend(lead.city.clone()),
            FieldRef::Builtin(FieldId::Zip) => values.extend(lead.zip.clone()),
            FieldRef::Builtin(id) => values.extend(campaign_leads.iter().filter_map(|campaign_lead| match id {
                FieldId::Status => Some(campaign_lead.status.clone()),
                FieldId::LastCallStatus => campaign_lead.last_call_status.clone(),
                _ => Some(campaign(campaign_lead.campaign_id.0).name),
            })),
        }
        values.into_iter().for_each(|value| *counts.entry(value).or_default() += 1);
    }
    let prefix = prefix.to_ascii_lowercase();
    counts.retain(|value, _| value.to_ascii_lowercase().starts_with(&prefix));
    let mut values: Vec<_> = counts.into_iter().map(|(value, leads)| FieldValue { value, leads }).collect();
    values.sort_by_key(|counted| (std::cmp::Reverse(counted.leads), counted.value.clone()));
    values.truncate(count);
    values
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn value_counts_agree_with_naive_count_after_changes(
        (mut leads, changes) in histories(), prefix in select(&["", "a", "A", "ad", "AD", "\u{e9}", "s", "nEw", "x"][..]), count in 1_usize..6,
    ) {
        let mut index = build(&leads);
        for (id, state) in changes {
            index.apply(LeadId(id), state.as_ref().map(|(lead, campaign_leads)| (lead, &campaign_leads[..])));
            match state {
                Some(state) => _ = leads.insert(id, state),
                None => _ = leads.remove(&id),
            }
        }
        let custom = CUSTOM_FIELDS.iter().map(|name| FieldRef::Custom((*name).to_owned()));
        for field in COUNTED_FIELDS.map(FieldRef::Builtin).into_iter().chain(custom) {
            let expected = count_values(&leads, &field, prefix, count);
            prop_assert_eq!(index.frequent_values(&field, prefix, count), expected, "{:?}", field);
        }
        prop_assert_eq!(index.frequent_values(&FieldRef::Builtin(FieldId::Lat), "", 9), []);
    }
}

#[test]
fn rebuild_restores_slot_order_of_late_leads() {
    let mut index = LeadIndex::default();
    let lead = |id: i64| {
        let json = format!(
            r#"{{"id": {id}, "do_not_call": false, "blacklisted": false, "custom_fields": {{}},
                "created_at": "2026-05-04T12:00:00Z", "updated_at": "2026-05-04T12:00:00Z",
                "global_updated_at": "2026-05-04T12:00:00Z"}}"#
        );
        serde_json::from_str::<Lead>(&json).unwrap()
    };
    for id in (1..=10_100).rev() {
        index.apply(LeadId(id), Some((&lead(id), &[])));
    }
    assert!(index.needs_rebuild());
    let filter = filter::parse_and_check(r#"{"limit": "3;10000"}"#, &filter::Limits::default()).unwrap();
    let ids = |index: &LeadIndex| {
        index.look_up(&filter, timestamp(0)).leads.iter().map(|lead| lead.row.id().0).collect::<Vec<_>>()
    };
    assert_eq!(ids(&index), [10_001, 10_002, 10_003]);
    let index = index.rebuild();
    assert!(!index.needs_rebuild());
    assert_eq!(ids(&index), [10_001, 10_002, 10_003]);
}

#[test]
fn page_full_of_equal_times_excludes_later_ones() {
    let lead = |id: i64| {
        let second = if id <= 16 { 0 } else { 1 };
        let json = format!(
            r#"{{"id": {id}, "do_not_call": false, "blacklisted": false, "custom_fields": {{}},
                "created_at": "2026-05-04T12:00:0{second}Z", "updated_at": "2026-05-04T12:00:00Z",
                "global_updated_at": "2026-05-04T12:00:00Z"}}"#
        );
        serde_json::from_str::<Lead>(&json).unwrap()
    };
    let leads: Vec<Lead> = (1..=600).map(lead).collect();
    let mut builder = Builder::default();
    builder.extend(leads.iter().map(|lead| (lead, &[][..])));
    let index = builder.finish();
    assert_eq!(index.len(), 600);
    let mut filter =
        filter::parse_and_check(r#"{"limit": "7;0", "_order": ["created_at"]}"#, &filter::Limits::default()).unwrap();
    // 9 leads with this time remain. 7 of them fill the page, and the next one shows that more follow.
    filter.cursor = Some(Cursor::After(cursor_values(&filter.order, &leads[6])));
    let page = index.look_up(&filter, timestamp(0));
    assert_eq!(page.leads.iter().map(|lead| lead.row.id().0).collect::<Vec<_>>(), (8..15).collect::<Vec<_>>());
    assert!(page.has_more);
}
