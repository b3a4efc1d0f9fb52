//! Records of leads.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;

use super::cell::custom_cell;
use super::custom::custom_fields;
use super::rule::{Access, Assign, Record, Rule, record, rules};
use super::value::{
    MAX_LONG_TEXT_CHARS, MAX_NAME_CHARS, MAX_PHONE_CHARS, boolean, country, date, degrees, e164, email, lines, new_id,
    number, phone, text, time_zone, timestamp,
};
use super::{WriteMode, body, created_at};
use crate::api::{CustomValue, Lead, LeadId, Timestamp};
use crate::diagnostic::{Diagnostic, Location, Message, catalog::record as texts, format_name, new_diagnostic};
use crate::json::MAX_DIAGNOSTICS;

/// Maximum number of leads that one request creates.
pub const MAX_NEW_LEADS: usize = 1_000;

/// Maximum amount of a purchase, positive or negative.
const MAX_AMOUNT: f64 = 1e12;

record! {
    /// A record for creating or changing a lead. `None` leaves a field unchanged; `Some(None)` removes its value. Custom
    /// fields that aren't in `custom_fields` stay unchanged.
    LeadRecord for Lead(LeadId):
    first_name: String, Writable, optional, text(MAX_NAME_CHARS);
    last_name: String, Writable, optional, text(MAX_NAME_CHARS);
    phone: String, Writable, optional, phone;
    phone2: String, Writable, optional, phone;
    phone_normalized: String, Writable, optional, e164;
    phone_normalized2: String, Writable, optional, e164;
    email: String, Writable, optional, email;
    address1: String, Writable, optional, lines(MAX_LONG_TEXT_CHARS);
    address2: String, Writable, optional, lines(MAX_LONG_TEXT_CHARS);
    city: String, Writable, optional, text(MAX_NAME_CHARS);
    state: String, Writable, optional, text(MAX_NAME_CHARS);
    zip: String, Writable, optional, text(MAX_PHONE_CHARS);
    country: String, Writable, optional, country;
    timezone: String, Writable, optional, time_zone;
    lat: f64, Writable, optional, degrees(-90.0, 90.0);
    lng: f64, Writable, optional, degrees(-180.0, 180.0);
    original_identifier: String, Writable, optional, text(MAX_NAME_CHARS);
    support_site: String, Writable, optional, text(MAX_NAME_CHARS);
    purchase_site: String, Writable, optional, text(MAX_NAME_CHARS);
    purchase_date: NaiveDate, Writable, optional, date;
    purchase_amount: f64, Writable, optional, number(-MAX_AMOUNT, MAX_AMOUNT);
    purchase_product_name: String, Writable, optional, text(MAX_LONG_TEXT_CHARS);
    birthdate: NaiveDate, Writable, optional, date;
    do_not_call: bool, Writable, required, boolean;
    blacklisted: bool, Writable, required, boolean;
    custom_fields: BTreeMap<String, Option<CustomValue>>, Writable, required in [], custom_fields;
    created_at: Timestamp, CsvOnly, required, timestamp;
    updated_at: Timestamp, CsvOnly, required, timestamp;
    @server import_id, global_updated_at;
}

impl Assign<BTreeMap<String, CustomValue>> for BTreeMap<String, Option<CustomValue>> {
    fn assign(&self, custom_fields: &mut BTreeMap<String, CustomValue>) {
        for (name, value) in self {
            match value {
                Some(value) => drop(custom_fields.insert(name.clone(), value.clone())),
                None => drop(custom_fields.remove(name)),
            }
        }
    }
}

impl Record for LeadRecord {
    const NOUN: fn() -> Message = texts::lead;
    const REQUIRED: &'static [&'static str] = &[];
    const KEYS: &'static [&'static [&'static str]] = &[&["id"], &["original_identifier"]];
    const HAS_CUSTOM_FIELDS: bool = true;
    const RULES: &'static [Rule<Self>] = Self::FIELD_RULES;

    fn check(&self, mode: Option<WriteMode>, diagnostics: &mut Vec<Diagnostic>) {
        if mode.is_none() && self.id.is_none() && !matches!(self.original_identifier, Some(Some(_))) {
            diagnostics.push(Diagnostic {
                location: Location::Column("id".to_owned()),
                ..new_diagnostic("missing_identifier", texts::lead_identifier_required())
            });
        }
    }

    fn set_custom(&mut self, name: &str, value: Option<CustomValue>) {
        self.custom_fields.get_or_insert_default().insert(name.to_owned(), value);
    }
}

impl LeadRecord {
    /// Parses a JSON array of 1 to [`MAX_NEW_LEADS`] records for creation.
    ///
    /// # Errors
    /// All errors of the body, each with its JSON Pointer.
    pub fn array_from_json(text: &str) -> Result<Vec<Self>, Vec<Diagnostic>> {
        let records: Vec<Self> = body::parse_array(text, MAX_NEW_LEADS)?;
        let keys = records.iter().enumerate().flat_map(|(index, record)| {
            let identifier = record.original_identifier.clone().flatten();
            let keys = [("id", record.id.map(|id| id.to_string())), ("original_identifier", identifier)];
            keys.into_iter().filter_map(move |(name, key)| Some((index, name, key?)))
        });
        let mut first_indices = HashMap::new();
        let duplicate = |(index, name, key)| {
            let first = *first_indices.entry((name, key)).or_insert(index);
            let location = Location::Pointer(format!("/{index}/{name}"));
            let message = || texts::duplicate_value(first, format_name(name));
            (first != index).then(|| Diagnostic::new(location, "duplicate", message()))
        };
        let duplicates: Vec<_> = keys.filter_map(duplicate).take(MAX_DIAGNOSTICS).collect();
        if duplicates.is_empty() { Ok(records) } else { Err(duplicates) }
    }

    /// Returns the record with the types of the lead's stored custom fields. A CSV cell doesn't distinguish between the number `7` and the
    /// text `7`: if the lead has a number or boolean with the same text, that value is kept.
    pub fn with_stored_types(&self, lead: &Lead) -> Cow<'_, Self> {
        let retained = |(name, value): (&String, &Option<CustomValue>)| {
            let Some(CustomValue::Text(cell)) = value else { return None };
            let stored = lead.custom_fields.get(name)?;
            let is_text = matches!(stored, CustomValue::Text(_));
            (!is_text && custom_cell(stored) == cell.as_str()).then(|| (name.clone(), Some(stored.clone())))
        };
        let retained: Vec<_> = self.custom_fields.iter().flatten().filter_map(retained).collect();
        if retained.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut record = self.clone();
        record.custom_fields.get_or_insert_default().extend(retained);
        Cow::Owned(record)
    }

    /// Creates a lead. Times default to `now`.
    pub fn create(&self, id: LeadId, now: Timestamp) -> Lead {
        let updated_at = self.updated_at.unwrap_or(now);
        let created_at = created_at(self.created_at, updated_at, now);
        let mut lead = Lead { id, created_at, updated_at, global_updated_at: updated_at, ..Lead::default() };
        self.apply(&mut lead);
        lead
    }
}
