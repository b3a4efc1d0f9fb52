//! Form values of a lead as typed, and the changes they make.

use leadscribe_engine::api::{CustomValue, Lead};
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::json::{push_pointer, push_quoted};
use leadscribe_engine::record::{custom_cell, lead_cell};
use leptos::prelude::*;

use crate::i18n::number_format::{ambiguous_readings, localize_decimal, parse_degrees, parse_number};
use crate::i18n::texts::lead as texts;
use crate::state::form_json;

/// A standard field of the lead.
#[derive(Clone, Debug)]
pub struct FieldEntry {
    pub id: FieldId,
    saved: String,
    pub text: RwSignal<String>,
}

/// A custom field, existing or new.
#[derive(Clone, Debug)]
pub struct CustomEntry {
    pub name: String,
    saved: Option<CustomValue>,
    pub text: RwSignal<String>,
}

impl CustomEntry {
    /// True if the field is a boolean.
    pub fn is_boolean(&self) -> bool {
        matches!(self.saved, Some(CustomValue::Bool(_)))
    }
}

/// Draft of a lead. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadDraft {
    entries: RwSignal<Vec<FieldEntry>>,
    custom: RwSignal<Vec<CustomEntry>>,
}

impl LeadDraft {
    /// Creates a draft of an existing lead with these fields.
    pub fn from_lead(lead: &Lead, fields: impl Iterator<Item = FieldId>) -> Self {
        let entry = |id: FieldId| {
            let saved = field_text(lead, id);
            FieldEntry { id, text: RwSignal::new(saved.clone()), saved }
        };
        let custom = lead.custom_fields.iter().map(|(name, value)| CustomEntry {
            name: name.clone(),
            text: RwSignal::new(custom_text(value)),
            saved: Some(value.clone()),
        });
        Self { entries: RwSignal::new(fields.map(entry).collect()), custom: RwSignal::new(custom.collect()) }
    }

    /// Creates a draft of a new lead with these fields, all empty.
    pub fn empty(fields: impl Iterator<Item = FieldId>) -> Self {
        let entry = |id| FieldEntry { id, text: RwSignal::new(String::new()), saved: String::new() };
        Self { entries: RwSignal::new(fields.map(entry).collect()), custom: RwSignal::new(Vec::new()) }
    }

    /// Rebases the draft onto a lead that another session changed: edited values stay as changes to it, all others take its values.
    pub fn rebase(self, onto: &Lead) {
        self.entries.update(|entries| {
            for entry in entries {
                let current = field_text(onto, entry.id);
                rebase_text(entry.text, &entry.saved, &current);
                entry.saved = current;
            }
        });
        for name in onto.custom_fields.keys() {
            self.add_custom(name);
        }
        self.custom.update(|custom| {
            for entry in custom {
                let current = onto.custom_fields.get(&entry.name).cloned();
                rebase_text(entry.text, &saved_text(entry.saved.as_ref()), &saved_text(current.as_ref()));
                entry.saved = current;
            }
        });
    }

    /// A standard field.
    pub fn entry(self, id: FieldId) -> Option<FieldEntry> {
        self.entries.with_untracked(|entries| entries.iter().find(|entry| entry.id == id).cloned())
    }

    /// True if the field was edited.
    pub fn is_changed(self, id: FieldId) -> bool {
        self.entries.with(|entries| entries.iter().any(|entry| entry.id == id && entry.text.get() != entry.saved))
    }

    /// The custom fields.
    pub fn custom(self) -> Vec<CustomEntry> {
        self.custom.get()
    }

    /// Adds an empty custom field. Returns false if the name is taken.
    pub fn add_custom(self, name: &str) -> bool {
        let is_new = self.custom.with_untracked(|custom| custom.iter().all(|entry| entry.name != name));
        if is_new {
            let entry = CustomEntry { name: name.to_owned(), saved: None, text: RwSignal::new(String::new()) };
            self.custom.update(|custom| custom.push(entry));
        }
        is_new
    }

    /// Changes as the body of a `PATCH`; `None` if there are none.
    pub fn change(self) -> Option<String> {
        let mut members = Vec::new();
        self.entries.with(|entries| {
            for entry in entries {
                let text = entry.text.get();
                if text != entry.saved {
                    members.push(member(entry.id.field().name(), &value(entry.id, &text)));
                }
            }
        });
        let custom: Vec<_> = self.custom.with(|custom| {
            let changed = custom.iter().filter_map(|entry| {
                let text = entry.text.get();
                (text != saved_text(entry.saved.as_ref()))
                    .then(|| member(&entry.name, &custom_value(entry.saved.as_ref(), &text)))
            });
            changed.collect()
        });
        if !custom.is_empty() {
            members.push(member("custom_fields", &object(&custom)));
        }
        (!members.is_empty()).then(|| object(&members))
    }

