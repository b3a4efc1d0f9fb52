//! The supported languages, and texts with their translations side by side.
//!
//! ```text
//! wording! {
//!     every_day: "every day" | "täglich";
//!     in_campaign(list): "in campaign {list}" | "in Kampagne {list}";
//! }
//! ```
//!
//! The first line becomes `every_day(language) -> &'static str`, the second one `in_campaign(language, …) -> String` with parameters that
//! implement `Display`. A missing translation is a compile error. Texts for programs are in English. Messages about
//! errors are in a catalog of their own ([`crate::diagnostic`]).

/// A supported language of texts for users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, also used for everything sent to programs.
    #[default]
    English,
    /// German.
    German,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Language tag (RFC 5646).
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Name of the language in the language itself.
    pub const fn label(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// Returns the language for a tag such as `de-AT`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next()?;
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }
}

macro_rules! wording {
    () => {};
    ($(#[$about:meta])* $name:ident: $english:literal | $german:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub(crate) const fn $name(language: $crate::wording::Language) -> &'static str {
            match language {
                $crate::wording::Language::English => $english,
                $crate::wording::Language::German => $german,
            }
        }
        $crate::wording::wording! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident($($argument:ident),+): $english:literal | $german:literal; $($rest:tt)*) => {
        $(#[$about])*
        pub(crate) fn $name(language: $crate::wording::Language, $($argument: impl ::std::fmt::Display),+) -> String {
            match language {
                $crate::wording::Language::English => format!($english),
                $crate::wording::Language::German => format!($german),
            }
        }
        $crate::wording::wording! { $($rest)* }
    };
}
pub(crate) use wording;

/// Adapts a label to the middle of a sentence: English labels start in lower case, except abbreviations.
pub fn in_sentence(label: &str, language: Language) -> String {
    let mut chars = label.chars();
    match (language, chars.next(), chars.clone().next()) {
        (Language::English, Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => label.to_owned(),
    }
}

/// Formats a number in groups of three digits: `1,000`, in German `1.000`.
pub fn format_integer(number: u64, language: Language) -> String {
    let separator = match language {
        Language::English => ',',
        Language::German => '.',
    };
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// Formats a number with the decimal mark of the language: `1.5`, in German `1,5`.
pub(crate) fn format_decimal(number: f64, language: Language) -> String {
    match language {
        Language::English => number.to_string(),
        Language::German => number.to_string().replace('.', ","),
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn tags_select_their_primary_language() {
        assert_eq!(Language::from_tag("de-AT"), Some(Language::German));
        assert_eq!(Language::from_tag("EN"), Some(Language::English));
        assert_eq!(Language::from_tag("den"), None);
        assert_eq!(Language::from_tag(""), None);
    }
}
