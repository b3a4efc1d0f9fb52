//! Checks of the options file, which is already known to be valid, the log filter and unknown environment variables.

use std::os::unix::fs::MetadataExt;

use super::{CheckContext, Finding};
use crate::config::{Config, UnknownVariable, unknown_variables};
use crate::telemetry;

const CHECK: &str = "options";

/// Mode bits that let users other than the owner read a file.
const OTHER_USERS_READ_MODE: u32 = 0o044;

/// Remedy for a variable that is not an option.
const UNKNOWN_REMEDY: &str = "correct its name or unset it; docs/OPERATIONS.md lists all options";

pub(super) fn check(context: &CheckContext) -> Vec<Finding> {
    let mut findings = vec![check_file(context), check_log_filter(context)];
    findings.extend(check_environment(&context.unknown_variables));
    findings
}

fn check_file(context: &CheckContext) -> Finding {
    let Some(file) = &context.options_file else {
        return Finding::ok(CHECK, "no options file; using defaults, environment and flags");
    };
    let path = file.display();
    let (Ok(metadata), Ok(text)) = (std::fs::metadata(file), std::fs::read_to_string(file)) else {
        return Finding::fault(CHECK, format!("{path} can't be read"), "give the server's user read access to it");
    };
    let holds_secrets = Config::from_file_text(&text).is_ok_and(|config| config.has_secrets());
    if holds_secrets && metadata.mode() & OTHER_USERS_READ_MODE != 0 {
        Finding::warning(
            CHECK,
            format!("{path} contains secrets and is readable by other users of this machine"),
            format!("chmod 600 {path}"),
        )
    } else {
        Finding::ok(CHECK, format!("{path}: all keys are known"))
    }
}

/// Checks the log filter. The server doesn't start with an invalid one.
fn check_log_filter(context: &CheckContext) -> Finding {
    const CHECK: &str = "log filter";
    match telemetry::check_filter(&context.config.log.filter) {
        Ok(()) => Finding::ok(CHECK, context.config.log.filter.clone()),
        Err(error) => Finding::fault(CHECK, format!("{error:#}"), "correct --log; the default is info"),
    }
}

fn check_environment(variables: &[UnknownVariable]) -> Vec<Finding> {
    const CHECK: &str = "environment";
    if variables.is_empty() {
        return vec![Finding::ok(CHECK, "all LEADSCRIBE_ variables are known options")];
    }
    variables.iter().map(|variable| Finding::warning(CHECK, variable.to_string(), UNKNOWN_REMEDY)).collect()
}

/// Logs a warning for variables that look like options but are unknown. Other programs may have set them, but a misspelled option would go
/// unnoticed.
pub fn warn_of_unknown_variables() {
    for variable in unknown_variables(std::env::vars_os()) {
        tracing::warn!(remedy = UNKNOWN_REMEDY, "{variable}");
    }
}
