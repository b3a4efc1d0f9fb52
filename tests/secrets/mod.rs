//! Canaries: unique strings used as secrets, phone numbers and transcript texts, and then searched for where they must
//! not appear.

use std::fs;
use std::path::Path;

mod logged;
mod options;
mod purged;

/// Returns a unique string of letters only, so that tokenizers treat it as one word.
fn canary() -> String {
    let letter = |_| char::from(b'a' + rand::random_range(0..26_u8));
    format!("zq{}", (0..20).map(letter).collect::<String>())
}

/// Returns ten unique digits: the national part of a US phone number.
fn digits() -> String {
    format!("415555{:04}", rand::random_range(100..200))
}

/// Returns the canaries found in some bytes, ignoring case. A suffix counts, because an index may store common prefixes
/// elsewhere.
fn found_in<'a>(bytes: &[u8], canaries: &[&'a str]) -> Vec<&'a str> {
    let lower = bytes.to_ascii_lowercase();
    let stands = |canary: &&&str| {
        let end = canary[canary.len() - canary.len().min(12)..].to_ascii_lowercase();
        lower.windows(end.len()).any(|window| window == end.as_bytes())
    };
    canaries.iter().filter(stands).copied().collect()
}

/// Returns the files below a folder that contain a canary, with these canaries.
fn files_with(folder: &Path, canaries: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, canaries));
            continue;
        }
        // A file deleted in the meantime counts as empty.
        let here = found_in(&fs::read(&path).unwrap_or_default(), canaries);
        if !here.is_empty() {
            found.push(format!("{}: {here:?}", path.file_name().unwrap().to_string_lossy()));
        }
    }
    found.sort();
    found
}
