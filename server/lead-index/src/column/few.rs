//! Numbers of which there are few different ones: each with the slots that have it.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::RangeBounds;

use hashbrown::HashMap;

use crate::posting::{Posting, Pushed};

/// Keys in order, each with its slots.
#[derive(Clone, Debug)]
pub(crate) struct Few<K> {
    postings: BTreeMap<K, Posting>,
    /// The keys that were pushed, each with a number that stands for it.
    numbers: HashMap<K, u32>,
    pushed: Pushed,
}

impl<K> Default for Few<K> {
    fn default() -> Self {
        Self { postings: BTreeMap::new(), numbers: HashMap::default(), pushed: Pushed::default() }
    }
}

impl<K: Ord + Hash + Copy> Few<K> {
    /// A slot above all others has this key; for a column in the making, which [`Self::finish`] completes.
    pub fn push(&mut self, key: K, slot: u32) {
        let next = self.numbers.len() as u32;
        self.pushed.push(*self.numbers.entry(key).or_insert(next), slot);
    }

    /// Groups what was pushed by its keys; the slots that were pushed.
    pub fn finish(&mut self) -> Pushed {
        let pushed = std::mem::take(&mut self.pushed);
        let mut postings = pushed.postings(self.numbers.len());
        let taken = std::mem::take(&mut self.numbers).into_iter();
        self.postings = taken.map(|(key, number)| (key, std::mem::take(&mut postings[number as usize]))).collect();
        pushed
    }

    /// A slot has this key.
    pub fn insert(&mut self, key: K, slot: u32) {
        self.postings.entry(key).or_default().insert(slot);
    }

    /// A slot no longer has this key.
    pub fn remove(&mut self, key: K, slot: u32) {
        if let Some(posting) = self.postings.get_mut(&key) {
            posting.remove(slot);
            if posting.is_empty() {
                self.postings.remove(&key);
            }
        }
    }

    /// How many keys.
    pub fn len(&self) -> usize {
        self.postings.len()
    }

    /// The slots of a key.
    pub fn get(&self, key: K) -> Option<&Posting> {
        self.postings.get(&key)
    }

    /// All keys, ascending, with their slots.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Posting)> {
        self.postings.iter()
    }

    /// The keys in this range, ascending, with their slots.
    pub fn range(&self, range: impl RangeBounds<K>) -> impl Iterator<Item = (&K, &Posting)> {
        self.postings.range(range)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        // A node of a B-tree is two thirds full on average.
        self.postings.len() * (size_of::<K>() + size_of::<Posting>()) * 3 / 2
            + self.postings.values().map(Posting::bytes).sum::<usize>()
    }
}
