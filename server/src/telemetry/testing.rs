//! Captures logs for tests.

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tracing::subscriber::DefaultGuard;

/// Captured log output.
#[derive(Clone, Default)]
pub struct LogCapture(Arc<Mutex<Vec<u8>>>);

impl LogCapture {
    /// Captures the logs of this thread as JSON while the guard lives.
    pub fn capture(&self) -> DefaultGuard {
        self.capture_with_filter("info")
    }

    /// Captures the logs of this thread with a filter.
    pub fn capture_with_filter(&self, filter: &str) -> DefaultGuard {
        let writer = self.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(super::logs::parse_filter(filter).unwrap())
            .with_writer(move || writer.clone())
            .json()
            .map_event_format(super::logs::json_format)
            .finish();
        tracing::subscriber::set_default(subscriber)
    }

    /// Returns the log lines captured so far.
    pub fn lines(&self) -> Vec<Value> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Write for LogCapture {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
