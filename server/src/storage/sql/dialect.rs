//! Differences between databases.

use std::fmt::Debug;

use leadscribe_engine::transcript_search::Search;

use super::Bind;
use crate::storage::filter_sql::SqlBuilder;

/// Type of a custom field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CustomType {
    Text,
    /// Number, integer or not.
    Number,
    Boolean,
}

/// Differences between databases. Placeholders are `?1`, `?2` and so on in every dialect.
pub trait Dialect: Debug + Sync {
    /// Condition: `expression` is one of the values of the list bound to `list`.
    fn is_any_of(&self, expression: &str, list: &str) -> String;
    /// Same as `is_any_of`, for many ids, where an index on `expression` should not be used.
    fn is_any_of_many_ids(&self, expression: &str, list: &str) -> String {
        self.is_any_of(expression, list)
    }
    /// Lower-cases ASCII letters of `expression` and nothing else.
    fn lower(&self, expression: &str) -> String;
    /// Condition: `text` contains `part`.
    fn contains(&self, text: &str, part: &str) -> String;
    /// Converts a date column to timestamps, each at midnight UTC.
    fn midnight(&self, column: &str) -> String;
    /// Bind value that identifies a custom field by its name.
    fn custom_key(&self, name: &str) -> Bind;
    /// Condition: the lead has the custom field whose key is bound to `key`.
    fn has_custom(&self, key: &str) -> String;
    /// Value of the custom field if it has this type, otherwise null.
    fn custom_value(&self, key: &str, value_type: CustomType) -> String;
    /// Bind value to compare with a custom field, and the SQL expression for it, given its placeholder.
    fn custom_operand(&self, value: Bind, placeholder: &str) -> (Bind, String) {
        (value, placeholder.to_owned())
    }
    /// `FROM` clause of a queue table, with the index that orders its entries.
    fn queue_table(&self, table: &'static str, index: &'static str) -> String;
    /// Suffix for a query that locks its row for an update and skips rows that other transactions have locked.
    ///
    /// Locks are not needed if the database has one writer at a time.
    fn lock_next_row(&self) -> &'static str {
        ""
    }
    /// Suffix for a query that locks its rows exclusively until the transaction ends. Waits for other locks on them.
    fn lock_rows(&self) -> &'static str {
        ""
    }
    /// Suffix for a query that locks its rows against changes until the transaction ends. Other transactions may take the same lock.
    fn lock_rows_shared(&self) -> &'static str {
        ""
    }
    /// Column of `transcript_words` with the id of the transcription.
    fn words_id_column(&self) -> &'static str;
    /// Adds a query for the ids of transcriptions that contain all terms of a search.
    fn push_transcript_search(&self, sql: &mut SqlBuilder, search: &Search);
    /// Expands a JSON array of texts to a table `e` with the column `value`.
    fn json_texts(&self, array: &str) -> String;
    /// Next id of a table, for a row without one: the fallback of `coalesce(?1, …)` in `INSERT`.
    fn next_id(&self, table: &'static str) -> String;
    /// Query for the next ids of a table, as many as bound to `?1`, for rows that are inserted next.
    fn next_ids(&self, table: &'static str) -> String;
    /// Statement that keeps `next_id` of this table from ever returning the id bound to `?1`; `None` if the database ensures that itself.
    fn reserve_id(&self, _table: &'static str) -> Option<String> {
        None
    }
    /// Expression for the history of the database, as a text. It changes after a failover, a restore or a restart that may have lost or
    /// replaced changes. States of different histories can't be compared.
    fn history(&self) -> &'static str;
    /// Expression for the state of the leads that a snapshot sees, as a text.
    fn lead_state(&self) -> &'static str;
    /// Condition: a snapshot includes the state bound to `known`, which is of the same history.
    fn has_lead_state(&self, known: &str) -> String;
    /// Condition: a row of `changes` is newer than the state bound to `known`.
    fn changes_since(&self, known: &str) -> String;
    /// Condition: rows were purged from `changes` that the state bound to `known` may not include.
    fn changes_purged_since(&self, known: &str) -> String;
    /// Statements that purge the first rows of `changes` that are older than the time bound to `?1`. The first one looks at as many rows as
    /// bound to `?2` and records in `change_log` what is purged; the second deletes these rows.
    fn purge_changes(&self) -> [String; 2];
    /// Expression for the history of the log of changes, as a text. It changes after a failover or a restore, which may have lost or
    /// replaced changes. Positions of different histories can't be compared.
    fn change_history(&self) -> &'static str;
    /// Position of a row of `changes`: two columns, by which the rows are ordered.
    fn change_position(&self) -> &'static str;
    /// Order of the rows of `changes`.
    fn change_order(&self) -> &'static str;
    /// Condition: a row of `changes` is after the position bound to `?1` and `?2`, and no row before it can be committed later.
    fn follows_position(&self) -> &'static str;
    /// Position of the end of the log: no row before it can be committed later.
    fn change_log_end(&self) -> &'static str;
    /// Position of the last purged change, as columns of `change_log`.
    fn purged_position(&self) -> String;
}

impl dyn Dialect {
    /// Statement that inserts one row. The first column is the id.
    pub(super) fn insert_sql(&self, table: &'static str, columns: &[&str]) -> String {
        let next = self.next_id(table);
        let other_placeholders: String = (2..=columns.len()).map(|number| format!(", ?{number}")).collect();
        format!("INSERT INTO {table} ({}) VALUES (coalesce(?1, {next}){other_placeholders})", columns.join(", "))
    }
}

/// Statement that updates a row. The first value is its id; the others belong to the other columns.
pub(super) fn update_sql(table: &'static str, columns: &[&str]) -> String {
    let assignments: Vec<_> =
        (2..).zip(&columns[1..]).map(|(number, column)| format!("{column} = ?{number}")).collect();
    format!("UPDATE {table} SET {} WHERE id = ?1", assignments.join(", "))
}
