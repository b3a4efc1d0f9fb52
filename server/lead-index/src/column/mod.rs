//! Inverted index of one field: maps each value to the slots that have it.
//!
//! Columns don't map slots to values; the row of the lead does. A lead column covers the slots of all leads; a campaign column covers
//! the slots of the campaign's members.

mod custom;
mod dictionary;
mod small_set;
mod sorted_chunks;
mod text;

use std::ops::{Bound, RangeBounds};

use leadscribe_engine::filter::predicate::{Comparison, Test, Value};
use roaring::RoaringBitmap;

pub(crate) use custom::CustomColumn;
pub(crate) use small_set::SmallSet;
pub(crate) use text::TextColumn;

use crate::key::{self, KeyRange};
use crate::posting::Posting;
use crate::ranges::Ranges;
use crate::set::{self, Set, SlotCollector};

/// A value to add to or remove from a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Text(&'a str),
    /// Integer, number or time, as its key.
    Key(i64),
    /// Boolean.
    Flag(bool),
}

/// Values of a field.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    values: Values,
    /// Slots with a value, if the field is nullable.
    present: Option<RoaringBitmap>,
    /// Pushed slots, ascending; [`Self::finish`] converts them to a bitmap. Unused for texts and small sets, which record their slots.
    pushed_slots: Vec<u32>,
}

/// Values, in the representation that fits the field.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Texts(TextColumn),
    /// Keys that are mostly distinct.
    Ranges(Ranges<i64>),
    /// Keys with few distinct values.
    SmallSet(SmallSet<i64>),
    /// Slots whose value is true.
    Flags(RoaringBitmap),
}

/// All slots that a test applies to. The result of a test may contain others, which the caller removes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain<'a> {
    /// The slots.
    pub all: &'a RoaringBitmap,
    /// The slots that other tests have left, ascending, if they are few.
    pub candidates: Option<&'a [u32]>,
    /// Upper bound of the slots.
    pub slot_count: usize,
}

impl<'a> Domain<'a> {
    /// Set of all slots.
    pub fn set(&self) -> Set<'a> {
        self.candidates.map_or_else(|| Set::from_bitmap(self.all), Set::from_list)
    }

    /// Union of sets. Doesn't copy a set that is the only one with slots.
    pub fn union<'s>(&self, sets: impl Iterator<Item = Set<'s>>) -> Set<'s> {
        let mut sets = sets.filter(|set| !set.is_empty());
        let Some(first) = sets.next() else { return Set::EMPTY };
        let Some(second) = sets.next() else { return first };
        let mut collector = self.collector();
        [first, second].into_iter().chain(sets).for_each(|set| collector.add_set(&set));
        collector.finish()
    }

    /// Creates an empty collector.
    pub fn collector(&self) -> SlotCollector {
        SlotCollector::new(self.slot_count)
    }
}

impl Column {
    /// Creates an empty column.
    pub fn new(values: Values, nullable: bool) -> Self {
        Self { values, present: nullable.then(RoaringBitmap::new), pushed_slots: Vec::new() }
    }

    /// Values of the field.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Adds a value for the highest slot so far. Only while building; [`Self::finish`] completes the column.
    pub fn push(&mut self, cell: Cell<'_>, slot: u32) {
        match (&mut self.values, cell) {
            (Values::Texts(texts), Cell::Text(text)) => return texts.push(text, slot),
            (Values::SmallSet(small_set), Cell::Key(key)) => return small_set.push(key, slot),
            (Values::Ranges(ranges), Cell::Key(key)) => ranges.push(key, slot),
            (Values::Flags(flags), Cell::Flag(true)) => _ = flags.insert(slot),
            (Values::Flags(_), Cell::Flag(false)) => {}
            (_, cell) => unreachable!("a field has values of one kind, found {cell:?}"),
        }
        if self.present.is_some() {
            self.pushed_slots.push(slot);
        }
    }

