//! Filters and values for property tests, and the expected order of leads. Every implementation of filters is compared with the engine on
//! the same data.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta};
use proptest::prelude::*;
use proptest::sample::select;

use super::cursor;
use super::fields::{FIELDS, Field, FieldId, Kind, Owner};
use super::operator::{Arity, operators_for};
use super::predicate::{CampaignSelection, CheckedFilter, FieldRef, Limit, OrderKey, Predicate, Test, Value};
use crate::api::{CallingHours, Campaign, CustomValue, Lead, LeadStatus, NotCallableCode, Timestamp, Weekday};
use crate::callable::condition::Rules;

/// Texts that differ in case, in letters beyond A to Z, or only in length. Includes statuses.
pub const TEXTS: &[&str] =
    &["new", "busy", "Ada", "ada", "AD", "a", "\u{c9}clair", "\u{e9}CLAIR", "%_", "'\"\\\n", "Spring", ""];
/// Names of custom fields, including some with characters that are special in JSON paths.
pub const CUSTOM_FIELDS: &[&str] = &["score", "a.b", "q\"\\", "[0]", "\u{e9}"];
/// Names of campaigns, by id starting at 1.
pub const CAMPAIGNS: &[&str] = &["Spring", "spring 2", "new", "Ada"];
/// Time zones of leads, including an unknown one.
pub const ZONES: &[&str] = &["Europe/Berlin", "America/Los_Angeles", "Asia/Tokyo", "Ada"];
/// Numbers, including both zeros and one beyond all integers.
pub const NUMBERS: &[f64] = &[-1.5, -0.0, 0.0, 2.0, 19.99, 3.0, 1e19];
const DAY_SECONDS: i64 = 86_400;

/// Sets the rules of a campaign by its id: hours, limits and activity differ between [`CAMPAIGNS`].
pub fn with_campaign_rules(campaign: Campaign) -> Campaign {
    let hours = |start: u32, end: u32| {
        let time = |hour| NaiveTime::from_hms_opt(hour, 0, 0).expect("a time of day");
        Some(CallingHours { start: time(start), end: time(end), days: Weekday::ALL.to_vec() })
    };
    let (active, calling_hours, max_attempts, daily_attempts) = match campaign.id.0 {
        1 => (true, None, Some(2), None),
        2 => (true, hours(9, 18), None, Some(2)),
        3 => (true, hours(20, 6), Some(3), Some(1)),
        _ => (false, None, None, None),
    };
    Campaign { active, calling_hours, max_attempts, daily_attempts, ..campaign }
}

/// Statuses. `closed` isn't dialable.
pub fn statuses() -> Vec<LeadStatus> {
    let status = |name: &str| LeadStatus { name: name.to_owned(), label: name.to_owned(), dialable: name != "closed" };
    ["new", "busy", "closed"].map(status).to_vec()
}

/// Resolves a filter to stored fields, with the rules of these campaigns and statuses, at noon.
pub fn resolve(filter: &CheckedFilter, campaigns: &[Campaign], statuses: &[LeadStatus]) -> CheckedFilter {
    let campaigns: Vec<_> = campaigns.iter().collect();
    let predicate = Rules { campaigns: &campaigns, statuses, now: timestamp(0) }.resolve(&filter.predicate);
    CheckedFilter { predicate, ..filter.clone() }
}

/// Returns the time this many seconds after noon of 4 May 2026.
pub fn timestamp(seconds: i64) -> Timestamp {
    DateTime::from_timestamp(1_777_896_000 + seconds, 0).expect("a valid time")
}

/// Strategy for texts.
pub fn texts() -> impl Strategy<Value = String> {
    select(TEXTS).prop_map(str::to_owned)
}

/// Strategy for timestamps around noon, at the edges of days, and a microsecond apart.
pub fn times() -> impl Strategy<Value = Timestamp> {
    let seconds = vec![
        -DAY_SECONDS,
        -DAY_SECONDS / 2 - 1,
        -DAY_SECONDS / 2,
        -1,
        0,
        5,
        DAY_SECONDS / 2 - 1,
        DAY_SECONDS / 2,
        DAY_SECONDS,
    ];
    (select(seconds).prop_map(timestamp), 0_i64..2).prop_map(|(time, micros)| time + TimeDelta::microseconds(micros))
}

/// Strategy for a few dates.
pub fn dates() -> impl Strategy<Value = NaiveDate> {
    (3_u32..6).prop_map(|day| NaiveDate::from_ymd_opt(2026, 5, day).expect("a day of May"))
}

/// Strategy for optional values, mostly present.
pub fn optional<T: Clone + std::fmt::Debug>(values: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    proptest::option::weighted(0.75, values)
}

/// Strategy for values of custom fields, of all types.
pub fn custom_values() -> impl Strategy<Value = CustomValue> {
    prop_oneof![
        texts().prop_map(CustomValue::Text),
        (-1_i64..4).prop_map(CustomValue::Integer),
        select(NUMBERS).prop_map(CustomValue::Number),
        any::<bool>().prop_map(CustomValue::Bool),
    ]
}

fn value_strategy(kind: Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Integer => (-1_i64..10).prop_map(Value::Integer).boxed(),
        Kind::Number => select(NUMBERS).prop_map(Value::Number).boxed(),
        Kind::Text => texts().prop_map(Value::Text).boxed(),
        Kind::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        Kind::DateTime | Kind::Date => times().prop_map(Value::Time).boxed(),
        Kind::Custom => prop_oneof![
            value_strategy(Kind::Integer),
            value_strategy(Kind::Number),
            value_strategy(Kind::Text),
            value_strategy(Kind::Boolean)
        ]
        .boxed(),
    }
}

