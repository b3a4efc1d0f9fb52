//! The crates that are compiled, as `cargo metadata` names them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};

use crate::project::{Project, cargo};

/// All crates that are compiled for some platform, each version once.
pub struct Graph {
    packages: BTreeMap<PackageId, Package>,
    members: BTreeSet<PackageId>,
}

impl Graph {
    /// Reads the graphs of these platforms, with all features. What isn't on this machine yet is fetched.
    pub fn read(project: &Project, targets: &[String]) -> Result<Self> {
        let (mut packages, mut members) = (BTreeMap::new(), BTreeSet::new());
        for target in targets {
            let metadata = metadata(project, &["--all-features", "--filter-platform", target])?;
            let resolve = metadata.resolve.context("cargo metadata resolved nothing")?;
            let compiled: BTreeSet<_> = resolve.nodes.into_iter().map(|node| node.id).collect();
            members.extend(metadata.workspace_members);
            let of_target = metadata.packages.into_iter().filter(|package| compiled.contains(&package.id));
            packages.extend(of_target.map(|package| (package.id.clone(), package)));
        }
        Ok(Self { packages, members })
    }

    /// Those of the workspace itself.
    pub fn own(&self) -> impl Iterator<Item = &Package> {
        self.packages.values().filter(|package| self.members.contains(&package.id))
    }

    /// All others.
    pub fn others(&self) -> impl Iterator<Item = &Package> {
        self.packages.values().filter(|package| !self.members.contains(&package.id))
    }

    /// The names that there is more than one version of.
    pub fn duplicates(&self) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        self.others().map(|package| package.name.as_str()).filter(|name| !seen.insert(*name)).collect()
    }
}

/// A crate of the workspace, with what it depends on directly.
pub struct Member {
    /// Its name.
    pub name: String,
    /// The folder of its Cargo.toml.
    pub folder: PathBuf,
    /// The names of the crates it depends on, but for those of the workspace.
    pub direct: BTreeSet<String>,
}

/// The crates of the workspace.
pub fn members(project: &Project) -> Result<Vec<Member>> {
    let member = |package: Package| -> Result<Member> {
        let folder = package.manifest_path.parent().context("Cargo.toml lies in a folder")?.into();
        let direct = package.dependencies.into_iter().filter(|one| one.path.is_none()).map(|one| one.name).collect();
        Ok(Member { name: package.name.to_string(), folder, direct })
    };
    metadata(project, &["--no-deps"])?.packages.into_iter().map(member).collect()
}

fn metadata(project: &Project, options: &[&str]) -> Result<Metadata> {
    let options = ["--locked"].iter().chain(options).map(|option| (*option).to_owned());
    let mut command = MetadataCommand::new();
    command.cargo_path(cargo()).current_dir(&project.root).other_options(options.collect::<Vec<_>>());
    command.exec().context("cargo metadata failed")
}
