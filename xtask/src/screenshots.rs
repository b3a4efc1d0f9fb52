//! `cargo xtask screenshots`: docs/panel.md and its images.
//!
//! The browser tests take the screenshots, because they can reach every page; see tests/browser/screenshots.rs.

use anyhow::Result;

use crate::project::Project;
use crate::{panel, setup};

/// Test that takes the screenshots.
const SCREENSHOT_TEST: &str = "browser::screenshots::every_page_has_a_screenshot";

/// Builds the panel, serves it with sample data, and writes docs/panel.md and docs/panel/.
pub fn run(project: &Project) -> Result<()> {
    setup::compiler::ensure()?;
    let browser = setup::browser::ensure()?;
    panel::build(project)?;
    project
        .cargo(["test", "--package", "leadscribe-tests", "--", "--ignored", "--exact", "--nocapture", SCREENSHOT_TEST])
        .env("LEADSCRIBE_CHROME", browser.chrome)
        .env("LEADSCRIBE_CHROMEDRIVER", browser.driver)
        .run()?;
    Ok(())
}
