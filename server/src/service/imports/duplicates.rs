//! Finds rows of one file that refer to the same record, before anything is written.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Seek};

use leadscribe_engine::csv::RawRow;
use leadscribe_engine::diagnostic::{Diagnostic, Location, work};
use leadscribe_engine::record::{CsvReader, Duplicates, RowKey};

use super::csv_file::{CsvFile, FileError};

/// Diagnostic code of a row that shares a key with another row.
pub const DUPLICATE_CODE: &str = "duplicate_row";

/// Maximum number of lines stored for one key.
const MAX_LINES_PER_KEY: usize = 10;

/// Rows that share one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedKey {
    /// Lines of the first few rows, in file order.
    pub lines: Vec<u64>,
    /// Total number of rows.
    pub rows: u64,
}

/// All rows of a file that share keys.
pub struct SharedKeys {
    mode: Duplicates,
    keys: HashMap<RowKey<'static>, KeyUsage>,
    rejected_rows: u64,
}

#[derive(Default)]
struct KeyUsage {
    group: SharedKey,
    /// Line of the accepted row, once it has been read.
    accepted_line: Option<u64>,
}

impl SharedKeys {
    /// Reads all rows once to hash their keys (eight bytes each). Reads them twice more if some hashes are equal.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn find<R: Read + Seek, T>(
        file: &mut CsvFile<R>,
        csv_reader: &CsvReader<T>,
        mode: Duplicates,
    ) -> Result<Self, FileError> {
        let hasher = RandomState::new();
        let mut hashes = Vec::new();
        for_each_row(file, |row| hashes.extend(row_keys(csv_reader, row).map(|key| hasher.hash_one(key))))?;
        hashes.sort_unstable();
        let mut shared_hashes: Vec<u64> =
            hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        shared_hashes.dedup();
        drop(hashes);
        let mut result = Self { mode, ..Self::empty() };
        if shared_hashes.is_empty() {
            return Ok(result);
        }
        for_each_row(file, |row| {
            for key in row_keys(csv_reader, row) {
                if shared_hashes.binary_search(&hasher.hash_one(&key)).is_ok() {
                    let SharedKey { lines, rows } = &mut result.keys.entry(key.into_owned()).or_default().group;
                    *rows += 1;
                    if lines.len() < MAX_LINES_PER_KEY {
                        lines.push(row.line);
                    }
                }
            }
        })?;
        result.keys.retain(|_, usage| usage.group.rows > 1);
        let mut rejected_rows = 0;
        for_each_row(file, |row| rejected_rows += u64::from(result.accept(csv_reader, row).is_err()))?;
        result.rejected_rows = rejected_rows;
        result.keys.values_mut().for_each(|usage| usage.accepted_line = None);
        Ok(result)
    }

    /// Returns an empty set, for imports that don't compare rows.
    pub fn empty() -> Self {
        Self { mode: Duplicates::First, keys: HashMap::new(), rejected_rows: 0 }
    }

    /// Returns at most `count` groups of rows that share a key, in file order.
    pub fn first_groups(&self, count: usize) -> Vec<SharedKey> {
        let mut groups: Vec<_> = self.keys.values().map(|usage| usage.group.clone()).collect();
        groups.sort_unstable_by(|a, b| a.lines.cmp(&b.lines));
        // Rows may share several keys.
        groups.dedup();
        groups.truncate(count);
        groups
    }

    /// Returns the number of rows rejected because another row has one of their keys, provided that all rows are valid on their own.
    pub fn rejected_rows(&self) -> u64 {
        self.rejected_rows
    }

    /// Returns true if no rows share a key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Accepts a row that is valid on its own.
    ///
    /// # Errors
    /// The row is rejected because another row has one of its keys.
    pub fn accept<T>(&mut self, csv_reader: &CsvReader<T>, row: &RawRow) -> Result<(), Diagnostic> {
        let keys: Vec<_> = row_keys(csv_reader, row).map(RowKey::into_owned).collect();
        let line = row.line;
        let usages = || keys.iter().filter_map(|key| self.keys.get(key));
        let rejection = match self.mode {
            Duplicates::First => usages().find_map(|usage| usage.accepted_line).map(work::same_identifier),
            Duplicates::RejectAll => {
                let other = usages().find_map(|usage| usage.group.lines.iter().find(|other| **other != line));
                other.copied().map(work::shares_identifier)
            }
        };
        if let Some(detail) = rejection {
            return Err(Diagnostic::new(Location::Column(String::new()), DUPLICATE_CODE, detail));
        }
        for key in &keys {
            if let Some(usage) = self.keys.get_mut(key) {
                usage.accepted_line = Some(line);
            }
        }
        Ok(())
    }
}

/// Returns the keys of a row; none if the row is rejected.
fn row_keys<'a, T>(csv_reader: &'a CsvReader<T>, row: &'a RawRow) -> impl Iterator<Item = RowKey<'a>> {
    let is_readable = row.error.is_none();
    let cell = |index| std::str::from_utf8(row.cell(index)).unwrap_or_default();
    is_readable.then(|| csv_reader.keys(cell)).into_iter().flatten()
}

fn for_each_row<R: Read + Seek>(file: &mut CsvFile<R>, mut visit: impl FnMut(&RawRow)) -> Result<(), FileError> {
    let mut rows = file.rows()?;
    while let Some(row) = rows.next()? {
        visit(&row);
    }
    Ok(())
}