    /// Diagnostics that the engine can't find: numbers that are ambiguous in the user's language.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        let entries = self.entries.get().into_iter().filter_map(|FieldEntry { id, saved, text }| {
            let text = text.get();
            let is_number = id.field().kind == Kind::Number && !is_angle(id) && text != saved;
            is_number.then(|| ambiguous_number(pointer(id), &text)).flatten()
        });
        let custom = self.custom.get().into_iter().filter_map(|CustomEntry { name, saved, text }| {
            let text = text.get();
            let is_number = matches!(saved, Some(CustomValue::Integer(_) | CustomValue::Number(_)));
            (is_number && text != saved_text(saved.as_ref()))
                .then(|| ambiguous_number(custom_pointer(&name), &text))
                .flatten()
        });
        entries.chain(custom).collect()
    }
}

/// JSON pointer of a field in a request.
pub fn pointer(id: FieldId) -> String {
    format!("/{}", id.field().name())
}

/// JSON pointer of a custom field in a request.
pub fn custom_pointer(name: &str) -> String {
    let mut pointer = "/custom_fields".to_owned();
    push_pointer(&mut pointer, name);
    pointer
}

/// Value of a field as text for its input.
fn field_text(lead: &Lead, id: FieldId) -> String {
    let text = lead_cell(lead, id).unwrap_or_default();
    if id.field().kind == Kind::Number { localize_decimal(&text) } else { text.into_owned() }
}

/// Keeps an edited text; otherwise takes the new value.
fn rebase_text(text: RwSignal<String>, saved: &String, current: &String) {
    let mut edited = text.get_untracked();
    form_json::rebase_input(&mut edited, saved, current);
    text.set(edited);
}

fn saved_text(value: Option<&CustomValue>) -> String {
    value.map(custom_text).unwrap_or_default()
}

