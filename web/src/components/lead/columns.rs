//! Columns of the list of leads, and their names in URLs.

use std::borrow::Cow;

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId};

use super::table::{LEAD, Width, width_of};
use crate::language::language;
use crate::storage::storage;
use crate::texts::lead_table as texts;

/// A column in addition to the lead column, which is always the first.
pub use leadscribe_engine::record::LeadColumn as Column;

/// Default columns.
const USUAL: [Column; 4] = [Column::Number, Column::Place, Column::Campaigns, Column::Field(FieldId::GlobalUpdatedAt)];

/// Content of the lead column.
pub const OF_LEAD: Column = Column::Field(FieldId::Id);

/// Local storage key of the chosen columns.
const KEY: &str = "leadscribe.lead-columns";

/// Name of a column in a URL.
pub fn name_of(column: &Column) -> String {
    match column {
        // The name may contain the separator of names.
        Column::Custom(name) => format!("{CUSTOM_PREFIX}{}", String::from(js_sys::encode_uri_component(name))),
        column => column.name().into_owned(),
    }
}

/// Column with this name.
pub fn column_of(name: &str) -> Option<Column> {
    let column = match name.strip_prefix(CUSTOM_PREFIX) {
        Some(custom) => Column::Custom(js_sys::decode_uri_component(custom).ok()?.into()),
        None => Column::from_name(name)?,
    };
    Some(column).filter(|column| *column != OF_LEAD)
}

/// Label of a column.
pub fn label_of(column: &Column) -> Cow<'static, str> {
    match column {
        Column::Number => texts::phone().into(),
        Column::Place => texts::place().into(),
        Column::Campaigns => texts::campaigns().into(),
        Column::NextCall => texts::next_call().into(),
        Column::Reasons => texts::why_not_callable().into(),
        Column::Field(FieldId::Phone) => texts::phone_given().into(),
        Column::Field(FieldId::GlobalUpdatedAt) => texts::updated().into(),
        Column::Field(FieldId::UpdatedAt) => texts::fields_updated().into(),
        Column::Field(id) => id.field().label(language()).into(),
        Column::Custom(name) => name.clone().into(),
    }
}

/// Serializes columns and widths for a URL: `lead:240,city,status:120`. Returns an empty text for the default columns without widths.
pub fn to_text(columns: &[Column], widths: &[Width]) -> String {
    if columns == USUAL && widths.is_empty() {
        return String::new();
    }
    let with_width = |name: String| match width_of(widths, &name) {
        Some(width) => format!("{name}:{width}"),
        None => name,
    };
    let lead = Some(LEAD.to_owned()).filter(|lead| columns.is_empty() || width_of(widths, lead).is_some());
    lead.into_iter().chain(columns.iter().map(name_of)).map(with_width).collect::<Vec<_>>().join(",")
}

/// Parses columns without duplicates. An empty text means the default columns; unknown names are ignored.
pub fn from_text(text: &str) -> Vec<Column> {
    if text.is_empty() {
        return usual();
    }
    let mut columns = Vec::new();
    for entry in text.split(',') {
        let name = entry.split_once(':').map_or(entry, |(name, _)| name);
        if let Some(column) = column_of(name).filter(|column| !columns.contains(column)) {
            columns.push(column);
        }
    }
    columns
}

/// Columns remembered by this browser; `None` for the default columns.
pub fn remembered() -> Option<String> {
    storage()?.get_item(KEY).ok()?.filter(|text| !text.is_empty())
}

/// Stores the columns in this browser.
pub fn remember(text: &str) {
    if let Some(storage) = storage() {
        // If the browser refuses to store them, the URL still has them.
        let _ = if text.is_empty() { storage.remove_item(KEY) } else { storage.set_item(KEY, text) };
    }
}

/// Default columns.
pub fn usual() -> Vec<Column> {
    USUAL.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(of: &[(&str, u32)]) -> Vec<Width> {
        of.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect()
    }

    #[test]
    fn columns_and_widths_round_trip_through_urls() {
        let columns = [Column::Field(FieldId::City), Column::NextCall, Column::Field(FieldId::Status)];
        let chosen = widths(&[("status", 120), ("lead", 240), ("email", 99)]);
        assert_eq!(to_text(&columns, &chosen), "lead:240,city,next_call,status:120");
        assert_eq!(from_text("lead:240,city,next_call,status:120"), columns);
        assert_eq!(
            from_text("city:x,nonsense,id,city,campaign_status,lead_id"),
            columns[..1].iter().chain(&columns[2..]).cloned().collect::<Vec<_>>()
        );
        assert_eq!((to_text(&[], &[]).as_str(), from_text("lead")), ("lead", Vec::new()));
        assert_eq!((to_text(&[], &chosen).as_str(), from_text("lead:240")), ("lead:240", Vec::new()));
        assert_eq!((to_text(&usual(), &[]).as_str(), from_text("")), ("", usual()));
        assert_eq!(from_text(&to_text(&usual(), &chosen)), usual());
    }
}
