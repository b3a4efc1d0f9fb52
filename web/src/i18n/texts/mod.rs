//! All texts of the panel. Each module has the texts of one part in all languages, side by side. A missing translation
//! or an unknown text is a compile error.
//!
//! ```text
//! texts! {
//!     save: "Save" | "Speichern";
//!     of_pages(page, pages): "{page} of {pages}" | "{page} von {pages}";
//!     leads(count): "{count} lead" / "{count} leads" | "{count} Lead" / "{count} Leads";
//!     role_name(Role) {
//!         Admin: "Admin" | "Administrator";
//!     }
//! }
//! ```
//!
//! The first becomes `save() -> &'static str`. The second becomes `of_pages(…) -> String` with parameters of any type
//! that implements `Display`. The third becomes `leads(count: u64) -> String`: it selects the singular or plural form
//! and formats the number. The fourth becomes `role_name(value: Role) -> &'static str`. With `str` instead of a type,
//! it becomes `role_name(name: &str) -> Option<&'static str>`. Field names, descriptions of filters, and diagnostics
//! come from the engine in the same languages. Errors of the server come in English and are translated by their code
//! (`problems`).

pub mod api_page;
pub mod audit;
pub mod call;
pub mod calls;
pub mod campaigns;
pub mod common;
pub mod deliveries;
pub mod endpoints;
pub mod filter;
pub mod imports;
pub mod lead;
pub mod leads;
pub mod problems;
pub mod settings;
pub mod shell;
pub mod statuses;
pub mod today;
pub mod transcripts;

macro_rules! texts {
    () => {};
    ($(#[$about:meta])* $name:ident: $english:literal | $german:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name() -> &'static str {
            match $crate::i18n::locale::language() {
                $crate::i18n::locale::Language::English => $english,
                $crate::i18n::locale::Language::German => $german,
            }
        }
        $crate::i18n::texts::texts! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident(str) { $($key:ident: $english:literal | $german:literal;)+ } $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name(name: &str) -> Option<&'static str> {
            use $crate::i18n::locale::Language::{English, German};
            match (name, $crate::i18n::locale::language()) {
                $((stringify!($key), English) => Some($english), (stringify!($key), German) => Some($german),)+
                _ => None,
            }
        }
        $crate::i18n::texts::texts! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident($kind:ident) { $($variant:ident: $english:literal | $german:literal;)+ } $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name(value: $kind) -> &'static str {
            use $crate::i18n::locale::Language::{English, German};
            match (value, $crate::i18n::locale::language()) {
                $(($kind::$variant, English) => $english, ($kind::$variant, German) => $german,)+
            }
        }
        $crate::i18n::texts::texts! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident($count:ident $(, $given:ident)*):
        $one:literal / $many:literal | $german_one:literal / $german_many:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name($count: u64 $(, $given: impl ::std::fmt::Display)*) -> String {
            let is_one = $count == 1;
            let $count = $crate::i18n::datetime::format_count($count);
            match ($crate::i18n::locale::language(), is_one) {
                ($crate::i18n::locale::Language::English, true) => format!($one),
                ($crate::i18n::locale::Language::English, false) => format!($many),
                ($crate::i18n::locale::Language::German, true) => format!($german_one),
                ($crate::i18n::locale::Language::German, false) => format!($german_many),
            }
        }
        $crate::i18n::texts::texts! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident($($given:ident),+): $english:literal | $german:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name($($given: impl ::std::fmt::Display),+) -> String {
            match $crate::i18n::locale::language() {
                $crate::i18n::locale::Language::English => format!($english),
                $crate::i18n::locale::Language::German => format!($german),
            }
        }
        $crate::i18n::texts::texts! { $($rest)* }
    };
}

use texts;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Attributes with user-visible text.
    const TEXT_ATTRIBUTES: [&str; 6] = ["aria-label=", "title=", "placeholder=", "label=", "hint=", "alt="];

    /// Names that are the same in every language.
    const UNTRANSLATED: [&str; 4] = ["Leadscribe", "Esc", "Ctrl + Enter", "X-Speech-Token"];

    fn sources(dir: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let paths = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
        paths.filter(|path| !path.starts_with(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/i18n/texts"))).collect()
    }

    /// String literals in a line of a view that are content or the value of an attribute in `TEXT_ATTRIBUTES`.
    fn visible_literals(line: &str) -> Vec<&str> {
        let parts: Vec<_> = line.split('"').collect();
        let literals = (1..parts.len().saturating_sub(1)).step_by(2);
        let is_visible = |index: &usize| {
            let (preceding, following) = (parts[index - 1].trim(), parts[index + 1].trim());
            let is_text = (preceding.is_empty() || preceding.ends_with(['>', '}']))
                && (following.is_empty() || following.starts_with(['<', '{']));
            is_text || TEXT_ATTRIBUTES.iter().any(|attribute| preceding.ends_with(attribute))
        };
        // Identifiers have no spaces or capital letters.
        let looks_like_text = |text: &&str| {
            let has_letters = text.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
            has_letters && text.contains(|letter: char| letter.is_uppercase() || letter == ' ')
        };
        let is_name = |text: &&str| UNTRANSLATED.contains(&text.trim());
        literals
            .filter(is_visible)
            .map(|index| parts[index])
            .filter(|text| looks_like_text(text) && !is_name(text))
            .collect()
    }

    #[test]
    fn all_user_visible_texts_are_in_this_module() {
        assert_eq!(visible_literals(r#"<p class="a">"Some words" {count} " left"</p>"#), ["Some words", " left"]);
        assert_eq!(visible_literals(r#"    "Alone""#), ["Alone"]);
        assert_eq!(visible_literals(r#"<a title="Go there" href="/there">"–"</a>"#), ["Go there"]);
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let violations: Vec<_> = sources(&src)
            .into_iter()
            .flat_map(|path| {
                let source = fs::read_to_string(&path).unwrap();
                let code = source.split("#[cfg(test)]").next().unwrap().to_owned();
                let name = path.strip_prefix(&src).unwrap().display().to_string();
                let lines = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
                let literals = lines.flat_map(|(line_index, line)| {
                    visible_literals(line).into_iter().map(move |text| (line_index + 1, text))
                });
                literals.map(|(line_index, text)| format!("{name}:{line_index}: {text}")).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(violations, Vec::<String>::new());
    }
}
