//! Sorts matches and selects the page, for any order.
//!
//! Leads with the same first value form a group. Groups are ordered by value, and the next field orders the leads within a group. Either
//! the first field's column is walked group by group until the page is full, or the values of the leads are compared, whichever has the
//! lower estimated cost.

use std::cmp::Ordering;

use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{OrderKey, Value};

use crate::LeadIndex;
use crate::column::{Column, Values};
use crate::fields;
use crate::key;
use crate::ranges::Ranges;
use crate::row::Key;
use crate::set::Set;

/// Cost of comparing the values of a match, relative to skipping a column entry. Measured: 200 ns for finding a row and its value, with the
/// share of the selection; 12 ns for an entry.
const SORTED: usize = 16;

/// Cost of skipping a group of texts, in the same unit.
const GROUP: usize = 4;

/// Values of the sort fields after which a page starts.
type After<'v> = Option<&'v [Option<Value>]>;

/// Collects a page.
#[derive(Debug)]
pub(crate) struct Pager<'a> {
    index: &'a LeadIndex,
    /// Number of leads still to skip.
    skip: usize,
    /// Number of leads still wanted.
    wanted: usize,
    slots: Vec<u32>,
}

impl<'a> Pager<'a> {
    /// Slots of the page: of these leads in this order, those after the cursor's values, without the first `skip`, at most `wanted`.
    pub fn page(
        index: &'a LeadIndex,
        leads: &Set<'_>,
        order: &[OrderKey],
        after: After<'_>,
        skip: usize,
        wanted: usize,
    ) -> Vec<u32> {
        let mut pager = Self { index, skip, wanted, slots: Vec::with_capacity(wanted.min(leads.len())) };
        pager.add(leads, order, after);
        pager.slots
    }

    fn add(&mut self, leads: &Set<'_>, order: &[OrderKey], after: After<'_>) {
        let Some((first, rest)) = order.split_first() else { return };
        if first.field == FieldId::Id {
            return self.add_by_id(leads, first.descending, after.and_then(|after| after.first()));
        }
        if after.is_none() && self.passed_over(leads.len()) {
            return;
        }
        let column = &self.index.columns[fields::lead_column(first.field)];
        if self.is_walked(column, leads.len()) {
            self.walk(column, leads, first.descending, rest, after);
        } else {
            self.sort(leads, order, after);
        }
    }

    /// Skips a whole group if the page starts after it.
    fn passed_over(&mut self, leads: usize) -> bool {
        let passed = leads <= self.skip;
        if passed {
            self.skip -= leads;
        }
        passed
    }

    fn is_full(&self) -> bool {
        self.wanted == 0
    }

    fn is_walked(&self, column: &Column, leads: usize) -> bool {
        let all = self.index.len();
        // Assumes that matches are spread evenly.
        let entries = (self.skip + self.wanted).saturating_mul(all) / leads.max(1);
        let cost = match column.values() {
            Values::Texts(texts) => texts.distinct().min(entries).saturating_mul(GROUP),
            Values::Ranges(_) => entries.min(all),
            Values::Flags(_) => all / 64,
            Values::Few(_) => return false,
        };
        cost <= leads.saturating_mul(SORTED)
    }

