//! Headings of a run with several steps, and the final table.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// Runs steps one after the other, even after a failure, and records the results.
#[derive(Default)]
pub struct Report {
    steps: Vec<Step>,
}

struct Step {
    name: &'static str,
    outcome: Outcome,
    elapsed: Duration,
}

enum Outcome {
    Passed,
    /// Failed with this error.
    Failed(String),
    NotRun,
}

impl Report {
    /// Runs a step and returns whether it passed.
    pub fn run_step(&mut self, name: &'static str, run: impl FnOnce() -> Result<()>) -> bool {
        println!("\n== {name}");
        let started = Instant::now();
        let result = run();
        let elapsed = started.elapsed();
        let has_passed = result.is_ok();
        let outcome = result.map_or_else(|error| Outcome::Failed(format!("{error:#}")), |()| Outcome::Passed);
        if let Outcome::Failed(message) = &outcome {
            println!("error: {message}");
        }
        println!("== {name}: {} in {}", outcome.label(), format_seconds(elapsed));
        self.steps.push(Step { name, outcome, elapsed });
        has_passed
    }

    /// Runs a step if its prerequisite is met; otherwise the table shows that it didn't run.
    pub fn run_step_if(&mut self, should_run: bool, name: &'static str, run: impl FnOnce() -> Result<()>) -> bool {
        if should_run {
            return self.run_step(name, run);
        }
        self.steps.push(Step { name, outcome: Outcome::NotRun, elapsed: Duration::ZERO });
        false
    }

    /// Prints the table and repeats the errors, whose original output may be far above.
    ///
    /// # Errors
    /// Names the steps that failed, or that couldn't run because an earlier one had failed.
    pub fn finish(self) -> Result<()> {
        let width = self.steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
        println!();
        for Step { name, outcome, elapsed } in &self.steps {
            println!("{name:width$}  {:7}  {:>8}", outcome.label(), format_seconds(*elapsed));
        }
        let total = self.steps.iter().map(|step| step.elapsed).sum();
        println!("{:width$}  {:7}  {:>8}", "total", "", format_seconds(total));

        let unfinished: Vec<_> =
            self.steps.iter().filter(|step| !matches!(step.outcome, Outcome::Passed)).map(|step| step.name).collect();
        for step in &self.steps {
            if let Outcome::Failed(message) = &step.outcome {
                println!("\n{}: {message}", step.name);
            }
        }
        if !unfinished.is_empty() {
            bail!("not passed: {}", unfinished.join(", "));
        }
        Ok(())
    }
}

impl Outcome {
    fn label(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::NotRun => "not run",
        }
    }
}

fn format_seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_step_skips_only_its_dependents() {
        let mut report = Report::default();
        let build_passed = report.run_step("build", || bail!("no compiler"));
        let tests_passed = report.run_step_if(build_passed, "tests of the build", || Ok(()));
        let lint_passed = report.run_step("lint", || Ok(()));
        assert_eq!((build_passed, tests_passed, lint_passed), (false, false, true));
        assert_eq!(report.finish().unwrap_err().to_string(), "not passed: build, tests of the build");
    }
}
