//! The values of one field over all slots, the other way round: from a value to the slots that have it.
//!
//! Nothing here leads from a slot to its value; that stands in the lead's row. A column of leads has the slots of all
//! leads, one of a campaign's leads those of its members.

mod custom;
mod dictionary;
mod few;
mod sort;
mod sorted;
mod text;

use std::ops::{Bound, RangeBounds};

use leadscribe_engine::filter::predicate::{Comparison, Test, Value};
use roaring::RoaringBitmap;

pub(crate) use custom::CustomColumn;
pub(crate) use few::Few;
pub(crate) use text::Texts;

use crate::key::{self, Span};
use crate::posting::{self, Posting};
use crate::ranges::Ranges;
use crate::set::{Gather, Set};

/// A value on its way into or out of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// A text.
    Text(&'a str),
    /// A whole number, number or time, as its key.
    Key(i64),
    /// True or false.
    Flag(bool),
}

/// The values of a field.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    values: Values,
    /// The slots that have a value, where not all have one.
    present: Option<RoaringBitmap>,
    /// The slots that were pushed, ascending, until [`Self::finish`] makes a bitmap of them; where the values in the making
    /// don't have them.
    pushed: Vec<u32>,
}

/// The values, in the form that fits the field.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// Texts.
    Texts(Texts),
    /// Keys that are mostly different.
    Ranges(Ranges<i64>),
    /// Keys of which there are few.
    Few(Few<i64>),
    /// The slots where it is true.
    Flags(RoaringBitmap),
}

/// All slots that a test is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain<'a> {
    /// The slots.
    pub all: &'a RoaringBitmap,
    /// Every slot is below.
    pub slots: usize,
}

impl<'a> Domain<'a> {
    /// All of them.
    pub fn set(&self) -> Set<'a> {
        Set::of(self.all)
    }

    /// None gathered yet.
    pub fn gather(&self) -> Gather {
        Gather::new(self.slots)
    }
}

impl Column {
    /// Without any value.
    pub fn new(values: Values, nullable: bool) -> Self {
        Self { values, present: nullable.then(RoaringBitmap::new), pushed: Vec::new() }
    }

    /// The values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// A slot above all others has this value; for a column in the making, which [`Self::finish`] completes.
    pub fn push(&mut self, cell: Cell<'_>, slot: u32) {
        match (&mut self.values, cell) {
            (Values::Texts(texts), Cell::Text(text)) => return texts.push(text, slot),
            (Values::Few(few), Cell::Key(key)) => return few.push(key, slot),
            (Values::Ranges(ranges), Cell::Key(key)) => ranges.push(key, slot),
            (Values::Flags(flags), Cell::Flag(true)) => _ = flags.insert(slot),
            (Values::Flags(_), Cell::Flag(false)) => {}
            (_, cell) => unreachable!("a field has values of one kind, found {cell:?}"),
        }
        if self.present.is_some() {
            self.pushed.push(slot);
        }
    }

    /// Completes a column after all was pushed. Every slot is below `slots`.
    pub fn finish(&mut self, slots: usize) {
        let pushed = std::mem::take(&mut self.pushed);
        let set_present = |present: &mut Option<RoaringBitmap>, slots: &[u32]| {
            present.iter_mut().for_each(|present| *present = posting::ascending(slots));
        };
        match &mut self.values {
            Values::Texts(texts) => set_present(&mut self.present, texts.finish().slots()),
            Values::Few(few) => set_present(&mut self.present, few.finish().slots()),
            Values::Ranges(ranges) => {
                ranges.finish(slots);
                set_present(&mut self.present, &pushed);
            }
            Values::Flags(_) => set_present(&mut self.present, &pushed),
        }
    }

    /// A slot, which had none, has this value. Every slot is below `slots`.
    pub fn insert(&mut self, cell: Cell<'_>, slot: u32, slots: usize) {
        match (&mut self.values, cell) {
            (Values::Texts(texts), Cell::Text(text)) => texts.insert(text, slot),
            (Values::Ranges(ranges), Cell::Key(key)) => ranges.insert(key, slot, slots),
            (Values::Few(few), Cell::Key(key)) => few.insert(key, slot),
            (Values::Flags(flags), Cell::Flag(true)) => _ = flags.insert(slot),
            (Values::Flags(_), Cell::Flag(false)) => {}
            (_, cell) => unreachable!("a field has values of one kind, found {cell:?}"),
        }
        self.present.iter_mut().for_each(|present| _ = present.insert(slot));
    }

    /// A slot no longer has this value, which it had.
    pub fn remove(&mut self, cell: Cell<'_>, slot: u32) {
        match (&mut self.values, cell) {
            (Values::Texts(texts), Cell::Text(text)) => texts.remove(text, slot),
            (Values::Ranges(ranges), Cell::Key(key)) => ranges.remove(key, slot),
            (Values::Few(few), Cell::Key(key)) => few.remove(key, slot),
            (Values::Flags(flags), Cell::Flag(_)) => _ = flags.remove(slot),
            (_, cell) => unreachable!("a field has values of one kind, found {cell:?}"),
        }
        self.present.iter_mut().for_each(|present| _ = present.remove(slot));
    }

