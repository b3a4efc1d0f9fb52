//! Summary of failed tests with their messages, read from the output of the test runners: the failures may be thousands
//! of lines above its end.

use std::fmt::{self, Display, Formatter};
use std::io::{BufRead, BufReader};

use anyhow::{Result, anyhow};
use duct::Expression;

/// Maximum number of lines kept per test, enough for both sides of a failed comparison.
const MAX_MESSAGE_LINES: usize = 4;

/// Runs tests and prints their output.
///
/// # Errors
/// Names each failed test with its first message, else the reason why the tests didn't run.
pub fn run(tests: &Expression) -> Result<()> {
    let mut failures = Failures::default();
    for line in BufReader::new(tests.reader()?).split(b'\n') {
        match line {
            Ok(line) => {
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                failures.process_line(&line);
            }
            // The reader returns this error if the command failed.
            Err(error) if failures.failures.is_empty() => return Err(error.into()),
            Err(_) => return Err(anyhow!("{failures}")),
        }
    }
    Ok(())
}

#[derive(Default)]
struct Failures {
    failures: Vec<Failure>,
    section: OutputSection,
}

struct Failure {
    test: String,
    message: Vec<String>,
}

/// Section of a failed test's output.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum OutputSection {
    #[default]
    Outside,
    Stdout,
    PanicMessage,
}

impl Failures {
    fn process_line(&mut self, line: &str) {
        if let Some(test) = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----")) {
            self.failures.push(Failure { test: test.to_owned(), message: Vec::new() });
            self.section = OutputSection::Stdout;
            return;
        }
        let Some(failure) = self.failures.last_mut() else { return };
        match self.section {
            OutputSection::Stdout if line.starts_with("thread '") && line.contains(" panicked at ") => {
                self.section = OutputSection::PanicMessage
            }
            OutputSection::PanicMessage
                if line.is_empty()
                    || line.starts_with("note: ")
                    || line.starts_with("stack backtrace:")
                    || failure.message.len() == MAX_MESSAGE_LINES =>
            {
                self.section = OutputSection::Outside;
            }
            OutputSection::PanicMessage => failure.message.push(line.to_owned()),
            OutputSection::Stdout | OutputSection::Outside => {}
        }
    }
}

impl Display for Failures {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let count = self.failures.len();
        write!(formatter, "{count} {} failed", if count == 1 { "test" } else { "tests" })?;
        for Failure { test, message } in &self.failures {
            write!(formatter, "\n  {test}")?;
            message.iter().try_for_each(|line| write!(formatter, "\n    {line}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_are_named_with_their_first_message() {
        let script = "cat <<'END'
running 3 tests
test waits ... FAILED
test compares ... FAILED
test holds ... ok

failures:

---- waits stdout ----
added ann@example.com
thread 'waits' (17) panicked at tests/page.rs:166:13:
waited in vain until the row is there
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- compares stdout ----

thread 'compares' (18) panicked at tests/sums.rs:4:5:
assertion `left == right` failed
  left: 1
 right: 2

thread 'compares' (18) panicked at tests/sums.rs:9:5:
a second one, while it ends


failures:
    waits
    compares

test result: FAILED. 1 passed; 2 failed
END
exit 101";
        let error = run(&duct::cmd!("sh", "-c", script)).unwrap_err();
        let expected = "2 tests failed
  waits
    waited in vain until the row is there
  compares
    assertion `left == right` failed
      left: 1
     right: 2";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn other_failures_are_passed_through() {
        let error = run(&duct::cmd!("sh", "-c", "echo nothing compiled; exit 3")).unwrap_err();
        assert!(error.to_string().contains("code 3"), "{error}");
        run(&duct::cmd!("echo", "test result: ok")).unwrap();
    }
}
