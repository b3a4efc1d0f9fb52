//! `cargo xtask deny`: which crates may be linked into the program, and why.
//!
//! `deny.toml` is in the format of cargo-deny, which takes too long to build for a check. Its rules on licenses, bans
//! and sources are checked here on the output of `cargo metadata`, with cargo-deny's own license parser. Advisories
//! need a database from the network: run `cargo deny check advisories` for these.

mod graph;
mod reasons;
mod rules;

use std::fs;

use anyhow::{Context, Result, bail};

use self::graph::DependencyGraph;
pub use self::graph::crate_folder;
use self::rules::Rules;
use crate::project::Project;
use crate::report::Report;

/// Table of direct dependencies with the reason for each.
const REASONS_PATH: &str = "docs/DEPENDENCIES.md";

/// Runs all checks without changing anything.
pub fn run(project: &Project) -> Result<()> {
    let mut report = Report::default();
    add_steps(project, &mut report);
    report.finish()
}

/// Adds the steps of the check to a report.
pub fn add_steps(project: &Project, report: &mut Report) {
    report.run_step("licenses, bans and sources", || {
        let text = fs::read_to_string(project.root.join("deny.toml")).context("can't read deny.toml")?;
        let rules = Rules::read(&text)?;
        let graph = DependencyGraph::read(project, rules.targets())?;
        fail_if_any(&rules.violations(&graph)?)?;
        println!(
            "{} crates, {} of them in more than one version",
            graph.external_packages().count(),
            graph.duplicates().len()
        );
        Ok(())
    });
    report.run_step("reasons of dependencies", || {
        let table = fs::read_to_string(project.root.join(REASONS_PATH))
            .with_context(|| format!("can't read {REASONS_PATH}"))?;
        let members = graph::workspace_crates(project)?;
        let direct = members.iter().flat_map(|member| member.direct_dependencies.iter().cloned()).collect();
        let mut violations = reasons::violations(&table, &direct);
        for member in &members {
            violations.extend(reasons::unused_dependencies(member)?);
        }
        fail_if_any(&violations)
    });
}

fn fail_if_any(violations: &[String]) -> Result<()> {
    match violations {
        [] => Ok(()),
        violations => bail!("{}", violations.join("\n       ")),
    }
}