    /// The slots that have a value.
    pub fn present<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        self.present.as_ref().map_or(domain.set(), Set::of)
    }

    /// The slots that have none.
    pub fn absent<'a>(&'a self, domain: Domain<'a>) -> Set<'a> {
        self.present.as_ref().map_or(Set::EMPTY, |present| domain.set().minus(&Set::of(present)))
    }

    /// The slots that pass a test.
    pub fn passing<'a>(&'a self, test: &Test, domain: Domain<'a>) -> Set<'a> {
        match test {
            Test::In { values, null } => self.one_of(values, *null, domain),
            Test::NotIn { values, null } => domain.set().minus(&self.one_of(values, *null, domain)),
            Test::IsNull(true) => self.absent(domain),
            Test::IsNull(false) => self.present(domain),
            Test::Compare(comparison, value) => match (&self.values, value) {
                (Values::Texts(texts), Value::Text(text)) => {
                    let (from, till) = bounds(*comparison, text.as_str());
                    let mut gather = domain.gather();
                    texts.within(from, till, &mut gather);
                    gather.finish()
                }
                (_, value) => self.within(Span::of(*comparison, value), domain),
            },
            Test::Text(_, part) if part.is_empty() => match self.values {
                Values::Texts(_) => self.present(domain),
                _ => Set::EMPTY,
            },
            Test::Text(place, part) => match &self.values {
                Values::Texts(texts) => {
                    let mut gather = domain.gather();
                    texts.search(*place, part, &mut gather);
                    gather.finish()
                }
                _ => Set::EMPTY,
            },
        }
    }

    /// The slots whose keys are in this range.
    pub fn within<'a>(&'a self, span: Span, domain: Domain<'a>) -> Set<'a> {
        match &self.values {
            _ if span.is_empty() => Set::EMPTY,
            Values::Ranges(ranges) => ranges.within(&span, domain.slots),
            Values::Few(few) => {
                let mut gather = domain.gather();
                if few.range(span).count() <= few.len() / 2 {
                    few.range(span).for_each(|(_, posting)| posting.gather(&mut gather));
                    return gather.finish();
                }
                // Most values are within: the others are fewer.
                let others = few.iter().filter(|(key, _)| !span.contains(*key));
                others.for_each(|(_, posting)| posting.gather(&mut gather));
                self.present(domain).minus(&gather.finish())
            }
            Values::Texts(_) | Values::Flags(_) => Set::EMPTY,
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Texts(texts) => texts.bytes(),
            Values::Ranges(ranges) => ranges.bytes(),
            Values::Few(few) => few.bytes(),
            Values::Flags(flags) => crate::memory::of_bitmap(flags),
        };
        values + self.present.as_ref().map_or(0, crate::memory::of_bitmap)
    }

    fn one_of<'a>(&'a self, values: &[Value], null: bool, domain: Domain<'a>) -> Set<'a> {
        if let ([value], false) = (values, null) {
            return self.equal(value, domain);
        }
        let mut gather = domain.gather();
        values.iter().for_each(|value| gather.add_set(&self.equal(value, domain)));
        if null {
            gather.add_set(&self.absent(domain));
        }
        gather.finish()
    }

    fn equal<'a>(&'a self, value: &Value, domain: Domain<'a>) -> Set<'a> {
        match (&self.values, value) {
            (Values::Texts(texts), Value::Text(text)) => texts.equal(text),
            (Values::Flags(flags), Value::Boolean(true)) => Set::of(flags),
            (Values::Flags(flags), Value::Boolean(false)) => domain.set().minus(&Set::of(flags)),
            (Values::Ranges(_), value) => {
                key::of_value(value).map_or(Set::EMPTY, |key| self.within(Span::only(key), domain))
            }
            (Values::Few(few), value) => {
                key::of_value(value).and_then(|key| few.get(key)).map_or(Set::EMPTY, Posting::set)
            }
            (Values::Texts(_) | Values::Flags(_), _) => Set::EMPTY,
        }
    }
}

/// The bounds of the values that stand so to this one.
fn bounds<V>(comparison: Comparison, value: V) -> (Bound<V>, Bound<V>) {
    match comparison {
        Comparison::Less => (Bound::Unbounded, Bound::Excluded(value)),
        Comparison::LessOrEqual => (Bound::Unbounded, Bound::Included(value)),
        Comparison::Greater => (Bound::Excluded(value), Bound::Unbounded),
        Comparison::GreaterOrEqual => (Bound::Included(value), Bound::Unbounded),
    }
}
