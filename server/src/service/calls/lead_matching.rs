//! Matches calls to leads by phone number. Applies to calls that name no lead.

use std::collections::{BTreeMap, BTreeSet};

use leadscribe_engine::api::LeadId;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};
use leadscribe_engine::record::CallRecord;

use crate::phone::to_e164;
use crate::service::leads::lead_lookup::first_leads_filter;
use crate::storage::LookupResult;

/// Maximum number of leads read to match a batch of calls. If more leads have the numbers, no call is matched.
const MAX_CANDIDATE_LEADS: usize = 10_000;

/// Phone numbers of the other party in E.164, one for each call without a lead and with a valid number.
pub struct CallNumbers(Vec<Option<String>>);

impl CallNumbers {
    /// Reads the numbers of calls. `region` (ISO 3166-1 alpha-2) is the default country.
    pub fn from_calls(records: &[CallRecord], region: Option<&str>) -> Self {
        Self(records.iter().map(|record| to_e164(other_party_number(record)?, None, region)).collect())
    }

    /// Returns the filter for leads with these numbers; `None` if there are no numbers.
    pub fn filter(&self) -> Option<CheckedFilter> {
        let numbers: BTreeSet<_> = self.0.iter().flatten().collect();
        let values: Vec<_> = numbers.into_iter().map(|number| Value::Text(number.clone())).collect();
        let one_of = |field| {
            Predicate::Field(FieldRef::Builtin(field), Test::In { values: values.clone(), includes_null: false })
        };
        let has_any_number =
            || Predicate::Any([FieldId::PhoneNormalized, FieldId::PhoneNormalized2].map(one_of).to_vec());
        (!values.is_empty()).then(|| first_leads_filter(has_any_number(), MAX_CANDIDATE_LEADS))
    }

    /// Sets the fallback lead of each call: the only lead with its number. Numbers shared by several leads are ignored.
    pub fn assign_fallback_leads(&self, records: &mut [CallRecord], page: &LookupResult) {
        if page.has_more {
            return;
        }
        let mut leads_by_number: BTreeMap<String, Option<LeadId>> = BTreeMap::new();
        for lead in page.leads.iter().map(|entry| entry.lead.to_lead()) {
            for number in [lead.phone_normalized, lead.phone_normalized2].into_iter().flatten() {
                let unique_lead = leads_by_number.entry(number).or_insert(Some(lead.id));
                *unique_lead = unique_lead.filter(|other| *other == lead.id);
            }
        }
        for (record, number) in records.iter_mut().zip(&self.0) {
            record.fallback_lead_id = number.as_ref().and_then(|number| *leads_by_number.get(number)?);
        }
    }
}

/// Returns the number of the other party, if the record names no lead.
fn other_party_number(record: &CallRecord) -> Option<&str> {
    let number = record.direction?.lead_side(&record.caller_number, &record.callee_number);
    number.as_ref()?.as_deref().filter(|_| record.lead_id.is_none())
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::Direction;

    use super::*;

    #[test]
    fn matches_number_of_the_other_party() {
        let call = |direction, lead_id| CallRecord {
            direction: Some(direction),
            caller_number: Some(Some("030 901820".to_owned())),
            callee_number: Some(Some("+442079460018".to_owned())),
            lead_id,
            ..CallRecord::default()
        };
        let calls = [
            call(Direction::Inbound, None),
            call(Direction::Outbound, None),
            call(Direction::Outbound, Some(None)),
            CallRecord::default(),
        ];
        let numbers = |region| CallNumbers::from_calls(&calls, region).0;
        let abroad = Some("+442079460018".to_owned());
        assert_eq!(numbers(None), [None, abroad.clone(), None, None]);
        assert_eq!(numbers(Some("DE")), [Some("+4930901820".to_owned()), abroad, None, None]);
        assert!(CallNumbers::from_calls(&calls[2..], None).filter().is_none());
    }
}
