//! The same predicate over the same rows gives the same leads from the engine and from the store: in the same order, with
//! the same campaign leads shown, through any limit and through a cursor.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use leadscribe_engine::api::*;
use leadscribe_engine::filter::fields::{FIELDS, FieldId, Kind};
use leadscribe_engine::filter::predicate::{
    CampaignsShown, CheckedFilter, Comparison, Cursor, FieldRef, Limit, OrderKey, Predicate, Test, TextMatch, Value,
};
use leadscribe_engine::filter::{self, Row, cursor};
use leadscribe_engine::record::{CampaignLeadRecord, LeadRecord};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestError, TestRunner};

use super::{Tested, at, by, in_campaign, new_campaign};
use crate::storage::FoundLead;

/// Texts that differ in case, in letters beyond A to Z, and in nothing but length. Statuses are among them.
const TEXTS: &[&str] =
    &["new", "busy", "Ada", "ada", "AD", "a", "\u{c9}clair", "\u{e9}CLAIR", "%_", "'\"", "Spring", ""];
const CUSTOM: &[&str] = &["score", "a.b", "q\"\\", "[0]", "\u{e9}"];
const CAMPAIGNS: &[&str] = &["Spring", "spring 2", "new", "Ada"];
const LEADS: i64 = 70;
const NUMBERS: &[f64] = &[-1.5, 0.0, 2.0, 19.99, 3.0];
const DAY: i64 = 86_400;

fn texts() -> impl Strategy<Value = String> {
    select(TEXTS).prop_map(str::to_owned)
}

/// Moments around noon, at the edges of days, and a microsecond apart.
fn times() -> impl Strategy<Value = Timestamp> {
    let seconds = vec![-DAY, -DAY / 2 - 1, -DAY / 2, -1, 0, 5, DAY / 2 - 1, DAY / 2, DAY];
    (select(seconds).prop_map(at), 0_i64..2).prop_map(|(time, micros)| time + TimeDelta::microseconds(micros))
}

fn dates() -> impl Strategy<Value = NaiveDate> {
    (3_u32..6).prop_map(|day| NaiveDate::from_ymd_opt(2026, 5, day).unwrap())
}

fn optional<T: Clone + std::fmt::Debug>(values: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    proptest::option::weighted(0.75, values)
}

fn custom_values() -> impl Strategy<Value = CustomValue> {
    prop_oneof![
        texts().prop_map(CustomValue::Text),
        (-1_i64..4).prop_map(CustomValue::Integer),
        select(NUMBERS).prop_map(CustomValue::Number),
        any::<bool>().prop_map(CustomValue::Bool),
    ]
}

fn leads() -> impl Strategy<Value = LeadRecord> {
    let words = proptest::collection::vec(optional(texts()), 8);
    let numbers = proptest::collection::vec(optional(select(NUMBERS)), 3);
    let custom =
        proptest::collection::btree_map(select(CUSTOM).prop_map(str::to_owned), custom_values().prop_map(Some), 0..4);
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

fn campaign_leads() -> impl Strategy<Value = Vec<CampaignLeadRecord>> {
    let one = |campaign: i64| {
        (
            select(&["new", "busy", "closed"][..]),
            0_u32..4,
            -1_i64..4,
            proptest::collection::vec(optional(times()), 3),
            times(),
        )
            .prop_map(move |(status, calls, weight, moments, updated_at)| CampaignLeadRecord {
                campaign_id: Some(CampaignId(campaign)),
                status: Some(status.to_owned()),
                weight: Some(weight),
                calls_count: Some(calls),
                calls_today: Some(calls),
                last_call_at: Some(moments[0]),
                last_call_status: Some((calls > 1).then(|| "busy".to_owned())),
                freeze_until: Some(moments[1]),
                callback_at: Some(moments[2]),
                assigned_user_id: Some((calls == 2).then_some(UserId(2))),
                updated_at: Some(updated_at),
                ..CampaignLeadRecord::default()
            })
    };
    let every: Vec<_> = (1..=CAMPAIGNS.len() as i64).map(one).collect();
    (every, subsequence((0..CAMPAIGNS.len()).collect::<Vec<_>>(), 0..=3))
        .prop_map(|(rows, chosen)| chosen.into_iter().map(|place| rows[place].clone()).collect())
}

fn values(kind: Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Integer => (-1_i64..6).prop_map(Value::Integer).boxed(),
        Kind::Number => select(NUMBERS).prop_map(Value::Number).boxed(),
        Kind::Text => texts().prop_map(Value::Text).boxed(),
        Kind::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        Kind::DateTime | Kind::Date => times().prop_map(Value::Time).boxed(),
        Kind::Custom => {
            prop_oneof![values(Kind::Integer), values(Kind::Number), values(Kind::Text), values(Kind::Boolean)].boxed()
        }
    }
}

