//! Form values of a lead as typed, and the changes they make.

use leadscribe_engine::api::{CustomValue, Lead};
use leadscribe_engine::diagnostic::{Diagnostic, Location, common, format_text};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::json::push_pointer;
use leadscribe_engine::record::{custom_cell, lead_cell};
use leptos::prelude::*;
use serde_json::json;

use crate::i18n::number_format::{ambiguous_readings, localize_decimal, parse_degrees, parse_number};
use crate::state::form_state::rebase_input;

/// Type of the values of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueKind {
    Text,
    Boolean,
    Number,
    /// Geographic coordinate.
    Degrees,
}

impl ValueKind {
    /// Type of a standard field.
    pub fn of_field(id: FieldId) -> Self {
        match (id.field().kind, id) {
            (Kind::Boolean, _) => Self::Boolean,
            (_, FieldId::Lat | FieldId::Lng) => Self::Degrees,
            (Kind::Number, _) => Self::Number,
            _ => Self::Text,
        }
    }

    /// Type of a custom field: the type of its value.
    fn of_value(value: Option<&CustomValue>) -> Self {
        match value {
            Some(CustomValue::Bool(_)) => Self::Boolean,
            Some(CustomValue::Integer(_) | CustomValue::Number(_)) => Self::Number,
            _ => Self::Text,
        }
    }

    /// Converts the text of an input to JSON. Text that isn't a value of this type stays a string, so that the
    /// diagnostic shows it as typed.
    fn to_json(self, text: &str) -> String {
        let value = match self {
            _ if text.trim().is_empty() => Some("null".to_owned()),
            Self::Text => None,
            Self::Boolean => matches!(text, "true" | "false").then(|| text.to_owned()),
            Self::Number => parse_number(text),
            Self::Degrees => parse_degrees(text),
        };
        value.unwrap_or_else(|| json!(text).to_string())
    }
}

/// A field that is being edited. The key is its id, or the name of a custom field.
#[derive(Clone, Debug)]
pub struct Entry<K> {
    pub key: K,
    pub kind: ValueKind,
    saved: String,
    pub text: RwSignal<String>,
}

pub type FieldEntry = Entry<FieldId>;
pub type CustomEntry = Entry<String>;

impl<K> Entry<K> {
    fn new(key: K, kind: ValueKind, saved: String) -> Self {
        Self { key, kind, text: RwSignal::new(saved.clone()), saved }
    }

    fn is_changed(&self) -> bool {
        self.text.with(|text| *text != self.saved)
    }

    /// New value as JSON, if the field was edited.
    fn change(&self) -> Option<String> {
        self.is_changed().then(|| self.text.with(|text| self.kind.to_json(text)))
    }

    /// Diagnostic of an edited number that is ambiguous in the user's language.
    fn diagnostic(&self, pointer: String) -> Option<Diagnostic> {
        let text = self.text.get();
        let is_edited_number = self.kind == ValueKind::Number && text != self.saved;
        let (integer, fraction) = ambiguous_readings(&text).filter(|_| is_edited_number)?;
        let message = common::two_numbers(format_text(&text), integer, fraction);
        Some(Diagnostic::new(Location::Pointer(pointer), "ambiguous_number", message))
    }

    /// Keeps an edited text; otherwise takes the new value.
    fn rebase(&mut self, kind: ValueKind, current: String) {
        let mut edited = self.text.get_untracked();
        rebase_input(&mut edited, &self.saved, &current);
        self.text.set(edited);
        (self.kind, self.saved) = (kind, current);
    }
}

/// Draft of a lead. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadDraft {
    entries: RwSignal<Vec<FieldEntry>>,
    custom: RwSignal<Vec<CustomEntry>>,
}

impl LeadDraft {
    /// Creates a draft with these fields: of an existing lead, or empty for a new one.
    pub fn new(lead: Option<&Lead>, fields: impl Iterator<Item = FieldId>) -> Self {
        let saved = |id| lead.map(|lead| field_text(lead, id)).unwrap_or_default();
        let entries = fields.map(|id| Entry::new(id, ValueKind::of_field(id), saved(id))).collect();
        let custom = lead.into_iter().flat_map(|lead| &lead.custom_fields);
        let custom = custom
            .map(|(name, value)| Entry::new(name.clone(), ValueKind::of_value(Some(value)), custom_text(Some(value))));
        Self { entries: RwSignal::new(entries), custom: RwSignal::new(custom.collect()) }
    }

    /// Rebases the draft onto a lead that another session changed: edited values stay as changes, all others take the
    /// lead's values.
    pub fn rebase(self, onto: &Lead) {
        self.entries.update(|entries| {
            entries.iter_mut().for_each(|entry| entry.rebase(entry.kind, field_text(onto, entry.key)));
        });
        for name in onto.custom_fields.keys() {
            self.add_custom(name);
        }
        self.custom.update(|custom| {
            for entry in custom {
                let current = onto.custom_fields.get(&entry.key);
                entry.rebase(ValueKind::of_value(current), custom_text(current));
            }
        });
    }

