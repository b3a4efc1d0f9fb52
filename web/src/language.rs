//! The language the panel speaks: what the browser prefers, unless this browser's user chose. It holds for as long as the
//! page is loaded, so that a text is a plain string wherever it stands; a choice loads the page again.

use std::sync::atomic::{AtomicU8, Ordering};

/// A language that every text of the panel is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
}

const KEY: &str = "leadscribe.language";

static SPOKEN: AtomicU8 = AtomicU8::new(Language::English as u8);

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Its tag (RFC 5646), as documents and browsers name it.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The tag by which browsers write dates and numbers: `14 May`, not `May 14`.
    pub const fn format_tag(self) -> &'static str {
        match self {
            Self::English => "en-GB",
            Self::German => "de-DE",
        }
    }

    /// Its name in itself.
    pub const fn label(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// The one a tag such as `de-AT` asks for.
    fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?;
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }
}

/// The language of this panel.
pub fn language() -> Language {
    let spoken = SPOKEN.load(Ordering::Relaxed);
    Language::ALL.into_iter().find(|language| *language as u8 == spoken).unwrap_or(Language::English)
}

/// Settles the language, before anything is shown.
pub fn begin() {
    let Some(window) = web_sys::window() else { return };
    let stored = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    let preferred = window.navigator().languages();
    let preferred = preferred.iter().filter_map(|tag| tag.as_string());
    let language = stored.into_iter().chain(preferred).find_map(|tag| Language::of_tag(&tag));
    let language = language.unwrap_or(Language::English);
    SPOKEN.store(language as u8, Ordering::Relaxed);
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

/// None where the browser's settings forbid it.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok().flatten())
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn a_tag_asks_for_its_primary_language() {
        assert_eq!(Language::of_tag("de-AT"), Some(Language::German));
        assert_eq!(Language::of_tag("EN"), Some(Language::English));
        assert_eq!(Language::of_tag("den"), None);
        assert_eq!(Language::of_tag(""), None);
    }
}
