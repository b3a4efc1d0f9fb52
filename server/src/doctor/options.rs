//! Checks of the options file, which is already known to be valid, the log filter and unknown environment variables.

use std::os::unix::fs::MetadataExt;

use super::{Finding, Setup};
use crate::config::{Config, UnknownVariable, unknown_variables};
use crate::telemetry;

const CHECK: &str = "options";

/// Mode bits that let users other than the owner read a file.
const OTHERS_READ: u32 = 0o044;

/// Remedy for a variable that is not an option.
const UNKNOWN_REMEDY: &str = "correct its name or unset it; docs/OPERATIONS.md lists all options";

pub(super) fn check(setup: &Setup) -> Vec<Finding> {
    let mut findings = vec![file(setup), log_filter(setup)];
    findings.extend(environment(&setup.unknown_variables));
    findings
}

fn file(setup: &Setup) -> Finding {
    let Some(file) = &setup.file else {
        return Finding::ok(CHECK, "no options file; using defaults, environment and flags");
    };
    let place = file.display();
    let (Ok(found), Ok(text)) = (std::fs::metadata(file), std::fs::read_to_string(file)) else {
        return Finding::fault(CHECK, format!("{place} can't be read"), "give the server's user read access to it");
    };
    let holds_secrets = Config::of_file(&text).is_ok_and(|config| config.holds_secrets());
    if holds_secrets && found.mode() & OTHERS_READ != 0 {
        Finding::warning(
            CHECK,
            format!("{place} contains secrets and is readable by other users of this machine"),
            format!("chmod 600 {place}"),
        )
    } else {
        Finding::ok(CHECK, format!("{place}: all keys are known"))
    }
}

/// Checks the log filter. The server doesn't start with an invalid one.
fn log_filter(setup: &Setup) -> Finding {
    const CHECK: &str = "log filter";
    match telemetry::check_filter(&setup.config.log.filter) {
        Ok(()) => Finding::ok(CHECK, setup.config.log.filter.clone()),
        Err(error) => Finding::fault(CHECK, format!("{error:#}"), "correct --log; the default is info"),
    }
}

fn environment(unknown: &[UnknownVariable]) -> Vec<Finding> {
    const CHECK: &str = "environment";
    if unknown.is_empty() {
        return vec![Finding::ok(CHECK, "all LEADSCRIBE_ variables are known options")];
    }
    unknown.iter().map(|variable| Finding::warning(CHECK, variable.to_string(), UNKNOWN_REMEDY)).collect()
}

/// Logs a warning for variables that look like options but are unknown. Other programs may have set them, but a misspelled option would go
/// unnoticed.
pub fn warn_of_unknown_variables() {
    for variable in unknown_variables(std::env::vars_os()) {
        tracing::warn!(remedy = UNKNOWN_REMEDY, "{variable}");
    }
}
