//! Sorts matches and selects the page, for any order.
//!
//! Leads with the same first value form a group. Groups are ordered by value, and the next field orders the leads within a group. Either
//! the first field's column is walked group by group until the page is full, or the values of the leads are compared, whichever has the
//! lower estimated cost.

use std::cmp::Ordering;

use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{OrderKey, Test, Value};

use crate::LeadIndex;
use crate::column::{Column, FilterableColumn, Values};
use crate::fields;
use crate::key;
use crate::ranges::Ranges;
use crate::row::Key;
use crate::set::Set;

/// Cost of comparing the values of a match, relative to skipping a column entry. Measured: 200 ns for finding a row and
/// its value and selecting the page; 12 ns for an entry.
const COMPARISON_COST: usize = 16;

/// Cost of skipping a group of texts, in the same unit.
const GROUP_SKIP_COST: usize = 4;

/// Values of the sort fields after which a page starts.
type CursorValues<'v> = Option<&'v [Option<Value>]>;

/// Collects a page.
#[derive(Debug)]
pub(crate) struct Pager<'a> {
    index: &'a LeadIndex,
    /// Number of leads still to skip.
    skip: usize,
    /// Number of leads still wanted.
    remaining: usize,
    slots: Vec<u32>,
}

impl<'a> Pager<'a> {
    /// Slots of the page: the leads that follow the cursor's values in this order, without the first `skip`, at most `limit`.
    pub fn page(
        index: &'a LeadIndex,
        leads: &Set<'_>,
        order: &[OrderKey],
        after: CursorValues<'_>,
        skip: usize,
        limit: usize,
    ) -> Vec<u32> {
        let mut pager = Self { index, skip, remaining: limit, slots: Vec::with_capacity(limit.min(leads.len())) };
        pager.add(leads, order, after);
        pager.slots
    }

    fn add(&mut self, leads: &Set<'_>, order: &[OrderKey], after: CursorValues<'_>) {
        let Some((first, rest)) = order.split_first() else { return };
        if first.field == FieldId::Id {
            return self.add_by_id(leads, first.descending, after.and_then(|after| after.first()));
        }
        if after.is_none() && self.skip_group(leads.len()) {
            return;
        }
        let column = &self.index.columns[fields::lead_column_index(first.field)];
        if self.should_walk_column(column, leads.len()) {
            self.walk_column(column, leads, first.descending, rest, after);
        } else {
            self.sort_values(leads, order, after);
        }
    }

    /// Skips a whole group if the page starts after it.
    fn skip_group(&mut self, lead_count: usize) -> bool {
        let is_skipped = lead_count <= self.skip;
        if is_skipped {
            self.skip -= lead_count;
        }
        is_skipped
    }

    fn is_full(&self) -> bool {
        self.remaining == 0
    }

    fn should_walk_column(&self, column: &Column, lead_count: usize) -> bool {
        let total = self.index.len();
        // Assumes that matches are spread evenly.
        let entries = (self.skip + self.remaining).saturating_mul(total) / lead_count.max(1);
        let cost = match column.values() {
            Values::Texts(texts) => texts.distinct_count().min(entries).saturating_mul(GROUP_SKIP_COST),
            Values::Ranges(_) => entries.min(total),
            Values::Flags(_) => total / 64,
            Values::SmallSet(_) => return false,
        };
        cost <= lead_count.saturating_mul(COMPARISON_COST)
    }

