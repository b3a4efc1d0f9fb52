//! Property tests: the same filter over the same leads returns the same answer from the index and from the engine, after any changes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use leadscribe_engine::api::*;
use leadscribe_engine::callable::Callee;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{CampaignsShown, CheckedFilter, Cursor, FieldRef, Limit};
use leadscribe_engine::filter::testing::{
    CAMPAIGNS, CUSTOM, NUMBERS, ZONES, at, by_order, custom_values, dates, filters, optional, place, resolved,
    statuses, texts, times, with_rules,
};
use leadscribe_engine::filter::{self, Row};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::{Builder, LeadIndex, Members, PackedLead};

const LEADS: i64 = 40;

fn leads() -> impl Strategy<Value = Lead> {
    let words = proptest::collection::vec(optional(texts()), 17);
    let numbers = proptest::collection::vec(optional(select(NUMBERS)), 3);
    let custom = proptest::collection::btree_map(select(CUSTOM).prop_map(str::to_owned), custom_values(), 0..4);
    let moments = ([times(), times(), times()], optional(select(ZONES)));
    (words, numbers, [optional(dates()), optional(dates())], any::<[bool; 2]>(), custom, moments).prop_map(
        |(words, numbers, [purchase_date, birthdate], [do_not_call, blacklisted], custom_fields, (moments, zone))| {
            let mut words = words.into_iter();
            let mut word = || words.next().flatten();
            let [created_at, updated_at, global_updated_at] = moments;
            Lead {
                id: LeadId(0),
                first_name: word(),
                last_name: word(),
                phone: word(),
                phone2: word(),
                phone_normalized: word(),
                phone_normalized2: word(),
                email: word(),
                address1: word(),
                address2: word(),
                city: word(),
                state: word(),
                zip: word(),
                country: word(),
                timezone: zone.map(str::to_owned),
                lat: numbers[0],
                lng: numbers[1],
                original_identifier: word(),
                support_site: word(),
                purchase_site: word(),
                purchase_date,
                purchase_amount: numbers[2],
                purchase_product_name: word(),
                birthdate,
                do_not_call,
                blacklisted,
                import_id: blacklisted.then_some(ImportId(7)),
                custom_fields,
                created_at,
                updated_at,
                global_updated_at,
            }
        },
    )
}

fn campaign_leads() -> impl Strategy<Value = Vec<CampaignLead>> {
    let one = |campaign: i64| {
        let moments = (proptest::collection::vec(optional(times()), 3), times(), times());
        (select(&["new", "busy", "closed"][..]), 0_u32..4, -1_i64..4, moments).prop_map(
            move |(status, calls, weight, (moments, created_at, updated_at))| CampaignLead {
                id: CampaignLeadId(0),
                lead_id: LeadId(0),
                campaign_id: CampaignId(campaign),
                status: status.to_owned(),
                weight,
                calls_count: calls,
                calls_today: calls,
                last_call_at: moments[0],
                last_call_status: (calls > 1).then(|| "busy".to_owned()),
                freeze_until: moments[1],
                callback_at: moments[2],
                assigned_user_id: (calls == 2).then_some(UserId(2)),
                created_at,
                updated_at,
            },
        )
    };
    let every: Vec<_> = (1..=CAMPAIGNS.len() as i64).map(one).collect();
    (every, subsequence((0..CAMPAIGNS.len()).collect::<Vec<_>>(), 0..=3))
        .prop_map(|(rows, chosen)| chosen.into_iter().map(|place| rows[place].clone()).collect())
}

/// Leads by id, with their campaign leads.
type Leads = BTreeMap<i64, (Lead, Vec<CampaignLead>)>;

/// New state of a lead; `None` if it is deleted.
type State = Option<(Lead, Vec<CampaignLead>)>;

/// Leads to build from, and later changes, some with ids between those of the build.
fn histories() -> impl Strategy<Value = (Leads, Vec<(i64, State)>)> {
    let lead = || (leads(), campaign_leads());
    let built = proptest::collection::btree_map((1..LEADS / 2).prop_map(|half| 2 * half), lead(), 0..30);
    let changes = proptest::collection::vec((1..LEADS, proptest::option::weighted(0.8, lead())), 0..30);
    let with_ids = |id: i64, (lead, campaign_leads): (Lead, Vec<CampaignLead>)| {
        let lead = Lead { id: LeadId(id), ..lead };
        let with_id = |one: CampaignLead| {
            let number = id * CAMPAIGNS.len() as i64 - one.campaign_id.0;
            CampaignLead { id: CampaignLeadId(number), lead_id: LeadId(id), ..one }
        };
        (lead, campaign_leads.into_iter().map(with_id).collect())
    };
    (built, changes).prop_map(move |(built, changes)| {
        let built = built.into_iter().map(|(id, lead)| (id, with_ids(id, lead)));
        let changes = changes.into_iter().map(|(id, state)| (id, state.map(|lead| with_ids(id, lead))));
        (built.collect(), changes.collect())
    })
}

