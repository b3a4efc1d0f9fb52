//! Public test corpora, from the packages of tests/api/corpora. `cargo xtask` downloads them.

use std::path::PathBuf;

use serde_json::Value;

/// Environment variable with the folder of the packages.
const CORPORA_VARIABLE: &str = "LEADSCRIBE_CORPORA";

/// Test case of the JSONTestSuite.
pub struct JsonText {
    /// File name. Prefix `y_` means valid JSON, `n_` invalid; for all others the parser decides.
    pub name: String,
    pub text: String,
}

/// The big list of naughty strings: strings that often cause problems as input.
pub fn naughty_strings() -> Vec<String> {
    serde_json::from_str(&read_packaged("blns/resources/blns.json")).unwrap()
}

/// Test cases of the JSONTestSuite. Invalid UTF-8 appears in them as U+FFFD.
pub fn json_texts() -> Vec<JsonText> {
    let script = read_packaged("json-test-suite/data/parsing.js");
    let list = script.split_once("export default").unwrap().1.trim().trim_end_matches(';');
    let string_member = |entry: &Value, name: &str| entry[name].as_str().unwrap().to_owned();
    let entries: Vec<Value> = serde_json::from_str(list).unwrap();
    entries
        .iter()
        .map(|entry| JsonText { name: string_member(entry, "name"), text: string_member(entry, "input") })
        .collect()
}

fn read_packaged(path: &str) -> String {
    let folder = std::env::var_os(CORPORA_VARIABLE).map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| panic!("{CORPORA_VARIABLE} is not set; run `cargo xtask test system`"));
    std::fs::read_to_string(folder.join("node_modules").join(path)).unwrap()
}
