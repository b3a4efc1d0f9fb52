//! Checks of the log filter, unknown environment variables and the options file. The file is already known to be valid.

use std::os::unix::fs::MetadataExt;

use super::{CheckContext, CheckResult};
use crate::config::{Config, UnknownVariable, unknown_variables};
use crate::telemetry;

const CHECK: &str = "options";

/// Mode bits that let users other than the owner read a file.
const OTHER_USERS_READ_MODE: u32 = 0o044;

/// Remedy for a variable that is not an option.
const UNKNOWN_REMEDY: &str = "correct its name or unset it; docs/OPERATIONS.md lists all options";

pub(super) fn check(context: &CheckContext) -> Vec<CheckResult> {
    let mut results = vec![check_file(context), check_log_filter(context)];
    results.extend(check_environment(&context.unknown_variables));
    results
}

fn check_file(context: &CheckContext) -> CheckResult {
    let Some(file) = &context.options_file else {
        return CheckResult::ok(CHECK, "no options file; using defaults, environment and flags");
    };
    let path = file.display();
    let (Ok(metadata), Ok(text)) = (std::fs::metadata(file), std::fs::read_to_string(file)) else {
        return CheckResult::error(CHECK, format!("{path} can't be read"), "give the server's user read access to it");
    };
    let has_secrets = Config::from_file_text(&text).is_ok_and(|config| config.has_secrets());
    if has_secrets && metadata.mode() & OTHER_USERS_READ_MODE != 0 {
        CheckResult::warning(
            CHECK,
            format!("{path} contains secrets and is readable by other users of this machine"),
            format!("chmod 600 {path}"),
        )
    } else {
        CheckResult::ok(CHECK, format!("{path}: all keys are known"))
    }
}

/// Checks the log filter. The server doesn't start with an invalid one.
fn check_log_filter(context: &CheckContext) -> CheckResult {
    const CHECK: &str = "log filter";
    match telemetry::check_filter(&context.config.log.filter) {
        Ok(()) => CheckResult::ok(CHECK, context.config.log.filter.clone()),
        Err(error) => CheckResult::error(CHECK, format!("{error:#}"), "correct --log; the default is info"),
    }
}

fn check_environment(variables: &[UnknownVariable]) -> Vec<CheckResult> {
    const CHECK: &str = "environment";
    if variables.is_empty() {
        return vec![CheckResult::ok(CHECK, "all LEADSCRIBE_ variables are known options")];
    }
    variables.iter().map(|variable| CheckResult::warning(CHECK, variable.to_string(), UNKNOWN_REMEDY)).collect()
}

/// Logs a warning for variables that look like options but are unknown. Other programs may have set them, but a misspelled option would go
/// unnoticed.
pub fn warn_of_unknown_variables() {
    for variable in unknown_variables(std::env::vars_os()) {
        tracing::warn!(remedy = UNKNOWN_REMEDY, "{variable}");
    }
}
