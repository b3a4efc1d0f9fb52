//! Deterministic pseudorandom choices.

use std::ops::RangeInclusive;

use chrono::TimeDelta;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Generator with a fixed algorithm, so that a library update doesn't change the data.
pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns true with a probability of `percent`.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.0.random_ratio(percent, 100)
    }

    pub fn in_range(&mut self, range: RangeInclusive<i64>) -> i64 {
        self.0.random_range(range)
    }

    /// Returns a duration in whole seconds.
    pub fn duration(&mut self, range: RangeInclusive<TimeDelta>) -> TimeDelta {
        TimeDelta::seconds(self.in_range(range.start().num_seconds()..=range.end().num_seconds()))
    }

    /// Returns an element of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        items.choose(&mut self.0).expect("the tables of the sample data aren't empty")
    }

    /// Returns an element of `items` with a probability according to its weight. One weight must be above 0.
    pub fn pick_weighted<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> u32) -> &'a T {
        items.choose_weighted(&mut self.0, weight).expect("the tables of the sample data have positive weights")
    }

    /// Replaces each `#` in `template` with a digit.
    pub fn digits(&mut self, template: &str) -> String {
        template.chars().map(|c| if c == '#' { char::from(b'0' + self.0.random_range(0..10u8)) } else { c }).collect()
    }
}