fn campaign(id: i64) -> Campaign {
    with_rules(Campaign {
        id: CampaignId(id),
        name: CAMPAIGNS[id as usize - 1].to_owned(),
        active: true,
        calling_hours: None,
        max_attempts: None,
        daily_attempts: None,
        freeze_minutes: 0,
        created_at: at(0),
        updated_at: at(0),
    })
}

fn campaigns() -> Vec<Campaign> {
    (1..=CAMPAIGNS.len() as i64).map(campaign).collect()
}

/// A lead of an answer: with the shown campaign leads, and whether it is in any campaign.
type Found = (Lead, Vec<CampaignLead>, bool);

/// The engine's answer to a filter on stored fields.
fn expected(all: &Leads, filter: &CheckedFilter) -> Vec<Found> {
    let name = |id: CampaignId| CAMPAIGNS[id.0 as usize - 1].to_owned();
    let mut found: Vec<Found> = Vec::new();
    for (lead, campaign_leads) in all.values() {
        let mut pairs: Vec<_> = campaign_leads.iter().map(|one| (one.clone(), name(one.campaign_id))).collect();
        pairs.sort_by_key(|(one, _)| one.id);
        if filter.matches(&Row { lead, campaign_leads: &pairs }, at(0)) {
            let shown = pairs.iter().filter(|(one, name)| {
                filter.campaigns == CampaignsShown::All
                    || filter::holds(&filter.predicate, lead, Some((one, name)), at(0))
            });
            let today =
                |one: &CampaignLead| CampaignLead { calls_today: filter::calls_today(one, at(0)), ..one.clone() };
            found.push((lead.clone(), shown.map(|(one, _)| today(one)).collect(), !pairs.is_empty()));
        }
    }
    found.sort_by(|one, other| by_order(&filter.order, &one.0, &other.0));
    found
}

fn answered(index: &LeadIndex, filter: &CheckedFilter) -> (Vec<Found>, u64, bool) {
    let page = index.look_up(filter, at(0));
    let found = page.leads.iter().map(|found| {
        let shown = page.campaign_leads(found).iter().map(|one| one.to_campaign_lead(at(0)));
        (found.row.to_lead(), shown.collect(), found.in_campaign)
    });
    (found.collect(), page.total, page.more)
}

/// Queries once with the original filter, and then page by page with the same filter on stored fields.
fn check(
    index: &LeadIndex,
    filter: &CheckedFilter,
    stored: &CheckedFilter,
    expected: &[Found],
) -> Result<(), TestCaseError> {
    let (count, offset) = (filter.limit.count as usize, filter.limit.offset as usize);
    let page: Vec<_> = expected.iter().skip(offset).take(count).cloned().collect();
    let (found, total, more) = answered(index, filter);
    prop_assert_eq!(found, page);
    prop_assert_eq!((total, more), (expected.len() as u64, expected.len() > offset + count));

    let mut walk =
        CheckedFilter { limit: Limit { count: 7, offset: 0 }, cursor: Some(Cursor::Start), ..stored.clone() };
    let mut walked: Vec<Found> = Vec::new();
    loop {
        let (found, total, more) = answered(index, &walk);
        prop_assert_eq!(total, expected.len() as u64);
        walked.extend(found);
        match walked.last() {
            Some((last, ..)) if more => walk.cursor = Some(Cursor::After(place(&walk.order, last))),
            _ => break,
        }
    }
    prop_assert_eq!(&walked[..], expected);
    Ok(())
}

fn built(leads: &Leads) -> LeadIndex {
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
        let mut index = built(&leads);
        let stored: Vec<_> = filters.iter().map(|filter| resolved(filter, &campaigns(), &statuses())).collect();
        for (filter, stored) in filters.iter().zip(&stored).take(4) {
            check(&index, filter, stored, &expected(&leads, stored))?;
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
        let rebuilt = index.rebuilt();
        for (filter, stored) in filters.iter().zip(&stored) {
            let expected = expected(&leads, stored);
            matched.borrow_mut().insert(expected.len());
            check(&index, filter, stored, &expected)?;
            check(&rebuilt, stored, stored, &expected)?;
        }
        for stored in stored.iter().take(4) {
            check(&snapshot, stored, stored, &expected(&snapshot_leads, stored))?;
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
            campaign_leads.into_iter().map(|one| CampaignLead { lead_id: lead.id, ..one }).collect();
        let unpacked: Vec<_> = row.campaign_leads().map(|one| one.as_stored()).collect();
        prop_assert_eq!(unpacked, campaign_leads);

        let packed = row.to_packed();
        prop_assert_eq!(&packed, &PackedLead::pack(&lead));
        let mut json = Vec::new();
        packed.write_json(Members::ALL, &mut json);
        json.push(b'}');
        let text = serde_json::to_string(&lead).unwrap();
        prop_assert_eq!(std::str::from_utf8(&json).unwrap(), &text);

        let names: BTreeSet<String> =
            filter::members().enumerate().filter(|(at, _)| members.contains(at)).map(|(_, name)| name.to_owned()).collect();
        let mut whole: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
        whole.retain(|name, _| names.contains(name));
        json.clear();
        packed.write_json(Members::named(&names), &mut json);
        json.push(b'}');
        let some: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&json).unwrap();
        prop_assert_eq!(some, whole);

        prop_assert_eq!(packed.callee(), Callee::from(&lead));
    }
}

