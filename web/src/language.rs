//! The language the panel speaks: what the browser prefers, unless this browser's user chose. It holds for as long as the
//! page is loaded, so that a text is a plain string wherever it stands; a choice loads the page again.

use std::cell::Cell;

pub use leadscribe_engine::wording::Language;

use crate::storage::storage;

const KEY: &str = "leadscribe.language";

thread_local! {
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
}

/// The tag by which browsers write dates and numbers: `14 May`, not `May 14`.
pub const fn format_tag(language: Language) -> &'static str {
    match language {
        Language::English => "en-GB",
        Language::German => "de-DE",
    }
}

/// The language of this panel.
pub fn language() -> Language {
    SPOKEN.get()
}

/// What is said in another language.
pub fn said_in<T>(language: Language, say: impl FnOnce() -> T) -> T {
    let own = SPOKEN.replace(language);
    let said = say();
    SPOKEN.set(own);
    said
}

/// Speaks another one on this thread, which is that of one test.
#[cfg(test)]
pub fn speak(language: Language) {
    SPOKEN.set(language);
}

/// Settles the language, before anything is shown.
pub fn begin() {
    let Some(window) = web_sys::window() else { return };
    let stored = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    let preferred = window.navigator().languages();
    let preferred = preferred.iter().filter_map(|tag| tag.as_string());
    let language = stored.into_iter().chain(preferred).find_map(|tag| Language::of_tag(&tag));
    let language = language.unwrap_or_default();
    SPOKEN.set(language);
    if let Some(root) = window.document().and_then(|document| document.document_element()) {
        // A browser that refuses the attribute shows the same texts.
        let _ = root.set_attribute("lang", language.tag());
    }
}

/// Keeps `language` for this browser, and loads the page again in it.
pub fn choose(language: Language) {
    if let Some(storage) = storage() {
        // Where storage is full, the panel comes back as it was.
        let _ = storage.set_item(KEY, language.tag());
    }
    if let Some(window) = web_sys::window() {
        // Only a page that is no document can't be loaded again.
        let _ = window.location().reload();
    }
}
