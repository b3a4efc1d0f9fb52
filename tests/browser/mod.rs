//! User journeys through the panel in a real browser.
//!
//! Each journey has its own server in this process and its own browser session; all share one chromedriver (see
//! [`driver`]). They need the built panel in `web/dist`. A failed journey leaves a screenshot in
//! `target/browser-failures`.

mod access;
mod accessibility;
mod api_reference;
mod appearance;
mod bulk;
mod bulk_change_history;
mod calls;
mod campaigns;
mod column_widths;
mod connection;
mod deliveries;
mod demo_server;
mod dialogs;
mod driver;
mod engine_module;
mod filter_builder;
mod german_calls;
mod history;
mod import_corrections;
mod import_history;
mod import_recordings;
mod imports;
mod invalid_link;
mod keyboard;
mod language;
mod layout_stability;
mod lead_campaigns;
mod lead_edit;
mod lead_list;
mod lead_search;
mod leads;
mod lists;
mod login;
mod number_formats;
mod page;
mod paging;
mod palette;
mod rows;
mod scenes;
mod screenshots;
mod search;
mod session_end;
mod settings;
mod skipped_calls;
mod today;
mod transcript;
mod views;

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::FutureExt;
use leadscribe_server::clock::{Clock, SystemClock};

use crate::harness::{Server, measure_test};
use driver::Browser;
use page::Page;

/// Time limit for a journey, generous for a busy machine.
const JOURNEY_TIMEOUT: Duration = Duration::from_secs(180);

/// Defines a test that runs a journey: what a user does on the page, with the server behind it.
macro_rules! journey {
    ($name:ident, $steps:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            crate::browser::run_journey(stringify!($name), $steps).await;
        }
    };
}
use journey;

/// Runs a journey on a new server with the sample data. `name` is the file name of the screenshot on failure.
async fn run_journey(name: &str, steps: impl AsyncFnOnce(&Page, &Server)) {
    assert_panel_is_built();
    // The browser's clock can't be set, so the server uses the system's time.
    let server = Server::start_at(SystemClock.now()).await;
    server.load_demo().await;
    run_in_browser(name, server.base(), async |page| steps(page, &server).await).await;
}

/// Opens a browser, runs the journey, closes the browser, and propagates failures. Script errors of the panel are
/// failures too.
async fn run_in_browser(name: &str, base_url: &str, steps: impl AsyncFnOnce(&Page)) {
    run_in_browser_within(JOURNEY_TIMEOUT, name, base_url, steps).await;
}

/// Like [`run_in_browser`], with another time limit.
async fn run_in_browser_within(timeout: Duration, name: &str, base_url: &str, steps: impl AsyncFnOnce(&Page)) {
    measure_test();
    let browser = Browser::open().await;
    let page = Page::new(browser.client(), base_url);
    let checked_run = async {
        tokio::time::timeout(timeout, steps(&page)).await.expect("the test timed out");
        let errors = page.script_errors().await;
        assert!(errors.is_empty(), "errors in the browser's console: {errors:#?}");
    };
    let outcome = AssertUnwindSafe(checked_run).catch_unwind().await;
    if outcome.is_err() {
        save_screenshot(name, &page).await;
    }
    browser.close().await;
    if let Err(failure) = outcome {
        resume_unwind(failure);
    }
}

async fn save_screenshot(name: &str, page: &Page) {
    let folder = target_dir().join("browser-failures");
    let file = folder.join(format!("{name}.png"));
    // A missing screenshot must not hide the failure itself.
    let Some(screenshot) = page.screenshot().await else {
        eprintln!("the browser returned no screenshot");
        return;
    };
    match std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, screenshot)) {
        Ok(()) => eprintln!("screenshot of the failure: {}", file.display()),
        Err(error) => eprintln!("{} can't be written: {error}", file.display()),
    }
}

fn assert_panel_is_built() {
    let page = project_dir().join("web/dist/index.html");
    assert!(page.is_file(), "the panel is not built: {} is missing; run `cargo xtask build` first", page.display());
}

/// Returns the project's folder.
fn project_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns cargo's target folder.
fn target_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}