    /// Completes the column after all values were pushed. Every slot is below `slot_count`.
    pub fn finish(&mut self, slot_count: usize) {
        let pushed_slots = std::mem::take(&mut self.pushed_slots);
        let set_present = |present: &mut Option<RoaringBitmap>, slots: &[u32]| {
            present.iter_mut().for_each(|present| *present = set::bitmap_of_ascending(slots));
        };
        match &mut self.values {
            Values::Texts(texts) => set_present(&mut self.present, texts.finish().slots()),
            Values::SmallSet(small_set) => set_present(&mut self.present, small_set.finish().slots()),
            Values::Ranges(ranges) => {
                ranges.finish(slot_count);
                set_present(&mut self.present, &pushed_slots);
            }
            Values::Flags(_) => set_present(&mut self.present, &pushed_slots),
        }
    }

    /// Adds a value for a slot that had none. Every slot is below `slot_count`.
    pub fn insert(&mut self, cell: Cell<'_>, slot: u32, slot_count: usize) {
        match (&mut self.values, cell) {
            (Values::Texts(texts), Cell::Text(text)) => texts.insert(text, slot),
            (Values::Ranges(ranges), Cell::Key(key)) => ranges.insert(key, slot, slot_count),
            (Values::SmallSet(small_set), Cell::Key(key)) => small_set.insert(key, slot),
            (Values::Flags(flags), Cell::Flag(true)) => _ = flags.insert(slot),
            (Values::Flags(_), Cell::Flag(false)) => {}
            (_, cell) => unreachable!("a field has values of one kind, found {cell:?}"),
        }
        self.present.iter_mut().for_each(|present| _ = present.insert(slot));
    }

    pub fn remove(&mut self, cell: Cell<'_>, slot: u32) {
        match (&mut self.values, cell) {
            (Values::Texts(texts), Cell::Text(text)) => texts.remove(text, slot),
            (Values::Ranges(ranges), Cell::Key(key)) => ranges.remove(key, slot),
            (Values::SmallSet(small_set), Cell::Key(key)) => small_set.remove(key, slot),
            (Values::Flags(flags), Cell::Flag(_)) => _ = flags.remove(slot),
            (_, cell) => unreachable!("a field has values of one kind, found {cell:?}"),
        }
        self.present.iter_mut().for_each(|present| _ = present.remove(slot));
    }

    /// Slots whose keys are in this range.
    pub fn slots_in_range<'a>(&'a self, range: KeyRange, domain: Domain<'a>) -> Set<'a> {
        match &self.values {
            _ if range.is_empty() => Set::EMPTY,
            Values::Ranges(ranges) => ranges.slots_in_range(&range, domain.slot_count),
            Values::SmallSet(small_set) => {
                let mut collector = domain.collector();
                if small_set.range(range).count() <= small_set.len() / 2 {
                    small_set.range(range).for_each(|(_, posting)| posting.collect_into(&mut collector));
                    return collector.finish();
                }
                // Most values are in the range, so collecting the others is faster.
                let others = small_set.iter().filter(|(key, _)| !range.contains(*key));
                others.for_each(|(_, posting)| posting.collect_into(&mut collector));
                self.present(domain).minus(&collector.finish())
            }
            Values::Texts(_) | Values::Flags(_) => Set::EMPTY,
        }
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Texts(texts) => texts.bytes(),
            Values::Ranges(ranges) => ranges.bytes(),
            Values::SmallSet(small_set) => small_set.bytes(),
            Values::Flags(flags) => crate::memory::bitmap_bytes(flags),
        };
        values + self.present.as_ref().map_or(0, crate::memory::bitmap_bytes)
    }
}

/// A column of a field, evaluated by the tests of a predicate.
pub(crate) trait FilterableColumn {
    /// Slots with a value.
    fn present<'a>(&'a self, domain: Domain<'a>) -> Set<'a>;
    /// Values that are texts.
    fn texts(&self) -> Option<&TextColumn>;
    /// Slots whose value is a text.
    fn slots_with_text<'a>(&'a self, domain: Domain<'a>) -> Set<'a>;
    fn slots_with_value<'a>(&'a self, value: &Value, domain: Domain<'a>) -> Set<'a>;
    /// Slots for which the comparison of their value with `value` holds. `value` isn't a text.
    fn slots_comparing<'a>(&'a self, comparison: Comparison, value: &Value, domain: Domain<'a>) -> Set<'a>;

