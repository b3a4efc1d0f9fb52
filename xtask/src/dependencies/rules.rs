//! Rules of `deny.toml`, and their violations. Unknown keys are rejected, so that no rule is ignored.

use anyhow::{Context, Result};
use cargo_metadata::Package;
use serde::Deserialize;
use spdx::{Expression, Licensee};

use super::graph::DependencyGraph;

/// Permitted source of crates.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Rules of `deny.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    graph: PlatformRules,
    licenses: LicenseRules,
    bans: BanRules,
    sources: SourceRules,
    /// Used only by `cargo deny check advisories`.
    #[serde(rename = "advisories")]
    _advisories: toml::Table,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlatformRules {
    targets: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LicenseRules {
    allow: Vec<String>,
    /// Settings about license texts, which aren't checked here: every crate must declare its license.
    #[serde(rename = "confidence-threshold")]
    _confidence_threshold: f64,
    #[serde(rename = "unused-allowed-license")]
    _unused_allowed_license: String,
    #[serde(rename = "private")]
    _private: toml::Table,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BanRules {
    multiple_versions: WarnOnly,
    wildcards: DenyOnly,
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
struct SourceRules {
    unknown_registry: DenyOnly,
    unknown_git: DenyOnly,
}

/// The only supported value.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DenyOnly {
    Deny,
}

/// The only supported value.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WarnOnly {
    Warn,
}

impl Rules {
    /// Parses the rules.
    ///
    /// # Errors
    /// The text isn't TOML, or contains a rule that isn't supported here.
    pub fn read(text: &str) -> Result<Self> {
        let rules: Self = toml::from_str(text).context("in deny.toml")?;
        let BanRules { multiple_versions: WarnOnly::Warn, wildcards: DenyOnly::Deny, allow_wildcard_paths: _, deny: _ } =
            &rules.bans;
        let SourceRules { unknown_registry: DenyOnly::Deny, unknown_git: DenyOnly::Deny } = &rules.sources;
        Ok(rules)
    }

    /// Returns the platforms that the program is built for.
    pub fn targets(&self) -> &[String] {
        &self.graph.targets
    }

    /// Returns the violations, one per line.
    ///
    /// # Errors
    /// The list of licenses has an invalid entry.
    pub fn violations(&self, graph: &DependencyGraph) -> Result<Vec<String>> {
        let allowed = self.allowed_licenses()?;
        let mut violations: Vec<_> =
            graph.workspace_packages().flat_map(|package| self.wildcard_violations(package)).collect();
        for package in graph.external_packages() {
            let package_label = format!("{} {}", package.name, package.version);
            let source = package.source.as_ref().map_or("a folder", |source| source.repr.as_str());
            let ban = self.bans.deny.iter().find(|ban| ban.name == *package.name);
            let source_violation =
                (source != REGISTRY).then(|| format!("{package_label}: comes from {source}, not from crates.io"));
            let ban_violation = ban.map(|ban| format!("{package_label}: banned: {}", ban.reason));
            let license_problem =
                license_violation(package.license.as_deref(), &allowed).map(|why| format!("{package_label}: {why}"));
            violations.extend([source_violation, ban_violation, license_problem].into_iter().flatten());
        }
        Ok(violations)
    }

    fn allowed_licenses(&self) -> Result<Vec<Licensee>> {
        let parse =
            |text: &String| Licensee::parse(text).with_context(|| format!("{text} among the licenses of deny.toml"));
        self.licenses.allow.iter().map(parse).collect()
    }

    fn wildcard_violations(&self, package: &Package) -> Vec<String> {
        let wildcard_dependencies = package.dependencies.iter().filter(|dependency| dependency.req.to_string() == "*");
        let is_allowed = |path: bool| path && self.bans.allow_wildcard_paths;
        let message = |name: &str| format!("{}: expected a version of {name}, found *", package.name);
        wildcard_dependencies
            .filter(|dependency| !is_allowed(dependency.path.is_some()))
            .map(|dependency| message(&dependency.name))
            .collect()
    }
}

/// Returns the reason why a crate with this license may not be used, if any.
fn license_violation(license: Option<&str>, allowed: &[Licensee]) -> Option<String> {
    let Some(text) = license else { return Some("declares no license".to_owned()) };
    // Some older crates write `MIT/Apache-2.0`.
    let Ok(expression) = Expression::parse_mode(text, spdx::ParseMode::LAX) else {
        return Some(format!("expected an SPDX license expression, found {text}"));
    };
    let is_allowed = expression.evaluate(|requirement| allowed.iter().any(|license| license.satisfies(requirement)));
    (!is_allowed).then(|| format!("expected a license that deny.toml allows, found {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY_TOML: &str = include_str!("../../../deny.toml");

    #[test]
    fn crate_needs_one_allowed_license() {
        let allowed = Rules::read(DENY_TOML).unwrap().allowed_licenses().unwrap();
        let violation = |license: &str| license_violation(Some(license), &allowed);
        for accepted in ["MIT", "MIT OR GPL-3.0-only", "MIT/Apache-2.0", "(Apache-2.0 OR MIT) AND Unicode-3.0"] {
            assert_eq!(violation(accepted), None);
        }
        assert_eq!(violation("Apache-2.0 WITH LLVM-exception"), None);
        let expected = "expected a license that deny.toml allows, found ";
        for rejected in ["AGPL-3.0-only", "MIT AND GPL-3.0-or-later", "LGPL-2.1-only"] {
            assert_eq!(violation(rejected), Some(format!("{expected}{rejected}")));
        }
        assert_eq!(violation("ask us"), Some("expected an SPDX license expression, found ask us".to_owned()));
        assert_eq!(license_violation(None, &allowed), Some("declares no license".to_owned()));
    }

    #[test]
    fn rejects_unsupported_rules() {
        let error = |text: &str| format!("{:#}", Rules::read(text).unwrap_err());
        assert!(
            error(&DENY_TOML.replace("[sources]", "[sources]\nallow-git = []")).contains("unknown field `allow-git`")
        );
        assert!(
            error(&DENY_TOML.replace("unknown-git = \"deny\"", "unknown-git = \"warn\""))
                .contains("unknown variant `warn`")
        );
    }
}
