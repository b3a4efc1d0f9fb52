//! Stores the column mappings of imports in this browser, per user. The next file of the same kind with the same columns starts
//! with its mapping.

use leadscribe_engine::api::{ImportKind, Timestamp, UserId};
use leadscribe_engine::record::Mapping;
use serde::{Deserialize, Serialize};

use crate::storage;
use crate::when;

/// Maximum number of stored mappings.
const MOST: usize = 20;

/// Mapping of an import that was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastMapping {
    pub at: Timestamp,
    pub mapping: Mapping,
    kind: ImportKind,
    /// Names of the file's columns, sorted.
    names: Vec<String>,
}

impl LastMapping {
    fn new(kind: ImportKind, header: &[String], mapping: Mapping, at: Timestamp) -> Self {
        let mut names = header.to_vec();
        names.sort();
        Self { at, mapping, kind, names }
    }

    fn is_alike(&self, other: &Self) -> bool {
        (self.kind, &self.names) == (other.kind, &other.names)
    }
}

/// Returns the mapping of the last file with these columns, in any order.
pub fn read(user: UserId, kind: ImportKind, header: &[String]) -> Option<LastMapping> {
    let wanted = LastMapping::new(kind, header, Mapping::default(), Timestamp::default());
    all(user).into_iter().find(|one| one.is_alike(&wanted))
}

/// Stores a mapping and replaces the one of the last file with these columns.
pub fn keep(user: UserId, kind: ImportKind, header: &[String], mapping: Mapping) {
    let mut all = all(user);
    put(&mut all, LastMapping::new(kind, header, mapping, when::now()));
    storage::keep(&key(user), &all);
}

fn put(all: &mut Vec<LastMapping>, new: LastMapping) {
    all.retain(|one| !one.is_alike(&new));
    all.insert(0, new);
    all.truncate(MOST);
}

fn all(user: UserId) -> Vec<LastMapping> {
    storage::read(&key(user)).unwrap_or_default()
}

fn key(user: UserId) -> String {
    format!("leadscribe.mappings.{user}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_mapping_for_the_same_columns() {
        let one = |kind, names: &[&str]| {
            let header: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            LastMapping::new(kind, &header, Mapping::default(), Timestamp::default())
        };
        let mut all = Vec::new();
        for new in [
            one(ImportKind::Leads, &["No", "Name"]),
            one(ImportKind::Calls, &["No", "Name"]),
            one(ImportKind::Leads, &["No", "Name", "Town"]),
            one(ImportKind::Leads, &["Name", "No"]),
        ] {
            put(&mut all, new);
        }
        let kept: Vec<_> = all.iter().map(|one| (one.kind, one.names.len())).collect();
        assert_eq!(kept, [(ImportKind::Leads, 2), (ImportKind::Leads, 3), (ImportKind::Calls, 2)]);
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Vec<LastMapping>>(&text).unwrap(), all);
        for number in 0..MOST {
            put(&mut all, one(ImportKind::Leads, &[&number.to_string()]));
        }
        assert_eq!((all.len(), &*all[0].names[0]), (MOST, "19"));
    }
}
