//! `cargo xtask deny`: what may be linked into the program, and why it is there.
//!
//! `deny.toml` is that of cargo-deny, which is too much to build for a check; so its licences, bans and sources are checked
//! here, on what `cargo metadata` says, with the crate that cargo-deny itself reads licences with. Advisories need a database from the
//! network: `cargo deny check advisories` is for whoever has it.

mod graph;
mod reasons;
mod rules;

use std::fs;

use anyhow::{Context, Result, bail};

use self::graph::Graph;
use self::rules::Rules;
use crate::project::Project;
use crate::report::Report;

/// The table of direct dependencies and why each is there.
const TABLE: &str = "docs/DEPENDENCIES.md";

/// Checks and changes nothing.
pub fn run(project: &Project) -> Result<()> {
    let mut report = Report::default();
    steps(project, &mut report);
    report.finish()
}

/// The steps of the check, for a report that has others.
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
