//! The file of the options. That it can be understood is known already.

use std::os::unix::fs::MetadataExt;

use super::{Finding, Setup};
use crate::config::Config;

const CHECK: &str = "options";

/// Bits of a file's mode that let others than its owner read it.
const OTHERS_READ: u32 = 0o044;

pub(super) fn check(setup: &Setup) -> Vec<Finding> {
    let Some(file) = &setup.file else {
        return vec![Finding::ok(CHECK, "no file; defaults, environment and flags")];
    };
    let place = file.display();
    let (Ok(found), Ok(text)) = (std::fs::metadata(file), std::fs::read_to_string(file)) else {
        return vec![Finding::fault(CHECK, format!("{place} can't be read"), "let the user of the server read it")];
    };
    let holds_secrets = Config::of_file(&text).is_ok_and(|config| config.holds_secrets());
    vec![if holds_secrets && found.mode() & OTHERS_READ != 0 {
        Finding::warning(
            CHECK,
            format!("{place} holds secrets, and others on this machine can read it"),
            format!("chmod 600 {place}"),
        )
    } else {
        Finding::ok(CHECK, format!("{place}: every key is known"))
    }]
}
