//! SQL dialect of SQLite.

use leadscribe_engine::transcript_search::{Search, Term};

use crate::storage::filter_sql::SqlBuilder;
use crate::storage::sql::{Bind, CustomType, Dialect};

/// SQLite's dialect.
#[derive(Debug)]
pub(super) struct SqliteDialect;

impl Dialect for SqliteDialect {
    fn is_any_of(&self, expression: &str, list: &str) -> String {
        format!("{expression} IN (SELECT value FROM rarray({list}))")
    }

    fn lower(&self, expression: &str) -> String {
        // SQLite's `lower` only changes ASCII letters.
        format!("lower({expression})")
    }

    fn contains(&self, text: &str, part: &str) -> String {
        format!("instr({text}, {part}) > 0")
    }

    fn midnight(&self, column: &str) -> String {
        // Dates are stored as timestamps at midnight.
        column.to_owned()
    }

    fn custom_key(&self, name: &str) -> Bind {
        // JSON path with the name as a JSON string, so that dots, brackets and quotes in it aren't special.
        Bind::Text(format!("$.{}", serde_json::Value::from(name)))
    }

    fn has_custom(&self, key: &str) -> String {
        format!("json_type(l.custom_fields, {key}) IS NOT NULL")
    }

    fn custom_value(&self, key: &str, value_type: CustomType) -> String {
        let types = match value_type {
            CustomType::Text => "= 'text'",
            CustomType::Number => "IN ('integer', 'real')",
            // Extracted values are 1 and 0, like bound ones.
            CustomType::Boolean => "IN ('true', 'false')",
        };
        format!("CASE WHEN json_type(l.custom_fields, {key}) {types} THEN json_extract(l.custom_fields, {key}) END")
    }

    fn queue_table(&self, table: &'static str, index: &'static str) -> String {
        // Forces the index that returns entries in queue order, so that the first one is enough. The planner might otherwise sort the whole
        // queue.
        format!("FROM {table} INDEXED BY {index}")
    }

    fn words_id_column(&self) -> &'static str {
        "rowid"
    }

    fn push_transcript_search(&self, sql: &mut SqlBuilder, search: &Search) {
        sql.push("SELECT rowid FROM transcript_words WHERE transcript_words MATCH ");
        sql.push_bind(Bind::Text(match_query(search)));
    }

    fn json_texts(&self, array: &str) -> String {
        format!("json_each({array}) AS e")
    }

    fn next_id(&self, _table: &'static str) -> String {
        // `AUTOINCREMENT` assigns it.
        "NULL".to_owned()
    }

    fn next_ids(&self, table: &'static str) -> String {
        // The ids that `AUTOINCREMENT` would assign next; SQLite has one writer at a time.
        format!(
            "WITH RECURSIVE given (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM given WHERE number < ?1)
             SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '{table}'), 0) + number FROM given"
        )
    }

    fn history(&self) -> &'static str {
        // A process keeps the same file open throughout.
        "''"
    }

    fn lead_state(&self) -> &'static str {
        "(SELECT CAST(coalesce(max(id), 0) AS TEXT) FROM changes)"
    }

    fn has_lead_state(&self, known: &str) -> String {
        format!("(SELECT coalesce(max(id), 0) FROM changes) >= CAST({known} AS INTEGER)")
    }

    fn changes_since(&self, known: &str) -> String {
        format!("id > CAST({known} AS INTEGER)")
    }

    fn changes_purged_since(&self, known: &str) -> String {
        format!("purged_id > CAST({known} AS INTEGER)")
    }

    fn purge_changes(&self) -> [String; 2] {
        // The newest row stays, so that its id isn't assigned again.
        let first = "SELECT id, created_at FROM changes WHERE id < (SELECT max(id) FROM changes) ORDER BY id LIMIT ?2";
        [
            format!(
                "UPDATE change_log SET purged_id =
                     max(purged_id, coalesce((SELECT max(id) FROM ({first}) WHERE created_at < ?1), 0))"
            ),
            "DELETE FROM changes WHERE id <= (SELECT purged_id FROM change_log) AND created_at < ?1".to_owned(),
        ]
    }

    fn change_history(&self) -> &'static str {
        "(SELECT history FROM change_log)"
    }

    fn change_position(&self) -> &'static str {
        "0, id"
    }

    fn change_order(&self) -> &'static str {
        "id"
    }

    fn follows_position(&self) -> &'static str {
        "id > ?2"
    }

    fn change_log_end(&self) -> &'static str {
        "0, (SELECT coalesce(max(id), 0) FROM changes)"
    }

    fn purged_position(&self) -> String {
        "0, purged_id".to_owned()
    }
}

/// The search as an FTS5 query: phrases in quotes, with a star after word prefixes. Inside quotes, only quotes are special.
fn match_query(search: &Search) -> String {
    let term = |term: &Term| {
        let phrase = term.words.join(" ").replace('"', "\"\"");
        format!("\"{phrase}\"{}", if term.is_prefix { "*" } else { "" })
    };
    search.terms.iter().map(term).collect::<Vec<_>>().join(" AND ")
}
