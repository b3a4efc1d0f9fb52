//! Admin panel: a client-side Leptos application that includes the engine.
//!
//! It depends on the engine only, not on other crates of the workspace. Each module may use those below it:
//!
//! | module | content |
//! |---|---|
//! | [`app`] | login page, or the pages of a logged-in user |
//! | [`routes`] | the route table, and the lazy-loaded pages |
//! | [`features`] | pages with their components and form state; features don't import one another |
//! | [`ui`] | components that features share |
//! | [`navigation`] | locations, guards against losing input, logging out |
//! | [`state`] | loaded data, mutations, undo, toasts |
//! | [`api`] | all requests to the server, session and connection |
//! | [`i18n`], [`browser`] | texts, dates and numbers; access to the browser |

mod api;
mod app;
mod browser;
mod features;
mod i18n;
mod navigation;
mod routes;
mod state;
mod ui;

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    console_error_panic_hook::set_once();
}

/// Mounts the panel. web/boot.js calls it once the module is loaded.
#[wasm_bindgen]
pub fn mount_panel() {
    i18n::locale::init();
    leptos::mount::mount_to_body(app::App);
}
