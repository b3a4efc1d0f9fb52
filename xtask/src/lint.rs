//! `cargo xtask lint`: formatting and clippy, over the whole workspace and those that benchmarks have to themselves.

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::report::Report;
use crate::setup;

/// The workspaces of their own, with the name of their step. Their target directories are kept, so that what they need is
/// compiled once.
const APART: [(&str, &str); 2] =
    [("xtask/bench/direct", "clippy in bench/direct"), ("xtask/bench/store", "clippy in bench/store")];

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
        for (workspace, _) in APART {
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
    for (workspace, name) in APART {
        report.step(name, || {
            let args = ["clippy", "--all-targets", "--manifest-path"].map(OsString::from).into_iter();
            let args = args.chain([manifest(project, workspace), "--target-dir".into(), target(project, workspace)]);
            project.cargo(args.chain(["--", "--deny", "warnings"].map(OsString::from))).run()?;
            Ok(())
        });
    }
    report.finish()
}

fn manifest(project: &Project, workspace: &str) -> OsString {
    project.root.join(workspace).join("Cargo.toml").into()
}

fn target(project: &Project, workspace: &str) -> OsString {
    project.target.join("lint").join(workspace).into()
}
