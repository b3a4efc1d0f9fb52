//! `cargo xtask docs`: writes the documents generated from the code, or checks that they are up to date.
//!
//! The program itself prints them; nothing of the engine or the server is linked here.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::setup;

/// File, or part of a file, that a command of the program prints.
struct Document {
    path: &'static str,
    /// Name in the two comments that enclose the part: `<!-- NAME:begin -->` and `<!-- NAME:end -->`.
    region: Option<&'static str>,
    command: &'static str,
}

const DOCUMENTS: [Document; 5] = [
    Document { path: "docs/openapi.json", region: None, command: "openapi" },
    Document { path: "docs/FILTERS.md", region: Some("fields"), command: "filter-reference" },
    Document { path: "docs/IMPORT.md", region: Some("columns"), command: "column-reference" },
    Document { path: "docs/OPERATIONS.md", region: Some("options"), command: "config-reference" },
    Document { path: "docs/API-DESIGN.md", region: Some("problems"), command: "problem-reference" },
];

/// Writes the documents, or only compares them if `check` is set.
///
/// # Errors
/// With `check`, names every document that differs.
pub fn run(project: &Project, check: bool) -> Result<()> {
    setup::compiler::ensure()?;
    project.cargo(["build", "--package", "leadscribe-server", "--bin", "leadscribe"]).run()?;
    let mut stale = Vec::new();
    for document in DOCUMENTS {
        let path = project.root.join(document.path);
        let output = project.command(project.program_path("debug"), [document.command]).read()?;
        let current = read_or_empty(&path)?;
        let expected = match document.region {
            None => format!("{}\n", output.trim_end()),
            Some(region) => {
                replace_region(&current, region, output.trim()).with_context(|| document.path.to_owned())?
            }
        };
        if current == expected {
            println!("{} is up to date", document.path);
        } else if check {
            println!("{}: {}", document.path, first_difference(&current, &expected));
            stale.push(document.path);
        } else {
            fs::write(&path, expected).with_context(|| format!("can't write {}", path.display()))?;
            println!("{} written", document.path);
        }
    }
    if !stale.is_empty() {
        bail!("out of date: {}; run `cargo xtask docs`", stale.join(", "));
    }
    Ok(())
}

fn read_or_empty(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        text => text.with_context(|| format!("can't read {}", path.display())),
    }
}

/// Returns `text` with `content` between the two comments of the region.
fn replace_region(text: &str, region: &str, content: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- {region}:begin -->"), format!("<!-- {region}:end -->"));
    let (before, remaining) = text.split_once(&begin).with_context(|| format!("expected a line {begin}"))?;
    let (_, after) = remaining.split_once(&end).with_context(|| format!("expected a line {end} after {begin}"))?;
    Ok(format!("{before}{begin}\n\n{content}\n\n{end}{after}"))
}

fn first_difference(actual: &str, expected: &str) -> String {
    let line = actual.lines().zip(expected.lines()).take_while(|(actual, expected)| actual == expected).count();
    let line_text = |text: &str| text.lines().nth(line).unwrap_or("the end").trim().to_owned();
    format!("line {}: expected {}, found {}", line + 1, line_text(expected), line_text(actual))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_only_the_region() {
        let text = "# Filters\n<!-- fields:begin -->\nold\n<!-- fields:end -->\nmore\n";
        let new = replace_region(text, "fields", "| key |").unwrap();
        assert_eq!(new, "# Filters\n<!-- fields:begin -->\n\n| key |\n\n<!-- fields:end -->\nmore\n");
        assert_eq!(replace_region(&new, "fields", "| key |").unwrap(), new);
        let error = replace_region("# Filters", "fields", "").unwrap_err();
        assert_eq!(error.to_string(), "expected a line <!-- fields:begin -->");
    }

    #[test]
    fn difference_names_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), "line 2: expected c, found b");
        assert_eq!(first_difference("a\n", "a\nc\n"), "line 2: expected c, found the end");
    }
}
