//! Canaries: unique strings used as secrets, phone numbers and transcript texts, and then searched for where they must
//! not appear.

use std::fs;
use std::path::Path;

mod logs;
mod options;
mod purge;

/// Returns a unique string of letters only, so that tokenizers treat it as one word.
fn canary() -> String {
    let random_letter = |_| char::from(b'a' + rand::random_range(0..26_u8));
    format!("zq{}", (0..20).map(random_letter).collect::<String>())
}

/// Returns ten unique digits: the national part of a US phone number.
fn phone_digits() -> String {
    format!("415555{:04}", rand::random_range(100..200))
}

/// Returns the canaries found in some bytes, ignoring case. A suffix counts, because an index may store common prefixes
/// elsewhere.
fn canaries_in<'a>(bytes: &[u8], canaries: &[&'a str]) -> Vec<&'a str> {
    let lowercase = bytes.to_ascii_lowercase();
    let is_contained = |canary: &&&str| {
        let suffix = canary[canary.len() - canary.len().min(12)..].to_ascii_lowercase();
        lowercase.windows(suffix.len()).any(|window| window == suffix.as_bytes())
    };
    canaries.iter().filter(is_contained).copied().collect()
}

/// Returns the files below a folder that contain a canary, with these canaries.
fn files_with_canaries(folder: &Path, canaries: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_with_canaries(&path, canaries));
            continue;
        }
        // A file deleted in the meantime counts as empty.
        let contained = canaries_in(&fs::read(&path).unwrap_or_default(), canaries);
        if !contained.is_empty() {
            files.push(format!("{}: {contained:?}", path.file_name().unwrap().to_string_lossy()));
        }
    }
    files.sort();
    files
}
