//! Property tests of filters.

use proptest::prelude::*;

use super::ast::*;
use super::evaluation_tests::{campaign_lead, lead, timestamp};
use super::predicate::{Comparison, FieldRef, Test, Value as Typed};
use super::*;
use crate::wording::Language;

fn literal() -> impl Strategy<Value = LiteralValue> {
    prop_oneof![
        Just(LiteralValue::Null),
        any::<bool>().prop_map(LiteralValue::Boolean),
        any::<i32>().prop_map(|number| LiteralValue::Number(number.to_string())),
        (-1e9..1e9).prop_map(|number: f64| LiteralValue::Number(format!("{number:e}"))),
        "[^\0]{0,12}".prop_map(LiteralValue::Text),
        "(2026-0[0-9]-[0-3][0-9]( [0-2][0-9]:[0-6][0-9]:00)?|[0-9.]{1,3}|[a-z]*)(;[<>=!]{1,2}\\|?)?"
            .prop_map(LiteralValue::Text),
    ]
}

fn operand() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => literal().prop_map(Value::from),
        1 => prop::collection::vec(literal(), 0..4).prop_map(|values| Value::List(values.into_iter().collect())),
    ]
}

fn operators() -> impl Strategy<Value = Value> {
    let name = prop_oneof![4 => prop::sample::select(Operator::names().collect::<Vec<_>>()).prop_map(str::to_owned), 1 => "[a-z]{1,5}"];
    prop::collection::btree_map(name, operand(), 0..4).prop_map(|operations| {
        let operations = operations.into_iter();
        Value::Operators(Operators {
            operations: operations.map(|(name, operand)| Operation { name: name.as_str().into(), operand }).collect(),
            ..Default::default()
        })
    })
}

/// Conditions with distinct keys, as in an object.
fn conditions() -> BoxedStrategy<Vec<Condition>> {
    let keys: Vec<&str> = fields::FIELDS.iter().flat_map(|field| field.names).copied().collect();
    let key = prop_oneof![
        8 => prop::sample::select(keys).prop_map(str::to_owned),
        1 => "custom\\.[^\0]{0,5}",
        1 => "[a-z]{1,8}",
    ];
    let value = prop_oneof![2 => operand(), 1 => operators()];
    let flat = prop::collection::btree_map(key, value, 0..4).prop_map(|map| {
        let fields = map.into_iter().filter(|(key, _)| !is_control(key));
        fields.map(|(key, value)| Condition::Field(FieldCondition { key: key.as_str().into(), value })).collect()
    });
    flat.boxed()
        .prop_recursive(3, 24, 3, move |inner: BoxedStrategy<Vec<Condition>>| {
            (inner.clone(), prop::option::of(prop::collection::vec(inner, 0..3)), any::<bool>())
                .prop_map(|(mut conditions, branches, any)| {
                    let has_group = |conditions: &[Condition]| {
                        conditions.iter().any(|condition| matches!(condition, Condition::Group(_)))
                    };
                    if let Some(branches) = branches.filter(|_| !has_group(&conditions)) {
                        let branches = branches.into_iter().enumerate();
                        conditions.push(Condition::Group(Group {
                            junction: if any { Junction::Any } else { Junction::All },
                            key_span: Default::default(),
                            branches: branches
                                .map(|(index, conditions)| Branch { index, conditions, span: Default::default() })
                                .collect(),
                            span: Default::default(),
                        }));
                    }
                    conditions
                })
                .boxed()
        })
        .boxed()
}

fn names() -> impl Strategy<Value = Control<Vec<Name>>> {
    let name = prop_oneof![Just("id"), Just("-city"), Just("campaigns"), Just("status"), Just("nope")];
    prop::collection::vec(name.prop_map(Name::from), 0..4).prop_map(Control::from)
}

