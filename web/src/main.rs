//! Admin panel: a client-side Leptos application that includes the engine.
//!
//! It depends on the engine only, not on other crates of the workspace. All requests to the server go through [`api`];
//! [`pages`] load data and arrange [`components`], which only display it.

mod acts;
mod api;
mod app;
mod assumed;
mod attempt;
mod components;
mod connection;
mod crossroads;
mod display_names;
mod dom;
mod faults;
mod figures;
mod filter_text;
mod focus;
mod gate;
mod json_place;
mod json_print;
mod keys;
mod language;
mod last_draft;
mod last_mapping;
mod lead_names;
mod lead_search;
mod live;
mod log_out;
mod meanwhile;
mod onward;
mod openapi;
mod order;
mod paged;
mod pages;
mod parts;
mod pause;
mod place;
mod previews;
mod query;
mod recording_folder;
mod recording_uploads;
mod relative;
mod remote;
mod request;
mod session;
mod sheet;
mod skipped;
mod spelling;
mod storage;
mod task;
mod texts;
mod theme;
mod typed;
mod undo;
mod upload_attempt;
mod when;

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    console_error_panic_hook::set_once();
}

/// Mounts the panel. web/boot.js calls it once the module is loaded.
#[wasm_bindgen]
pub fn show() {
    language::begin();
    theme::apply(theme::stored());
    leptos::mount::mount_to_body(app::App);
}
