//! Language of the panel: the user's choice in this browser, or the browser's preference. It changes only when the page
//! is reloaded, so texts are plain strings.

use std::cell::Cell;

pub use leadscribe_engine::wording::Language;

use crate::browser::storage;

const STORAGE_KEY: &str = "leadscribe.language";

thread_local! {
    static CURRENT: Cell<Language> = const { Cell::new(Language::English) };
}

/// Language tag for dates and numbers: `14 May`, not `May 14`.
pub const fn format_tag(language: Language) -> &'static str {
    match language {
        Language::English => "en-GB",
        Language::German => "de-DE",
    }
}

/// Returns the language of this panel.
pub fn language() -> Language {
    CURRENT.get()
}

/// Calls `action` with another language set.
pub fn with_language<T>(language: Language, action: impl FnOnce() -> T) -> T {
    let previous = CURRENT.replace(language);
    let result = action();
    CURRENT.set(previous);
    result
}

/// Sets the language for this thread. Each test runs in a separate thread.
#[cfg(test)]
pub fn set_language(language: Language) {
    CURRENT.set(language);
}

/// Detects the language. Call before anything is rendered.
pub fn init() {
    let Some(window) = web_sys::window() else { return };
    let stored = storage::load_text(STORAGE_KEY);
    let preferred = window.navigator().languages();
    let preferred = preferred.iter().filter_map(|tag| tag.as_string());
    let language = stored.into_iter().chain(preferred).find_map(|tag| Language::from_tag(&tag));
    let language = language.unwrap_or_default();
    CURRENT.set(language);
    if let Some(root) = window.document().and_then(|document| document.document_element()) {
        // If the browser refuses the attribute, only the `lang` tag is missing.
        let _ = root.set_attribute("lang", language.tag());
    }
}

/// Stores `language` for this browser and reloads the page.
pub fn choose(language: Language) {
    // If the storage is full, the page reloads in the old language.
    storage::store_text(STORAGE_KEY, language.tag());
    if let Some(window) = web_sys::window() {
        // Reloading fails only outside a document.
        let _ = window.location().reload();
    }
}
