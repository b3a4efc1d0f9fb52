//! Checks the structure of the generated SQL in SQLite's dialect, and that it contains no values. The conformance suite checks the results.

use chrono::{TimeZone, Utc};
use leadscribe_engine::filter::{self, Formula, Limits};

use super::*;
use crate::storage::sql::Database;
use crate::storage::sqlite::Sqlite;

fn dialect() -> &'static dyn Dialect {
    let folder = tempfile::tempdir().unwrap();
    let database = Sqlite::open(&folder.path().join("leadscribe.db")).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(database.read(|session| Ok(session.dialect()))).unwrap()
}

fn condition(text: &str) -> (String, Vec<Bind>) {
    let filter = filter::parse_and_check(text, &Limits::default()).unwrap();
    let mut sql = SqlBuilder::new(dialect());
    sql.push_formula(&Formula::split(&filter.predicate), Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap());
    sql.finish()
}

#[test]
fn values_are_bound_and_never_spliced() {
    let injection = "'; DROP TABLE leads; --";
    let filters = [
        format!(r#"{{"first_name":"{injection}"}}"#),
        format!(r#"{{"first_name":["{injection}","b"]}}"#),
        format!(r#"{{"first_name":{{"contains":"{injection}"}}}}"#),
        format!(r#"{{"custom.{injection}":"{injection}"}}"#),
        format!(r#"{{"campaign_name":{{"not":["{injection}"]}}}}"#),
    ];
    for filter in filters {
        let (text, binds) = condition(&filter);
        assert!(!text.to_lowercase().contains("drop"), "{text}");
        assert!(format!("{binds:?}").to_lowercase().contains("drop"), "{binds:?}");
    }
}

#[test]
fn lead_conditions_are_outside_the_campaign_lead_subquery() {
    let (text, binds) = condition(r#"{"city":"Rome","campaign_id":3,"status":["new","busy"]}"#);
    assert_eq!(
        text,
        "((l.city = ?1)) AND (EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND \
         ((c.campaign_id = ?2) AND (c.status IN (SELECT value FROM rarray(?3))))))"
    );
    assert_eq!(binds.len(), 3);
}

#[test]
fn lead_without_campaign_lead_can_match_alternatives() {
    let (text, _) = condition(r#"{"_or":[{"city":"Rome"},{"status":"new"}]}"#);
    assert!(text.starts_with("(TRUE) AND ((("), "{text}");
    assert!(text.contains("l.city = ?1"), "{text}");
    assert!(text.contains(" OR EXISTS (SELECT 1 FROM campaign_leads c"), "{text}");
}

#[test]
fn many_conditions_are_nested_in_groups() {
    let sizes = |count: usize| {
        let branches: Vec<_> = (0..count).map(|number| format!(r#"{{"zip":"{number}"}}"#)).collect();
        let (text, binds) = condition(&format!(r#"{{"_or":[{}]}}"#, branches.join(",")));
        assert_eq!((binds.len(), text.matches('(').count()), (count, text.matches(')').count()), "{text}");
        text.split(")) OR ((").map(|group| group.matches("l.zip").count()).collect::<Vec<_>>()
    };
    assert_eq!((sizes(100), sizes(101), sizes(200)), (vec![100], vec![100, 1], vec![100, 100]));
}

#[test]
fn refuses_too_many_bound_values() {
    let finish_with = |count: usize| {
        let mut sql = SqlBuilder::new(dialect());
        (0..count).for_each(|_| _ = sql.push_bind(Bind::Null));
        sql.finish_bounded()
    };
    assert!(finish_with(MAX_VALUES).is_ok());
    let Err(StoreError::Failed(cause)) = finish_with(MAX_VALUES + 1) else { panic!("expected an error") };
    assert!(cause.is::<TooManyBoundValues>());
}

#[test]
fn writes_shared_verdicts_with_the_same_placeholders() {
    let verdict = filter::parse_and_check(r#"{"city":"Rome","zip":"1"}"#, &Limits::default()).unwrap().predicate;
    let shared = std::sync::Arc::new(verdict);
    let parts = vec![Predicate::Verdict(shared.clone()), Predicate::Verdict(shared)];
    let mut sql = SqlBuilder::new(dialect());
    sql.push_predicate(&Predicate::Any(parts), Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap());
    let (text, binds) = sql.finish();
    assert_eq!(
        (text.as_str(), binds.len()),
        ("(((l.city = ?1) AND (l.zip = ?2)) OR ((l.city = ?1) AND (l.zip = ?2)))", 2)
    );
}

#[test]
fn searches_many_alternatives_of_a_field_in_two_steps() {
    let branches: Vec<_> = (0..16).map(|at| format!(r#"{{"zip":["{at}","{}"],"city":"Rome"}}"#, at + 100)).collect();
    let (text, binds) = condition(&format!(r#"{{"_or":[{}]}}"#, branches.join(",")));
    // Each of the four groups binds a list of all its values. Each alternative binds its two values.
    assert_eq!((binds.len(), text.matches("l.zip").count()), (4 + 2 * 16, 4 + 16), "{text}");
}

#[test]
fn negated_conditions_match_missing_values() {
    assert_eq!(condition(r#"{"city":{"not":["Rome"]}}"#).0, "(((l.city = ?1) IS NOT TRUE))");
}

#[test]
fn campaign_lead_conditions_alone_use_one_subquery() {
    assert_eq!(
        condition(r#"{"status":"new"}"#).0,
        "l.id IN (SELECT c.lead_id FROM campaign_leads c WHERE ((c.status = ?1)))"
    );
}