    /// Slots without a value.
    fn absent<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        domain.set().minus(&self.present(domain))
    }

    /// Slots that pass a test.
    fn matching_slots<'a>(&'a self, test: &Test, domain: Domain<'a>) -> Set<'a> {
        match test {
            Test::In { values, includes_null } => self.slots_with_any_of(values, *includes_null, domain),
            Test::NotIn { values, includes_null } => {
                domain.set().minus(&self.slots_with_any_of(values, *includes_null, domain))
            }
            Test::IsNull(true) => self.absent(domain),
            Test::IsNull(false) => self.present(domain),
            Test::Compare(comparison, Value::Text(text)) => {
                let (start, end) = bounds(*comparison, text.as_str());
                self.collect_texts(domain, |texts, collector| texts.collect_range(start, end, collector))
            }
            Test::Compare(comparison, value) => self.slots_comparing(*comparison, value, domain),
            Test::Text(_, needle) if needle.is_empty() => self.slots_with_text(domain),
            Test::Text(mode, needle) => {
                self.collect_texts(domain, |texts, collector| texts.collect_matches(*mode, needle, collector))
            }
        }
    }

    /// Slots with one of these values.
    fn slots_with_any_of<'a>(&'a self, values: &[Value], includes_null: bool, domain: Domain<'a>) -> Set<'a> {
        if let ([value], false) = (values, includes_null) {
            return self.slots_with_value(value, domain);
        }
        let mut collector = domain.collector();
        values.iter().for_each(|value| collector.add_set(&self.slots_with_value(value, domain)));
        if includes_null {
            collector.add_set(&self.absent(domain));
        }
        collector.finish()
    }

    /// Slots that `collect` collects from the texts.
    fn collect_texts(&self, domain: Domain<'_>, collect: impl FnOnce(&TextColumn, &mut SlotCollector)) -> Set<'static> {
        let Some(texts) = self.texts() else { return Set::EMPTY };
        let mut collector = domain.collector();
        collect(texts, &mut collector);
        collector.finish()
    }
}

impl FilterableColumn for Column {
    fn present<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        self.present.as_ref().map_or(domain.set(), Set::from_bitmap)
    }

    fn absent<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        self.present.as_ref().map_or(Set::EMPTY, |present| domain.set().minus(&Set::from_bitmap(present)))
    }

    fn texts(&self) -> Option<&TextColumn> {
        if let Values::Texts(texts) = &self.values { Some(texts) } else { None }
    }

    fn slots_with_text<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        if self.texts().is_some() { self.present(domain) } else { Set::EMPTY }
    }

    fn slots_with_value<'a>(&'a self, value: &Value, domain: Domain<'a>) -> Set<'a> {
        match (&self.values, value) {
            (Values::Texts(texts), Value::Text(text)) => texts.slots_with_text(text),
            (Values::Flags(flags), Value::Boolean(true)) => Set::from_bitmap(flags),
            (Values::Flags(flags), Value::Boolean(false)) => domain.set().minus(&Set::from_bitmap(flags)),
            (Values::Ranges(_), value) => {
                key::from_value(value).map_or(Set::EMPTY, |key| self.slots_in_range(KeyRange::single(key), domain))
            }
            (Values::SmallSet(small_set), value) => {
                key::from_value(value).and_then(|key| small_set.get(key)).map_or(Set::EMPTY, Posting::set)
            }
            (Values::Texts(_) | Values::Flags(_), _) => Set::EMPTY,
        }
    }

    fn slots_comparing<'a>(&'a self, comparison: Comparison, value: &Value, domain: Domain<'a>) -> Set<'a> {
        self.slots_in_range(KeyRange::from_comparison(comparison, value), domain)
    }
}

/// Bounds of the values for which the comparison with this value holds.
fn bounds<V>(comparison: Comparison, value: V) -> (Bound<V>, Bound<V>) {
    match comparison {
        Comparison::Less => (Bound::Unbounded, Bound::Excluded(value)),
        Comparison::LessOrEqual => (Bound::Unbounded, Bound::Included(value)),
        Comparison::Greater => (Bound::Excluded(value), Bound::Unbounded),
        Comparison::GreaterOrEqual => (Bound::Included(value), Bound::Unbounded),
    }
}