fn test_strategy(kind: Kind) -> BoxedStrategy<Test> {
    let list = || (proptest::collection::vec(value_strategy(kind), 0..4), any::<bool>());
    let mut tests = vec![
        list().prop_map(|(values, includes_null)| Test::In { values, includes_null }).boxed(),
        list().prop_map(|(values, includes_null)| Test::NotIn { values, includes_null }).boxed(),
        any::<bool>().prop_map(Test::IsNull).boxed(),
    ];
    for operator in operators_for(kind).iter().copied().filter(|operator| operator.arity() == Arity::One) {
        let values = if operator.needs_text() { value_strategy(Kind::Text) } else { value_strategy(kind) };
        let values = values.prop_filter("true and false have no order", |value| !matches!(value, Value::Boolean(_)));
        tests.push(values.prop_map(move |value| operator.test(value)).boxed());
    }
    proptest::strategy::Union::new(tests).boxed()
}

fn predicate_strategy() -> impl Strategy<Value = Predicate> {
    let stored_fields: Vec<&Field> = FIELDS.iter().filter(|field| field.owner != Owner::Verdict).collect();
    let builtin = select(stored_fields).prop_flat_map(|field| {
        test_strategy(field.kind).prop_map(move |test| Predicate::Field(FieldRef::Builtin(field.id), test))
    });
    let name = prop_oneof![6 => select(CUSTOM_FIELDS), 1 => Just("unknown")];
    let custom = (name, test_strategy(Kind::Custom))
        .prop_map(|(name, test)| Predicate::Field(FieldRef::Custom(name.to_owned()), test));
    let campaign = (1_i64..5).prop_map(|id| {
        let test = Test::In { values: vec![Value::Integer(id)], includes_null: false };
        Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), test)
    });
    let code = || select(NotCallableCode::ALL.to_vec()).prop_map(|code| Value::Text(code.as_str().to_owned()));
    let codes = (proptest::collection::vec(code(), 0..3), any::<bool>(), any::<bool>());
    let verdict = prop_oneof![
        any::<bool>().prop_map(|is_callable| (
            FieldId::Callable,
            Test::In { values: vec![Value::Boolean(is_callable)], includes_null: false }
        )),
        codes.prop_map(|(values, includes_null, is_in)| {
            (
                FieldId::NotCallableReason,
                if is_in { Test::In { values, includes_null } } else { Test::NotIn { values, includes_null } },
            )
        }),
    ];
    let verdict = verdict.prop_map(|(field, test)| Predicate::Field(FieldRef::Builtin(field), test));
    prop_oneof![6 => builtin, 2 => custom, 2 => campaign, 3 => verdict].prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            2 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Predicate::All),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Predicate::Any),
        ]
    })
}

fn order_strategy() -> impl Strategy<Value = Vec<OrderKey>> {
    let orderable: Vec<FieldId> =
        FIELDS.iter().filter(|field| field.is_orderable() && field.id != FieldId::Id).map(|field| field.id).collect();
    let keys = proptest::collection::vec((select(orderable), any::<bool>()), 0..4);
    (keys, any::<bool>()).prop_map(|(mut keys, descending)| {
        keys.dedup_by_key(|(field, _)| *field);
        keys.push((FieldId::Id, descending));
        keys.into_iter().map(|(field, descending)| OrderKey { field, descending }).collect()
    })
}

/// Strategy for filters with all fields, tests, orders and pages, without cursors.
pub fn filters() -> impl Strategy<Value = CheckedFilter> {
    let limit = (0_u32..20, prop_oneof![2 => Just(0_u64), 1 => 0_u64..80]);
    let campaign_selection = select(vec![CampaignSelection::Matching, CampaignSelection::All]);
    (predicate_strategy(), order_strategy(), limit, campaign_selection).prop_map(
        |(predicate, order, (count, offset), campaigns)| CheckedFilter {
            predicate,
            limit: Limit { count, offset },
            order,
            cursor: None,
            fields: None,
            campaigns,
        },
    )
}

/// Returns the values of the order's fields.
pub fn cursor_values(order: &[OrderKey], lead: &Lead) -> Vec<Option<Value>> {
    cursor::decode(order, &cursor::encode_after(order, lead)).expect("a cursor that was just made")
}

fn compare_values(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => left.partial_cmp(right).expect("no number is NaN"),
        (Value::Text(left), Value::Text(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Value::Boolean(left), Value::Boolean(right)) => left.cmp(right),
        (Value::Time(left), Value::Time(right)) => left.cmp(right),
        values => panic!("a field has values of one kind: {values:?}"),
    }
}

/// Compares two leads in this order.
pub fn compare_leads(order: &[OrderKey], left: &Lead, right: &Lead) -> Ordering {
    let (left, right) = (cursor_values(order, left), cursor_values(order, right));
    let keys = order.iter().zip(left.iter().zip(&right)).map(|(key, values)| match values {
        (Some(left), Some(right)) if key.descending => compare_values(right, left),
        (Some(left), Some(right)) => compare_values(left, right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    });
    keys.fold(Ordering::Equal, Ordering::then)
}
