//! Links between the records of one call, collected in a first pass over the file.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::leg::uniqueid_seconds;

/// Maximum number of chained Local channels. A call has few of them.
const MAX_NESTED: usize = 16;

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(text)
}

/// The cells of a record that the first pass needs.
pub(super) struct LinkCells<'a> {
    pub uniqueid: &'a str,
    /// Empty if the file doesn't have the column, or the cell is empty.
    pub linkedid: &'a str,
    /// The Local channel, if this channel is its second half.
    pub continues: Option<&'a str>,
    /// The Local channel, if the record calls its first half.
    pub calls: Option<&'a str>,
}

impl<'a> LinkCells<'a> {
    /// Returns the key of its call, as far as the record determines it.
    pub(super) fn key(&self) -> &'a str {
        if self.linkedid.is_empty() { self.uniqueid } else { self.linkedid }
    }
}

/// The calls of a file, and the last record of each. The first pass uses 8 bytes per record, and about 100 bytes per Local channel of a
/// file without `linkedid`. Afterwards, one bit per record is kept.
///
/// Records are identified by hashes. If two calls have the same hash, the first one is completed later, without other effects.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Hash of each record's call, and the record's position.
    records: Vec<(u32, u32)>,
    /// One bit per record: set if it is the last one of its call.
    last: Vec<u64>,
    /// Channels that called Local channels, by the hash of the Local channel, with their `uniqueid`.
    callers: HashMap<u64, BTreeSet<String>>,
    /// The Local channel of each second half, by the `uniqueid` of the half.
    halves: HashMap<String, String>,
}

impl Links {
    /// Adds a record in the first pass. Add every record, including invalid ones.
    pub(super) fn note(&mut self, seen: &LinkCells<'_>) {
        if seen.linkedid.is_empty() {
            if let Some(local) = seen.calls {
                self.callers.entry(hash(local)).or_default().insert(seen.uniqueid.to_owned());
            }
            if let Some(local) = seen.continues {
                self.halves.insert(seen.uniqueid.to_owned(), local.to_owned());
            }
        }
        self.records.push((hash(seen.key()) as u32, self.records.len() as u32));
    }

    /// Ends the first pass.
    pub(super) fn finish(&mut self) {
        let moved: HashMap<u32, u32> = self
            .halves
            .keys()
            .filter_map(|uniqueid| {
                let call = self.call_of(uniqueid);
                (call != uniqueid).then(|| (hash(uniqueid) as u32, hash(call) as u32))
            })
            .collect();
        for (call, _) in &mut self.records {
            *call = moved.get(call).copied().unwrap_or(*call);
        }
        self.last = vec![0; self.records.len().div_ceil(64)];
        self.records.sort_unstable();
        for (nth, (call, place)) in self.records.iter().enumerate() {
            if self.records.get(nth + 1).is_none_or(|(next, _)| next != call) {
                self.last[*place as usize / 64] |= 1 << (place % 64);
            }
        }
        self.records = Vec::new();
    }

    /// Returns true if the record at this position is the last one of its call.
    pub(super) fn is_last(&self, place: usize) -> bool {
        self.last.get(place / 64).is_none_or(|bits| bits & (1 << (place % 64)) != 0)
    }

    /// Returns the key of its call: the `uniqueid` of the channel that began it.
    pub(super) fn key<'a>(&'a self, seen: &LinkCells<'a>) -> &'a str {
        match seen.linkedid {
            "" => self.call_of(seen.uniqueid),
            linked => linked,
        }
    }

    /// Follows second halves of Local channels to the channel that called the first half, as far as possible.
    fn call_of<'a>(&'a self, uniqueid: &'a str) -> &'a str {
        let mut call = uniqueid;
        for _ in 0..MAX_NESTED {
            let caller = self.halves.get(call).and_then(|local| self.caller_of(local, call));
            match caller {
                Some(caller) if caller != call => call = caller,
                _ => break,
            }
        }
        call
    }

    /// Returns the channel that called a Local channel. Names are reused after a restart, so this is the last caller that started before
    /// the half.
    fn caller_of(&self, local: &str, half: &str) -> Option<&str> {
        let began = uniqueid_seconds(half)?;
        let callers = self.callers.get(&hash(local))?.iter();
        let before = callers.filter_map(|caller| Some((uniqueid_seconds(caller)?, caller)));
        before.filter(|(at, _)| *at <= began).max_by_key(|(at, _)| *at).map(|(_, caller)| caller.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen<'a>(uniqueid: &'a str, linkedid: &'a str) -> LinkCells<'a> {
        LinkCells { uniqueid, linkedid, continues: None, calls: None }
    }

    #[test]
    fn calls_end_at_their_last_record() {
        let mut links = Links::default();
        let records = [("1", "1"), ("2", "2"), ("3", "1"), ("4", ""), ("2", "2")];
        records.iter().for_each(|(uniqueid, linkedid)| links.note(&seen(uniqueid, linkedid)));
        links.finish();
        let last: Vec<_> = (0..records.len()).map(|place| links.is_last(place)).collect();
        assert_eq!(last, [false, false, true, true, true]);
        assert_eq!(links.key(&seen("4", "")), "4");
    }

    #[test]
    fn local_channels_link_without_linkedid() {
        let queue = |uniqueid| LinkCells { calls: Some("Local/600@q-1"), ..seen(uniqueid, "") };
        let group = |uniqueid| LinkCells {
            continues: Some("Local/600@q-1"),
            calls: Some("Local/101@q-2"),
            ..seen(uniqueid, "")
        };
        let agent = |uniqueid| LinkCells { continues: Some("Local/101@q-2"), ..seen(uniqueid, "") };
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
        records.iter().for_each(|record| links.note(record));
        links.finish();
        let keys: Vec<_> = records.iter().map(|record| links.key(record)).collect();
        assert_eq!(keys, [["1777888800.1"; 3], ["1777988800.1"; 3]].concat());
        let last: Vec<_> = (0..records.len()).map(|place| links.is_last(place)).collect();
        assert_eq!(last, [false, false, true, false, false, true]);
    }
}
