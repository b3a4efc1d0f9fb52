//! Rules of `deny.toml`, and their violations. Unknown keys are rejected, so that no rule is ignored.

use anyhow::{Context, Result};
use cargo_metadata::Package;
use serde::Deserialize;
use spdx::{Expression, Licensee};

use super::graph::Graph;

/// Permitted source of crates.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Rules of `deny.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    graph: Platforms,
    licenses: Licences,
    bans: Bans,
    sources: Sources,
    /// Used only by `cargo deny check advisories`.
    #[serde(rename = "advisories")]
    _advisories: toml::Table,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Platforms {
    targets: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licences {
    allow: Vec<String>,
    /// Settings about licence texts, which aren't checked here: every crate must declare its licence.
    #[serde(rename = "confidence-threshold")]
    _confidence_threshold: f64,
    #[serde(rename = "unused-allowed-license")]
    _unused_allowed_license: String,
    #[serde(rename = "private")]
    _private: toml::Table,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    multiple_versions: Told,
    wildcards: Denied,
    allow_wildcard_paths: bool,
    deny: Vec<Ban>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ban {
    name: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    unknown_registry: Denied,
    unknown_git: Denied,
}

/// The only supported value.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Denied {
    Deny,
}

/// The only supported value.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Told {
    Warn,
}

impl Rules {
    /// Parses the rules.
    ///
    /// # Errors
    /// The text isn't TOML, or contains a rule that isn't supported here.
    pub fn read(text: &str) -> Result<Self> {
        let rules: Self = toml::from_str(text).context("in deny.toml")?;
        let Bans { multiple_versions: Told::Warn, wildcards: Denied::Deny, allow_wildcard_paths: _, deny: _ } =
            &rules.bans;
        let Sources { unknown_registry: Denied::Deny, unknown_git: Denied::Deny } = &rules.sources;
        Ok(rules)
    }

    /// Returns the platforms that the program is built for.
    pub fn targets(&self) -> &[String] {
        &self.graph.targets
    }

    /// Returns the violations, one per line.
    ///
    /// # Errors
    /// The list of licences has an invalid entry.
    pub fn faults(&self, graph: &Graph) -> Result<Vec<String>> {
        let allowed = self.allowed()?;
        let mut faults: Vec<_> = graph.own().flat_map(|package| self.wildcards(package)).collect();
        for package in graph.others() {
            let named = format!("{} {}", package.name, package.version);
            let source = package.source.as_ref().map_or("a folder", |source| source.repr.as_str());
            let ban = self.bans.deny.iter().find(|ban| ban.name == *package.name);
            let from_elsewhere =
                (source != REGISTRY).then(|| format!("{named}: expected from crates.io, found from {source}"));
            let banned = ban.map(|ban| format!("{named}: not to be used; {}", ban.reason));
            let licence = unlicensed(package.license.as_deref(), &allowed).map(|why| format!("{named}: {why}"));
            faults.extend([from_elsewhere, banned, licence].into_iter().flatten());
        }
        Ok(faults)
    }

    fn allowed(&self) -> Result<Vec<Licensee>> {
        let parse =
            |text: &String| Licensee::parse(text).with_context(|| format!("{text} among the licences of deny.toml"));
        self.licenses.allow.iter().map(parse).collect()
    }

    fn wildcards(&self, package: &Package) -> Vec<String> {
        let any = package.dependencies.iter().filter(|one| one.req.to_string() == "*");
        let is_allowed = |path: bool| path && self.bans.allow_wildcard_paths;
        let of = |name: &str| format!("{}: expected a version of {name}, found *", package.name);
        any.filter(|one| !is_allowed(one.path.is_some())).map(|one| of(&one.name)).collect()
    }
}

/// Returns the reason why a crate with this licence may not be used, if any.
fn unlicensed(licence: Option<&str>, allowed: &[Licensee]) -> Option<String> {
    let Some(text) = licence else { return Some("expected a licence, found none".to_owned()) };
    // Some older crates write `MIT/Apache-2.0`.
    let Ok(expression) = Expression::parse_mode(text, spdx::ParseMode::LAX) else {
        return Some(format!("expected a licence in SPDX, found {text}"));
    };
    let is_allowed = expression.evaluate(|asked| allowed.iter().any(|licence| licence.satisfies(asked)));
    (!is_allowed).then(|| format!("expected a licence that deny.toml allows, found {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = include_str!("../../../deny.toml");

    #[test]
    fn crate_needs_one_allowed_licence() {
        let allowed = Rules::read(RULES).unwrap().allowed().unwrap();
        let said = |licence: &str| unlicensed(Some(licence), &allowed);
        for good in ["MIT", "MIT OR GPL-3.0-only", "MIT/Apache-2.0", "(Apache-2.0 OR MIT) AND Unicode-3.0"] {
            assert_eq!(said(good), None);
        }
        assert_eq!(said("Apache-2.0 WITH LLVM-exception"), None);
        let expected = "expected a licence that deny.toml allows, found ";
        for bad in ["AGPL-3.0-only", "MIT AND GPL-3.0-or-later", "LGPL-2.1-only"] {
            assert_eq!(said(bad), Some(format!("{expected}{bad}")));
        }
        assert_eq!(said("ask us"), Some("expected a licence in SPDX, found ask us".to_owned()));
        assert_eq!(unlicensed(None, &allowed), Some("expected a licence, found none".to_owned()));
    }

    #[test]
    fn rejects_unsupported_rules() {
        let error = |text: &str| format!("{:#}", Rules::read(text).unwrap_err());
        assert!(error(&RULES.replace("[sources]", "[sources]\nallow-git = []")).contains("unknown field `allow-git`"));
        assert!(
            error(&RULES.replace("unknown-git = \"deny\"", "unknown-git = \"warn\""))
                .contains("unknown variant `warn`")
        );
    }
}
