//! Languages: texts, dates, numbers and diagnostics in the user's language.

pub mod datetime;
pub mod keyboard;
pub mod locale;
pub mod number_format;
pub mod relative_date;
pub mod text_normalization;
pub mod texts;
pub mod validation_errors;
