//! Column of integer keys with few distinct values: each with the slots that have it.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::RangeBounds;

use hashbrown::HashMap;

use crate::posting::{Posting, PostingBuilder};

/// Sorted keys, each with its slots.
#[derive(Clone, Debug)]
pub(crate) struct SmallSet<K> {
    postings: BTreeMap<K, Posting>,
    /// Pushed keys, each with the number that represents it.
    numbers: HashMap<K, u32>,
    builder: PostingBuilder,
}

impl<K> Default for SmallSet<K> {
    fn default() -> Self {
        Self { postings: BTreeMap::new(), numbers: HashMap::default(), builder: PostingBuilder::default() }
    }
}

impl<K: Ord + Hash + Copy> SmallSet<K> {
    /// Adds a key for the highest slot so far. Only while building; [`Self::finish`] completes the column.
    pub fn push(&mut self, key: K, slot: u32) {
        let next = self.numbers.len() as u32;
        self.builder.push(*self.numbers.entry(key).or_insert(next), slot);
    }

    /// Groups the pushed slots by key. Returns the pushed slots.
    pub fn finish(&mut self) -> PostingBuilder {
        let builder = std::mem::take(&mut self.builder);
        let mut postings = builder.build(self.numbers.len());
        let numbers = std::mem::take(&mut self.numbers).into_iter();
        self.postings = numbers.map(|(key, number)| (key, std::mem::take(&mut postings[number as usize]))).collect();
        builder
    }

    /// Adds a slot to a key.
    pub fn insert(&mut self, key: K, slot: u32) {
        self.postings.entry(key).or_default().insert(slot);
    }

    pub fn remove(&mut self, key: K, slot: u32) {
        if let Some(posting) = self.postings.get_mut(&key) {
            posting.remove(slot);
            if posting.is_empty() {
                self.postings.remove(&key);
            }
        }
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.postings.len()
    }

    /// Slots of a key.
    pub fn get(&self, key: K) -> Option<&Posting> {
        self.postings.get(&key)
    }

    /// All keys with their slots, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Posting)> {
        self.postings.iter()
    }

    /// Keys in this range with their slots, ascending.
    pub fn range(&self, range: impl RangeBounds<K>) -> impl Iterator<Item = (&K, &Posting)> {
        self.postings.range(range)
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        // B-tree nodes are two thirds full on average.
        self.postings.len() * (size_of::<K>() + size_of::<Posting>()) * 3 / 2
            + self.postings.values().map(Posting::bytes).sum::<usize>()
    }
}
