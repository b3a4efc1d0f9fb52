//! Filters that are one range of a time or number of leads, ordered by id: total and page without the set of all matches.
//!
//! The total is the number of column entries in the range. The page is found by the method with the lowest estimated cost: selecting the
//! lowest slots from a few entries, or checking one lead after the other until the page is full, from the first lead or from one that the
//! marks of the column lead to. The estimate assumes that matches are spread evenly. If they turn out not to be, the set is built after
//! all.

use std::ops::Range;

use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::{OrderKey, Value};

use crate::LeadIndex;
use crate::column::Values;
use crate::evaluate::Node;
use crate::fields;
use crate::key::Span;
use crate::ranges::Ranges;

/// Cost of reading the value of a lead, relative to reading a column entry. Measured: 25 ns, for consecutive leads, and 4 ns.
const LOOK: usize = 6;

/// Number of slots for which building the set of all matches costs as much as reading an entry. Measured: 0.2 ns per slot.
const SLOTS: usize = 20;

/// Number of entries that are always read instead of building a set.
const FEW: usize = 64;

/// Factor by which the number of checked leads may exceed the estimate before another method is used.
const PATIENCE: usize = 2;

/// Leads whose value is in a range.
#[derive(Debug)]
pub(crate) struct LoneRange<'a> {
    index: &'a LeadIndex,
    field: FieldId,
    span: Span,
    ranges: &'a Ranges<i64>,
    /// Positions of the entries in the range.
    places: Range<usize>,
}

impl<'a> LoneRange<'a> {
    /// Recognizes a range query in these nodes and this order; `None` for other queries, and while any slot is out of id order.
    pub fn of(index: &'a LeadIndex, nodes: &[Node<'_, '_>], order: &[OrderKey]) -> Option<Self> {
        let ([Node::Within(field, span)], [OrderKey { field: FieldId::Id, descending: false }, ..]) = (nodes, order)
        else {
            return None;
        };
        let (field, span) = (*field, *span);
        if field == FieldId::Id
            || field.field().owner != Owner::Lead
            || span.is_empty()
            || !index.slots.late().is_empty()
        {
            return None;
        }
        match index.columns[fields::lead_column(field)].values() {
            Values::Ranges(ranges) => Some(Self { index, field, span, ranges, places: ranges.blocks().places(&span) }),
            _ => None,
        }
    }

    /// Number of matches.
    pub fn total(&self) -> usize {
        self.places.len()
    }

    /// Slots of the page: matches after the cursor's id, without the first `skip`, at most `wanted`. `None` if building the set of all
    /// matches is better.
    pub fn page(&self, after: Option<&[Option<Value>]>, skip: usize, wanted: usize) -> Option<Vec<u32>> {
        let slots = self.index.slots.len();
        let first = match after.and_then(|values| values.first()) {
            Some(Some(Value::Integer(id))) => {
                id.checked_add(1).map_or(slots as u32, |id| self.index.slots.first_from(id))
            }
            _ => 0,
        };
        if skip >= self.total() {
            return Some(Vec::new());
        }
        let looked_at = |leads: usize| leads.saturating_mul(slots) / self.total();
        let (from_first, from_mark) = (looked_at(skip.saturating_add(wanted)), looked_at(wanted));
        let set = FEW + slots / SLOTS;
        if self.total() <= set.min(from_first.saturating_mul(LOOK)) {
            return Some(self.lowest(first, skip, wanted));
        }
        if from_first.saturating_mul(LOOK) <= set / 4
            && let Some(page) = self.look_from(first, skip, wanted, from_first)
        {
            return Some(page);
        }
        if after.is_some() || from_mark.saturating_mul(LOOK) > set / 2 {
            return None;
        }
        let (near, below) = self.ranges.seek(self.places.clone(), skip, slots);
        self.look_from(near, skip - below, wanted, from_mark)
    }

    fn lowest(&self, first: u32, skip: usize, wanted: usize) -> Vec<u32> {
        let entries = self.ranges.blocks().slots(self.places.clone()).flatten().copied();
        let mut slots: Vec<u32> = entries.filter(|slot| *slot >= first).collect();
        let end = skip.saturating_add(wanted);
        if end < slots.len() {
            slots.select_nth_unstable(end);
            slots.truncate(end);
        }
        if skip < slots.len() && skip > 0 {
            slots.select_nth_unstable(skip);
        }
        slots.drain(..skip.min(slots.len()));
        slots.sort_unstable();
        slots
    }

    /// Checks leads from this slot on; `None` if that takes much longer than estimated.
    fn look_from(&self, first: u32, mut skip: usize, wanted: usize, expected: usize) -> Option<Vec<u32>> {
        let slots = self.index.slots.len() as u32;
        let last = (first as usize).saturating_add(PATIENCE * expected.max(Ranges::<i64>::NEAR));
        let mut page = Vec::with_capacity(wanted.min(self.total()));
        for slot in first..slots {
            if page.len() == wanted {
                break;
            }
            if slot as usize > last {
                return None;
            }
            if !self.matches(slot) {
                continue;
            }
            match skip.checked_sub(1) {
                Some(less) => skip = less,
                None => page.push(slot),
            }
        }
        Some(page)
    }

