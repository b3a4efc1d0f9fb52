//! Whose a call is that names no lead: that of the one lead whose number it was with.

use std::collections::{BTreeMap, BTreeSet};

use leadscribe_engine::api::LeadId;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};
use leadscribe_engine::record::CallRecord;

use super::look_up_leads::leads_that;
use crate::phone::to_e164;
use crate::storage::Found;

/// Leads that are looked through for those with the numbers of a batch. Where more have them, nothing is told.
const MOST: usize = 10_000;

/// The numbers that calls were with, in E.164: one for each call that names no lead and says a valid one.
pub struct Numbers(Vec<Option<String>>);

impl Numbers {
    /// Those of calls. A number without `+` is one of `region`, an ISO 3166-1 alpha-2 code.
    pub fn of(records: &[CallRecord], region: Option<&str>) -> Self {
        Self(records.iter().map(|record| to_e164(other_end(record)?, None, region)).collect())
    }

    /// The look-up of the leads that have them; none where there are none.
    pub fn filter(&self) -> Option<CheckedFilter> {
        let numbers: BTreeSet<_> = self.0.iter().flatten().collect();
        let values: Vec<_> = numbers.into_iter().map(|number| Value::Text(number.clone())).collect();
        let one_of = |field| Predicate::Field(FieldRef::Known(field), Test::In { values: values.clone(), null: false });
        let either = || Predicate::Any([FieldId::PhoneNormalized, FieldId::PhoneNormalized2].map(one_of).to_vec());
        (!values.is_empty()).then(|| leads_that(either(), MOST))
    }

    /// Notes for each of the calls which lead it is likely to be of: the one that has its number. A number that several leads
    /// have tells nothing.
    pub fn note(&self, records: &mut [CallRecord], found: &Found) {
        if found.more {
            return;
        }
        let mut holders: BTreeMap<String, Option<LeadId>> = BTreeMap::new();
        for lead in found.leads.iter().map(|found| found.lead.to_lead()) {
            for number in [lead.phone_normalized, lead.phone_normalized2].into_iter().flatten() {
                let holder = holders.entry(number).or_insert(Some(lead.id));
                *holder = holder.filter(|other| *other == lead.id);
            }
        }
        for (record, number) in records.iter_mut().zip(&self.0) {
            record.likely_lead = number.as_ref().and_then(|number| *holders.get(number)?);
        }
    }
}

/// The number of whom a call was with, where the record is to be of a call that names no lead.
fn other_end(record: &CallRecord) -> Option<&str> {
    let number = record.direction?.of_lead(&record.caller_number, &record.callee_number);
    number.as_ref()?.as_deref().filter(|_| record.lead_id.is_none())
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::Direction;

    use super::*;

    #[test]
    fn the_number_of_the_other_end_counts() {
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
        let numbers = |region| Numbers::of(&calls, region).0;
        let abroad = Some("+442079460018".to_owned());
        assert_eq!(numbers(None), [None, abroad.clone(), None, None]);
        assert_eq!(numbers(Some("DE")), [Some("+4930901820".to_owned()), abroad, None, None]);
        assert!(Numbers::of(&calls[2..], None).filter().is_none());
    }
}
