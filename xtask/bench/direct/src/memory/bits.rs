//! Bit set of leads.

use super::QueryResult;
use crate::workload::Query;

/// The bits, in words of 64.
pub struct Bits(Vec<u64>);

impl Bits {
    /// Returns an empty set for `leads` leads.
    pub fn none(leads: usize) -> Self {
        Self(vec![0; leads.div_ceil(64)])
    }

    /// Returns the leads whose value in `column` satisfies `keep`.
    pub fn of_column<T: Copy>(column: &[T], keep: impl Fn(T) -> bool) -> Self {
        let word = |values: &[T]| {
            values.iter().enumerate().fold(0, |word, (place, value)| word | u64::from(keep(*value)) << place)
        };
        Self(column.chunks(64).map(word).collect())
    }

    /// Adds a lead.
    pub fn insert(&mut self, place: u32) {
        self.0[place as usize / 64] |= 1 << (place % 64);
    }

    /// Returns the page, found by counting.
    pub fn page(&self, query: &Query) -> QueryResult {
        let total = self.0.iter().map(|word| word.count_ones() as usize).sum();
        let (mut leads, mut seen) = (Vec::new(), 0);
        for (place, word) in self.0.iter().enumerate() {
            let ones = word.count_ones() as usize;
            let mut rest = if seen + ones > query.offset { *word } else { 0 };
            let mut at = seen;
            while rest != 0 && leads.len() < query.count {
                if at >= query.offset {
                    leads.push(place as u32 * 64 + rest.trailing_zeros());
                }
                at += 1;
                rest &= rest - 1;
            }
            seen += ones;
            if leads.len() == query.count {
                break;
            }
        }
        QueryResult { total, leads }
    }
}
