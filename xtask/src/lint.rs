//! `cargo xtask lint`: formatting and clippy, over the whole workspace and those that benchmarks have to themselves, and what is
//! linked.

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::report::Report;
use crate::{setup, supply};

/// A workspace of its own.
const DIRECT: &str = "xtask/bench/direct";

/// Another one, which is formatted only: its few lines use the whole server, which would be compiled once more for them.
const STORE: &str = "xtask/bench/store";

/// A third one, which is formatted only: its compiler is a nightly one.
const FUZZ: &str = "tests/fuzz";

/// Checks and changes nothing.
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
    report.step("format", || {
        project.cargo(["fmt", "--all", "--check"]).run()?;
        for workspace in [DIRECT, STORE, FUZZ] {
            project
                .cargo(["fmt".into(), "--check".into(), "--manifest-path".into(), manifest(project, workspace)])
                .run()?;
        }
        Ok(())
    });
    report.step("clippy", || {
        // The JavaScript face compiles natively too, although it runs only in WebAssembly.
        let features = "leadscribe-engine/js,leadscribe-engine/openapi";
        project
            .cargo(["clippy", "--workspace", "--all-targets", "--features", features, "--", "--deny", "warnings"])
            .run()?;
        Ok(())
    });
    report.step("clippy in bench/direct", || {
        let args = ["clippy", "--all-targets", "--manifest-path"].map(OsString::from).into_iter();
        let target = project.target.join("lint").into_os_string();
        let args = args.chain([manifest(project, DIRECT), "--target-dir".into(), target]);
        project.cargo(args.chain(["--", "--deny", "warnings"].map(OsString::from))).run()?;
        Ok(())
    });
    report.step("other lock files", || {
        for workspace in [DIRECT, STORE, FUZZ] {
            let args = ["metadata", "--locked", "--format-version", "1", "--manifest-path"].map(OsString::from);
            project.cargo(args.into_iter().chain([manifest(project, workspace)])).stdout_null().run()?;
        }
        Ok(())
    });
    supply::steps(project, &mut report);
    report.finish()
}

fn manifest(project: &Project, workspace: &str) -> OsString {
    project.root.join(workspace).join("Cargo.toml").into()
}
