//! Canaries: texts that are found nowhere else, handed in as secrets, phone numbers and what was said, and then looked for
//! where none may be.

use std::fs;
use std::path::Path;

mod logged;
mod options;
mod purged;

/// A text that stands nowhere else: letters only, so that it is one word wherever words are taken apart.
fn canary() -> String {
    let letter = |_| char::from(b'a' + rand::random_range(0..26_u8));
    format!("zq{}", (0..20).map(letter).collect::<String>())
}

/// Ten digits that stand nowhere else: the national part of a telephone number of the United States.
fn digits() -> String {
    format!("415555{:04}", rand::random_range(100..200))
}

/// Which of the canaries stand in some bytes, in whatever case. Their end is enough: an index may keep the beginning, which
/// words have in common, elsewhere.
fn found_in<'a>(bytes: &[u8], canaries: &[&'a str]) -> Vec<&'a str> {
    let lower = bytes.to_ascii_lowercase();
    let stands = |canary: &&&str| {
        let end = canary[canary.len() - canary.len().min(12)..].to_ascii_lowercase();
        lower.windows(end.len()).any(|window| window == end.as_bytes())
    };
    canaries.iter().filter(stands).copied().collect()
}

/// The files below a folder that have one of the canaries in them, with those they have.
fn files_with(folder: &Path, canaries: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, canaries));
            continue;
        }
        // What its process has taken away meanwhile has nothing in it.
        let here = found_in(&fs::read(&path).unwrap_or_default(), canaries);
        if !here.is_empty() {
            found.push(format!("{}: {here:?}", path.file_name().unwrap().to_string_lossy()));
        }
    }
    found.sort();
    found
}