/// Fields whose values are counted, one of each kind.
const COUNTED: [FieldId; 5] =
    [FieldId::City, FieldId::Zip, FieldId::Status, FieldId::LastCallStatus, FieldId::CampaignName];

/// Result of counting the values directly.
fn counted(all: &Leads, field: &FieldRef, prefix: &str, count: usize) -> Vec<FieldValue> {
    let mut leads: BTreeMap<String, u64> = BTreeMap::new();
    for (lead, campaign_leads) in all.values() {
        let mut values = BTreeSet::new();
        match field {
            FieldRef::Custom(name) => {
                if let Some(CustomValue::Text(text)) = lead.custom_fields.get(name) {
                    values.insert(text.clone());
                }
            }
            FieldRef::Known(FieldId::City) => values.extend(lead.city.clone()),
            FieldRef::Known(FieldId::Zip) => values.extend(lead.zip.clone()),
            FieldRef::Known(id) => values.extend(campaign_leads.iter().filter_map(|one| match id {
                FieldId::Status => Some(one.status.clone()),
                FieldId::LastCallStatus => one.last_call_status.clone(),
                _ => Some(campaign(one.campaign_id.0).name),
            })),
        }
        values.into_iter().for_each(|value| *leads.entry(value).or_default() += 1);
    }
    let prefix = prefix.to_ascii_lowercase();
    leads.retain(|value, _| value.to_ascii_lowercase().starts_with(&prefix));
    let mut values: Vec<_> = leads.into_iter().map(|(value, leads)| FieldValue { value, leads }).collect();
    values.sort_by_key(|one| (std::cmp::Reverse(one.leads), one.value.clone()));
    values.truncate(count);
    values
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn value_counts_agree_with_naive_count_after_changes(
        (mut leads, changes) in histories(), prefix in select(&["", "a", "A", "ad", "AD", "\u{e9}", "s", "nEw", "x"][..]), count in 1_usize..6,
    ) {
        let mut index = built(&leads);
        for (id, state) in changes {
            index.apply(LeadId(id), state.as_ref().map(|(lead, campaign_leads)| (lead, &campaign_leads[..])));
            match state {
                Some(state) => _ = leads.insert(id, state),
                None => _ = leads.remove(&id),
            }
        }
        let custom = CUSTOM.iter().map(|name| FieldRef::Custom((*name).to_owned()));
        for field in COUNTED.map(FieldRef::Known).into_iter().chain(custom) {
            let expected = counted(&leads, &field, prefix, count);
            prop_assert_eq!(index.frequent_values(&field, prefix, count), expected, "{:?}", field);
        }
        prop_assert_eq!(index.frequent_values(&FieldRef::Known(FieldId::Lat), "", 9), []);
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
    assert!(index.wants_rebuild());
    let filter = filter::read(r#"{"limit": "3;10000"}"#, &filter::Limits::default()).unwrap();
    let ids = |index: &LeadIndex| {
        index.look_up(&filter, at(0)).leads.iter().map(|found| found.row.id().0).collect::<Vec<_>>()
    };
    assert_eq!(ids(&index), [10_001, 10_002, 10_003]);
    let index = index.rebuilt();
    assert!(!index.wants_rebuild());
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
    let mut filter = filter::read(r#"{"limit": "7;0", "_order": ["created_at"]}"#, &filter::Limits::default()).unwrap();
    // Of the 9 remaining leads with this time, 8 fill the page and the lead that shows that more follow.
    filter.cursor = Some(Cursor::After(place(&filter.order, &leads[6])));
    let page = index.look_up(&filter, at(0));
    assert_eq!(page.leads.iter().map(|found| found.row.id().0).collect::<Vec<_>>(), (8..15).collect::<Vec<_>>());
    assert!(page.more);
}
