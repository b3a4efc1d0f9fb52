//! Admin panel: a client-side Leptos application that includes the engine.
//!
//! It depends on the engine only, not on other crates of the workspace. All requests to the server go through [`api`];
//! [`pages`] load data and arrange [`components`], which only display it.

mod api;
mod app;
mod components;
mod connection;
mod csv_preview;
mod datetime;
mod debounce;
mod display_names;
mod dom;
mod edit_conflict;
mod event_stream;
mod file_upload;
mod filter_text;
mod focus;
mod form_defaults;
mod form_json;
mod keyboard;
mod language;
mod last_mapping;
mod lazy_routes;
mod lead_names;
mod lead_search;
mod list_order;
mod location;
mod logout;
mod mutation;
mod navigation_guard;
mod notifier;
mod number_format;
mod optimistic;
mod page_size;
mod pages;
mod paginated_list;
mod pending_navigation;
mod query;
mod recording_folder;
mod recording_uploads;
mod relative_date;
mod resource;
mod routes;
mod scheduler;
mod session;
mod settings_tabs;
mod skipped_calls;
mod storage;
mod text_normalization;
mod texts;
mod theme;
mod toasts;
mod undo;
mod user_activity;
mod validation_errors;
mod waveform_cache;

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    console_error_panic_hook::set_once();
}

/// Mounts the panel. web/boot.js calls it once the module is loaded.
#[wasm_bindgen]
pub fn mount_panel() {
    language::init();
    theme::apply_and_store(theme::stored_theme());
    leptos::mount::mount_to_body(app::App);
}
