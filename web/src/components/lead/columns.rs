//! The columns of the list of leads: which there are, and how they are named in addresses.

use std::borrow::Cow;

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId};

use super::table::{LEAD, Width, width_of};
use crate::language::language;
use crate::storage::storage;
use crate::texts::lead_table as texts;

/// A column beside that of the lead itself, which is always the first.
pub use leadscribe_engine::record::LeadColumn as Column;

/// What is shown until somebody chooses.
const USUAL: [Column; 4] = [Column::Number, Column::Place, Column::Campaigns, Column::Field(FieldId::GlobalUpdatedAt)];

/// What the column of the lead itself has.
pub const OF_LEAD: Column = Column::Field(FieldId::Id);

/// Where this browser remembers the choice.
const KEY: &str = "leadscribe.lead-columns";

/// What a column is called in an address.
pub fn name_of(column: &Column) -> String {
    match column {
        // A name may hold what separates names.
        Column::Custom(name) => format!("{CUSTOM_PREFIX}{}", String::from(js_sys::encode_uri_component(name))),
        column => column.name().into_owned(),
    }
}

/// The column that is called so.
pub fn column_of(name: &str) -> Option<Column> {
    let column = match name.strip_prefix(CUSTOM_PREFIX) {
        Some(custom) => Column::Custom(js_sys::decode_uri_component(custom).ok()?.into()),
        None => Column::from_name(name)?,
    };
    Some(column).filter(|column| *column != OF_LEAD)
}

/// What staff read.
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

/// Columns and their widths as one text, for an address: `lead:240,city,status:120`. Of the usual ones as their content wants
/// them, nothing.
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

/// The columns that a text names, each once, and the usual ones of an empty text; what names nothing is passed over.
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

/// The text that this browser remembers; none for the usual columns.
pub fn remembered() -> Option<String> {
    storage()?.get_item(KEY).ok()?.filter(|text| !text.is_empty())
}

/// Remembers a text in this browser.
pub fn remember(text: &str) {
    if let Some(storage) = storage() {
        // A browser that refuses forgets, and the address still has them.
        let _ = if text.is_empty() { storage.remove_item(KEY) } else { storage.set_item(KEY, text) };
    }
}

/// What is shown until somebody chooses.
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
    fn an_address_says_the_columns_in_their_order_and_how_wide_they_are() {
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
