//! Filters that are one range of a time or number of leads, ordered by id: total and page without the set of all matches.
//!
//! The total is the number of column entries in the range. The page is found by the method with the lowest estimated cost:
//!
//! - if the range has few entries, select the lowest slots from them;
//! - otherwise check one lead after another until the page is full. Start at the first lead, or near the page, at a slot that
//!   [`Ranges::seek`] finds.
//!
//! The estimate assumes that matches are spread evenly. If they aren't, the set is built after all.

use std::ops::Range;

use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::{OrderKey, Value};

use crate::LeadIndex;
use crate::column::Values;
use crate::evaluate::Node;
use crate::fields;
use crate::key::KeyRange;
use crate::ranges::Ranges;

/// Cost of reading the value of a lead, relative to reading a column entry. Measured: 25 ns, for consecutive leads, and 4 ns.
const ROW_READ_COST: usize = 6;

/// Number of slots for which building the set of all matches costs as much as reading an entry. Measured: 0.2 ns per slot.
const SLOTS_PER_READ: usize = 20;

/// Number of entries that are always read instead of building a set.
const MIN_SET_ENTRIES: usize = 64;

/// Factor by which the number of checked leads may exceed the estimate before another method is used.
const MAX_OVERRUN_FACTOR: usize = 2;

/// Leads whose value is in a range.
#[derive(Debug)]
pub(crate) struct SingleRange<'a> {
    index: &'a LeadIndex,
    field: FieldId,
    range: KeyRange,
    ranges: &'a Ranges<i64>,
    /// Positions of the entries in the range.
    positions: Range<usize>,
}

impl<'a> SingleRange<'a> {
    /// Recognizes a range query in these nodes and this order; `None` for other queries, and while any slot is out of id order.
    pub fn recognize(index: &'a LeadIndex, nodes: &[Node<'_, '_>], order: &[OrderKey]) -> Option<Self> {
        let ([Node::InRange(field, range)], [OrderKey { field: FieldId::Id, descending: false }, ..]) = (nodes, order)
        else {
            return None;
        };
        let (field, range) = (*field, *range);
        if field == FieldId::Id
            || field.field().owner != Owner::Lead
            || range.is_empty()
            || !index.slots.late().is_empty()
        {
            return None;
        }
        match index.columns[fields::lead_column_index(field)].values() {
            Values::Ranges(ranges) => {
                Some(Self { index, field, range, ranges, positions: ranges.blocks().positions(&range) })
            }
            _ => None,
        }
    }

    /// Number of matches.
    pub fn total(&self) -> usize {
        self.positions.len()
    }

    /// Slots of the page: matches after the cursor's id, without the first `skip`, at most `limit`. `None` if building the set of all
    /// matches is better.
    pub fn page(&self, after: Option<&[Option<Value>]>, skip: usize, limit: usize) -> Option<Vec<u32>> {
        let slot_count = self.index.slots.len();
        let first_slot = match after.and_then(|values| values.first()) {
            Some(Some(Value::Integer(id))) => {
                id.checked_add(1).map_or(slot_count as u32, |id| self.index.slots.lower_bound(id))
            }
            _ => 0,
        };
        if skip >= self.total() {
            return Some(Vec::new());
        }
        let expected_reads = |leads: usize| leads.saturating_mul(slot_count) / self.total();
        let (reads_from_first, reads_from_mark) = (expected_reads(skip.saturating_add(limit)), expected_reads(limit));
        let set_cost = MIN_SET_ENTRIES + slot_count / SLOTS_PER_READ;
        if self.total() <= set_cost.min(reads_from_first.saturating_mul(ROW_READ_COST)) {
            return Some(self.select_lowest(first_slot, skip, limit));
        }
        if reads_from_first.saturating_mul(ROW_READ_COST) <= set_cost / 4
            && let Some(page) = self.scan_from(first_slot, skip, limit, reads_from_first)
        {
            return Some(page);
        }
        if after.is_some() || reads_from_mark.saturating_mul(ROW_READ_COST) > set_cost / 2 {
            return None;
        }
        let (nearby_slot, rank) = self.ranges.seek(self.positions.clone(), skip, slot_count);
        self.scan_from(nearby_slot, skip - rank, limit, reads_from_mark)
    }

