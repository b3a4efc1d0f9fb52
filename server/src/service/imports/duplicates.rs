//! Finds rows of one file that refer to the same record, before anything is written.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Seek};

use leadscribe_engine::csv::RawRow;
use leadscribe_engine::diagnostic::{Diagnostic, Place, work};
use leadscribe_engine::record::{CsvReader, Duplicates, RowKey};

use super::file::{CsvFile, RowsError};

/// Diagnostic code of a row that shares a key with another row.
pub const CODE: &str = "duplicate_row";

/// Maximum number of lines stored for one key.
const LINES_KEPT: usize = 10;

/// Rows that share one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedKey {
    /// Lines of the first of these rows, in file order.
    pub lines: Vec<u64>,
    /// Total number of rows.
    pub rows: u64,
}

/// All rows of a file that share keys.
pub struct SharedKeys {
    mode: Duplicates,
    keys: HashMap<RowKey<'static>, Shared>,
    refused_rows: u64,
}

#[derive(Default)]
struct Shared {
    rows: SharedKey,
    /// Line of the accepted row, once it has been read.
    taken: Option<u64>,
}

impl SharedKeys {
    /// Reads all rows once to hash their keys (eight bytes each). Reads them twice more if some hashes are equal.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn find<R: Read + Seek, T>(
        file: &mut CsvFile<R>,
        columns: &CsvReader<T>,
        mode: Duplicates,
    ) -> Result<Self, RowsError> {
        let hasher = RandomState::new();
        let mut hashes = Vec::new();
        each_row(file, |row| hashes.extend(keys(columns, row).map(|key| hasher.hash_one(key))))?;
        hashes.sort_unstable();
        let mut shared: Vec<u64> = hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        shared.dedup();
        drop(hashes);
        let mut found = Self { mode, ..Self::none() };
        if shared.is_empty() {
            return Ok(found);
        }
        each_row(file, |row| {
            for key in keys(columns, row) {
                if shared.binary_search(&hasher.hash_one(&key)).is_ok() {
                    let SharedKey { lines, rows } = &mut found.keys.entry(key.into_owned()).or_default().rows;
                    *rows += 1;
                    if lines.len() < LINES_KEPT {
                        lines.push(row.line);
                    }
                }
            }
        })?;
        found.keys.retain(|_, shared| shared.rows.rows > 1);
        let mut refused_rows = 0;
        each_row(file, |row| refused_rows += u64::from(found.take(columns, row).is_err()))?;
        found.refused_rows = refused_rows;
        found.keys.values_mut().for_each(|shared| shared.taken = None);
        Ok(found)
    }

    /// Returns an empty set, for imports that don't compare rows.
    pub fn none() -> Self {
        Self { mode: Duplicates::First, keys: HashMap::new(), refused_rows: 0 }
    }

    /// Returns at most `most` groups of rows that share a key, in file order.
    pub fn first(&self, most: usize) -> Vec<SharedKey> {
        let mut rows: Vec<_> = self.keys.values().map(|shared| shared.rows.clone()).collect();
        rows.sort_unstable_by(|a, b| a.lines.cmp(&b.lines));
        // Rows may share several keys.
        rows.dedup();
        rows.truncate(most);
        rows
    }

    /// Returns the number of rows rejected because another row has one of their keys, provided that all rows are valid on their own.
    pub fn refused_rows(&self) -> u64 {
        self.refused_rows
    }

    /// Returns true if no rows share a key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Accepts a row that is valid on its own.
    ///
    /// # Errors
    /// The row is rejected because another row has one of its keys.
    pub fn take<T>(&mut self, columns: &CsvReader<T>, row: &RawRow) -> Result<(), Diagnostic> {
        let keys: Vec<_> = keys(columns, row).map(RowKey::into_owned).collect();
        let line = row.line;
        let shared = || keys.iter().filter_map(|key| self.keys.get(key));
        let refusal = match self.mode {
            Duplicates::First => shared().find_map(|shared| shared.taken).map(work::same_identifier),
            Duplicates::Refused => {
                let other = shared().find_map(|shared| shared.rows.lines.iter().find(|other| **other != line));
                other.copied().map(work::shares_identifier)
            }
        };
        if let Some(detail) = refusal {
            return Err(Diagnostic::new(Place::Column(String::new()), CODE, detail));
        }
        for key in &keys {
            if let Some(shared) = self.keys.get_mut(key) {
                shared.taken = Some(line);
            }
        }
        Ok(())
    }
}

/// Returns the keys of a row; none if the row is rejected.
fn keys<'a, T>(columns: &'a CsvReader<T>, row: &'a RawRow) -> impl Iterator<Item = RowKey<'a>> {
    let is_told = row.wrong.is_none();
    let cell = |place| std::str::from_utf8(row.cell(place)).unwrap_or_default();
    is_told.then(|| columns.keys(cell)).into_iter().flatten()
}

fn each_row<R: Read + Seek>(file: &mut CsvFile<R>, mut each: impl FnMut(&RawRow)) -> Result<(), RowsError> {
    let mut rows = file.rows()?;
    while let Some(row) = rows.next()? {
        each(&row);
    }
    Ok(())
}
