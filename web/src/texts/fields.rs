//! Names of fields, as the engine's table has them.

use leadscribe_engine::filter::fields::FieldId;

use crate::language::language;

/// What staff read.
pub fn label(id: FieldId) -> &'static str {
    id.field().label(language())
}
