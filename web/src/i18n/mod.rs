//! Languages: texts, dates, numbers and diagnostics in the user's language.

pub mod datetime;
pub mod keyboard;
pub mod locale;
pub mod number_format;
pub mod relative_date;
pub mod text_normalization;
pub mod texts;
pub mod validation_errors;

use leadscribe_engine::filter::fields::FieldId;

pub use locale::{Language, language};
pub use validation_errors::{
    aria_invalid, diagnostics_at, diagnostics_signal, localized_detail, localized_input_detail, suggestion_of,
};

/// Label of a field, from the engine's table.
pub fn field_label(id: FieldId) -> &'static str {
    id.field().label(language())
}