fn filter() -> impl Strategy<Value = SyntaxTree> {
    let controls = (
        prop::option::of("[0-9]{1,4};[0-9]{1,2}|\\PC{0,4}".prop_map(Control::from)),
        prop::option::of(names()),
        prop::option::of("[A-Za-z0-9_-]{0,9}".prop_map(Control::from)),
        prop::option::of(names()),
        prop::option::of("all|matching|any".prop_map(Control::from)),
    );
    (conditions(), controls).prop_map(|(conditions, (limit, order, cursor, fields, campaigns))| SyntaxTree {
        conditions,
        controls: Controls { limit, order, cursor, fields, campaigns },
        ..Default::default()
    })
}

/// Checks properties that must hold for any text.
fn check_invariants(text: &str) -> Result<(), TestCaseError> {
    let diagnosis = diagnose(text, &Limits::default());
    prop_assert_eq!(diagnosis.filter.is_some(), diagnosis.diagnostics.is_empty());
    for diagnostic in &diagnosis.diagnostics {
        prop_assert!(
            text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).is_some(),
            "{diagnostic:?} in {text:?}"
        );
        let detail = diagnostic.message.to_string();
        prop_assert!(!detail.contains(['\n', '\0']) && detail.len() < 1_000, "{diagnostic:?}");
        prop_assert!(!detail.starts_with(char::is_uppercase), "{diagnostic:?}");
    }
    prop_assert!(diagnosis.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.byte_range.start));
    let round_trip = form_tree::filter_from_nodes(&form_tree::nodes_from_filter(&diagnosis.tree), &diagnosis.tree);
    if let Some(filter) = &diagnosis.filter {
        // The form's filter has the same meaning, and stays the same when it is read and written again.
        let second_round_trip =
            form_tree::filter_from_nodes(&form_tree::nodes_from_filter(&round_trip.filter), &round_trip.filter);
        let third_round_trip = form_tree::filter_from_nodes(
            &form_tree::nodes_from_filter(&second_round_trip.filter),
            &second_round_trip.filter,
        );
        prop_assert_eq!(print(&third_round_trip.filter), print(&second_round_trip.filter), "{}", text);
        let diagnostics = check(&round_trip.filter, &Limits::default()).err();
        prop_assert_eq!(diagnostics, None, "{} became {}", text, print(&round_trip.filter));
        let round_trip = check(&round_trip.filter, &Limits::default()).expect("a valid filter");
        let campaign_lead = campaign_lead(1, 7, "new");
        for pair in [None, Some((&campaign_lead, "Spring"))] {
            let holds = |filter: &CheckedFilter| {
                matches_pair(&filter.predicate, &lead(), pair, timestamp("2026-05-01 12:00:00"))
            };
            prop_assert_eq!(holds(filter), holds(&round_trip), "{}", text);
        }
    }
    if let Some(filter) = diagnosis.filter {
        let english = explain(&filter, &(), Language::English);
        prop_assert!(!english.is_empty() && !english.contains('\n'));
        // A valid filter stays valid and keeps its meaning when printed.
        prop_assert_eq!(parse_and_check(&print(&diagnosis.tree), &Limits::default()), Ok(filter.clone()));
        prop_assert_eq!(parse_and_check(&print_pretty(&diagnosis.tree), &Limits::default()), Ok(filter));
    }
    Ok(())
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let test = prop_oneof![
        (0i64..9).prop_map(|id| (
            fields::FieldId::CampaignId,
            Test::In { values: vec![Typed::Integer(id)], includes_null: false }
        )),
        (0i64..9).prop_map(|id| (fields::FieldId::Id, Test::Compare(Comparison::Less, Typed::Integer(id)))),
        any::<bool>().prop_map(|null| (fields::FieldId::Email, Test::IsNull(null))),
        any::<bool>().prop_map(|null| (fields::FieldId::FreezeUntil, Test::IsNull(null))),
        Just((fields::FieldId::Status, Test::NotIn { values: vec![Typed::Text("new".into())], includes_null: false })),
    ];
    let leaf = test.prop_map(|(id, test)| Predicate::Field(FieldRef::Builtin(id), test));
    leaf.prop_recursive(3, 12, 3, |inner| {
        let parts = prop::collection::vec(inner, 0..3);
        prop_oneof![parts.clone().prop_map(Predicate::All), parts.prop_map(Predicate::Any)]
    })
}

