//! `cargo xtask deny`: which crates may be linked into the program, and why.
//!
//! `deny.toml` is in the format of cargo-deny, which takes too long to build for a check. Its rules on licences, bans
//! and sources are checked here on the output of `cargo metadata`, with cargo-deny's own licence parser. Advisories
//! need a database from the network: run `cargo deny check advisories` for these.

mod graph;
mod reasons;
mod rules;

use std::fs;

use anyhow::{Context, Result, bail};

use self::graph::Graph;
use self::rules::Rules;
use crate::project::Project;
use crate::report::Report;

/// Table of direct dependencies with the reason for each.
const TABLE: &str = "docs/DEPENDENCIES.md";

/// Runs all checks without changing anything.
pub fn run(project: &Project) -> Result<()> {
    let mut report = Report::default();
    steps(project, &mut report);
    report.finish()
}

/// Adds the steps of the check to a report.
pub fn steps(project: &Project, report: &mut Report) {
    report.step("licences, bans and sources", || {
        let text = fs::read_to_string(project.root.join("deny.toml")).context("can't read deny.toml")?;
        let rules = Rules::read(&text)?;
        let graph = Graph::read(project, rules.targets())?;
        none_of(&rules.faults(&graph)?)?;
        println!("{} crates, {} of them in more than one version", graph.others().count(), graph.duplicates().len());
        Ok(())
    });
    report.step("reasons of dependencies", || {
        let table = fs::read_to_string(project.root.join(TABLE)).with_context(|| format!("can't read {TABLE}"))?;
        let members = graph::members(project)?;
        let direct = members.iter().flat_map(|member| member.direct.iter().cloned()).collect();
        let mut faults = reasons::faults(&table, &direct);
        for member in &members {
            faults.extend(reasons::unused(member)?);
        }
        none_of(&faults)
    });
}

fn none_of(faults: &[String]) -> Result<()> {
    match faults {
        [] => Ok(()),
        faults => bail!("{}", faults.join("\n       ")),
    }
}