    fn walk_column(
        &mut self,
        column: &Column,
        leads: &Set<'_>,
        descending: bool,
        rest: &[OrderKey],
        after: CursorValues<'_>,
    ) {
        let domain = self.index.lead_domain();
        let mut start_after = None;
        match after.and_then(|after| after.split_first()) {
            Some((Some(value), after)) => {
                let equal = column.matching_slots(&equals_test(value), domain);
                self.add(&leads.view().and(equal), rest, Some(after));
                start_after = Some(value);
            }
            Some((None, after)) => return self.add(&leads.view().and(column.absent(domain)), rest, Some(after)),
            None => {}
        }
        match (column.values(), start_after) {
            (Values::Texts(texts), start_after) => {
                let start_after =
                    start_after.and_then(|value| if let Value::Text(text) = value { Some(&**text) } else { None });
                self.add_groups(texts.groups(descending, start_after), leads, rest);
            }
            (Values::Flags(flags), start_after) => {
                let false_set = domain.set().minus(&Set::from_bitmap(flags));
                let groups = if descending {
                    [Set::from_bitmap(flags), false_set]
                } else {
                    [false_set, Set::from_bitmap(flags)]
                };
                let skipped_groups = match start_after {
                    Some(Value::Boolean(value)) => 1 + usize::from(*value != descending),
                    _ => 0,
                };
                self.add_groups(groups.into_iter().skip(skipped_groups), leads, rest);
            }
            (Values::Ranges(ranges), start_after) => {
                self.walk_entries(ranges, start_after.and_then(key::from_value), leads, descending, rest);
            }
            (Values::SmallSet(_), _) => {}
        }
        if !self.is_full() {
            self.add(&leads.view().and(column.absent(domain)), rest, None);
        }
    }

