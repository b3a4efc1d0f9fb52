//! `cargo xtask lint`: formatting and clippy, over the whole workspace.

use anyhow::{Result, bail};

use crate::project::Project;
use crate::report::Report;
use crate::setup;

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
    report.finish()
}