    fn select_lowest(&self, first_slot: u32, skip: usize, limit: usize) -> Vec<u32> {
        let entries = self.ranges.blocks().slots(self.positions.clone()).flatten().copied();
        let mut slots: Vec<u32> = entries.filter(|slot| *slot >= first_slot).collect();
        let end = skip.saturating_add(limit);
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
    fn scan_from(&self, first_slot: u32, mut skip: usize, limit: usize, expected_reads: usize) -> Option<Vec<u32>> {
        let slot_count = self.index.slots.len() as u32;
        let last_slot =
            (first_slot as usize).saturating_add(MAX_OVERRUN_FACTOR * expected_reads.max(Ranges::<i64>::SEEK_INTERVAL));
        let mut page = Vec::with_capacity(limit.min(self.total()));
        for slot in first_slot..slot_count {
            if page.len() == limit {
                break;
            }
            if slot as usize > last_slot {
                return None;
            }
            if !self.matches(slot) {
                continue;
            }
            match skip.checked_sub(1) {
                Some(remaining) => skip = remaining,
                None => page.push(slot),
            }
        }
        Some(page)
    }

    fn matches(&self, slot: u32) -> bool {
        self.index.is_in_range(slot, self.field, self.range)
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

    /// Lead with one time that is independent of its id, one that rises with the id, and one that rises in runs. Every third lead has a
    /// birthdate.
    fn lead(id: i64) -> Lead {
        let json = format!(
            r#"{{"id": {id}, "do_not_call": false, "blacklisted": false, "custom_fields": {{}},
                "created_at": "1970-01-01T00:00:00Z", "updated_at": "1970-01-01T00:00:00Z",
                "global_updated_at": "1970-01-01T00:00:00Z"}}"#
        );
        let mut lead: Lead = serde_json::from_str(&json).unwrap();
        let timestamp = |micros: i64| DateTime::from_timestamp_micros(micros).unwrap();
        lead.created_at = timestamp(id * 7_919 % LEADS);
        lead.updated_at = timestamp(id);
        lead.global_updated_at = timestamp(id / 9_000 % 2 * 30_000 + id % 20_000);
        lead.birthdate = (id % 3 == 0).then(|| (timestamp(0) + TimeDelta::days(id % 50_000)).date_naive());
        lead
    }

    /// Index of many such leads, some of them deleted.
    pub(crate) fn build_index() -> LeadIndex {
        let leads: Vec<Lead> = (1..=LEADS).map(|id| lead(id * 2)).collect();
        let mut builder = Builder::default();
        builder.extend(leads.iter().map(|lead| (lead, &[][..])));
        let mut index = builder.finish();
        (1..=LEADS).step_by(7).for_each(|id| index.apply(LeadId(id * 2), None));
        index
    }

    #[test]
    fn all_paging_methods_agree() {
        let index = build_index();
        let fields = [FieldId::CreatedAt, FieldId::UpdatedAt, FieldId::GlobalUpdatedAt, FieldId::Birthdate];
        let (mut page_count, mut declined_count) = (0, 0);
        for field in fields {
            let scale = if field == FieldId::Birthdate { DAY_MICROS } else { 1 };
            for (min, max) in [(0, 90_000), (4_000, 70_000), (39_000, 39_300), (20_000, 31_000), (70_000, i64::MAX)] {
                let key_range = KeyRange { min: min * scale, max: max.saturating_mul(scale) };
                let range = SingleRange::recognize(&index, &[Node::InRange(field, key_range)], &BY_ID).unwrap();
                let slots = index.slots.alive().iter();
                let matching: Vec<u32> = slots.filter(|slot| range.matches(*slot)).collect();
                assert_eq!(range.total(), matching.len());
                for (skip, limit) in [(0, 1), (0, 9), (2, 30), (1_000, 9), (11_000, 2), (25_000, 40), (60_000, 5)] {
                    let expected: Vec<u32> = matching.iter().copied().skip(skip).take(limit).collect();
                    assert_eq!(range.select_lowest(0, skip, limit), expected);
                    assert_eq!(range.scan_from(0, skip, limit, index.slots.len()), Some(expected.clone()));
                    let page = range.page(None, skip, limit);
                    *(if page.is_some() { &mut page_count } else { &mut declined_count }) += 1;
                    assert!(page.is_none_or(|page| page == expected), "{field:?} {key_range:?} {skip} {limit}");

                    let (nearby_slot, rank) = range.ranges.seek(range.positions.clone(), skip, index.slots.len());
                    assert_eq!(matching.partition_point(|slot| *slot < nearby_slot), rank);
                    let end =
                        matching.partition_point(|slot| *slot < nearby_slot + Ranges::<i64>::SEEK_INTERVAL as u32);
                    assert!(rank <= skip && (skip < end || end == matching.len()), "{skip}: {rank} to {end}");

                    let cursor_id = 2 * LEADS / 3;
                    let after = matching.iter().copied().filter(|slot| index.slots.id(*slot) > cursor_id);
                    let expected: Vec<u32> = after.skip(skip).take(limit).collect();
                    let page = range.page(Some(&[Some(Value::Integer(cursor_id))]), skip, limit);
                    assert!(page.is_none_or(|page| page == expected), "{field:?} {key_range:?} {skip} {limit}");
                }
            }
        }
        assert!(page_count > 4 * declined_count && declined_count > 0, "{page_count} found, {declined_count} not");
    }

    #[test]
    fn single_range_declines_other_orders_and_late_slots() {
        let mut index = LeadIndex::default();
        index.apply(LeadId(2), Some((&lead(2), &[])));
        let nodes = [Node::InRange(FieldId::UpdatedAt, KeyRange { min: 0, max: 9 })];
        assert!(SingleRange::recognize(&index, &nodes, &BY_ID).is_some());
        assert!(SingleRange::recognize(&index, &nodes, &[OrderKey { descending: true, ..BY_ID[0] }]).is_none());
        assert!(
            SingleRange::recognize(&index, &[Node::InRange(FieldId::Id, KeyRange { min: 0, max: 9 })], &BY_ID)
                .is_none()
        );
        index.apply(LeadId(1), Some((&lead(1), &[])));
        assert!(SingleRange::recognize(&index, &nodes, &BY_ID).is_none());
    }
}
