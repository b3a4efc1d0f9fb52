//! Chromium and its driver for the panel's tests.

use std::env;
use std::path::PathBuf;

use anyhow::Result;

use super::apt;
use crate::project::find_program;

/// Browser and its WebDriver server.
pub struct Browser {
    /// Path of the browser.
    pub chrome: PathBuf,
    /// Path of its chromedriver, of the same version.
    pub driver: PathBuf,
}

/// Finds or installs a browser and its driver. `LEADSCRIBE_CHROME` and `LEADSCRIBE_CHROMEDRIVER` name others.
pub fn ensure() -> Result<Browser> {
    // Both are installed even if one exists, because their versions must match.
    apt::find_or_install(
        find_browser,
        &["chromium", "chromium-driver"],
        "chromium and chromedriver are needed; install them, or name them in LEADSCRIBE_CHROME and LEADSCRIBE_CHROMEDRIVER",
    )
}

fn find_browser() -> Option<Browser> {
    let path_variable = |variable: &str| env::var_os(variable).map(PathBuf::from);
    let chrome = path_variable("LEADSCRIBE_CHROME")
        .or_else(|| find_program(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]))?;
    let driver = path_variable("LEADSCRIBE_CHROMEDRIVER").or_else(|| find_program(&["chromedriver"]))?;
    Some(Browser { chrome, driver })
}
