//! Bounds on the style of comments, type names and test names. `docs/GLOSSARY.md` has the rules.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use regex::Regex;

/// Folders with Rust code.
const SOURCE_FOLDERS: [&str; 5] = ["engine", "server", "web", "tests", "xtask"];

/// Maximum length of a test name, in characters.
const MAX_TEST_NAME_LENGTH: usize = 60;

/// Maximum number of findings in an error, for each rule.
const MAX_SHOWN_FINDINGS: usize = 8;

static COMMENT_PATTERN: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"^\s*(///|//!|//)\s?(.*)$"));

/// Nominal relative clauses and other openings that hide the subject.
static OPENING_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(What|Who|Whoever|Whatever|Those|Whose|Whom|Where|Whether|Which|Of|By|As|On|To|Beside|That|How often|How long)\b",
    )
});

/// Persons in place of the actor: the client, the worker, the user.
static PERSON_PATTERN: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"(?i)\b(whoever|whomever|those whom?|somebody|someone|nobody|anybody|whom?)\b"));

/// Phrases that aren't technical English.
static IDIOM_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)\b(meanwhile|by now|anew|no more|(is|are) told|hears?|heard|in sight|on its way|goes? on|of its own|nothing more|there is none|mend(ed)?|faulty|beside|not any more)\b",
    )
});

static TYPE_PATTERN: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|type|trait)\s+([A-Z]\w*)"));

static PARTICIPLE_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^[A-Z][a-z0-9]*(ed|ing)$|^(Found|Kept|Told|Heard|Said|Given|Left|Begun|Chosen|Sought|Written|Shown|Taken|Lost|Put|Met|Known|Seen|Held|Read|Sent|Done|Made|Meanwhile|Onward|Among|Beyond|Beside|Doubt|Deed|Way)$",
    )
});

/// Nouns that end like participles.
const PARTICIPLE_LIKE_NOUNS: [&str; 19] = [
    "Embed",
    "Feed",
    "Seed",
    "Speed",
    "Ring",
    "String",
    "Setting",
    "Heading",
    "Recording",
    "Listing",
    "Mapping",
    "Encoding",
    "Rating",
    "Ordering",
    "Padding",
    "Spacing",
    "Binding",
    "Timing",
    "Thing",
];

static TEST_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"(?:#\[(?:tokio::)?test[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn |journey!\()(\w+)")
});

static PERSON_IN_NAME_PATTERN: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern("(^|_)(who|whom|whose|whoever|somebody|nobody|anybody|those|meanwhile)(_|$)"));

fn compile_pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("valid pattern")
}

/// A rule and its findings.
struct Rule {
    name: &'static str,
    /// Maximum share of findings, in thousandths.
    max_per_mille: usize,
    checked: usize,
    findings: Vec<String>,
}

impl Rule {
    fn new(name: &'static str, max_per_mille: usize) -> Self {
        Self { name, max_per_mille, checked: 0, findings: Vec::new() }
    }

    fn check(&mut self, is_finding: bool, finding: impl FnOnce() -> String) {
        self.checked += 1;
        if is_finding {
            self.findings.push(finding());
        }
    }

    fn is_satisfied(&self) -> bool {
        self.findings.len() * 1_000 <= self.checked * self.max_per_mille
    }
}

struct Rules {
    openings: Rule,
    persons: Rule,
    idioms: Rule,
    types: Rule,
    tests: Rule,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            openings: Rule::new("comments that open with a relative clause or preposition", 5),
            persons: Rule::new("comments about persons instead of the actor", 3),
            idioms: Rule::new("comments with idioms", 3),
            types: Rule::new("type names that are participles", 10),
            tests: Rule::new("test names that are too long or about persons", 5),
        }
    }
}