/// Value of a custom field as text for its input.
fn custom_text(value: &CustomValue) -> String {
    match value {
        CustomValue::Number(_) => localize_decimal(&custom_cell(value)),
        _ => custom_cell(value).into_owned(),
    }
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

fn member(name: &str, value: &str) -> String {
    let mut text = json_string(name);
    text.push(':');
    text.push_str(value);
    text
}

/// Converts the text of a field to JSON. Invalid numbers stay strings, so that the diagnostic shows them as typed.
fn value(id: FieldId, text: &str) -> String {
    match id.field().kind {
        _ if text.trim().is_empty() => "null".to_owned(),
        Kind::Boolean => text.to_owned(),
        Kind::Number if is_angle(id) => parse_degrees(text).unwrap_or_else(|| json_string(text)),
        Kind::Number => parse_number(text).unwrap_or_else(|| json_string(text)),
        _ => json_string(text),
    }
}

/// Converts the text of a custom field to JSON. Keeps the type of the previous value if the text fits it.
fn custom_value(saved: Option<&CustomValue>, text: &str) -> String {
    match saved {
        _ if text.trim().is_empty() => "null".to_owned(),
        Some(CustomValue::Bool(_)) if matches!(text, "true" | "false") => text.to_owned(),
        Some(CustomValue::Integer(_) | CustomValue::Number(_)) => {
            parse_number(text).unwrap_or_else(|| json_string(text))
        }
        _ => json_string(text),
    }
}

/// True if the field is a geographic coordinate.
fn is_angle(id: FieldId) -> bool {
    matches!(id, FieldId::Lat | FieldId::Lng)
}

/// Diagnostic of an ambiguous number, at a location in a request.
fn ambiguous_number(pointer: String, text: &str) -> Option<Diagnostic> {
    let (integer, fraction) = ambiguous_readings(text)?;
    Some(Diagnostic::new(Location::Pointer(pointer), "ambiguous_number", texts::two_numbers(text, integer, fraction)))
}

fn json_string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_quoted(&mut json, text);
    json
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadId, Timestamp};
    use leadscribe_engine::record::{LeadRecord, WriteMode};

    use crate::features::leads::draft::*;
    use crate::i18n::locale::{Language, set_language};

    #[test]
    fn rebase_keeps_edited_fields() {
        let lead = |fields: &str| {
            LeadRecord::from_json(fields, WriteMode::Create).unwrap().create(LeadId(3), Timestamp::default())
        };
        let fields = [FieldId::City, FieldId::Zip, FieldId::FirstName];
        let draft = LeadDraft::from_lead(
            &lead(r#"{"city":"Bonn","first_name":"Ann","custom_fields":{"tier":"gold","points":5}}"#),
            fields.into_iter(),
        );
        let text = |id| draft.entry(id).unwrap().text;
        text(FieldId::City).set("Mainz".to_owned());
        text(FieldId::FirstName).set("Anne".to_owned());
        draft.rebase(&lead(
            r#"{"city":"Köln","zip":"50667","first_name":"Ann","custom_fields":{"points":6,"open":true}}"#,
        ));
        assert_eq!(draft.change().as_deref(), Some(r#"{"city":"Mainz","first_name":"Anne"}"#));
        assert_eq!(text(FieldId::Zip).get_untracked(), "50667");
        let custom: Vec<_> = draft.custom().into_iter().map(|entry| (entry.name, entry.text.get_untracked())).collect();
        let custom: Vec<_> = custom.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(custom, [("points", "6"), ("tier", ""), ("open", "true")]);
        // The original value counts as a change, because the saved value is now different. A value equal to the saved one doesn't.
        text(FieldId::FirstName).set("Ann".to_owned());
        text(FieldId::City).set("Bonn".to_owned());
        assert_eq!(draft.change().as_deref(), Some(r#"{"city":"Bonn"}"#));
        text(FieldId::City).set("Köln".to_owned());
        assert_eq!(draft.change(), None);
    }

    #[test]
    fn reports_ambiguous_numbers_at_their_fields() {
        let fields = r#"{"purchase_amount":20,"custom_fields":{"points":5,"tier":"1.200"}}"#;
        let lead = LeadRecord::from_json(fields, WriteMode::Create).unwrap().create(LeadId(3), Timestamp::default());
        set_language(Language::German);
        let draft = LeadDraft::from_lead(&lead, [FieldId::PurchaseAmount, FieldId::Lat, FieldId::City].into_iter());
        let set = |id, text: &str| draft.entry(id).unwrap().text.set(text.to_owned());
        assert_eq!(draft.diagnostics(), []);
        set(FieldId::PurchaseAmount, "1.500");
        set(FieldId::Lat, "52.520");
        set(FieldId::City, "1.500");
        draft.custom().into_iter().for_each(|entry| entry.text.set("1.300".to_owned()));
        let diagnostics = draft.diagnostics();
        let locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.location.clone()).collect();
        assert_eq!(
            locations,
            ["/purchase_amount", "/custom_fields/points"].map(|pointer| Location::Pointer(pointer.to_owned()))
        );
        let message = diagnostics[0].message.text(Language::German);
        assert_eq!(message, "„1.500“ ist nicht eindeutig: schreiben Sie 1500 oder 1,500");
        set(FieldId::PurchaseAmount, "1.500,00");
        assert_eq!(draft.diagnostics().len(), 1);
    }

    #[test]
    fn converts_field_texts_to_json() {
        for number in ["0", "-33.9", "10.50", "7"] {
            assert_eq!(value(FieldId::PurchaseAmount, number), number);
        }
        for other in ["1,5", "1,500", "007", "1.", ".5", "-", "1e5", "x"] {
            assert_eq!(value(FieldId::PurchaseAmount, other), format!("\"{other}\""));
        }
        set_language(Language::German);
        let numbers = ["1,5", "1.5", "1.500,00", "1.500"].map(|text| value(FieldId::PurchaseAmount, text));
        assert_eq!(numbers, ["1.5", "1.5", "1500.00", "\"1.500\""]);
        assert_eq!(
            ["52,520", "52.520", "52.52,0"].map(|text| value(FieldId::Lat, text)),
            ["52.520", "52.520", "\"52.52,0\""]
        );
        assert_eq!(custom_value(Some(&CustomValue::Integer(5)), "6,5"), "6.5");
        set_language(Language::English);
        assert_eq!(value(FieldId::City, "O\"B"), r#""O\"B""#);
        assert_eq!([value(FieldId::Birthdate, " "), value(FieldId::DoNotCall, "true")], ["null", "true"]);
        assert_eq!(custom_value(Some(&CustomValue::Integer(5)), "6"), "6");
        assert_eq!(custom_value(Some(&CustomValue::Integer(5)), "six"), "\"six\"");
        assert_eq!(custom_value(Some(&CustomValue::Bool(true)), "false"), "false");
        assert_eq!([custom_value(None, "5"), custom_value(None, "")], ["\"5\"", "null"]);
    }
}
