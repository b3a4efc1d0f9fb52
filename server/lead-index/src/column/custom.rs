//! Values of a custom field, whose type may differ between leads.

use leadscribe_engine::api::CustomValue;
use leadscribe_engine::filter::predicate::{Comparison, Value};
use roaring::RoaringBitmap;

use super::text::TextColumn;
use super::{Domain, FilterableColumn, SmallSet, bounds};
use crate::key::CustomNumber;
use crate::posting::Posting;
use crate::set::{self, Set};

/// Values of a custom field. Numbers are compared with numbers, texts with texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct CustomColumn {
    texts: TextColumn,
    numbers: SmallSet<CustomNumber>,
    false_slots: RoaringBitmap,
    true_slots: RoaringBitmap,
    present_slots: RoaringBitmap,
    /// Pushed slots, ascending, until [`Self::finish`] converts them to a bitmap.
    pushed_slots: Vec<u32>,
}

impl CustomColumn {
    /// Adds a value for the highest slot so far. Only while building; [`Self::finish`] completes the column.
    pub fn push(&mut self, value: &CustomValue, slot: u32) {
        match value {
            CustomValue::Text(text) => self.texts.push(text, slot),
            CustomValue::Integer(_) | CustomValue::Number(_) => self.numbers.push(stored_key(value), slot),
            CustomValue::Bool(false) => _ = self.false_slots.insert(slot),
            CustomValue::Bool(true) => _ = self.true_slots.insert(slot),
        }
        self.pushed_slots.push(slot);
    }

    /// Completes the column after all values were pushed.
    pub fn finish(&mut self) {
        self.texts.finish();
        self.numbers.finish();
        self.present_slots = set::bitmap_of_ascending(&std::mem::take(&mut self.pushed_slots));
    }

    /// Adds a value for a slot that had none.
    pub fn insert(&mut self, value: &CustomValue, slot: u32) {
        match value {
            CustomValue::Text(text) => self.texts.insert(text, slot),
            CustomValue::Integer(_) | CustomValue::Number(_) => self.numbers.insert(stored_key(value), slot),
            CustomValue::Bool(false) => _ = self.false_slots.insert(slot),
            CustomValue::Bool(true) => _ = self.true_slots.insert(slot),
        }
        self.present_slots.insert(slot);
    }

    pub fn remove(&mut self, value: &CustomValue, slot: u32) {
        match value {
            CustomValue::Text(text) => self.texts.remove(text, slot),
            CustomValue::Integer(_) | CustomValue::Number(_) => self.numbers.remove(stored_key(value), slot),
            CustomValue::Bool(false) => _ = self.false_slots.remove(slot),
            CustomValue::Bool(true) => _ = self.true_slots.remove(slot),
        }
        self.present_slots.remove(slot);
    }

    /// True if no slot has a value.
    pub fn is_empty(&self) -> bool {
        self.present_slots.is_empty()
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let bitmaps =
            [&self.false_slots, &self.true_slots, &self.present_slots].into_iter().map(crate::memory::bitmap_bytes);
        self.texts.bytes() + self.numbers.bytes() + bitmaps.sum::<usize>()
    }
}

impl FilterableColumn for CustomColumn {
    fn present<'a>(&'a self, _domain: Domain<'a>) -> Set<'a> {
        Set::from_bitmap(&self.present_slots)
    }

    fn texts(&self) -> Option<&TextColumn> {
        Some(&self.texts)
    }

    fn slots_with_text<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        domain.union(self.texts.groups(false, None))
    }

    fn slots_with_value<'a>(&'a self, value: &Value, _domain: Domain<'a>) -> Set<'a> {
        match value {
            Value::Text(text) => self.texts.slots_with_text(text),
            Value::Integer(_) | Value::Number(_) => self.numbers.get(query_key(value)).map_or(Set::EMPTY, Posting::set),
            Value::Boolean(false) => Set::from_bitmap(&self.false_slots),
            Value::Boolean(true) => Set::from_bitmap(&self.true_slots),
            Value::Time(_) => Set::EMPTY,
        }
    }

    fn slots_comparing<'a>(&'a self, comparison: Comparison, value: &Value, domain: Domain<'a>) -> Set<'a> {
        if !matches!(value, Value::Integer(_) | Value::Number(_)) {
            return Set::EMPTY;
        }
        let in_range = self.numbers.range(bounds(comparison, query_key(value)));
        let mut collector = domain.collector();
        in_range.for_each(|(_, posting)| posting.collect_into(&mut collector));
        collector.finish()
    }
}

fn stored_key(value: &CustomValue) -> CustomNumber {
    match value {
        CustomValue::Integer(integer) => CustomNumber::from_integer(*integer),
        CustomValue::Number(number) => CustomNumber::from_number(*number),
        CustomValue::Bool(_) | CustomValue::Text(_) => unreachable!("not a number"),
    }
}

/// Key of a number to compare with.
fn query_key(value: &Value) -> CustomNumber {
    match value {
        Value::Integer(integer) => CustomNumber::from_integer(*integer),
        Value::Number(number) => CustomNumber::from_number(*number),
        Value::Text(_) | Value::Boolean(_) | Value::Time(_) => unreachable!("not a number"),
    }
}
