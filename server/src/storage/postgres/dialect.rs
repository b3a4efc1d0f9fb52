//! SQL dialect of PostgreSQL.

use leadscribe_engine::transcript_search::{Search, Term};

use crate::storage::filter_sql::SqlBuilder;
use crate::storage::sql::{Bind, CustomType, Dialect};

/// From this double (2^53) on, doubles are integers, but print with fewer digits than they have.
const MIN_IMPRECISE_INTEGER: f64 = 9_007_199_254_740_992.0; // 2^53

/// Smallest double above all 64-bit integers.
const MIN_ABOVE_I64: f64 = 9_223_372_036_854_775_808.0; // 2^63

/// First key of the advisory locks for reserving ids; the second key is the id of the table's sequence.
const RESERVE_LOCK: i32 = 0x6c65_6164; // `lead` in ASCII

/// Maximum number of characters of a lexeme; see `transcript_lexemes` in the migrations.
const MAX_LEXEME_CHARS: usize = 500;

/// PostgreSQL's dialect.
#[derive(Debug)]
pub(super) struct PostgresDialect;

impl Dialect for PostgresDialect {
    fn is_any_of(&self, expression: &str, list: &str) -> String {
        format!("{expression} = ANY({list})")
    }

    fn is_any_of_many_ids(&self, expression: &str, list: &str) -> String {
        // With an array, the planner estimates each element, which takes longer than the query.
        format!("{expression} IN (SELECT unnest({list}::bigint[]))")
    }

    fn lower(&self, expression: &str) -> String {
        // Collations other than C also lower-case non-ASCII letters.
        format!("lower(({expression}) COLLATE \"C\")")
    }

    fn contains(&self, text: &str, part: &str) -> String {
        format!("position({part} IN {text}) > 0")
    }

    fn midnight(&self, column: &str) -> String {
        format!("({column}::timestamp AT TIME ZONE 'UTC')")
    }

    fn custom_key(&self, name: &str) -> Bind {
        Bind::Text(name.to_owned())
    }

    fn has_custom(&self, key: &str) -> String {
        format!("(l.custom_fields -> {key}::text) IS NOT NULL")
    }

    fn custom_value(&self, key: &str, value_type: CustomType) -> String {
        let text = format!("(l.custom_fields ->> {key}::text)");
        let (name, value) = match value_type {
            CustomType::Text => ("string", format!("{text} COLLATE \"C\"")),
            CustomType::Number => ("number", format!("custom_number({text})")),
            CustomType::Boolean => ("boolean", format!("{text}::boolean")),
        };
        format!("CASE WHEN json_typeof(l.custom_fields -> {key}::text) = '{name}' THEN {value} END")
    }

    fn custom_operand(&self, value: Bind, placeholder: &str) -> (Bind, String) {
        // Numbers are sent as texts, so that a list can mix integers and doubles and the comparison is exact.
        match value {
            Bind::Integer(_) | Bind::Number(_) => (decimal_text(&value), format!("{placeholder}::text::numeric")),
            Bind::List(values) if matches!(values.first(), Some(Bind::Integer(_) | Bind::Number(_))) => {
                (Bind::List(values.iter().map(decimal_text).collect()), format!("{placeholder}::text[]::numeric[]"))
            }
            other => (other, placeholder.to_owned()),
        }
    }

    fn queue_table(&self, table: &'static str, _index: &'static str) -> String {
        format!("FROM {table}")
    }

