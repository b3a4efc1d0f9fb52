//! Runs the test corpus natively. engine/js/test.mjs runs it through the built WebAssembly module, with the same expected results.
//!
//! After an intended change, `UPDATE_CORPUS=1 cargo test -p leadscribe-engine --test corpus` rewrites the results. Review the difference
//! before you commit it, because users will see these texts.

use std::path::PathBuf;

use leadscribe_engine::js_api;
use leadscribe_engine::wording::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, Serialize)]
struct Case {
    /// Description of the case, unique in its file.
    name: String,
    input: String,
    #[serde(default)]
    output: Value,
}

/// Compares the results for all cases of a file, and checks that the file has at least `min_cases` cases.
fn check<A: Serialize>(file: &str, min_cases: usize, result: impl Fn(&str) -> A) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(file);
    let text = std::fs::read_to_string(&path).expect("the corpus is part of the sources");
    let mut cases: Vec<Case> = serde_json::from_str(&text).expect("the corpus is JSON");
    let mut names = std::collections::BTreeSet::new();
    let mut mismatches = Vec::new();
    for case in &mut cases {
        assert!(names.insert(case.name.clone()), "`{}` appears twice in {file}", case.name);
        let result = serde_json::to_value(result(&case.input)).expect("results are plain data");
        if result != case.output {
            mismatches.push(format!("{}\n  expected {}\n  found    {result}", case.name, case.output));
            case.output = result;
        }
    }
    assert!(cases.len() >= min_cases, "{file} has {} cases", cases.len());
    if std::env::var_os("UPDATE_CORPUS").is_some() {
        let text = serde_json::to_string_pretty(&cases).expect("cases are plain data") + "\n";
        std::fs::write(&path, text).expect("the corpus can be written");
    } else {
        assert!(
            mismatches.is_empty(),
            "{} of {} cases of {file}:\n{}",
            mismatches.len(),
            cases.len(),
            mismatches.join("\n")
        );
    }
}

#[test]
fn submissions_match_the_corpus() {
    check("submissions.json", 60, |text| js_api::check_submission(text, None, Language::English));
}

#[test]
fn filters_match_the_corpus() {
    check("filters.json", 120, |text| js_api::parse_filter(text, Language::English));
}

#[test]
fn explanations_match_the_corpus() {
    check("explanations.json", 40, |text| js_api::explain_filter(text, Language::English));
}

#[test]
fn templates_match_the_corpus() {
    check("templates.json", 20, |text| js_api::check_template(text, Language::English));
}

#[test]
fn searches_match_the_corpus() {
    check("searches.json", 20, |text| js_api::parse_search(text, Language::English));
}