    pub fn entry(self, id: FieldId) -> Option<FieldEntry> {
        self.entries.with_untracked(|entries| entries.iter().find(|entry| entry.key == id).cloned())
    }

    /// True if the field was edited.
    pub fn is_changed(self, id: FieldId) -> bool {
        self.entries.with(|entries| entries.iter().any(|entry| entry.key == id && entry.is_changed()))
    }

    pub fn custom(self) -> Vec<CustomEntry> {
        self.custom.get()
    }

    /// Adds an empty custom field. Returns false if the name is taken.
    pub fn add_custom(self, name: &str) -> bool {
        let is_new = self.custom.with_untracked(|custom| custom.iter().all(|entry| entry.key != name));
        if is_new {
            self.custom.update(|custom| custom.push(Entry::new(name.to_owned(), ValueKind::Text, String::new())));
        }
        is_new
    }

    /// Changes as a request body; `None` if there are none.
    pub fn change(self) -> Option<String> {
        let mut members: Vec<_> = self.entries.with(|entries| {
            entries.iter().filter_map(|entry| Some(member(entry.key.field().name(), &entry.change()?))).collect()
        });
        let custom: Vec<_> = self
            .custom
            .with(|custom| custom.iter().filter_map(|entry| Some(member(&entry.key, &entry.change()?))).collect());
        if !custom.is_empty() {
            members.push(member("custom_fields", &object(&custom)));
        }
        (!members.is_empty()).then(|| object(&members))
    }

    /// Diagnostics that the engine can't find: numbers that are ambiguous in the user's language.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        let (entries, custom) = (self.entries.get().into_iter(), self.custom.get().into_iter());
        let entries = entries.filter_map(|entry| entry.diagnostic(pointer(entry.key)));
        entries.chain(custom.filter_map(|entry| entry.diagnostic(custom_pointer(&entry.key)))).collect()
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

/// Value of a custom field as text for its input.
fn custom_text(value: Option<&CustomValue>) -> String {
    match value {
        None => String::new(),
        Some(value @ CustomValue::Number(_)) => localize_decimal(&custom_cell(value)),
        Some(value) => custom_cell(value).into_owned(),
    }
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

fn member(name: &str, value: &str) -> String {
    format!("{}:{value}", json!(name))
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
        let saved = lead(r#"{"city":"Bonn","first_name":"Ann","custom_fields":{"tier":"gold","points":5}}"#);
        let draft = LeadDraft::new(Some(&saved), fields.into_iter());
        let text = |id| draft.entry(id).unwrap().text;
        text(FieldId::City).set("Mainz".to_owned());
        text(FieldId::FirstName).set("Anne".to_owned());
        draft.rebase(&lead(
            r#"{"city":"Köln","zip":"50667","first_name":"Ann","custom_fields":{"points":6,"open":true}}"#,
        ));
        assert_eq!(draft.change().as_deref(), Some(r#"{"city":"Mainz","first_name":"Anne"}"#));
        assert_eq!(text(FieldId::Zip).get_untracked(), "50667");
        let custom = draft.custom().into_iter().map(|entry| format!("{} {}", entry.key, entry.text.get_untracked()));
        assert_eq!(custom.collect::<Vec<_>>(), ["points 6", "tier ", "open true"]);
        // The original value counts as a change, because the saved value is now different. A value equal to the saved
        // one doesn't.
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
        let draft = LeadDraft::new(Some(&lead), [FieldId::PurchaseAmount, FieldId::Lat, FieldId::City].into_iter());
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
        assert_eq!(message, "\"1.500\" ist nicht eindeutig: Verwenden Sie 1500 oder 1,500");
        set(FieldId::PurchaseAmount, "1.500,00");
        assert_eq!(draft.diagnostics().len(), 1);
    }

    #[test]
    fn converts_field_texts_to_json() {
        let json = |kind: ValueKind, texts: &[&str]| texts.iter().map(|text| kind.to_json(text)).collect::<Vec<_>>();
        let numbers = ["0", "-33.9", "10.50", "7"];
        assert_eq!(json(ValueKind::Number, &numbers), numbers);
        for other in ["1,5", "1,500", "007", "1.", ".5", "-", "1e5", "x"] {
            assert_eq!(ValueKind::Number.to_json(other), format!("\"{other}\""));
        }
        assert_eq!(json(ValueKind::Text, &["O\"B", " ", "5"]), [r#""O\"B""#, "null", "\"5\""]);
        assert_eq!(json(ValueKind::Boolean, &["true", "yes"]), ["true", "\"yes\""]);
        set_language(Language::German);
        let german = json(ValueKind::Number, &["1,5", "1.5", "1.500,00", "1.500"]);
        assert_eq!(german, ["1.5", "1.5", "1500.00", "\"1.500\""]);
        let degrees = json(ValueKind::of_field(FieldId::Lat), &["52,520", "52.520", "52.52,0"]);
        assert_eq!(degrees, ["52.520", "52.520", "\"52.52,0\""]);
    }
}
