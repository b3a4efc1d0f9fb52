//! Form of commit subjects: `area: Verb object`.

use std::sync::LazyLock;

use anyhow::{Result, ensure};
use regex::Regex;

use crate::project::Project;

/// Maximum length of a subject, in characters.
const MAX_SUBJECT_LENGTH: usize = 72;

/// Number of commits to check. A shallow clone has fewer.
const COMMIT_COUNT: &str = "-50";

static SUBJECT_PATTERN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[a-z][a-z0-9/_, -]*: [A-Z]").expect("valid pattern"));

/// Checks the latest commits.
///
/// # Errors
/// Names the subjects that have another form or are too long.
pub fn check(project: &Project) -> Result<()> {
    let args = ["-C".into(), project.root.clone().into_os_string()].into_iter();
    let log = ["log", COMMIT_COUNT, "--no-merges", "--format=%s"].map(Into::into);
    let subjects = duct::cmd("git", args.chain(log)).read()?;
    let invalid: Vec<_> = subjects.lines().filter(|subject| !is_valid(subject)).collect();
    ensure!(
        invalid.is_empty(),
        "write commit subjects as `area: Verb object`, in at most {MAX_SUBJECT_LENGTH} characters:\n       {}",
        invalid.join("\n       ")
    );
    Ok(())
}

fn is_valid(subject: &str) -> bool {
    subject.chars().count() <= MAX_SUBJECT_LENGTH && SUBJECT_PATTERN.is_match(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_have_an_area_and_a_verb() {
        assert!(is_valid("storage/sql: Take fewer locks"));
        assert!(!is_valid("Take fewer locks"));
        assert!(!is_valid("storage: take fewer locks"));
        assert!(!is_valid(&format!("storage: Take {}", "fewer ".repeat(12))));
    }
}
