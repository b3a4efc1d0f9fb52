//! Values of a custom field, whose type may differ between leads.

use leadscribe_engine::api::CustomValue;
use leadscribe_engine::filter::predicate::{Test, Value};
use roaring::RoaringBitmap;

use super::text::Texts;
use super::{Domain, Few, bounds};
use crate::key::CustomNumber;
use crate::posting::{self, Posting};
use crate::set::{Gather, Set};

/// Values of a custom field. Numbers are compared with numbers, texts with texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct CustomColumn {
    texts: Texts,
    numbers: Few<CustomNumber>,
    no: RoaringBitmap,
    yes: RoaringBitmap,
    present: RoaringBitmap,
    /// Pushed slots, ascending, until [`Self::finish`] converts them to a bitmap.
    pushed: Vec<u32>,
}

impl CustomColumn {
    /// Adds a value for the highest slot so far. Only while building; [`Self::finish`] completes the column.
    pub fn push(&mut self, value: &CustomValue, slot: u32) {
        match value {
            CustomValue::Text(text) => self.texts.push(text, slot),
            CustomValue::Integer(_) | CustomValue::Number(_) => self.numbers.push(number(value), slot),
            CustomValue::Bool(false) => _ = self.no.insert(slot),
            CustomValue::Bool(true) => _ = self.yes.insert(slot),
        }
        self.pushed.push(slot);
    }

    /// Completes the column after all values were pushed.
    pub fn finish(&mut self) {
        self.texts.finish();
        self.numbers.finish();
        self.present = posting::ascending(&std::mem::take(&mut self.pushed));
    }

    /// Adds a value for a slot that had none.
    pub fn insert(&mut self, value: &CustomValue, slot: u32) {
        match value {
            CustomValue::Text(text) => self.texts.insert(text, slot),
            CustomValue::Integer(_) | CustomValue::Number(_) => self.numbers.insert(number(value), slot),
            CustomValue::Bool(false) => _ = self.no.insert(slot),
            CustomValue::Bool(true) => _ = self.yes.insert(slot),
        }
        self.present.insert(slot);
    }

    /// Removes the value of a slot.
    pub fn remove(&mut self, value: &CustomValue, slot: u32) {
        match value {
            CustomValue::Text(text) => self.texts.remove(text, slot),
            CustomValue::Integer(_) | CustomValue::Number(_) => self.numbers.remove(number(value), slot),
            CustomValue::Bool(false) => _ = self.no.remove(slot),
            CustomValue::Bool(true) => _ = self.yes.remove(slot),
        }
        self.present.remove(slot);
    }

    /// Values that are texts.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// True if no slot has a value.
    pub fn is_empty(&self) -> bool {
        self.present.is_empty()
    }

    /// Slots that pass a test.
    pub fn passing<'a>(&'a self, test: &Test, domain: Domain<'a>) -> Set<'a> {
        match test {
            Test::In { values, null } => self.one_of(values, *null, domain),
            Test::NotIn { values, null } => domain.set().minus(&self.one_of(values, *null, domain)),
            Test::IsNull(true) => domain.set().minus(&Set::of(&self.present)),
            Test::IsNull(false) => Set::of(&self.present),
            Test::Compare(comparison, value) => self.gathered(domain, |gather| match value {
                Value::Text(text) => {
                    let (from, till) = bounds(*comparison, text.as_str());
                    self.texts.within(from, till, gather);
                }
                Value::Integer(_) | Value::Number(_) => {
                    let within = self.numbers.range(bounds(*comparison, asked(value)));
                    within.for_each(|(_, posting)| posting.gather(gather));
                }
                Value::Boolean(_) | Value::Time(_) => {}
            }),
            Test::Text(place, part) => self.gathered(domain, |gather| match part.is_empty() {
                true => self.texts.groups(false, None).for_each(|group| gather.add_set(&group)),
                false => self.texts.search(*place, part, gather),
            }),
        }
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let flags = [&self.no, &self.yes, &self.present].into_iter().map(crate::memory::of_bitmap);
        self.texts.bytes() + self.numbers.bytes() + flags.sum::<usize>()
    }

    fn one_of<'a>(&'a self, values: &[Value], null: bool, domain: Domain<'a>) -> Set<'a> {
        match (values, null) {
            ([value], false) => self.equal(value),
            _ => self.gathered(domain, |gather| {
                values.iter().for_each(|value| gather.add_set(&self.equal(value)));
                if null {
                    gather.add_set(&domain.set().minus(&Set::of(&self.present)));
                }
            }),
        }
    }

    fn equal(&self, value: &Value) -> Set<'_> {
        match value {
            Value::Text(text) => self.texts.equal(text),
            Value::Integer(_) | Value::Number(_) => self.numbers.get(asked(value)).map_or(Set::EMPTY, Posting::set),
            Value::Boolean(false) => Set::of(&self.no),
            Value::Boolean(true) => Set::of(&self.yes),
            Value::Time(_) => Set::EMPTY,
        }
    }

    fn gathered(&self, domain: Domain<'_>, gather_into: impl FnOnce(&mut Gather)) -> Set<'static> {
        let mut gather = domain.gather();
        gather_into(&mut gather);
        gather.finish()
    }
}

/// Key of a stored number.
fn number(value: &CustomValue) -> CustomNumber {
    match value {
        CustomValue::Integer(integer) => CustomNumber::of_integer(*integer),
        CustomValue::Number(number) => CustomNumber::of_number(*number),
        CustomValue::Bool(_) | CustomValue::Text(_) => unreachable!("only numbers are asked for"),
    }
}

/// Key of a number to compare with.
fn asked(value: &Value) -> CustomNumber {
    match value {
        Value::Integer(integer) => CustomNumber::of_integer(*integer),
        Value::Number(number) => CustomNumber::of_number(*number),
        Value::Text(_) | Value::Boolean(_) | Value::Time(_) => unreachable!("only numbers are asked for"),
    }
}
