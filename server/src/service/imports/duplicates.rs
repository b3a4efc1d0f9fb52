//! Rows of one file that are about the same record, found before anything is written.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Seek};

use leadscribe_engine::csv::RawRow;
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::message::work;
use leadscribe_engine::record::{Duplicates, RowKey};

use super::file::{CsvFile, RowsError};

/// Most lines of rows with one key that are kept.
const LINES_KEPT: usize = 10;

/// Rows with one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedKey {
    /// The lines of the first of them, in the order of the file.
    pub lines: Vec<u64>,
    /// How many rows there are.
    pub rows: u64,
}

/// The rows of a file that share their keys.
pub struct SharedKeys {
    mode: Duplicates,
    keys: HashMap<RowKey, Shared>,
}

#[derive(Default)]
struct Shared {
    rows: SharedKey,
    /// The line of the one that goes in; none yet.
    taken: Option<u64>,
}

impl SharedKeys {
    /// Reads all rows of a file once for the hashes of their keys, which take eight bytes each; and once more if some are equal.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn find<R: Read + Seek>(
        file: &mut CsvFile<R>,
        mode: Duplicates,
        key: impl Fn(&RawRow) -> Option<RowKey>,
    ) -> Result<Self, RowsError> {
        let hasher = RandomState::new();
        let mut hashes = Vec::new();
        each_key(file, &key, |key, _| hashes.push(hasher.hash_one(key)))?;
        hashes.sort_unstable();
        let mut shared: Vec<u64> = hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        shared.dedup();
        drop(hashes);
        let mut keys: HashMap<RowKey, Shared> = HashMap::new();
        if !shared.is_empty() {
            each_key(file, &key, |key, line| {
                if shared.binary_search(&hasher.hash_one(&key)).is_ok() {
                    let SharedKey { lines, rows } = &mut keys.entry(key).or_default().rows;
                    *rows += 1;
                    if lines.len() < LINES_KEPT {
                        lines.push(line);
                    }
                }
            })?;
            keys.retain(|_, shared| shared.rows.rows > 1);
        }
        Ok(Self { mode, keys })
    }

    /// For rows that aren't compared.
    pub fn none() -> Self {
        Self { mode: Duplicates::First, keys: HashMap::new() }
    }

    /// The rows that share a key, in the order of the file; so many of them at most.
    pub fn first(&self, most: usize) -> Vec<SharedKey> {
        let mut rows: Vec<_> = self.keys.values().map(|shared| shared.rows.clone()).collect();
        rows.sort_unstable_by_key(|rows| rows.lines.first().copied());
        rows.truncate(most);
        rows
    }

    /// Rows that are refused for another that has their key.
    pub fn refused_rows(&self) -> u64 {
        let taken = u64::from(self.mode == Duplicates::First);
        self.keys.values().map(|shared| shared.rows.rows - taken).sum()
    }

    /// Returns true if no rows share a key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Takes a row that is valid by itself.
    ///
    /// # Errors
    /// Another row has its key, and it is refused for that.
    pub fn take(&mut self, key: &RowKey, line: u64) -> Result<(), Fault> {
        let Some(shared) = self.keys.get_mut(key) else { return Ok(()) };
        let detail = match (self.mode, shared.taken) {
            (Duplicates::First, None) => {
                shared.taken = Some(line);
                return Ok(());
            }
            (Duplicates::First, Some(taken)) => work::same_identifier(taken),
            (Duplicates::Refused, _) => {
                let other = shared.rows.lines.iter().find(|other| **other != line);
                work::shares_identifier(*other.expect("there are several rows"))
            }
        };
        Err(Fault::new(Place::Column(String::new()), "duplicate_row", detail))
    }
}

fn each_key<R: Read + Seek>(
    file: &mut CsvFile<R>,
    key: &impl Fn(&RawRow) -> Option<RowKey>,
    mut each: impl FnMut(RowKey, u64),
) -> Result<(), RowsError> {
    let mut rows = file.rows()?;
    while let Some(row) = rows.next()? {
        if let Some(key) = key(&row) {
            each(key, row.line);
        }
    }
    Ok(())
}
