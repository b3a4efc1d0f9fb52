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
mod calls;
mod campaigns;
mod connection;
mod deliveries;
mod dialogs;
mod driver;
mod engine_module;
mod faulty_link;
mod figures;
mod filter_builder;
mod german_calls;
mod history;
mod import_corrections;
mod import_recordings;
mod imports;
mod keyboard;
mod language;
mod lead_campaigns;
mod lead_edit;
mod lead_list;
mod lead_scroll;
mod lead_search;
mod lead_widths;
mod leads;
mod lists;
mod login;
mod page;
mod palette;
mod past_changes;
mod past_imports;
mod pictures;
mod rows;
mod search;
mod session_end;
mod settings;
mod sights;
mod skipped_calls;
mod stage;
mod steady;
mod today;
mod transcript;
mod views;

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::FutureExt;
use leadscribe_server::clock::{Clock, SystemClock};

use crate::harness::Server;
use driver::Browser;
use page::Page;

/// Time limit for a journey, generous for a busy machine.
const LONGEST: Duration = Duration::from_secs(180);

/// Runs a journey on a new server with the sample data. `name` is the file name of the screenshot on failure.
async fn journey(name: &str, walk: impl AsyncFnOnce(&Page, &Server)) {
    assert_panel_is_built();
    // The browser's clock can't be set, so the server uses the system's time.
    let server = Server::start_at(SystemClock.now()).await;
    server.load_demo().await;
    visit(name, server.base(), async |page| walk(page, &server).await).await;
}

/// Opens a browser, runs the journey, closes the browser, and propagates failures. Script errors of the panel are
/// failures too.
async fn visit(name: &str, base: &str, walk: impl AsyncFnOnce(&Page)) {
    visit_for(LONGEST, name, base, walk).await;
}

/// Like [`visit`], with another time limit.
async fn visit_for(longest: Duration, name: &str, base: &str, walk: impl AsyncFnOnce(&Page)) {
    let browser = Browser::open().await;
    let page = Page::new(browser.client(), base);
    let walked = async {
        tokio::time::timeout(longest, walk(&page)).await.expect("the journey should have ended by now");
        let errors = page.script_errors().await;
        assert!(errors.is_empty(), "errors in the browser's console: {errors:#?}");
    };
    let outcome = AssertUnwindSafe(walked).catch_unwind().await;
    if outcome.is_err() {
        leave_picture(name, &page).await;
    }
    browser.close().await;
    if let Err(failure) = outcome {
        resume_unwind(failure);
    }
}

async fn leave_picture(name: &str, page: &Page) {
    let folder = target().join("browser-failures");
    let file = folder.join(format!("{name}.png"));
    // A missing screenshot must not hide the failure itself.
    let Some(picture) = page.picture().await else {
        eprintln!("the browser gave no picture of its last sight");
        return;
    };
    match std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, picture)) {
        Ok(()) => eprintln!("the browser's last sight: {}", file.display()),
        Err(error) => eprintln!("{} can't be written: {error}", file.display()),
    }
}

fn assert_panel_is_built() {
    let page = root().join("web/dist/index.html");
    assert!(page.is_file(), "the panel is not built: {} is missing; run `cargo xtask build` first", page.display());
}

/// Returns the project's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns cargo's target folder.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}
