//! Table of direct dependencies: each dependency has one row with a reason, and there are no other rows. The code of
//! the dependent crate must use each dependency.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use walkdir::WalkDir;

use super::graph::WorkspaceCrate;

/// Returns the dependencies that the code of a crate doesn't use, one per line.
///
/// # Errors
/// The code can't be read.
pub fn unused_dependencies(member: &WorkspaceCrate) -> Result<Vec<String>> {
    let code = read_code(&member.folder)?;
    let is_unused = |name: &&String| !contains_word(&code, &name.replace('-', "_"));
    let line = |name: &String| format!("{}: the code doesn't use {name}", member.name);
    Ok(member.direct_dependencies.iter().filter(is_unused).map(line).collect())
}

/// Returns all Rust code of a crate, without nested crates.
fn read_code(folder: &Path) -> Result<String> {
    let belongs_to_crate = |entry: &walkdir::DirEntry| {
        let path = entry.path();
        path == folder
            || !path.join("Cargo.toml").is_file() && !path.ends_with("target") && !path.ends_with("node_modules")
    };
    let mut code = String::new();
    for entry in WalkDir::new(folder).into_iter().filter_entry(belongs_to_crate) {
        let path = entry?.into_path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            code += &fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        }
    }
    Ok(code)
}

fn contains_word(code: &str, word: &str) -> bool {
    let is_word_char = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(start, _)| {
        !code[..start].ends_with(is_word_char) && !code[start + word.len()..].starts_with(is_word_char)
    })
}

/// Returns the errors of the table, one per line. A row is `| `name` | reason |`.
pub fn violations(table: &str, direct: &BTreeSet<String>) -> Vec<String> {
    let rows: Vec<_> = table.lines().filter_map(parse_row).collect();
    let listed: BTreeSet<_> = rows.iter().map(|(name, _)| *name).collect();
    let missing = direct.iter().filter(|name| !listed.contains(name.as_str()));
    let missing = missing.map(|name| format!("{name}: add a row that says why it is used"));
    let unknown = listed.iter().filter(|name| !direct.contains(**name));
    let unknown = unknown.map(|name| format!("{name}: remove the row; it isn't a direct dependency"));
    let without_reason = rows.iter().filter(|(_, reason)| reason.is_empty());
    let without_reason = without_reason.map(|(name, _)| format!("{name}: the reason is missing"));
    let duplicated = listed.iter().filter(|name| rows.iter().filter(|(other, _)| other == *name).count() > 1);
    let duplicated = duplicated.map(|name| format!("{name}: there is more than one row"));
    missing.chain(unknown).chain(without_reason).chain(duplicated).collect()
}

fn parse_row(line: &str) -> Option<(&str, &str)> {
    let (name, reason) = line.strip_prefix("| `")?.split_once("` |")?;
    Some((name, reason.trim().trim_end_matches('|').trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_crates_are_named_in_code() {
        let code = "use serde_json::json;\nfn log() { tracing::info!(\"said\"); }";
        assert!(contains_word(code, "serde_json") && contains_word(code, "tracing"));
        assert!(!contains_word(code, "serde") && !contains_word(code, "json5") && !contains_word(code, "racing"));
    }

    #[test]
    fn each_dependency_has_one_row_with_a_reason() {
        let direct = ["clap", "serde"].map(str::to_owned).into();
        let table_header = "# Dependencies\n\n| crate | why |\n|---|---|\n";
        assert_eq!(violations(&format!("{table_header}| `clap` | options |\n| `serde` | JSON |\n"), &direct), [""; 0]);
        let table = format!("{table_header}| `clap` | |\n| `clap` | options |\n| `log` | logs |\n");
        assert_eq!(
            violations(&table, &direct),
            [
                "serde: add a row that says why it is used",
                "log: remove the row; it isn't a direct dependency",
                "clap: the reason is missing",
                "clap: there is more than one row",
            ]
        );
    }
}