    fn lock_next_row(&self) -> &'static str {
        "FOR UPDATE SKIP LOCKED"
    }

    fn lock_rows(&self) -> &'static str {
        "FOR NO KEY UPDATE"
    }

    fn lock_rows_shared(&self) -> &'static str {
        "FOR SHARE"
    }

    fn words_id_column(&self) -> &'static str {
        "transcription_id"
    }

    fn push_transcript_search(&self, sql: &mut SqlBuilder, search: &Search) {
        // Two queries, so that the first one trusts the index and doesn't recheck lexemes. If the search has only single words, it reads no
        // text either.
        sql.push("SELECT transcription_id FROM transcript_words WHERE lexemes @@ CAST(CAST(");
        sql.push_bind(Bind::Text(tsquery(search))).push(" AS TEXT) AS TSQUERY)");
        search.terms.iter().filter(|term| !is_single_lexeme(term)).for_each(|term| push_contains_words(sql, term));
        sql.push(" UNION ALL SELECT transcription_id FROM transcript_words WHERE lexemes IS NULL");
        search.terms.iter().for_each(|term| push_contains_words(sql, term));
    }

    fn json_texts(&self, array: &str) -> String {
        format!("jsonb_array_elements_text({array}) AS e (value)")
    }

    fn next_id(&self, table: &'static str) -> String {
        format!("nextval('{table}_id_seq')")
    }

    fn next_ids(&self, table: &'static str) -> String {
        format!("SELECT {} FROM generate_series(1, CAST(?1 AS BIGINT))", self.next_id(table))
    }

    fn reserve_id(&self, table: &'static str) -> Option<String> {
        // Checks first without the lock, because most ids are below the sequence, and again with the lock, so that a concurrent reservation
        // of a lower id doesn't move the sequence back. `nextval` doesn't take the lock: ids above `?1` that it returns between the last
        // check and `setval` are returned again. The primary key then rejects the duplicate, and the write is retried with the next id.
        let at_most = format!("(SELECT last_value FROM {table}_id_seq) <= ?1");
        Some(format!(
            "SELECT CASE WHEN {at_most} THEN
                 CASE WHEN pg_advisory_xact_lock({RESERVE_LOCK}, '{table}_id_seq'::regclass::oid::int4) IS NOT NULL THEN
                     CASE WHEN {at_most} THEN setval('{table}_id_seq', ?1) END
                 END
             END"
        ))
    }

    fn history(&self) -> &'static str {
        // The start time distinguishes servers, including a restored copy with the same system identifier. The timeline distinguishes a
        // former standby from its primary. The file path distinguishes databases and tables of the same name, and a truncated table from
        // its earlier self.
        "concat_ws('/', CAST(pg_postmaster_start_time() AS TEXT), left(pg_walfile_name(pg_current_wal_lsn()), 8),
             pg_relation_filepath('changes'))"
    }

    fn lead_state(&self) -> &'static str {
        "CAST(pg_current_snapshot() AS TEXT)"
    }

    fn has_lead_state(&self, known: &str) -> String {
        // A server that recovers from a crash without a restart may lose asynchronous commits.
        format!("pg_snapshot_xmax(pg_current_snapshot()) >= pg_snapshot_xmax({})", snapshot_expression(known))
    }

    fn changes_since(&self, known: &str) -> String {
        // The first condition uses the index.
        let known = snapshot_expression(known);
        format!(
            "transaction_id >= pg_snapshot_xmin({known}) AND NOT pg_visible_in_snapshot(transaction_id, {known}) AND {}",
            is_from_this_server("transaction_id")
        )
    }

    fn changes_purged_since(&self, known: &str) -> String {
        // Only changes of transactions before the oldest running one are purged.
        let is_valid = is_from_this_server("purged_transaction");
        format!("purged_transaction >= pg_snapshot_xmin({}) AND {is_valid}", snapshot_expression(known))
    }

    fn purge_changes(&self) -> [String; 2] {
        let first = "SELECT transaction_id, id, created_at FROM changes
             WHERE transaction_id < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY transaction_id, id LIMIT ?2";
        let is_purging_local = is_from_this_server("purged_transaction");
        [
            format!(
                "UPDATE change_log SET purged_transaction = last.transaction_id, purged_id = last.id
                 FROM (SELECT transaction_id, id FROM ({first}) AS first WHERE created_at < ?1
                       ORDER BY transaction_id DESC, id DESC LIMIT 1) AS last
                 WHERE (purged_transaction, purged_id) < (last.transaction_id, last.id) OR NOT {is_purging_local}"
            ),
            // Rows from a dump may have transaction ids that this server has yet to assign.
            format!(
                "DELETE FROM changes WHERE created_at < ?1 AND (
                     (transaction_id, id) <= (SELECT purged_transaction, purged_id FROM change_log WHERE {is_purging_local})
                     OR transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))"
            ),
        ]
    }

    fn change_history(&self) -> &'static str {
        // Unlike `history`, it survives a restart: only transactions whose changes are on disk are visible.
        "left(md5(concat_ws('/', (SELECT history FROM change_log), left(pg_walfile_name(pg_current_wal_lsn()), 8),
             pg_relation_filepath('changes'))), 12)"
    }

    fn change_position(&self) -> &'static str {
        "CAST(CAST(transaction_id AS TEXT) AS BIGINT), id"
    }

    fn change_order(&self) -> &'static str {
        "transaction_id, id"
    }

    fn follows_position(&self) -> &'static str {
        "(transaction_id, id) > (CAST(CAST(CAST(?1 AS BIGINT) AS TEXT) AS XID8), CAST(?2 AS BIGINT))
             AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())"
    }

    fn change_log_end(&self) -> &'static str {
        "CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT), CAST(0 AS BIGINT)"
    }

    fn purged_position(&self) -> String {
        let is_valid = is_from_this_server("purged_transaction");
        format!(
            "CASE WHEN {is_valid} THEN CAST(CAST(purged_transaction AS TEXT) AS BIGINT) ELSE 0 END,
             CASE WHEN {is_valid} THEN purged_id ELSE 0 END"
        )
    }
}

