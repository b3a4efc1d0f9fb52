//! Which lead has which slot: the number that stands for it in every set and column.
//!
//! Slots are given in the order of ids, so that a set of slots is a page in the order of ids. A lead that comes with an
//! id below the highest gets a slot out of order, a *late* one; pages merge the late slots in by their ids. That costs
//! time for each late lead that matches, so an index with many of them asks to be rebuilt.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

/// Most late or deleted leads of a small index, before it asks to be rebuilt.
const FEW: usize = 10_000;

/// Ids and slots of all leads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// The id of each slot; for a late one the id of the latest in order before it, so that all ascend.
    ids: Vec<i64>,
    /// The late slots by id.
    late: BTreeMap<i64, u32>,
    /// The ids of the late slots.
    late_ids: BTreeMap<u32, i64>,
    late_slots: RoaringBitmap,
    /// The slots of leads that exist. A deleted lead's slot stays its own.
    alive: RoaringBitmap,
}

impl Slots {
    /// The slot of a lead that exists.
    pub fn find(&self, id: i64) -> Option<u32> {
        self.place(id).filter(|slot| self.alive.contains(*slot))
    }

    /// The slot of a lead, which exists from now on.
    pub fn take(&mut self, id: i64) -> u32 {
        let is_next = self.ids.last().is_none_or(|last| *last < id);
        let known = if is_next { None } else { self.place(id) };
        let slot = known.unwrap_or_else(|| {
            let slot = u32::try_from(self.ids.len()).expect("fewer than 2^32 leads");
            match self.ids.last().copied() {
                Some(last) if id < last => {
                    self.late.insert(id, slot);
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

    /// The lead of the slot no longer exists.
    pub fn free(&mut self, slot: u32) {
        self.alive.remove(slot);
    }

    /// The id of the lead with this slot.
    pub fn id(&self, slot: u32) -> i64 {
        self.late_ids.get(&slot).copied().unwrap_or_else(|| self.ids[slot as usize])
    }

    /// All slots of leads that exist.
    pub fn alive(&self) -> &RoaringBitmap {
        &self.alive
    }

    /// How many slots were given: every slot is below.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The slots that aren't in the order of ids.
    pub fn late(&self) -> &RoaringBitmap {
        &self.late_slots
    }

    /// Of the slots in order, those with an id of at least this one are at least this.
    pub fn first_from(&self, id: i64) -> u32 {
        self.ids.partition_point(|one| *one < id) as u32
    }

    /// Whether so many slots are late or deleted that an index of the same leads would be better.
    pub fn want_order(&self) -> bool {
        let deleted = self.ids.len() - self.alive.len() as usize;
        self.late.len() > FEW.max(self.ids.len() / 32) || deleted > FEW.max(self.ids.len() / 4)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<i64>() + self.late.len() * 48 + crate::memory::of_bitmap(&self.alive)
    }

    /// Gives back what was reserved for more.
    pub fn shrink(&mut self) {
        self.ids.shrink_to_fit();
    }

    fn place(&self, id: i64) -> Option<u32> {
        // Most often no id is left out, and the distance from the first is the place.
        let guess = self.ids.first().and_then(|first| usize::try_from(id.checked_sub(*first)?).ok());
        if let Some(guess) = guess.filter(|guess| *guess > 0 && self.ids.get(*guess) == Some(&id))
            && self.ids[guess - 1] < id
        {
            return Some(guess as u32);
        }
        // The first of equal ones: a late slot comes after the one whose id stands for it.
        let first = self.first_from(id);
        match self.ids.get(first as usize) {
            Some(found) if *found == id => Some(first),
            _ => self.late.get(&id).copied(),
        }
    }
}
