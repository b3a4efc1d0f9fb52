//! Options as the program takes them from its environment.

use crate::harness::{refusal, run_with};

#[test]
fn a_variable_that_is_set_to_nothing_counts_as_not_set() {
    let home = tempfile::tempdir().unwrap();
    let unset = [
        "LEADSCRIBE_CONFIG",
        "LEADSCRIBE_DATABASE_URL",
        "LEADSCRIBE_DATABASE_CONNECTIONS",
        "LEADSCRIBE_RECORDINGS_URL",
        "LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY",
        "LEADSCRIBE_RECORDINGS_ADDRESSING",
        "LEADSCRIBE_LOG_FORMAT",
    ];
    run_with(home.path(), &unset.map(|name| (name, "")), &["migrate"]);
    assert!(home.path().join("leadscribe.db").is_file());
}

#[test]
fn an_option_is_named_as_whoever_gave_it_knows_it() {
    let home = tempfile::tempdir().unwrap();
    let said = refusal(home.path(), &[("LEADSCRIBE_RECORDINGS_REGION", "eu-1")], &["migrate"]);
    assert!(said.contains("--recordings-region (LEADSCRIBE_RECORDINGS_REGION, recordings.region): expected"), "{said}");
    let said = refusal(home.path(), &[("LEADSCRIBE_DATABASE_CONNECTIONS", "many")], &["migrate"]);
    assert!(said.contains("'many' for '--database-connections <COUNT>'"), "{said}");
    let said = refusal(home.path(), &[], &["import", "lead", "leads.csv"]);
    assert!(said.contains("[possible values: campaigns, leads, campaign-leads, calls]"), "{said}");
}
