//! Links between the records of one call, collected in a first pass over the file.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::leg::uniqueid_seconds;

/// Maximum number of chained Local channels. A call has few of them.
const MAX_CHAINED_LOCALS: usize = 16;

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(text)
}

/// The cells of a record that the first pass needs.
pub(super) struct LinkCells<'a> {
    pub uniqueid: &'a str,
    /// Empty if the file doesn't have the column, or the cell is empty.
    pub linkedid: &'a str,
    /// The Local channel, if this channel is its second half.
    pub continued_local: Option<&'a str>,
    /// The Local channel, if the record calls its first half.
    pub called_local: Option<&'a str>,
}

impl<'a> LinkCells<'a> {
    /// Returns the key of the record's call, as far as the record determines it.
    pub(super) fn key(&self) -> &'a str {
        if self.linkedid.is_empty() { self.uniqueid } else { self.linkedid }
    }
}

/// The calls of a file, and the last record of each. The first pass uses 8 bytes per record, and about 100 bytes per Local channel of a
/// file without `linkedid`. Afterwards, one bit per record is kept.
///
/// Calls are identified by hashes. If two calls have the same hash, the first one is completed later, without other
/// effects.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Hash of each record's call, and the record's position.
    records: Vec<(u32, u32)>,
    /// One bit per record: set if it is the last one of its call.
    last_record_bits: Vec<u64>,
    /// Channels that called Local channels, by the hash of the Local channel, with their `uniqueid`.
    callers: HashMap<u64, BTreeSet<String>>,
    /// The Local channel of each second half, by the `uniqueid` of the half.
    local_by_second_half: HashMap<String, String>,
}

impl Links {
    /// Adds a record in the first pass. Add every record, including invalid ones.
    pub(super) fn add(&mut self, cells: &LinkCells<'_>) {
        if cells.linkedid.is_empty() {
            if let Some(local) = cells.called_local {
                self.callers.entry(hash(local)).or_default().insert(cells.uniqueid.to_owned());
            }
            if let Some(local) = cells.continued_local {
                self.local_by_second_half.insert(cells.uniqueid.to_owned(), local.to_owned());
            }
        }
        self.records.push((hash(cells.key()) as u32, self.records.len() as u32));
    }

    /// Ends the first pass.
    pub(super) fn finish(&mut self) {
        let resolved_calls: HashMap<u32, u32> = self
            .local_by_second_half
            .keys()
            .filter_map(|uniqueid| {
                let call = self.resolve_call(uniqueid);
                (call != uniqueid).then(|| (hash(uniqueid) as u32, hash(call) as u32))
            })
            .collect();
        for (call, _) in &mut self.records {
            *call = resolved_calls.get(call).copied().unwrap_or(*call);
        }
        self.last_record_bits = vec![0; self.records.len().div_ceil(64)];
        self.records.sort_unstable();
        for (index, (call, position)) in self.records.iter().enumerate() {
            if self.records.get(index + 1).is_none_or(|(next, _)| next != call) {
                self.last_record_bits[*position as usize / 64] |= 1 << (position % 64);
            }
        }
        self.records = Vec::new();
    }

    /// Returns true if the record at this position is the last one of its call.
    pub(super) fn is_last(&self, position: usize) -> bool {
        self.last_record_bits.get(position / 64).is_none_or(|bits| bits & (1 << (position % 64)) != 0)
    }

    /// Returns the key of a record's call: the `uniqueid` of the channel that began it.
    pub(super) fn key<'a>(&'a self, cells: &LinkCells<'a>) -> &'a str {
        match cells.linkedid {
            "" => self.resolve_call(cells.uniqueid),
            linked => linked,
        }
    }

    /// Follows second halves of Local channels to the channel that called the first half, as far as possible.
    fn resolve_call<'a>(&'a self, uniqueid: &'a str) -> &'a str {
        let mut call = uniqueid;
        for _ in 0..MAX_CHAINED_LOCALS {
            let caller = self.local_by_second_half.get(call).and_then(|local| self.find_caller(local, call));
            match caller {
                Some(caller) if caller != call => call = caller,
                _ => break,
            }
        }
        call
    }

    /// Returns the channel that called a Local channel. Names are reused after a restart, so this is the last caller that started before
    /// the half.
    fn find_caller(&self, local: &str, half: &str) -> Option<&str> {
        let started_seconds = uniqueid_seconds(half)?;
        let callers = self.callers.get(&hash(local))?.iter();
        let candidates = callers.filter_map(|caller| Some((uniqueid_seconds(caller)?, caller)));
        candidates
            .filter(|(seconds, _)| *seconds <= started_seconds)
            .max_by_key(|(seconds, _)| *seconds)
            .map(|(_, caller)| caller.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link_cells<'a>(uniqueid: &'a str, linkedid: &'a str) -> LinkCells<'a> {
        LinkCells { uniqueid, linkedid, continued_local: None, called_local: None }
    }

    #[test]
    fn calls_end_at_their_last_record() {
        let mut links = Links::default();
        let records = [("1", "1"), ("2", "2"), ("3", "1"), ("4", ""), ("2", "2")];
        records.iter().for_each(|(uniqueid, linkedid)| links.add(&link_cells(uniqueid, linkedid)));
        links.finish();
        let last: Vec<_> = (0..records.len()).map(|index| links.is_last(index)).collect();
        assert_eq!(last, [false, false, true, true, true]);
        assert_eq!(links.key(&link_cells("4", "")), "4");
    }

    #[test]
    fn local_channels_link_without_linkedid() {
        let queue = |uniqueid| LinkCells { called_local: Some("Local/600@q-1"), ..link_cells(uniqueid, "") };
        let group = |uniqueid| LinkCells {
            continued_local: Some("Local/600@q-1"),
            called_local: Some("Local/101@q-2"),
            ..link_cells(uniqueid, "")
        };
        let agent = |uniqueid| LinkCells { continued_local: Some("Local/101@q-2"), ..link_cells(uniqueid, "") };
        let mut links = Links::default();
        let records = [
            agent("1777888803.3"),
            group("1777888801.2"),
            queue("1777888800.1"),
            // After a restart, the same names are used again.
            agent("1777988803.3"),
            group("1777988801.2"),
            queue("1777988800.1"),
        ];
        records.iter().for_each(|record| links.add(record));
        links.finish();
        let keys: Vec<_> = records.iter().map(|record| links.key(record)).collect();
        assert_eq!(keys, [["1777888800.1"; 3], ["1777988800.1"; 3]].concat());
        let last: Vec<_> = (0..records.len()).map(|index| links.is_last(index)).collect();
        assert_eq!(last, [false, false, true, false, false, true]);
    }
}