/// Text query for all words of a search, in any position; `:*` marks prefixes. Inside quotes, only quotes and backslashes are special.
fn tsquery(search: &Search) -> String {
    let quote_lexeme = |word: &str| {
        let lexeme: String = word.chars().take(MAX_LEXEME_CHARS).collect();
        format!("'{}'", lexeme.replace('\\', "\\\\").replace('\'', "''"))
    };
    let term = |term: &Term| {
        let words: Vec<String> = term.words.iter().map(|word| quote_lexeme(word)).collect();
        words.join(" & ") + if term.is_prefix { ":*" } else { "" }
    };
    search.terms.iter().map(term).collect::<Vec<_>>().join(" & ")
}

/// True if the lexemes of a transcript are enough to match the term.
fn is_single_lexeme(term: &Term) -> bool {
    matches!(term.words.as_slice(), [word] if word.chars().count() < MAX_LEXEME_CHARS)
}

/// Adds the condition that the text contains the term's words in this order.
fn push_contains_words(sql: &mut SqlBuilder, term: &Term) {
    let suffix = if term.is_prefix { "" } else { " " };
    sql.push(" AND strpos(' ' || words || ' ', ");
    sql.push_bind(Bind::Text(format!(" {}{suffix}", term.words.join(" ")))).push(") > 0");
}

/// Condition: a transaction belongs to this server. Rows restored from a dump carry transaction ids of another server, which this server
/// may assign only later.
fn is_from_this_server(transaction: &str) -> String {
    format!("pg_visible_in_snapshot({transaction}, pg_current_snapshot())")
}

/// Snapshot that is bound as a text.
fn snapshot_expression(placeholder: &str) -> String {
    format!("CAST(CAST({placeholder} AS TEXT) AS pg_snapshot)")
}

/// Number as a decimal with all its digits; see `custom_number` in the migrations.
fn decimal_text(value: &Bind) -> Bind {
    match value {
        Bind::Integer(number) => Bind::Text(number.to_string()),
        Bind::Number(number)
            if number.abs() >= MIN_IMPRECISE_INTEGER && (-MIN_ABOVE_I64..MIN_ABOVE_I64).contains(number) =>
        {
            Bind::Text((*number as i64).to_string())
        }
        Bind::Number(number) => Bind::Text(number.to_string()),
        other => other.clone(),
    }
}
