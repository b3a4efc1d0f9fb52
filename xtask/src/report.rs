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
    took: Duration,
}

enum Outcome {
    Passed,
    /// Failed with this error.
    Failed(String),
    NotRun,
}

impl Report {
    /// Runs a step and returns whether it passed.
    pub fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<()>) -> bool {
        println!("\n== {name}");
        let started = Instant::now();
        let result = run();
        let took = started.elapsed();
        let passed = result.is_ok();
        let outcome = result.map_or_else(|error| Outcome::Failed(format!("{error:#}")), |()| Outcome::Passed);
        if let Outcome::Failed(why) = &outcome {
            println!("error: {why}");
        }
        println!("== {name}: {} in {}", outcome.word(), seconds(took));
        self.steps.push(Step { name, outcome, took });
        passed
    }

    /// Runs a step if its prerequisite is met; otherwise the table shows that it didn't run.
    pub fn step_if(&mut self, ready: bool, name: &'static str, run: impl FnOnce() -> Result<()>) -> bool {
        if ready {
            return self.step(name, run);
        }
        self.steps.push(Step { name, outcome: Outcome::NotRun, took: Duration::ZERO });
        false
    }

    /// Prints the table and repeats the errors, whose original output may be far above.
    ///
    /// # Errors
    /// Names the steps that failed, or that couldn't run because an earlier one had failed.
    pub fn finish(self) -> Result<()> {
        let width = self.steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
        println!();
        for Step { name, outcome, took } in &self.steps {
            println!("{name:width$}  {:7}  {:>8}", outcome.word(), seconds(*took));
        }
        let total = self.steps.iter().map(|step| step.took).sum();
        println!("{:width$}  {:7}  {:>8}", "in all", "", seconds(total));

        let unfinished: Vec<_> =
            self.steps.iter().filter(|step| !matches!(step.outcome, Outcome::Passed)).map(|step| step.name).collect();
        for step in &self.steps {
            if let Outcome::Failed(why) = &step.outcome {
                println!("\n{}: {why}", step.name);
            }
        }
        if !unfinished.is_empty() {
            bail!("not passed: {}", unfinished.join(", "));
        }
        Ok(())
    }
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::NotRun => "not run",
        }
    }
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_step_skips_only_its_dependents() {
        let mut report = Report::default();
        let built = report.step("build", || bail!("no compiler"));
        let tested = report.step_if(built, "tests of the build", || Ok(()));
        let linted = report.step("lint", || Ok(()));
        assert_eq!((built, tested, linted), (false, false, true));
        assert_eq!(report.finish().unwrap_err().to_string(), "not passed: build, tests of the build");
    }
}
