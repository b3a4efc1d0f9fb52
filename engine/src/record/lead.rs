//! Records of leads.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::cell::custom_cell;
use super::custom::custom_fields;
use super::rule::{Access, Record, Rule, apply, rules};
use super::value::{
    MAX_LONG_TEXT_CHARS, MAX_NAME_CHARS, MAX_PHONE_CHARS, boolean, country, date, degrees, e164, email, lines, number,
    own_id, phone, text, time_zone, timestamp,
};
use super::{WriteMode, created_at};
#[cfg(feature = "openapi")]
use crate::api::ImportId;
use crate::api::{CustomValue, Lead, LeadId, Timestamp};
use crate::diagnostic::{Diagnostic, Message, Place, catalog::record as texts, new_diagnostic};

/// A record for creating or changing a lead. `None` leaves a field unchanged; `Some(None)` removes its value. Of `custom_fields`, only the
/// named ones change.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the thing itself")]
pub struct LeadRecord {
    pub id: Option<LeadId>,
    pub first_name: Option<Option<String>>,
    pub last_name: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub phone2: Option<Option<String>>,
    pub phone_normalized: Option<Option<String>>,
    pub phone_normalized2: Option<Option<String>>,
    pub email: Option<Option<String>>,
    pub address1: Option<Option<String>>,
    pub address2: Option<Option<String>>,
    pub city: Option<Option<String>>,
    pub state: Option<Option<String>>,
    pub zip: Option<Option<String>>,
    pub country: Option<Option<String>>,
    pub timezone: Option<Option<String>>,
    pub lat: Option<Option<f64>>,
    pub lng: Option<Option<f64>>,
    pub original_identifier: Option<Option<String>>,
    pub support_site: Option<Option<String>>,
    pub purchase_site: Option<Option<String>>,
    pub purchase_date: Option<Option<NaiveDate>>,
    pub purchase_amount: Option<Option<f64>>,
    pub purchase_product_name: Option<Option<String>>,
    pub birthdate: Option<Option<NaiveDate>>,
    pub do_not_call: Option<bool>,
    pub blacklisted: Option<bool>,
    pub custom_fields: Option<BTreeMap<String, Option<CustomValue>>>,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
}

/// Maximum amount of a purchase, positive or negative.
const MAX_AMOUNT: f64 = 1e12;

impl Record for LeadRecord {
    const NOUN: fn() -> Message = texts::lead;
    const REQUIRED: &'static [&'static str] = &[];
    const KEYS: &'static [&'static [&'static str]] = &[&["id"], &["original_identifier"]];
    const HAS_CUSTOM_FIELDS: bool = true;
    const RULES: &'static [Rule<Self>] = rules! { LeadRecord:
        id: CreateOnly, required, own_id(LeadId);
        first_name: Writable, optional, text(MAX_NAME_CHARS);
        last_name: Writable, optional, text(MAX_NAME_CHARS);
        phone: Writable, optional, phone;
        phone2: Writable, optional, phone;
        phone_normalized: Writable, optional, e164;
        phone_normalized2: Writable, optional, e164;
        email: Writable, optional, email;
        address1: Writable, optional, lines(MAX_LONG_TEXT_CHARS);
        address2: Writable, optional, lines(MAX_LONG_TEXT_CHARS);
        city: Writable, optional, text(MAX_NAME_CHARS);
        state: Writable, optional, text(MAX_NAME_CHARS);
        zip: Writable, optional, text(MAX_PHONE_CHARS);
        country: Writable, optional, country;
        timezone: Writable, optional, time_zone;
        lat: Writable, optional, degrees(-90.0, 90.0);
        lng: Writable, optional, degrees(-180.0, 180.0);
        original_identifier: Writable, optional, text(MAX_NAME_CHARS);
        support_site: Writable, optional, text(MAX_NAME_CHARS);
        purchase_site: Writable, optional, text(MAX_NAME_CHARS);
        purchase_date: Writable, optional, date;
        purchase_amount: Writable, optional, number(-MAX_AMOUNT, MAX_AMOUNT);
        purchase_product_name: Writable, optional, text(MAX_LONG_TEXT_CHARS);
        birthdate: Writable, optional, date;
        do_not_call: Writable, required, boolean;
        blacklisted: Writable, required, boolean;
        import_id: ServerManaged, optional, id(ImportId);
        custom_fields: Writable, required in [], custom_fields;
        created_at: CsvOnly, required, timestamp;
        updated_at: CsvOnly, required, timestamp;
        global_updated_at: ServerManaged, required, timestamp;
    };

    fn check(&self, form: Option<WriteMode>, diagnostics: &mut Vec<Diagnostic>) {
        if form.is_none() && self.id.is_none() && !matches!(self.original_identifier, Some(Some(_))) {
            diagnostics.push(Diagnostic {
                place: Place::Column("id".to_owned()),
                ..new_diagnostic("no_key", texts::which_lead())
            });
        }
    }

    fn set_custom(&mut self, name: &str, value: Option<CustomValue>) {
        self.custom_fields.get_or_insert_default().insert(name.to_owned(), value);
    }
}

impl LeadRecord {
    /// Applies the record to a lead, including `created_at` and `updated_at`. If the record has no `updated_at`, the store sets it when
    /// something changed.
    pub fn apply(&self, lead: &mut Lead) {
        apply!(self => lead: first_name, last_name, phone, phone2, phone_normalized, phone_normalized2, email, address1,
            address2, city, state, zip, country, timezone, lat, lng, original_identifier, support_site, purchase_site,
            purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted, created_at,
            updated_at);
        for (name, value) in self.custom_fields.iter().flatten() {
            match value {
                Some(value) => drop(lead.custom_fields.insert(name.clone(), value.clone())),
                None => drop(lead.custom_fields.remove(name)),
            }
        }
    }

    /// Returns the record of a file's row with the types of the lead's custom fields. A cell doesn't distinguish between the number and the
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
        let mut lead = Lead {
            id,
            first_name: None,
            last_name: None,
            phone: None,
            phone2: None,
            phone_normalized: None,
            phone_normalized2: None,
            email: None,
            address1: None,
            address2: None,
            city: None,
            state: None,
            zip: None,
            country: None,
            timezone: None,
            lat: None,
            lng: None,
            original_identifier: None,
            support_site: None,
            purchase_site: None,
            purchase_date: None,
            purchase_amount: None,
            purchase_product_name: None,
            birthdate: None,
            do_not_call: false,
            blacklisted: false,
            import_id: None,
            custom_fields: BTreeMap::new(),
            created_at: created_at(self.created_at, updated_at, now),
            updated_at,
            global_updated_at: updated_at,
        };
        self.apply(&mut lead);
        lead
    }
}
