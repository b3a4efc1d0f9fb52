//! The answers of look-ups, with all members of a lead or those asked for, written straight to bytes.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, Lead};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::service::look_up_leads::LeadsFound;

/// The answer of the extended look-up.
pub struct Extended<'a>(pub &'a LeadsFound);

/// The answer of the basic look-up.
pub struct Basic<'a>(pub &'a LeadsFound);

impl Serialize for Extended<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0.fields {
            None => self.0.page.serialize(to),
            Some(fields) => page(self.0, to, |lead| Projected { lead, fields, campaigns: true }),
        }
    }
}

impl Serialize for Basic<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0.fields {
            None => page(self.0, to, |lead| &lead.lead),
            Some(fields) => page(self.0, to, |lead| Projected { lead, fields, campaigns: false }),
        }
    }
}

/// A page whose leads are shown as `shown` says.
fn page<'a, S: Serializer, T: Serialize>(
    found: &'a LeadsFound,
    to: S,
    shown: impl Fn(&'a ExtendedLead) -> T,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    map.serialize_entry("leads", &Each(&found.page.leads, shown))?;
    map.serialize_entry("total_leads", &found.page.total_leads)?;
    if let Some(cursor) = &found.page.next_cursor {
        map.serialize_entry("next_cursor", cursor)?;
    }
    map.end()
}

/// Leads, each as the function shows it.
struct Each<'a, F>(&'a [ExtendedLead], F);

impl<'a, T: Serialize, F: Fn(&'a ExtendedLead) -> T> Serialize for Each<'a, F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(self.0.len()))?;
        for lead in self.0 {
            list.serialize_element(&(self.1)(lead))?;
        }
        list.end()
    }
}

/// A lead with those members that are asked for.
struct Projected<'a> {
    lead: &'a ExtendedLead,
    fields: &'a BTreeSet<String>,
    /// Whether the members of the extended look-up are there to be asked for.
    campaigns: bool,
}

/// Writes the named members that are asked for.
macro_rules! members {
    ($map:ident, $fields:expr, $from:expr; $($member:ident),+ $(,)?) => {
        $(if $fields.contains(stringify!($member)) {
            $map.serialize_entry(stringify!($member), &$from.$member)?;
        })+
    };
}

impl Serialize for Projected<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let lead: &Lead = &self.lead.lead;
        let mut map = to.serialize_map(None)?;
        members!(map, self.fields, lead;
            id, first_name, last_name, phone, phone2, phone_normalized, phone_normalized2, email, address1, address2,
            city, state, zip, country, timezone, lat, lng, original_identifier, support_site, purchase_site,
            purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted, custom_fields,
            created_at, updated_at, global_updated_at);
        if self.campaigns {
            members!(map, self.fields, self.lead; campaigns, not_callable_reasons);
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{ExtendedLeadsResponse, LeadId, Timestamp};
    use leadscribe_engine::filter;
    use leadscribe_engine::record::LeadRecord;
    use serde_json::{Value, json};

    use super::*;

    fn found(fields: Option<BTreeSet<String>>) -> LeadsFound {
        let record = LeadRecord { first_name: Some(Some("Ada".to_owned())), ..LeadRecord::default() };
        let lead = record.create(LeadId(7), Timestamp::UNIX_EPOCH);
        let lead = ExtendedLead { lead, campaigns: Vec::new(), not_callable_reasons: Vec::new() };
        let page = ExtendedLeadsResponse { leads: vec![lead], total_leads: 3, next_cursor: Some("abc".to_owned()) };
        LeadsFound { page, fields }
    }

    fn value(answer: impl Serialize) -> Value {
        serde_json::to_value(answer).unwrap()
    }

    #[test]
    fn every_member_can_be_asked_for() {
        let all = filter::members().map(str::to_owned).collect();
        assert_eq!(value(Extended(&found(Some(all)))), value(Extended(&found(None))));
    }

    #[test]
    fn only_what_is_asked_for_is_answered() {
        let fields = BTreeSet::from(["id".to_owned(), "first_name".to_owned(), "campaigns".to_owned()]);
        let page = |lead| json!({ "leads": [lead], "total_leads": 3, "next_cursor": "abc" });
        let projected = found(Some(fields));
        let extended = json!({ "id": 7, "first_name": "Ada", "campaigns": [] });
        assert_eq!(value(Extended(&projected)), page(extended));
        assert_eq!(value(Basic(&projected)), page(json!({ "id": 7, "first_name": "Ada" })));
        assert_eq!(value(Basic(&found(None)))["leads"][0].get("campaigns"), None);
    }
}
