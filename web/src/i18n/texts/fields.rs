//! Names of fields from the engine's table.

use leadscribe_engine::filter::fields::FieldId;

use crate::i18n::language;

/// Label of a field.
pub fn label(id: FieldId) -> &'static str {
    id.field().label(language())
}