fn tests(kind: Kind) -> BoxedStrategy<Test> {
    let list = || (proptest::collection::vec(values(kind), 0..4), any::<bool>());
    let mut tests = vec![
        list().prop_map(|(values, null)| Test::In { values, null }).boxed(),
        list().prop_map(|(values, null)| Test::NotIn { values, null }).boxed(),
        any::<bool>().prop_map(Test::IsNull).boxed(),
    ];
    if kind != Kind::Boolean {
        let comparisons = [Comparison::Less, Comparison::LessOrEqual, Comparison::Greater, Comparison::GreaterOrEqual];
        let comparable =
            values(kind).prop_filter("true and false have no order", |value| !matches!(value, Value::Boolean(_)));
        tests.push(
            (select(comparisons.to_vec()), comparable).prop_map(|(how, value)| Test::Compare(how, value)).boxed(),
        );
    }
    if matches!(kind, Kind::Text | Kind::Custom) {
        let places = vec![TextMatch::Contains, TextMatch::StartsWith, TextMatch::EndsWith];
        tests.push((select(places), texts()).prop_map(|(place, text)| Test::Text(place, text)).boxed());
    }
    proptest::strategy::Union::new(tests).boxed()
}

fn predicates() -> impl Strategy<Value = Predicate> {
    let known = (0..FIELDS.len()).prop_flat_map(|place| {
        let field = &FIELDS[place];
        tests(field.kind).prop_map(move |test| Predicate::Field(FieldRef::Known(field.id), test))
    });
    let custom = (select(CUSTOM), tests(Kind::Custom))
        .prop_map(|(name, test)| Predicate::Field(FieldRef::Custom(name.to_owned()), test));
    // One campaign has a way of its own to the page.
    let campaign = (1_i64..5).prop_map(|id| {
        Predicate::Field(
            FieldRef::Known(FieldId::CampaignId),
            Test::In { values: vec![Value::Integer(id)], null: false },
        )
    });
    prop_oneof![6 => known, 2 => custom, 2 => campaign].prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            2 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Predicate::All),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Predicate::Any),
        ]
    })
}

fn orders() -> impl Strategy<Value = Vec<OrderKey>> {
    let orderable: Vec<FieldId> =
        FIELDS.iter().filter(|field| field.orderable() && field.id != FieldId::Id).map(|field| field.id).collect();
    let keys = proptest::collection::vec((select(orderable), any::<bool>()), 0..3);
    (keys, any::<bool>()).prop_map(|(mut keys, descending)| {
        keys.dedup_by_key(|(field, _)| *field);
        keys.push((FieldId::Id, descending));
        keys.into_iter().map(|(field, descending)| OrderKey { field, descending }).collect()
    })
}

fn filters() -> impl Strategy<Value = CheckedFilter> {
    let limit = (0_u32..20, prop_oneof![2 => Just(0_u64), 1 => 0_u64..80]);
    let shown = select(vec![CampaignsShown::Matching, CampaignsShown::All]);
    (predicates(), orders(), limit, shown).prop_map(|(predicate, order, (count, offset), campaigns)| CheckedFilter {
        predicate,
        limit: Limit { count, offset },
        order,
        cursor: None,
        fields: None,
        campaigns,
    })
}

/// The values of the order's fields.
fn place(order: &[OrderKey], lead: &Lead) -> Vec<Option<Value>> {
    cursor::decode(order, &cursor::after(order, lead)).expect("a cursor that was just made")
}

fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
        (Value::Number(one), Value::Number(other)) => one.partial_cmp(other).expect("no number is NaN"),
        (Value::Text(one), Value::Text(other)) => one.as_bytes().cmp(other.as_bytes()),
        (Value::Boolean(one), Value::Boolean(other)) => one.cmp(other),
        (Value::Time(one), Value::Time(other)) => one.cmp(other),
        other => panic!("a field has values of one kind: {other:?}"),
    }
}

