//! `cargo xtask build` and `cargo xtask serve`: the program with the panel inside.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::panel;
use crate::project::Project;

/// Builds the panel, then the program that embeds it, and returns the program's path.
pub fn build(project: &Project) -> Result<PathBuf> {
    panel::build(project)?;
    project.cargo(["build", "--release", "--package", "leadscribe-server", "--bin", "leadscribe"]).run()?;
    Ok(project.program("release"))
}

/// Builds, then becomes `leadscribe serve` with `args`, so that its signals and its exit code are the program's own.
pub fn serve(project: &Project, mut args: Vec<OsString>) -> Result<()> {
    let program = build(project)?;
    // `cargo xtask serve --demo -- --listen …` is how one passes arguments through elsewhere; here nothing must be parted off.
    args.retain(|arg| arg != "--");
    if needs_demo_data(&args, env::var_os("LEADSCRIBE_DATA_DIR").is_some()) {
        // The demo's log-in is made for one run, on an empty database.
        let data = project.target.join("demo-data");
        if data.exists() {
            fs::remove_dir_all(&data).with_context(|| format!("can't empty {}", data.display()))?;
        }
        args.extend(["--data-dir".into(), data.into()]);
    }
    let error = Command::new(&program).arg("serve").args(args).exec();
    Err(error).with_context(|| format!("can't start {}", program.display()))
}

/// Whether a demo is asked for, and no data folder for it.
fn needs_demo_data(args: &[OsString], named_by_environment: bool) -> bool {
    let names = |name: &str| {
        let with_value = format!("{name}=");
        args.iter().filter_map(|arg| arg.to_str()).any(|arg| arg == name || arg.starts_with(&with_value))
    };
    names("--demo") && !names("--data-dir") && !named_by_environment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_gets_a_data_folder_of_its_own_unless_one_is_named() {
        let needs = |args: &[&str], named| needs_demo_data(&args.iter().map(OsString::from).collect::<Vec<_>>(), named);
        assert!(needs(&["--listen", "127.0.0.1:0", "--demo"], false));
        assert!(!needs(&["--listen", "127.0.0.1:0"], false));
        assert!(!needs(&["--demo", "--data-dir", "/srv"], false));
        assert!(!needs(&["--demo", "--data-dir=/srv"], false));
        assert!(!needs(&["--demo"], true));
    }
}
