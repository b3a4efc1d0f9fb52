//! Tables and columns to copy, and their order. Read from PostgreSQL's catalog, so that new tables are included.

use std::collections::{BTreeMap, BTreeSet};

use super::CopyError;
use super::value::{ColumnKind, key_text};
use crate::storage::sql::{Bind, Row, Session};

/// Tables that are not copied row by row: the migration history, which each database has itself; the full-text words, which
/// [`super::transcript_words`] rebuilds; and the log of changes, whose numbers are valid in one database only.
pub(super) const SKIPPED_TABLES: [&str; 4] = ["refinery_schema_history", "transcript_words", "changes", "change_log"];

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub name: String,
    pub kind: ColumnKind,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// Positions of the primary key's columns in `columns`, in key order.
    pub key: Vec<usize>,
    /// True if a sequence assigns its ids.
    pub has_sequence: bool,
}

impl Table {
    /// SQL list of all columns.
    pub(super) fn column_list(&self) -> String {
        join_list(self.columns.iter().map(|column| quote_identifier(&column.name)))
    }

    /// Query for all rows in key order. Both databases sort integers, bytes, and texts (by their bytes) in the same way.
    pub(super) fn select(&self) -> String {
        let key = join_list(self.key.iter().map(|index| quote_identifier(&self.columns[*index].name)));
        format!("SELECT {} FROM {} ORDER BY {key}", self.column_list(), quote_identifier(&self.name))
    }

    /// Name of a row in messages: `leads, id 7`.
    pub(super) fn row_name(&self, row: &[Bind]) -> String {
        let key = self.key.iter().map(|index| format!("{} {}", self.columns[*index].name, key_text(&row[*index])));
        format!("{}, {}", self.name, join_list(key))
    }
}

/// Quoted SQL identifier.
pub(super) fn quote_identifier(name: &str) -> String {
    format!("\"{name}\"")
}

/// Joins parts with commas.
pub(super) fn join_list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Tables to copy, each after the tables that it refers to.
pub(super) fn read_tables(session: &dyn Session) -> Result<Vec<Table>, CopyError> {
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let columns = "SELECT CAST(c.table_name AS TEXT), CAST(c.column_name AS TEXT), CAST(c.data_type AS TEXT),
             CAST(c.is_identity AS TEXT)
         FROM information_schema.columns c
         JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
         WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
         ORDER BY c.table_name, c.ordinal_position";
    let read_column = |row: &dyn Row| {
        Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<String>(2)?, row.get::<String>(3)? == "YES"))
    };
    for (table, name, data_type, is_identity) in session.query(columns, &[], read_column)? {
        if SKIPPED_TABLES.contains(&table.as_str()) {
            continue;
        }
        let Some(kind) = ColumnKind::from_data_type(&data_type) else {
            return Err(CopyError::TableMismatch(format!("the column {table}.{name} is of the type {data_type}")));
        };
        let table_entry = tables.entry(table.clone()).or_insert_with(|| Table { name: table, ..Table::default() });
        table_entry.columns.push(Column { name, kind });
        table_entry.has_sequence |= is_identity;
    }
    for (table, column) in query_pairs(session, PRIMARY_KEYS_QUERY)? {
        let Some(table) = tables.get_mut(&table) else { continue };
        table.key.extend(table.columns.iter().position(|other| other.name == column));
    }
    if let Some(table) = tables.values().find(|table| table.key.is_empty()) {
        return Err(CopyError::TableMismatch(format!("the table {} has no primary key", table.name)));
    }
    sort_by_references(tables, &query_pairs(session, FOREIGN_KEYS_QUERY)?.into_iter().collect())
}

/// Query for tables and their primary key columns.
const PRIMARY_KEYS_QUERY: &str = "SELECT CAST(k.table_name AS TEXT), CAST(k.column_name AS TEXT)
     FROM information_schema.table_constraints c
     JOIN information_schema.key_column_usage k
         ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name
     WHERE c.table_schema = current_schema() AND c.constraint_type = 'PRIMARY KEY'
     ORDER BY k.table_name, k.ordinal_position";

/// Query for tables and the tables that they refer to.
const FOREIGN_KEYS_QUERY: &str = "SELECT CAST(c.table_name AS TEXT), CAST(o.table_name AS TEXT)
     FROM information_schema.table_constraints c
     JOIN information_schema.referential_constraints r
         ON r.constraint_schema = c.constraint_schema AND r.constraint_name = c.constraint_name
     JOIN information_schema.table_constraints o
         ON o.constraint_schema = r.unique_constraint_schema AND o.constraint_name = r.unique_constraint_name
     WHERE c.table_schema = current_schema() AND c.constraint_type = 'FOREIGN KEY'";

fn query_pairs(session: &dyn Session, sql: &str) -> Result<Vec<(String, String)>, CopyError> {
    Ok(session.query(sql, &[], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

fn sort_by_references(
    mut pending: BTreeMap<String, Table>,
    references: &BTreeSet<(String, String)>,
) -> Result<Vec<Table>, CopyError> {
    let mut ordered = Vec::with_capacity(pending.len());
    while !pending.is_empty() {
        let ready: Vec<String> = pending
            .keys()
            .filter(|name| {
                !references.iter().any(|(from_table, to_table)| from_table == *name && pending.contains_key(to_table))
            })
            .cloned()
            .collect();
        if ready.is_empty() {
            let names: Vec<_> = pending.keys().map(String::as_str).collect();
            return Err(CopyError::TableMismatch(format!("the tables {} refer to one another", names.join(", "))));
        }
        ordered.extend(ready.iter().filter_map(|name| pending.remove(name)));
    }
    Ok(ordered)
}