fn by_order(order: &[OrderKey], one: &Lead, other: &Lead) -> Ordering {
    let (one, other) = (place(order, one), place(order, other));
    let keys = order.iter().zip(one.iter().zip(&other)).map(|(key, values)| match values {
        (Some(one), Some(other)) if key.descending => compare(other, one),
        (Some(one), Some(other)) => compare(one, other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    });
    keys.fold(Ordering::Equal, Ordering::then)
}

/// What the engine alone answers.
fn expected(all: &[FoundLead], filter: &CheckedFilter) -> Vec<FoundLead> {
    let name = |id: CampaignId| CAMPAIGNS[id.0 as usize - 1].to_owned();
    let mut found: Vec<FoundLead> = all
        .iter()
        .filter_map(|row| {
            let pairs: Vec<_> = row.campaign_leads.iter().map(|one| (one.clone(), name(one.campaign_id))).collect();
            let lead = row.lead.to_lead();
            let matches = filter.matches(&Row { lead: &lead, campaign_leads: &pairs }, at(0));
            let shown = pairs.iter().filter(|(one, name)| {
                filter.campaigns == CampaignsShown::All
                    || filter::holds(&filter.predicate, &lead, Some((one, name)), at(0))
            });
            let campaign_leads = shown.map(|(one, _)| one.clone()).collect();
            matches.then(|| FoundLead { campaign_leads, ..row.clone() })
        })
        .collect();
    found.sort_by(|one, other| by_order(&filter.order, &one.lead.to_lead(), &other.lead.to_lead()));
    found
}

async fn check(store: &Tested, all: &[FoundLead], filter: &CheckedFilter) {
    let expected = expected(all, filter);
    let (count, offset) = (filter.limit.count as usize, filter.limit.offset as usize);
    let found = store.look_up(filter, at(0)).await.unwrap();
    let page: Vec<_> = expected.iter().skip(offset).take(count).cloned().collect();
    assert_eq!(found.leads, page);
    assert_eq!(found.total, expected.len() as u64);
    assert_eq!(found.more, expected.len() > offset + count);
    let shown = page.iter().flat_map(|found| &found.campaign_leads).map(|one| one.campaign_id);
    let shown: std::collections::BTreeSet<_> = shown.collect();
    assert_eq!(
        found.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<_>>(),
        shown.into_iter().collect::<Vec<_>>()
    );

    let mut walk =
        CheckedFilter { limit: Limit { count: 9, offset: 0 }, cursor: Some(Cursor::Start), ..filter.clone() };
    let mut walked = Vec::new();
    loop {
        let found = store.look_up(&walk, at(0)).await.unwrap();
        assert_eq!(found.total, expected.len() as u64);
        let more = found.more;
        walked.extend(found.leads);
        match walked.last() {
            Some(last) if more => walk.cursor = Some(Cursor::After(place(&walk.order, &last.lead.to_lead()))),
            _ => break,
        }
    }
    assert_eq!(walked, expected);
}

pub async fn random_filters_agree_with_the_engine(store: Tested) {
    for name in CAMPAIGNS {
        new_campaign(&store, name).await;
    }
    // The rows are the same in every run, so that a filter alone tells a failure.
    let mut fixed = TestRunner::deterministic();
    for id in 1..=LEADS {
        let lead = leads().new_tree(&mut fixed).unwrap().current();
        store.create_lead(LeadRecord { id: Some(LeadId(id)), ..lead }, &by(0)).await.unwrap();
        for row in campaign_leads().new_tree(&mut fixed).unwrap().current() {
            let campaign = row.campaign_id.unwrap();
            let pair = in_campaign(LeadId(id), campaign);
            let row = CampaignLeadRecord { lead_id: pair.lead_id, ..row };
            store.create_campaign_lead(row, &by(0)).await.unwrap();
        }
    }
    let mut all = Vec::new();
    for id in 1..=LEADS {
        all.extend(store.lead(LeadId(id), at(0)).await.unwrap().unwrap().leads);
    }

    let matched = std::cell::RefCell::new(BTreeMap::new());
    let config = Config { cases: 600, failure_persistence: None, ..Config::default() };
    let handle = tokio::runtime::Handle::current();
    let result = tokio::task::block_in_place(|| {
        TestRunner::new(config).run(&filters(), |filter| {
            *matched.borrow_mut().entry(expected(&all, &filter).len()).or_insert(0) += 1;
            handle.block_on(check(&store, &all, &filter));
            Ok(())
        })
    });
    if let Err(TestError::Fail(reason, filter)) = &result {
        panic!("{reason}\n{filter:#?}");
    }
    result.unwrap();
    // Filters that all match nothing, or everything, would prove little.
    assert!(matched.borrow().len() > 20, "{matched:?}");
}