impl Rules {
    fn check(&mut self, path: &str, text: &str) {
        for (line, block) in comment_blocks(text) {
            let describe = || format!("{path}:{line}: {}", block.chars().take(90).collect::<String>());
            self.openings.check(OPENING_PATTERN.is_match(&block), describe);
            self.persons.check(PERSON_PATTERN.is_match(&block), describe);
            self.idioms.check(IDIOM_PATTERN.is_match(&block), describe);
        }
        for name in TYPE_PATTERN.captures_iter(text).map(|captures| captures[1].to_owned()) {
            self.types.check(PARTICIPLE_PATTERN.is_match(&name) && !PARTICIPLE_LIKE_NOUNS.contains(&&*name), || {
                format!("{path}: {name}")
            });
        }
        for name in TEST_PATTERN.captures_iter(text).map(|captures| captures[1].to_owned()) {
            let is_finding = name.len() > MAX_TEST_NAME_LENGTH || PERSON_IN_NAME_PATTERN.is_match(&name);
            self.tests.check(is_finding, || format!("{path}: {name}"));
        }
    }

    fn report(&self) -> Result<()> {
        let mut errors = String::new();
        for rule in [&self.openings, &self.persons, &self.idioms, &self.types, &self.tests] {
            let Rule { name, max_per_mille, checked, findings } = rule;
            println!("{name}: {} of {checked}", findings.len());
            if !rule.is_satisfied() {
                let shown = findings.iter().take(MAX_SHOWN_FINDINGS).cloned().collect::<Vec<_>>().join("\n         ");
                write!(errors, "\n       {name}: more than {max_per_mille} in 1,000:\n         {shown}")?;
            }
        }
        ensure!(errors.is_empty(), "docs/GLOSSARY.md has the rules for names and comments{errors}");
        Ok(())
    }
}

/// Checks all Rust files.
///
/// # Errors
/// Names the rules that are broken too often, with examples.
pub fn check(root: &Path) -> Result<()> {
    let mut rules = Rules::default();
    for folder in SOURCE_FOLDERS {
        let files = walkdir::WalkDir::new(root.join(folder))
            .into_iter()
            .filter_entry(|entry| entry.file_name() != "target")
            .collect::<Result<Vec<_>, _>>()?;
        for file in files.iter().filter(|file| file.path().extension().is_some_and(|extension| extension == "rs")) {
            let text =
                fs::read_to_string(file.path()).with_context(|| format!("can't read {}", file.path().display()))?;
            let path = file.path().strip_prefix(root).unwrap_or(file.path());
            rules.check(&path.display().to_string(), &text);
        }
    }
    rules.report()
}

/// Returns the blocks of adjacent comment lines of one kind, with the number of their first line.
fn comment_blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let mut kind = String::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some(captures) = COMMENT_PATTERN.captures(text) else {
            kind.clear();
            continue;
        };
        match blocks.last_mut().filter(|_| kind == captures[1]) {
            Some((_, block)) => {
                block.push(' ');
                block.push_str(&captures[2]);
            }
            None => {
                kind = captures[1].to_owned();
                blocks.push((line, captures[2].to_owned()));
            }
        }
    }
    blocks.retain(|(_, block)| !block.trim().is_empty());
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> [usize; 5] {
        let mut rules = Rules::default();
        rules.check("a.rs", text);
        [&rules.openings, &rules.persons, &rules.idioms, &rules.types, &rules.tests].map(|rule| rule.findings.len())
    }

    #[test]
    fn counts_findings_of_each_rule() {
        let clean = "/// The leads that match.\npub struct LookUpResult;\n#[test]\nfn rejects_duplicates() {}\n";
        assert_eq!(findings(clean), [0; 5]);
        assert_eq!(findings("/// What was found.\n"), [1, 0, 0, 0, 0]);
        assert_eq!(findings("/// Tells nobody.\n/// Is told later.\n"), [0, 1, 1, 0, 0]);
        assert_eq!(findings("pub(crate) struct Found;\nstruct Recording;\nenum Asked {}\n"), [0, 0, 0, 2, 0]);
        assert_eq!(findings("#[tokio::test]\nasync fn nobody_logs_in() {}\n"), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn comment_blocks_end_where_their_kind_changes() {
        let text = "//! Module.\n/// Type\n/// continued.\nstruct A;\n// Note.\n";
        let expected = [(1, "Module."), (2, "Type continued."), (5, "Note.")];
        assert_eq!(comment_blocks(text), expected.map(|(line, block)| (line, block.to_owned())));
    }
}
