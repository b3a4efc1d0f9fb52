//! `cargo xtask lint`: formatting and clippy, over the workspace and the separate workspaces of benchmarks, and checks
//! of dependencies, names, comments and commit subjects.

mod commits;
mod cycles;
mod layers;
mod wording;

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::report::Report;
use crate::{dependencies, setup};

/// Separate workspace.
const BENCH_DIRECT: &str = "xtask/bench/direct";

/// Separate workspace that is only formatted: clippy would compile the whole server again for a few lines.
const BENCH_STORE: &str = "xtask/bench/store";

/// Separate workspace that is only formatted, because it needs a nightly compiler.
const FUZZ: &str = "tests/fuzz";

/// Runs all checks without changing anything.
pub fn run(project: &Project) -> Result<()> {
    let missing: Vec<_> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(command, _)| {
            let probe = project.cargo([*command, "--version"]).stdout_null().stderr_null().unchecked().run();
            !probe.is_ok_and(|output| output.status.success())
        })
        .map(|(_, component)| component)
        .collect();
    if !missing.is_empty() {
        bail!("the Rust toolchain lacks {0}; install it with `rustup component add {0}`", missing.join(" "));
    }

    setup::compiler::ensure()?;
    let mut report = Report::default();
    report.run_step("format", || {
        project.cargo(["fmt", "--all", "--check"]).run()?;
        for workspace in [BENCH_DIRECT, BENCH_STORE, FUZZ] {
            project
                .cargo(["fmt".into(), "--check".into(), "--manifest-path".into(), manifest_path(project, workspace)])
                .run()?;
        }
        Ok(())
    });
    report.run_step("clippy", || {
        // The JavaScript API compiles natively too, although it runs only in WebAssembly.
        let features = "leadscribe-engine/js,leadscribe-engine/openapi";
        project
            .cargo(["clippy", "--workspace", "--all-targets", "--features", features, "--", "--deny", "warnings"])
            .run()?;
        Ok(())
    });
    report.run_step("clippy in bench/direct", || {
        let args = ["clippy", "--all-targets", "--manifest-path"].map(OsString::from).into_iter();
        let target = project.target_dir.join("lint").into_os_string();
        let args = args.chain([manifest_path(project, BENCH_DIRECT), "--target-dir".into(), target]);
        project.cargo(args.chain(["--", "--deny", "warnings"].map(OsString::from))).run()?;
        Ok(())
    });
    report.run_step("other lock files", || {
        for workspace in [BENCH_DIRECT, BENCH_STORE, FUZZ] {
            let args = ["metadata", "--locked", "--format-version", "1", "--manifest-path"].map(OsString::from);
            project.cargo(args.into_iter().chain([manifest_path(project, workspace)])).stdout_null().run()?;
        }
        Ok(())
    });
    dependencies::add_steps(project, &mut report);
    report.run_step("names and comments", || wording::check(&project.root));
    report.run_step("layers of modules", || layers::check(&project.root));
    report.run_step("import cycles", || cycles::check(&project.root));
    report.run_step("commit subjects", || commits::check(project));
    report.finish()
}

fn manifest_path(project: &Project, workspace: &str) -> OsString {
    project.root.join(workspace).join("Cargo.toml").into()
}
