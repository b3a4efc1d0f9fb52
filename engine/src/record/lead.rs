//! Records of leads.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::cell::custom_cell;
use super::custom::custom_fields;
use super::rule::{Access, Record, Rule, apply, record_forms, rules};
use super::value::{
    LONG, NAME, PHONE, boolean, country, date, degrees, e164, email, lines, moment, number, own_id, phone, text,
    time_zone,
};
use super::{Form, created_at};
#[cfg(feature = "openapi")]
use crate::api::ImportId;
use crate::api::{CustomValue, Lead, LeadId, Timestamp};
use crate::diagnostic::{Diagnostic, Message, Place, catalog::record as texts, fault};

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

record_forms!(LeadRecord);

/// Maximum amount of a purchase, positive or negative.
const MAX_AMOUNT: f64 = 1e12;

impl Record for LeadRecord {
    const THING: fn() -> Message = texts::lead;
    const REQUIRED: &'static [&'static str] = &[];
    const KEYS: &'static [&'static [&'static str]] = &[&["id"], &["original_identifier"]];
    const HAS_CUSTOM_FIELDS: bool = true;
    const RULES: &'static [Rule<Self>] = rules! { LeadRecord:
        id: Fixed, required, own_id(LeadId);
        first_name: Open, optional, text(NAME);
        last_name: Open, optional, text(NAME);
        phone: Open, optional, phone;
        phone2: Open, optional, phone;
        phone_normalized: Open, optional, e164;
        phone_normalized2: Open, optional, e164;
        email: Open, optional, email;
        address1: Open, optional, lines(LONG);
        address2: Open, optional, lines(LONG);
        city: Open, optional, text(NAME);
        state: Open, optional, text(NAME);
        zip: Open, optional, text(PHONE);
        country: Open, optional, country;
        timezone: Open, optional, time_zone;
        lat: Open, optional, degrees(-90.0, 90.0);
        lng: Open, optional, degrees(-180.0, 180.0);
        original_identifier: Open, optional, text(NAME);
        support_site: Open, optional, text(NAME);
        purchase_site: Open, optional, text(NAME);
        purchase_date: Open, optional, date;
        purchase_amount: Open, optional, number(-MAX_AMOUNT, MAX_AMOUNT);
        purchase_product_name: Open, optional, text(LONG);
        birthdate: Open, optional, date;
        do_not_call: Open, required, boolean;
        blacklisted: Open, required, boolean;
        import_id: Kept, optional, id(ImportId);
        custom_fields: Open, required in [], custom_fields;
        created_at: Csv, required, moment;
        updated_at: Csv, required, moment;
        global_updated_at: Kept, required, moment;
    };

    fn check(&self, form: Option<Form>, faults: &mut Vec<Diagnostic>) {
        if form.is_none() && self.id.is_none() && !matches!(self.original_identifier, Some(Some(_))) {
            faults.push(Diagnostic { place: Place::Column("id".to_owned()), ..fault("no_key", texts::which_lead()) });
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
    pub fn with_types_of(&self, lead: &Lead) -> Cow<'_, Self> {
        let kept = |(name, value): (&String, &Option<CustomValue>)| {
            let Some(CustomValue::Text(cell)) = value else { return None };
            let stored = lead.custom_fields.get(name)?;
            let is_text = matches!(stored, CustomValue::Text(_));
            (!is_text && custom_cell(stored) == cell.as_str()).then(|| (name.clone(), Some(stored.clone())))
        };
        let kept: Vec<_> = self.custom_fields.iter().flatten().filter_map(kept).collect();
        if kept.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut record = self.clone();
        record.custom_fields.get_or_insert_default().extend(kept);
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
