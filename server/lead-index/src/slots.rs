//! Slots of leads: the numbers that represent leads in all sets and columns.
//!
//! Slots are assigned in the order of ids, so a set of slots is a page ordered by id. A lead with an id below the highest gets a slot out
//! of order, a *late* slot; pages merge late slots by their ids. That takes time for each matching late lead, so an index with many of them
//! requests a rebuild.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

/// Number of late or deleted leads above which a small index requests a rebuild.
const MIN_REBUILD_LEADS: usize = 10_000;

/// Ids and slots of all leads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// Id of each slot; for a late slot, the id of the last ordered slot before it, so that all ids ascend.
    ids: Vec<i64>,
    /// Late slots by id.
    late_by_id: BTreeMap<i64, u32>,
    /// Ids of the late slots.
    late_ids: BTreeMap<u32, i64>,
    late_slots: RoaringBitmap,
    /// Slots of existing leads. The slot of a deleted lead isn't reused.
    alive: RoaringBitmap,
}

impl Slots {
    /// Slot of an existing lead.
    pub fn find(&self, id: i64) -> Option<u32> {
        self.find_any(id).filter(|slot| self.alive.contains(*slot))
    }

    /// Returns the slot of a lead, assigned if it is new, and marks the lead as existing.
    pub fn assign(&mut self, id: i64) -> u32 {
        let is_next = self.ids.last().is_none_or(|last| *last < id);
        let existing = if is_next { None } else { self.find_any(id) };
        let slot = existing.unwrap_or_else(|| {
            let slot = u32::try_from(self.ids.len()).expect("fewer than 2^32 leads");
            match self.ids.last().copied() {
                Some(last) if id < last => {
                    self.late_by_id.insert(id, slot);
                    self.late_ids.insert(slot, id);
                    self.late_slots.insert(slot);
                    self.ids.push(last);
                }
                _ => self.ids.push(id),
            }
            slot
        });
        self.alive.insert(slot);
        slot
    }

    /// Marks the lead of the slot as deleted.
    pub fn mark_deleted(&mut self, slot: u32) {
        self.alive.remove(slot);
    }

    /// Id of the lead with this slot.
    pub fn id(&self, slot: u32) -> i64 {
        self.late_ids.get(&slot).copied().unwrap_or_else(|| self.ids[slot as usize])
    }

    /// Slots of all existing leads.
    pub fn alive(&self) -> &RoaringBitmap {
        &self.alive
    }

    /// Number of assigned slots; every slot is below it.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Slots that aren't in the order of ids.
    pub fn late(&self) -> &RoaringBitmap {
        &self.late_slots
    }

    /// Lower bound of the ordered slots whose ids are at least this one.
    pub fn lower_bound(&self, id: i64) -> u32 {
        self.ids.partition_point(|slot_id| *slot_id < id) as u32
    }

    /// True if so many slots are late or deleted that a rebuild pays off.
    pub fn needs_rebuild(&self) -> bool {
        let deleted = self.ids.len() - self.alive.len() as usize;
        self.late_by_id.len() > MIN_REBUILD_LEADS.max(self.ids.len() / 32)
            || deleted > MIN_REBUILD_LEADS.max(self.ids.len() / 4)
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<i64>() + self.late_by_id.len() * 48 + crate::memory::bitmap_bytes(&self.alive)
    }

    /// Frees unused capacity.
    pub fn shrink(&mut self) {
        self.ids.shrink_to_fit();
    }

    fn find_any(&self, id: i64) -> Option<u32> {
        // Usually there are no gaps in the ids, and the distance from the first id is the slot.
        let guess = self.ids.first().and_then(|first| usize::try_from(id.checked_sub(*first)?).ok());
        if let Some(guess) = guess.filter(|guess| *guess > 0 && self.ids.get(*guess) == Some(&id))
            && self.ids[guess - 1] < id
        {
            return Some(guess as u32);
        }
        // First of equal ids: a late slot follows the ordered slot whose id it repeats.
        let first = self.lower_bound(id);
        match self.ids.get(first as usize) {
            Some(id_at_first) if *id_at_first == id => Some(first),
            _ => self.late_by_id.get(&id).copied(),
        }
    }
}
