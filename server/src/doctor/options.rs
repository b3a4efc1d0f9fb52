//! The options: their file, which can be understood, as is known already, what is logged, and variables that are none of them.

use std::os::unix::fs::MetadataExt;

use super::{Finding, Setup};
use crate::config::{Config, UnknownVariable, unknown_variables};
use crate::telemetry;

const CHECK: &str = "options";

/// Bits of a file's mode that let others than its owner read it.
const OTHERS_READ: u32 = 0o044;

/// What to do about a variable that is no option.
const UNKNOWN_REMEDY: &str = "correct its name, or unset it; docs/OPERATIONS.md lists them all";

pub(super) fn check(setup: &Setup) -> Vec<Finding> {
    let mut findings = vec![file(setup), log_filter(setup)];
    findings.extend(environment(&setup.unknown_variables));
    findings
}

fn file(setup: &Setup) -> Finding {
    let Some(file) = &setup.file else {
        return Finding::ok(CHECK, "no file; defaults, environment and flags");
    };
    let place = file.display();
    let (Ok(found), Ok(text)) = (std::fs::metadata(file), std::fs::read_to_string(file)) else {
        return Finding::fault(CHECK, format!("{place} can't be read"), "let the user of the server read it");
    };
    let holds_secrets = Config::of_file(&text).is_ok_and(|config| config.holds_secrets());
    if holds_secrets && found.mode() & OTHERS_READ != 0 {
        Finding::warning(
            CHECK,
            format!("{place} holds secrets, and others on this machine can read it"),
            format!("chmod 600 {place}"),
        )
    } else {
        Finding::ok(CHECK, format!("{place}: every key is known"))
    }
}

/// The server doesn't start with one that it can't read.
fn log_filter(setup: &Setup) -> Finding {
    const CHECK: &str = "log filter";
    match telemetry::check_filter(&setup.config.log.filter) {
        Ok(()) => Finding::ok(CHECK, setup.config.log.filter.clone()),
        Err(error) => Finding::fault(CHECK, format!("{error:#}"), "correct --log; info is its default"),
    }
}

fn environment(unknown: &[UnknownVariable]) -> Vec<Finding> {
    const CHECK: &str = "environment";
    if unknown.is_empty() {
        return vec![Finding::ok(CHECK, "every variable of Leadscribe is an option")];
    }
    unknown.iter().map(|variable| Finding::warning(CHECK, variable.to_string(), UNKNOWN_REMEDY)).collect()
}

/// Warns in the log of variables that look like options and are none: other programs may have set them, but a misspelled option
/// would go unnoticed.
pub fn warn_of_unknown_variables() {
    for variable in unknown_variables(std::env::vars_os()) {
        tracing::warn!(remedy = UNKNOWN_REMEDY, "{variable}");
    }
}
