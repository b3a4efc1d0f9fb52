//! Logging: one JSON object per line, or human-readable text.

use std::io::IsTerminal;

use anyhow::Context;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format;

use super::log_records::LogRecordFormatter;
use crate::config::{LogConfig, LogFormat};

/// Libraries whose logs are off unless the filter names them. Their relevant failures are returned as errors and logged by this program.
/// Invalid files from clients are not errors of the server, and `rlibphonenumber` would log phone numbers.
const SILENCED_LIBRARIES: [&str; 3] = ["refinery=off", "symphonia=off", "rlibphonenumber=off"];

/// Starts logging to standard error. Standard output is reserved for the results of commands.
///
/// # Errors
/// The log filter is invalid, or logging was already started.
pub fn init(config: &LogConfig) -> anyhow::Result<()> {
    let filter = parse_filter(&config.filter)?;
    let on_terminal = std::io::stderr().is_terminal();
    let as_json = match config.format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !on_terminal,
    };
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if as_json {
        builder.json().map_event_format(json_format).try_init()
    } else {
        builder.with_ansi(on_terminal).with_target(false).try_init()
    };
    started.map_err(|error| anyhow::anyhow!("can't start logging: {error}"))?;
    std::panic::set_hook(Box::new(|panic| {
        // The message is omitted, because it may contain user input.
        let location = panic.location().map(ToString::to_string).unwrap_or_default();
        let trace = std::backtrace::Backtrace::capture();
        tracing::error!(location, %trace, "panicked");
    }));
    Ok(())
}

/// Checks that a log filter is valid.
///
/// # Errors
/// The filter is invalid.
pub fn check_filter(directives: &str) -> anyhow::Result<()> {
    parse_filter(directives).map(drop)
}

/// Appends the given filter to the one that silences libraries. The last directive for a library wins.
pub(super) fn parse_filter(directives: &str) -> anyhow::Result<EnvFilter> {
    let context = || format!("in the log filter {directives:?}");
    EnvFilter::try_new(directives).with_context(context)?;
    EnvFilter::try_new(format!("{},{directives}", SILENCED_LIBRARIES.join(","))).with_context(context)
}

pub(super) fn json_format<T>(
    format: format::Format<format::Json, T>,
) -> LogRecordFormatter<format::Format<format::Json, T>> {
    LogRecordFormatter(format.flatten_event(true).with_current_span(true).with_span_list(false))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tracing_log::log::{Level, Record};

    use super::*;
    use crate::telemetry::testing::LogCapture;

    /// Returns the lines that `run` logs.
    fn captured_lines(directives: &str, run: impl FnOnce()) -> Vec<Value> {
        let logs = LogCapture::default();
        let _logging = logs.capture_with_filter(directives);
        run();
        logs.lines()
    }

    /// Logs a line through the crate `log`, as libraries do.
    fn log_through_log_crate(target: &str, level: Level) {
        let mut record = Record::builder();
        record.target(target).level(level).module_path(Some("module")).file(Some("/build/probe.rs")).line(Some(1));
        tracing_log::format_trace(&record.args(format_args!("from {target}")).build()).unwrap();
    }

    #[test]
    fn log_records_have_no_source_location() {
        let log_lines = captured_lines("info", || {
            let span = tracing::info_span!("request", route = "/api/calls").entered();
            tracing::info!(answer = 42, "from this crate");
            log_through_log_crate("a_library", Level::Warn);
            drop(span);
        });
        let names = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&log_lines[0]), ["answer", "level", "message", "span", "target", "timestamp"]);
        assert_eq!(names(&log_lines[1]), ["level", "message", "span", "target", "timestamp"]);
        let library = &log_lines[1];
        assert_eq!((&library["target"], &library["level"]), (&"a_library".into(), &"WARN".into()));
        assert_eq!(library["message"], "from a_library");
        assert_eq!(library["span"], log_lines[0]["span"]);
    }

    #[test]
    fn noisy_libraries_are_silent_by_default() {
        let logged_targets = |directives: &str| {
            let log_lines = captured_lines(directives, || {
                log_through_log_crate("symphonia_core::probe", Level::Error);
                log_through_log_crate("refinery_core::runner", Level::Info);
                log_through_log_crate("rlibphonenumber::parse", Level::Trace);
                log_through_log_crate("another", Level::Error);
            });
            log_lines.iter().map(|line| line["target"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(logged_targets("info"), ["another"]);
        assert_eq!(logged_targets("trace"), ["another"]);
        assert_eq!(logged_targets("info,symphonia=error"), ["symphonia_core::probe", "another"]);
        assert_eq!(logged_targets("off"), [""; 0]);
    }

    #[test]
    fn rejects_invalid_filter() {
        let error = format!("{:#}", parse_filter("leadscribe=loud").unwrap_err());
        assert!(error.starts_with("in the log filter \"leadscribe=loud\": "), "{error}");
    }
}
