//! Error messages about an invalid options file.

use std::fs;

use super::{canary, found_in};
use crate::harness::refusal;

#[test]
fn invalid_options_file_error_contains_no_values() {
    let home = tempfile::tempdir().unwrap();
    let secret = canary();
    for (text, expected) in [
        (format!("[speech]\nkey = \"{secret}\n"), "line 2, column 30: invalid basic string"),
        (
            format!("[storage]\ndatabase_url = postgres://ann:{secret}@db/calls\n"),
            "line 2, column 16: string values must be quoted",
        ),
        (format!("[speech]\nkey = [\"{secret}\"]\n"), "speech.key): expected text in quotes, found a list"),
        (format!("speech = \"{secret}\"\n"), "speech: expected a table of options, found text in quotes"),
    ] {
        fs::write(home.path().join("leadscribe.toml"), &text).unwrap();
        for args in [&["serve"][..], &["doctor"], &["doctor", "--json"]] {
            let said = refusal(home.path(), &[], args);
            assert!(said.contains("leadscribe.toml") && said.contains(expected), "{args:?}: {said}");
            assert_eq!(found_in(said.as_bytes(), &[&secret]), [""; 0], "{args:?}: {said}");
        }
    }
}
