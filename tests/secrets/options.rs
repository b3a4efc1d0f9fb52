//! Error messages about an invalid options file.

use std::fs;

use super::{canaries_in, canary};
use crate::harness::run_failing;

#[test]
fn invalid_options_file_error_contains_no_values() {
    let temp_dir = tempfile::tempdir().unwrap();
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
        fs::write(temp_dir.path().join("leadscribe.toml"), &text).unwrap();
        for args in [&["serve"][..], &["doctor"], &["doctor", "--json"]] {
            let output = run_failing(temp_dir.path(), &[], args);
            assert!(output.contains("leadscribe.toml") && output.contains(expected), "{args:?}: {output}");
            assert_eq!(canaries_in(output.as_bytes(), &[&secret]), [""; 0], "{args:?}: {output}");
        }
    }
}
