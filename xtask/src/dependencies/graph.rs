//! Compiled crates, according to `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};

use crate::project::{Project, cargo};

/// All crates that are compiled for some platform, each version once.
pub struct DependencyGraph {
    packages: BTreeMap<PackageId, Package>,
    members: BTreeSet<PackageId>,
}

impl DependencyGraph {
    /// Reads the graphs of these platforms, with all features. Fetches missing crates.
    pub fn read(project: &Project, targets: &[String]) -> Result<Self> {
        let (mut packages, mut members) = (BTreeMap::new(), BTreeSet::new());
        for target in targets {
            let metadata = metadata(project, &["--all-features", "--filter-platform", target])?;
            let resolve = metadata.resolve.context("cargo metadata resolved nothing")?;
            let compiled: BTreeSet<_> = resolve.nodes.into_iter().map(|node| node.id).collect();
            members.extend(metadata.workspace_members);
            let target_packages = metadata.packages.into_iter().filter(|package| compiled.contains(&package.id));
            packages.extend(target_packages.map(|package| (package.id.clone(), package)));
        }
        Ok(Self { packages, members })
    }

    /// Returns the crates of the workspace.
    pub fn workspace_packages(&self) -> impl Iterator<Item = &Package> {
        self.packages.values().filter(|package| self.members.contains(&package.id))
    }

    /// Returns all other crates.
    pub fn external_packages(&self) -> impl Iterator<Item = &Package> {
        self.packages.values().filter(|package| !self.members.contains(&package.id))
    }

    /// Returns the names with more than one version.
    pub fn duplicates(&self) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        self.external_packages().map(|package| package.name.as_str()).filter(|name| !seen.insert(*name)).collect()
    }
}

/// Crate of the workspace, with its direct dependencies.
pub struct WorkspaceCrate {
    /// Name of the crate.
    pub name: String,
    /// Folder of its Cargo.toml.
    pub folder: PathBuf,
    /// Names of its direct dependencies outside of the workspace.
    pub direct_dependencies: BTreeSet<String>,
}

pub fn workspace_crates(project: &Project) -> Result<Vec<WorkspaceCrate>> {
    let to_workspace_crate = |package: Package| -> Result<WorkspaceCrate> {
        let folder = package.manifest_path.parent().context("Cargo.toml has no folder")?.into();
        let direct_dependencies = package
            .dependencies
            .into_iter()
            .filter(|dependency| dependency.path.is_none())
            .map(|dependency| dependency.name)
            .collect();
        Ok(WorkspaceCrate { name: package.name.to_string(), folder, direct_dependencies })
    };
    metadata(project, &["--no-deps"])?.packages.into_iter().map(to_workspace_crate).collect()
}

/// Returns the folder with the files of an external crate. Fetches the crate if it is missing.
///
/// # Errors
/// The workspace doesn't depend on it.
pub fn crate_folder(project: &Project, name: &str) -> Result<PathBuf> {
    let packages = metadata(project, &[])?.packages;
    let package = packages.iter().find(|package| package.name == name);
    let package = package.with_context(|| format!("the workspace doesn't depend on {name}"))?;
    Ok(package.manifest_path.parent().context("Cargo.toml has no folder")?.into())
}

fn metadata(project: &Project, options: &[&str]) -> Result<Metadata> {
    let options = ["--locked"].iter().chain(options).map(|option| (*option).to_owned());
    let mut command = MetadataCommand::new();
    command.cargo_path(cargo()).current_dir(&project.root).other_options(options.collect::<Vec<_>>());
    command.exec().context("cargo metadata failed")
}
