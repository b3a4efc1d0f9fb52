//! Columns of the list of leads, and their names in URLs.

use std::borrow::Cow;

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId};

use super::table::{ColumnWidth, LEAD_COLUMN, find_width};
use crate::browser::storage;
use crate::i18n::language;
use crate::i18n::texts::leads as texts;

/// A column in addition to the lead column, which is always the first.
pub use leadscribe_engine::record::LeadColumn as Column;

const DEFAULT_COLUMNS: [Column; 4] =
    [Column::Number, Column::Place, Column::Campaigns, Column::Field(FieldId::GlobalUpdatedAt)];

/// The id. The lead column already shows it, so it can't be added as a column.
pub const LEAD_ID_COLUMN: Column = Column::Field(FieldId::Id);

/// Local storage key of the chosen columns.
const STORAGE_KEY: &str = "leadscribe.lead-columns";

pub fn url_name(column: &Column) -> String {
    match column {
        // Encodes commas, which separate the names.
        Column::Custom(name) => format!("{CUSTOM_PREFIX}{}", String::from(js_sys::encode_uri_component(name))),
        column => column.name().into_owned(),
    }
}

pub fn parse_column(name: &str) -> Option<Column> {
    let column = match name.strip_prefix(CUSTOM_PREFIX) {
        Some(custom) => Column::Custom(js_sys::decode_uri_component(custom).ok()?.into()),
        None => Column::from_name(name)?,
    };
    Some(column).filter(|column| *column != LEAD_ID_COLUMN)
}

pub fn column_label(column: &Column) -> Cow<'static, str> {
    match column {
        Column::Number => texts::phone().into(),
        Column::Place => texts::location().into(),
        Column::Campaigns => texts::campaigns().into(),
        Column::NextCall => texts::next_call().into(),
        Column::Reasons => texts::callable_column().into(),
        Column::Field(FieldId::Phone) => texts::phone_as_entered().into(),
        Column::Field(FieldId::GlobalUpdatedAt) => texts::updated().into(),
        Column::Field(FieldId::UpdatedAt) => texts::fields_updated().into(),
        Column::Field(id) => id.field().label(language()).into(),
        Column::Custom(name) => name.clone().into(),
    }
}

/// Serializes columns and widths for a URL: `lead:240,city,status:120`. Returns an empty text for the default columns
/// without widths.
pub fn format_columns(columns: &[Column], widths: &[ColumnWidth]) -> String {
    if columns == DEFAULT_COLUMNS && widths.is_empty() {
        return String::new();
    }
    let with_width = |name: String| match find_width(widths, &name) {
        Some(width) => format!("{name}:{width}"),
        None => name,
    };
    let lead = Some(LEAD_COLUMN.to_owned()).filter(|lead| columns.is_empty() || find_width(widths, lead).is_some());
    lead.into_iter().chain(columns.iter().map(url_name)).map(with_width).collect::<Vec<_>>().join(",")
}

/// Parses columns without duplicates. An empty text means the default columns; unknown names are ignored.
pub fn parse_columns(text: &str) -> Vec<Column> {
    if text.is_empty() {
        return default_columns();
    }
    let mut columns = Vec::new();
    for entry in text.split(',') {
        let name = entry.split_once(':').map_or(entry, |(name, _)| name);
        if let Some(column) = parse_column(name).filter(|column| !columns.contains(column)) {
            columns.push(column);
        }
    }
    columns
}

/// Columns remembered by this browser; `None` for the default columns.
pub fn load_stored() -> Option<String> {
    storage::load_text(STORAGE_KEY).filter(|text| !text.is_empty())
}

/// Stores the columns in this browser.
pub fn store(text: &str) {
    if text.is_empty() { storage::remove(STORAGE_KEY) } else { storage::store_text(STORAGE_KEY, text) }
}

pub fn default_columns() -> Vec<Column> {
    DEFAULT_COLUMNS.to_vec()
}

#[cfg(test)]
mod tests {
    use crate::ui::lead::columns::*;

    fn widths(pairs: &[(&str, u32)]) -> Vec<ColumnWidth> {
        pairs.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect()
    }

    #[test]
    fn columns_and_widths_round_trip_through_urls() {
        let columns = [Column::Field(FieldId::City), Column::NextCall, Column::Field(FieldId::Status)];
        let widths = widths(&[("status", 120), ("lead", 240), ("email", 99)]);
        assert_eq!(format_columns(&columns, &widths), "lead:240,city,next_call,status:120");
        assert_eq!(parse_columns("lead:240,city,next_call,status:120"), columns);
        assert_eq!(
            parse_columns("city:x,nonsense,id,city,campaign_status,lead_id"),
            columns[..1].iter().chain(&columns[2..]).cloned().collect::<Vec<_>>()
        );
        assert_eq!((format_columns(&[], &[]).as_str(), parse_columns("lead")), ("lead", Vec::new()));
        assert_eq!((format_columns(&[], &widths).as_str(), parse_columns("lead:240")), ("lead:240", Vec::new()));
        assert_eq!((format_columns(&default_columns(), &[]).as_str(), parse_columns("")), ("", default_columns()));
        assert_eq!(parse_columns(&format_columns(&default_columns(), &widths)), default_columns());
    }
}
