//! Stores the column mappings of imports in this browser, per user. The next file of the same kind with the same columns starts
//! with its mapping.

use leadscribe_engine::api::{ImportKind, Timestamp, UserId};
use leadscribe_engine::record::Mapping;
use serde::{Deserialize, Serialize};

use crate::browser::storage;
use crate::i18n::datetime;

/// Maximum number of stored mappings.
const MAX_STORED_MAPPINGS: usize = 20;

/// Mapping of an import that was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastMapping {
    pub stored_at: Timestamp,
    pub mapping: Mapping,
    kind: ImportKind,
    /// Names of the file's columns, sorted.
    names: Vec<String>,
}

impl LastMapping {
    fn new(kind: ImportKind, header: &[String], mapping: Mapping, stored_at: Timestamp) -> Self {
        let mut names = header.to_vec();
        names.sort();
        Self { stored_at, mapping, kind, names }
    }

    fn has_same_columns(&self, other: &Self) -> bool {
        (self.kind, &self.names) == (other.kind, &other.names)
    }
}

/// Returns the mapping of the last file with these columns, in any order.
pub fn load(user: UserId, kind: ImportKind, header: &[String]) -> Option<LastMapping> {
    let key = LastMapping::new(kind, header, Mapping::default(), Timestamp::default());
    load_all(user).into_iter().find(|mapping| mapping.has_same_columns(&key))
}

/// Stores a mapping. It replaces the mapping of the last file with the same columns.
pub fn store(user: UserId, kind: ImportKind, header: &[String], mapping: Mapping) {
    let mut mappings = load_all(user);
    insert(&mut mappings, LastMapping::new(kind, header, mapping, datetime::now()));
    storage::store(&storage_key(user), &mappings);
}

fn insert(mappings: &mut Vec<LastMapping>, new: LastMapping) {
    mappings.retain(|mapping| !mapping.has_same_columns(&new));
    mappings.insert(0, new);
    mappings.truncate(MAX_STORED_MAPPINGS);
}

fn load_all(user: UserId) -> Vec<LastMapping> {
    storage::load(&storage_key(user)).unwrap_or_default()
}

fn storage_key(user: UserId) -> String {
    format!("leadscribe.mappings.{user}")
}

#[cfg(test)]
mod tests {
    use crate::features::imports::last_mapping::*;

    #[test]
    fn keeps_the_last_mapping_for_the_same_columns() {
        let mapping = |kind, names: &[&str]| {
            let header: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            LastMapping::new(kind, &header, Mapping::default(), Timestamp::default())
        };
        let mut mappings = Vec::new();
        for new in [
            mapping(ImportKind::Leads, &["No", "Name"]),
            mapping(ImportKind::Calls, &["No", "Name"]),
            mapping(ImportKind::Leads, &["No", "Name", "Town"]),
            mapping(ImportKind::Leads, &["Name", "No"]),
        ] {
            insert(&mut mappings, new);
        }
        let stored: Vec<_> = mappings.iter().map(|mapping| (mapping.kind, mapping.names.len())).collect();
        assert_eq!(stored, [(ImportKind::Leads, 2), (ImportKind::Leads, 3), (ImportKind::Calls, 2)]);
        for number in 0..MAX_STORED_MAPPINGS {
            insert(&mut mappings, mapping(ImportKind::Leads, &[&number.to_string()]));
        }
        assert_eq!((mappings.len(), &*mappings[0].names[0]), (MAX_STORED_MAPPINGS, "19"));
    }
}