    fn add_groups<'s>(&mut self, groups: impl Iterator<Item = Set<'s>>, leads: &Set<'_>, rest: &[OrderKey]) {
        for group in groups {
            if self.is_full() {
                break;
            }
            // Most texts belong to a single lead.
            if let Set::List(list) = &group
                && let [slot] = list[..]
            {
                if leads.contains(slot) && !self.skip_group(1) {
                    self.push(slot);
                }
                continue;
            }
            let group = leads.view().and(group);
            if !group.is_empty() && !self.skip_group(group.len()) {
                self.add(&group, rest, None);
            }
        }
    }

    /// Groups entries by key; most groups have one entry.
    fn walk_entries(
        &mut self,
        ranges: &Ranges<i64>,
        start_after: Option<i64>,
        leads: &Set<'_>,
        descending: bool,
        rest: &[OrderKey],
    ) {
        use std::ops::Bound;
        let blocks = ranges.blocks();
        let start_after = start_after.map_or(Bound::Unbounded, Bound::Excluded);
        let range = if descending { (Bound::Unbounded, start_after) } else { (start_after, Bound::Unbounded) };
        let positions = blocks.positions(&range);
        let entries: Box<dyn Iterator<Item = (i64, u32)> + '_> = if descending {
            Box::new(blocks.entries_descending(positions))
        } else {
            Box::new(blocks.entries(positions))
        };
        let mut matching = entries.filter(|(_, slot)| leads.contains(*slot)).peekable();
        // The page may already be full of leads with the cursor's own value.
        while !self.is_full()
            && let Some((key, slot)) = matching.next()
        {
            let mut group = vec![slot];
            while let Some((_, slot)) = matching.next_if(|(next, _)| *next == key) {
                group.push(slot);
            }
            if self.skip_group(group.len()) {
                continue;
            }
            if group.len() == 1 {
                self.push(slot);
            } else {
                group.sort_unstable();
                self.add(&Set::List(group.into()), rest, None);
            }
        }
    }

    fn push(&mut self, slot: u32) {
        self.remaining -= 1;
        self.slots.push(slot);
    }

    fn sort_values(&mut self, leads: &Set<'_>, order: &[OrderKey], after: CursorValues<'_>) {
        let key_of = |slot: u32, field: FieldId| self.index.row(slot).and_then(|row| row.key(field));
        let mut keyed: Vec<(Option<Key<'_>>, u32)> =
            leads.iter().map(|slot| (key_of(slot, order[0].field), slot)).collect();
        if let Some(after) = after {
            let bounds: Vec<Option<Key<'_>>> = after.iter().map(|value| value.as_ref().map(key_of_value)).collect();
            keyed.retain(|(first, slot)| {
                let mut ordering = compare_values(first.as_ref(), bounds[0].as_ref(), order[0].descending);
                for (key, bound) in order.iter().zip(&bounds).skip(1) {
                    ordering = ordering.then_with(|| {
                        compare_values(key_of(*slot, key.field).as_ref(), bound.as_ref(), key.descending)
                    });
                }
                ordering == Ordering::Greater
            });
        }
        let by_order = |(left, slot): &(Option<Key<'_>>, u32), (right, right_slot): &(Option<Key<'_>>, u32)| {
            let mut ordering = compare_values(left.as_ref(), right.as_ref(), order[0].descending);
            for key in &order[1..] {
                ordering = ordering.then_with(|| {
                    let [left, right] = [slot, right_slot].map(|slot| key_of(*slot, key.field));
                    compare_values(left.as_ref(), right.as_ref(), key.descending)
                });
            }
            ordering
        };
        let end = self.skip.saturating_add(self.remaining);
        if end < keyed.len() {
            keyed.select_nth_unstable_by(end, by_order);
            keyed.truncate(end);
        }
        keyed.sort_unstable_by(by_order);
        let skipped = self.skip.min(keyed.len());
        self.skip -= skipped;
        let page: Vec<u32> = keyed[skipped..].iter().map(|(_, slot)| *slot).collect();
        self.remaining -= page.len();
        self.slots.extend(page);
    }

    fn add_by_id(&mut self, leads: &Set<'_>, descending: bool, after: Option<&Option<Value>>) {
        let slots = &self.index.slots;
        let late = Set::from_bitmap(slots.late());
        let mut late: Vec<(i64, u32)> = match slots.late().is_empty() {
            true => Vec::new(),
            false => leads.view().and(late).iter().map(|slot| (slots.id(slot), slot)).collect(),
        };
        late.sort_unstable();
        let ordered_leads = match late.is_empty() {
            true => leads.view(),
            false => leads.view().minus(&Set::from_bitmap(slots.late())),
        };
        // Rank of the lead with this id: the number of leads with lower ids.
        let rank_of =
            |id: i64| ordered_leads.rank(slots.lower_bound(id)) + late.partition_point(|(late_id, _)| *late_id < id);
        let total = ordered_leads.len() + late.len();
        let (mut start, mut end) = (0, total);
        if let Some(Some(Value::Integer(id))) = after {
            match descending {
                true => end = rank_of(*id),
                false => start = id.checked_add(1).map_or(total, rank_of),
            }
        }
        let skipped = self.skip.min(end - start);
        self.skip -= skipped;
        let count = self.remaining.min(end - start - skipped);
        let (start, end) = match descending {
            true => (end - skipped - count, end - skipped),
            false => (start + skipped, start + skipped + count),
        };
        self.remaining -= count;
        let count_late_before = |position: usize| {
            let positions = late
                .iter()
                .enumerate()
                .map(|(late_count, (id, _))| late_count + ordered_leads.rank(slots.lower_bound(*id)));
            positions.take_while(|late_position| *late_position < position).count()
        };
        let (late_start, late_end) = (count_late_before(start), count_late_before(end));
        let mut page = ordered_leads.slots_at(start - late_start, end - late_end);
        if late_start < late_end {
            page.extend(late[late_start..late_end].iter().map(|(_, slot)| *slot));
            page.sort_by_key(|slot| slots.id(*slot));
        }
        if descending {
            page.reverse();
        }
        self.slots.extend(page);
    }
}

/// Leads without a value come last in both directions.
fn compare_values<T: Ord>(left: Option<&T>, right: Option<&T>, descending: bool) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) if descending => right.cmp(left),
        (Some(left), Some(right)) => left.cmp(right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    }
}

fn key_of_value(value: &Value) -> Key<'_> {
    match value {
        Value::Text(text) => Key::Text(text.as_bytes().into()),
        Value::Boolean(flag) => Key::Number((*flag).into()),
        Value::Number(number) => Key::Number(key::from_number(*number)),
        Value::Integer(integer) => Key::Number(*integer),
        Value::Time(time) => Key::Number(key::from_time(*time)),
    }
}

fn equals_test(value: &Value) -> Test {
    Test::In { values: vec![value.clone()], includes_null: false }
}
