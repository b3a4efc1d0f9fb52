//! `cargo xtask screenshots`: docs/panel.md and its pictures.
//!
//! The pictures are taken by the tests' own browser, which knows how to reach every page; see tests/browser/pictures.rs.

use anyhow::Result;

use crate::project::Project;
use crate::{panel, setup};

/// What takes the pictures.
const PICTURES: &str = "browser::pictures::every_page_has_a_screenshot";

/// Builds the panel, serves it with sample data, and writes docs/panel.md and docs/panel/.
pub fn run(project: &Project) -> Result<()> {
    setup::compiler::ensure()?;
    let browser = setup::browser::ensure()?;
    panel::build(project)?;
    project
        .cargo(["test", "--package", "leadscribe-tests", "--", "--ignored", "--exact", "--nocapture", PICTURES])
        .env("LEADSCRIBE_CHROME", browser.chrome)
        .env("LEADSCRIBE_CHROMEDRIVER", browser.driver)
        .run()?;
    Ok(())
}