    fn walk(&mut self, column: &Column, leads: &Set<'_>, descending: bool, rest: &[OrderKey], after: After<'_>) {
        let domain = self.index.leads();
        let mut beyond = None;
        match after.and_then(|after| after.split_first()) {
            Some((Some(value), after)) => {
                let equal = column.passing(&equal_to(value), domain);
                self.add(&leads.view().and(equal), rest, Some(after));
                beyond = Some(value);
            }
            Some((None, after)) => return self.add(&leads.view().and(column.absent(domain)), rest, Some(after)),
            None => {}
        }
        match (column.values(), beyond) {
            (Values::Texts(texts), beyond) => {
                let beyond = beyond.and_then(|value| if let Value::Text(text) = value { Some(&**text) } else { None });
                self.add_groups(texts.groups(descending, beyond), leads, rest);
            }
            (Values::Flags(flags), beyond) => {
                let no = domain.set().minus(&Set::of(flags));
                let groups = if descending { [Set::of(flags), no] } else { [no, Set::of(flags)] };
                let passed = match beyond {
                    Some(Value::Boolean(value)) => 1 + usize::from(*value != descending),
                    _ => 0,
                };
                self.add_groups(groups.into_iter().skip(passed), leads, rest);
            }
            (Values::Ranges(ranges), beyond) => {
                self.walk_entries(ranges, beyond.and_then(key::of_value), leads, descending, rest);
            }
            (Values::Few(_), _) => {}
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
                if leads.contains(slot) && !self.passed_over(1) {
                    self.take(slot);
                }
                continue;
            }
            let group = leads.view().and(group);
            if !group.is_empty() && !self.passed_over(group.len()) {
                self.add(&group, rest, None);
            }
        }
    }

    /// Groups entries by key; most groups have one entry.
    fn walk_entries(
        &mut self,
        ranges: &Ranges<i64>,
        beyond: Option<i64>,
        leads: &Set<'_>,
        descending: bool,
        rest: &[OrderKey],
    ) {
        use std::ops::Bound;
        let blocks = ranges.blocks();
        let beyond = beyond.map_or(Bound::Unbounded, Bound::Excluded);
        let range = if descending { (Bound::Unbounded, beyond) } else { (beyond, Bound::Unbounded) };
        let places = blocks.places(&range);
        let entries: Box<dyn Iterator<Item = (i64, u32)> + '_> =
            if descending { Box::new(blocks.entries_back(places)) } else { Box::new(blocks.entries(places)) };
        let mut matching = entries.filter(|(_, slot)| leads.contains(*slot)).peekable();
        // The page may already be full of leads with the cursor's own value.
        while !self.is_full()
            && let Some((key, slot)) = matching.next()
        {
            let mut group = vec![slot];
            while let Some((_, slot)) = matching.next_if(|(next, _)| *next == key) {
                group.push(slot);
            }
            if self.passed_over(group.len()) {
                continue;
            }
            if group.len() == 1 {
                self.take(slot);
            } else {
                group.sort_unstable();
                self.add(&Set::List(group.into()), rest, None);
            }
        }
    }

    fn take(&mut self, slot: u32) {
        self.wanted -= 1;
        self.slots.push(slot);
    }

    fn sort(&mut self, leads: &Set<'_>, order: &[OrderKey], after: After<'_>) {
        let key_of = |slot: u32, field: FieldId| self.index.row(slot).and_then(|row| row.key(field));
        let mut keyed: Vec<(Option<Key<'_>>, u32)> =
            leads.iter().map(|slot| (key_of(slot, order[0].field), slot)).collect();
        if let Some(after) = after {
            let bounds: Vec<Option<Key<'_>>> = after.iter().map(|value| value.as_ref().map(key_of_value)).collect();
            keyed.retain(|(first, slot)| {
                let mut decided = compare(first.as_ref(), bounds[0].as_ref(), order[0].descending);
                for (key, bound) in order.iter().zip(&bounds).skip(1) {
                    decided = decided
                        .then_with(|| compare(key_of(*slot, key.field).as_ref(), bound.as_ref(), key.descending));
                }
                decided == Ordering::Greater
            });
        }
        let by_order = |(one, slot): &(Option<Key<'_>>, u32), (other, other_slot): &(Option<Key<'_>>, u32)| {
            let mut decided = compare(one.as_ref(), other.as_ref(), order[0].descending);
            for key in &order[1..] {
                decided = decided.then_with(|| {
                    let [one, other] = [slot, other_slot].map(|slot| key_of(*slot, key.field));
                    compare(one.as_ref(), other.as_ref(), key.descending)
                });
            }
            decided
        };
        let end = self.skip.saturating_add(self.wanted);
        if end < keyed.len() {
            keyed.select_nth_unstable_by(end, by_order);
            keyed.truncate(end);
        }
        keyed.sort_unstable_by(by_order);
        let passed = self.skip.min(keyed.len());
        self.skip -= passed;
        let page: Vec<u32> = keyed[passed..].iter().map(|(_, slot)| *slot).collect();
        self.wanted -= page.len();
        self.slots.extend(page);
    }

    fn add_by_id(&mut self, leads: &Set<'_>, descending: bool, after: Option<&Option<Value>>) {
        let slots = &self.index.slots;
        let late = Set::of(slots.late());
        let mut late: Vec<(i64, u32)> = match slots.late().is_empty() {
            true => Vec::new(),
            false => leads.view().and(late).iter().map(|slot| (slots.id(slot), slot)).collect(),
        };
        late.sort_unstable();
        let ordered = match late.is_empty() {
            true => leads.view(),
            false => leads.view().minus(&Set::of(slots.late())),
        };
        // Number of leads with a lower id, which is the rank of the lead with this one.
        let below = |id: i64| ordered.rank(slots.first_from(id)) + late.partition_point(|(one, _)| *one < id);
        let all = ordered.len() + late.len();
        let (mut start, mut end) = (0, all);
        if let Some(Some(Value::Integer(id))) = after {
            match descending {
                true => end = below(*id),
                false => start = id.checked_add(1).map_or(all, below),
            }
        }
        let passed = self.skip.min(end - start);
        self.skip -= passed;
        let taken = self.wanted.min(end - start - passed);
        let (start, end) = match descending {
            true => (end - passed - taken, end - passed),
            false => (start + passed, start + passed + taken),
        };
        self.wanted -= taken;
        let late_before = |place: usize| {
            let places = late.iter().enumerate().map(|(before, (id, _))| before + ordered.rank(slots.first_from(*id)));
            places.take_while(|one| *one < place).count()
        };
        let (late_start, late_end) = (late_before(start), late_before(end));
        let mut page = ordered.places(start - late_start, end - late_end);
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
fn compare<T: Ord>(one: Option<&T>, other: Option<&T>, descending: bool) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) if descending => other.cmp(one),
        (Some(one), Some(other)) => one.cmp(other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}

fn key_of_value(value: &Value) -> Key<'_> {
    match value {
        Value::Text(text) => Key::Text(text.as_bytes().into()),
        Value::Boolean(flag) => Key::Number((*flag).into()),
        Value::Number(number) => Key::Number(key::of_number(*number)),
        Value::Integer(integer) => Key::Number(*integer),
        Value::Time(time) => Key::Number(key::of_time(*time)),
    }
}

fn equal_to(value: &Value) -> leadscribe_engine::filter::predicate::Test {
    leadscribe_engine::filter::predicate::Test::In { values: vec![value.clone()], null: false }
}