    fn matches(&self, slot: u32) -> bool {
        self.index.is_within(slot, self.field, self.span)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use chrono::{DateTime, TimeDelta};
    use leadscribe_engine::api::{DAY_MICROS, Lead, LeadId};

    use super::*;
    use crate::Builder;

    const LEADS: i64 = 60_000;
    const BY_ID: [OrderKey; 1] = [OrderKey { field: FieldId::Id, descending: false }];

    /// Lead whose times are independent of the ids, rise with them, or come in runs; and with a date that few leads have.
    fn lead(id: i64) -> Lead {
        let json = format!(
            r#"{{"id": {id}, "do_not_call": false, "blacklisted": false, "custom_fields": {{}},
                "created_at": "1970-01-01T00:00:00Z", "updated_at": "1970-01-01T00:00:00Z",
                "global_updated_at": "1970-01-01T00:00:00Z"}}"#
        );
        let mut lead: Lead = serde_json::from_str(&json).unwrap();
        let at = |micros: i64| DateTime::from_timestamp_micros(micros).unwrap();
        lead.created_at = at(id * 7_919 % LEADS);
        lead.updated_at = at(id);
        lead.global_updated_at = at(id / 9_000 % 2 * 30_000 + id % 20_000);
        lead.birthdate = (id % 3 == 0).then(|| (at(0) + TimeDelta::days(id % 50_000)).date_naive());
        lead
    }

    /// Index of many such leads, some of them deleted.
    pub(crate) fn index() -> LeadIndex {
        let leads: Vec<Lead> = (1..=LEADS).map(|id| lead(id * 2)).collect();
        let mut builder = Builder::default();
        builder.extend(leads.iter().map(|lead| (lead, &[][..])));
        let mut index = builder.finish();
        (1..=LEADS).step_by(7).for_each(|id| index.apply(LeadId(id * 2), None));
        index
    }

    #[test]
    fn all_paging_methods_agree() {
        let index = index();
        let fields = [FieldId::CreatedAt, FieldId::UpdatedAt, FieldId::GlobalUpdatedAt, FieldId::Birthdate];
        let (mut found, mut unfound) = (0, 0);
        for field in fields {
            let scale = if field == FieldId::Birthdate { DAY_MICROS } else { 1 };
            for (min, max) in [(0, 90_000), (4_000, 70_000), (39_000, 39_300), (20_000, 31_000), (70_000, i64::MAX)] {
                let span = Span { min: min * scale, max: max.saturating_mul(scale) };
                let range = LoneRange::of(&index, &[Node::Within(field, span)], &BY_ID).unwrap();
                let slots = index.slots.alive().iter();
                let matching: Vec<u32> = slots.filter(|slot| range.matches(*slot)).collect();
                assert_eq!(range.total(), matching.len());
                for (skip, wanted) in [(0, 1), (0, 9), (2, 30), (1_000, 9), (11_000, 2), (25_000, 40), (60_000, 5)] {
                    let expected: Vec<u32> = matching.iter().copied().skip(skip).take(wanted).collect();
                    assert_eq!(range.lowest(0, skip, wanted), expected);
                    assert_eq!(range.look_from(0, skip, wanted, index.slots.len()), Some(expected.clone()));
                    let page = range.page(None, skip, wanted);
                    *(if page.is_some() { &mut found } else { &mut unfound }) += 1;
                    assert!(page.is_none_or(|page| page == expected), "{field:?} {span:?} {skip} {wanted}");

                    let (near, below) = range.ranges.seek(range.places.clone(), skip, index.slots.len());
                    assert_eq!(matching.partition_point(|slot| *slot < near), below);
                    let end = matching.partition_point(|slot| *slot < near + Ranges::<i64>::NEAR as u32);
                    assert!(below <= skip && (skip < end || end == matching.len()), "{skip}: {below} to {end}");

                    let from = 2 * LEADS / 3;
                    let after = matching.iter().copied().filter(|slot| index.slots.id(*slot) > from);
                    let expected: Vec<u32> = after.skip(skip).take(wanted).collect();
                    let page = range.page(Some(&[Some(Value::Integer(from))]), skip, wanted);
                    assert!(page.is_none_or(|page| page == expected), "{field:?} {span:?} {skip} {wanted}");
                }
            }
        }
        assert!(found > 4 * unfound && unfound > 0, "{found} found, {unfound} not");
    }

    #[test]
    fn lone_range_declines_other_orders_and_late_slots() {
        let mut index = LeadIndex::default();
        index.apply(LeadId(2), Some((&lead(2), &[])));
        let nodes = [Node::Within(FieldId::UpdatedAt, Span { min: 0, max: 9 })];
        assert!(LoneRange::of(&index, &nodes, &BY_ID).is_some());
        assert!(LoneRange::of(&index, &nodes, &[OrderKey { descending: true, ..BY_ID[0] }]).is_none());
        assert!(LoneRange::of(&index, &[Node::Within(FieldId::Id, Span { min: 0, max: 9 })], &BY_ID).is_none());
        index.apply(LeadId(1), Some((&lead(1), &[])));
        assert!(LoneRange::of(&index, &nodes, &BY_ID).is_none());
    }
}
