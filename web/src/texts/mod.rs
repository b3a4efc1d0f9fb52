//! All texts of the panel: a module for each part of it, and in it each text in every language, side by side. A text that
//! lacks a language doesn't compile, nor does one that is asked for by a name that isn't there.
//!
//! ```text
//! texts! {
//!     save: "Save" | "Speichern";
//!     of_pages(page, pages): "{page} of {pages}" | "{page} von {pages}";
//!     leads(count): "{count} lead" / "{count} leads" | "{count} Lead" / "{count} Leads";
//! }
//! ```
//!
//! The first becomes `save() -> &'static str`, the second `of_pages(…) -> String` of anything that can be shown, and the
//! third `leads(count: u64) -> String`, which takes the form for one or for many and writes the number as the language
//! does. Names of fields and readings of filters come from the engine, in the same languages; faults, and what the server
//! answers, come in English.

macro_rules! texts {
    () => {};
    ($(#[$about:meta])* $name:ident: $english:literal | $german:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name() -> &'static str {
            match $crate::language::language() {
                $crate::language::Language::English => $english,
                $crate::language::Language::German => $german,
            }
        }
        $crate::texts::texts! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident($count:ident $(, $given:ident)*):
        $one:literal / $many:literal | $german_one:literal / $german_many:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name($count: u64 $(, $given: impl ::std::fmt::Display)*) -> String {
            let is_one = $count == 1;
            let $count = $crate::when::count($count);
            match ($crate::language::language(), is_one) {
                ($crate::language::Language::English, true) => format!($one),
                ($crate::language::Language::English, false) => format!($many),
                ($crate::language::Language::German, true) => format!($german_one),
                ($crate::language::Language::German, false) => format!($german_many),
            }
        }
        $crate::texts::texts! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident($($given:ident),+): $english:literal | $german:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub fn $name($($given: impl ::std::fmt::Display),+) -> String {
            match $crate::language::language() {
                $crate::language::Language::English => format!($english),
                $crate::language::Language::German => format!($german),
            }
        }
        $crate::texts::texts! { $($rest)* }
    };
}

use texts;

pub mod api_page;
pub mod audit;
pub mod badges;
pub mod campaigns;
pub mod common;
pub mod deliveries;
pub mod endpoints;
pub mod errors;
pub mod fields;
pub mod forms;
pub mod imports;
pub mod lead;
pub mod login;
pub mod palette;
pub mod reasons;
pub mod settings;
pub mod shell;
pub mod today;
