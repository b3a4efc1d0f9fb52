//! Durations of tests, for the list of the slowest ones at the end of `cargo xtask test`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Environment variable with the file that gets a line `MILLISECONDS TEST` per test.
const DURATIONS_VARIABLE: &str = "LEADSCRIBE_TEST_DURATIONS";

/// Measures the current test until its thread ends, if the variable is set. Only the first call in a test has an
/// effect.
pub fn measure_test() {
    thread_local! {
        static MEASUREMENT: Option<Measurement> = Measurement::start();
    }
    MEASUREMENT.with(|_| ());
}

struct Measurement {
    test: String,
    file: PathBuf,
    started: Instant,
}

impl Measurement {
    /// Returns `None` outside a test's own thread, which has the test's name.
    fn start() -> Option<Self> {
        let file = std::env::var_os(DURATIONS_VARIABLE)?.into();
        let test = std::thread::current().name().filter(|name| name.contains("::"))?.to_owned();
        Some(Self { test, file, started: Instant::now() })
    }
}

impl Drop for Measurement {
    fn drop(&mut self) {
        let line = format!("{} {}\n", self.started.elapsed().as_millis(), self.test);
        let written = OpenOptions::new().create(true).append(true).open(&self.file);
        if let Err(error) = written.and_then(|mut file| file.write_all(line.as_bytes())) {
            eprintln!("the duration can't be recorded: {error}");
        }
    }
}
