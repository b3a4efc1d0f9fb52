//! Installation of missing Debian packages.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use duct::cmd;

use crate::project::find_program;

/// True after package lists were updated, which happens at most once per run.
static LISTS_UPDATED: AtomicBool = AtomicBool::new(false);

/// True on Debian and its derivatives.
pub fn is_available() -> bool {
    find_program(&["apt-get"]).is_some()
}

/// Returns the tool that `find` returns. If it is missing, installs Debian `packages` first.
///
/// # Errors
/// The tool is still missing. The error is `advice`.
pub fn find_or_install<T>(find: impl Fn() -> Option<T>, packages: &[&str], advice: &'static str) -> Result<T> {
    if let Some(tool) = find() {
        return Ok(tool);
    }
    if is_available() {
        install(packages)?;
    }
    find().context(advice)
}

/// Installs `packages`, as root or with sudo.
pub fn install(packages: &[&str]) -> Result<()> {
    eprintln!("installing Debian packages: {}", packages.join(" "));
    update_lists()?;
    let mut args = vec!["install", "--quiet=2", "--yes", "--no-install-recommends"];
    args.extend(packages);
    apt_get(&args).with_context(|| format!("can't install {}", packages.join(", ")))
}

/// Returns the package with the greatest number among those named `<prefix><number>`.
pub fn newest_numbered(prefix: &str) -> Result<Option<String>> {
    update_lists()?;
    let search_output = cmd!("apt-cache", "search", "--names-only", format!("^{prefix}[0-9]+$")).read()?;
    let names = search_output.lines().filter_map(|line| line.split_whitespace().next());
    Ok(with_greatest_number(prefix, names).map(String::from))
}

/// Returns the name with the greatest number among `names` of the form `prefix` and number: `lld-22` before `lld-9`.
pub fn with_greatest_number<'a>(prefix: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.filter_map(|name| Some((name.strip_prefix(prefix)?.parse::<u32>().ok()?, name))).max().map(|(_, name)| name)
}

fn update_lists() -> Result<()> {
    if !LISTS_UPDATED.swap(true, Ordering::Relaxed) {
        apt_get(&["update", "--quiet=2"]).context("can't update the lists of Debian packages")?;
    }
    Ok(())
}

fn apt_get(args: &[&str]) -> Result<()> {
    let mut command = vec!["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    command.extend(["--option", "DPkg::Lock::Timeout=120", "--option", "Dpkg::Use-Pty=0"]);
    command.extend(args);
    if cmd!("id", "-u").read()? != "0" {
        if find_program(&["sudo"]).is_none() {
            bail!("sudo is missing; run as root: apt-get {}", args.join(" "));
        }
        command.insert(0, "sudo");
    }
    cmd(command[0], &command[1..]).stdout_to_stderr().run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_package_is_chosen_by_number() {
        let names = ["lld-13", "lld-22", "lld-9", "lld", "lld-22-dev", "clang-30"];
        assert_eq!(with_greatest_number("lld-", names.into_iter()), Some("lld-22"));
        assert_eq!(with_greatest_number("gcc-", names.into_iter()), None);
    }
}