fn debug_without_spans(tree: &SyntaxTree) -> String {
    let debug = format!("{tree:?}");
    let mut parts = debug.split("Span { ");
    let before_spans = parts.next().unwrap_or_default().to_owned();
    parts.fold(before_spans, |text, part| text + part.split_once(" }").map_or(part, |(_span, rest)| rest))
}

proptest! {
    #[test]
    fn printed_filter_round_trips(filter in filter()) {
        for text in [print(&filter), print_pretty(&filter)] {
            prop_assert_eq!(debug_without_spans(&parse(&text).tree), debug_without_spans(&filter), "{}", text);
        }
    }

    #[test]
    fn any_filter_keeps_the_invariants(filter in filter()) {
        check_invariants(&print(&filter))?;
        check_invariants(&print_pretty(&filter))?;
    }

    #[test]
    fn any_text_keeps_the_invariants(text in any::<String>()) {
        check_invariants(&text)?;
    }

    #[test]
    fn mutated_filters_keep_the_invariants(filter in filter(), position: prop::sample::Index, removed in 0usize..6, inserted in "[{}\\[\\]:,\"\\\\;|a0 ]{0,3}") {
        let mut text: Vec<char> = print(&filter).chars().collect();
        let start = position.index(text.len());
        let end = (start + removed).min(text.len());
        text.splice(start..end, inserted.chars());
        check_invariants(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn pairs_never_panic(pairs in prop::collection::vec((
        "(id|city|created_at|custom\\.x|limit|_order|_cursor|_or|[a-z]{0,3})(\\[(not|in|null|gt|[a-z]{0,2})\\]?)?",
        "[^\0]{0,6}|[0-9]{1,3};[0-9<>=|;]{1,4}|true",
    ), 0..6)) {
        let diagnostics = parse_pairs(&pairs, &Limits::default()).err().unwrap_or_default();
        for diagnostic in diagnostics {
            let crate::diagnostic::Location::Parameter(name) = diagnostic.location else { panic!("{diagnostic:?}") };
            prop_assert!(pairs.iter().any(|(key, _)| *key == name));
        }
    }

    #[test]
    fn any_and_all_are_consistent(parts in prop::collection::vec(predicate(), 0..4), in_campaign: bool) {
        let campaign_lead = campaign_lead(1, 7, "new");
        let pair = in_campaign.then_some((&campaign_lead, "Spring"));
        let (lead, now) = (lead(), timestamp("2026-05-01 12:00:00"));
        let holds = |predicate: &Predicate| matches_pair(predicate, &lead, pair, now);
        prop_assert_eq!(holds(&Predicate::All(parts.clone())), parts.iter().all(holds));
        prop_assert_eq!(holds(&Predicate::Any(parts.clone())), parts.iter().any(holds));
        let all = Predicate::All(parts.clone());
        prop_assert_eq!(holds(&Predicate::All(vec![all.clone(), all.clone()])), holds(&all));
        // Predicates have no negation, so a lead that matches without a campaign lead also matches with one.
        if matches_pair(&all, &lead, None, now) {
            prop_assert!(matches_pair(&all, &lead, Some((&campaign_lead, "Spring")), now));
        }
    }

    #[test]
    fn cursor_round_trips(id: i64, lat in prop::option::of(-1e300..1e300f64), city in prop::option::of("[^\0]*"), micros in -1i64 << 50..1 << 50) {
        use fields::FieldId::{City, CreatedAt, Id, Lat};
        let order = [(Lat, false), (City, true), (CreatedAt, true), (Id, false)]
            .map(|(field, descending)| predicate::OrderKey { field, descending });
        let values = [
            lat.map(Typed::Number),
            city.map(Typed::Text),
            crate::api::Timestamp::from_timestamp_micros(micros).map(Typed::Time),
            Some(Typed::Integer(id)),
        ];
        prop_assert_eq!(cursor::decode(&order, &cursor::encode(&order, &values)), Ok(values.to_vec()));
    }
}
