//! Statements in the words of PostgreSQL.

use leadscribe_engine::words::{Search, Term};

use crate::storage::filter_sql::Sql;
use crate::storage::sql::{Bind, CustomType, Dialect};

/// From here on a double is a whole number, but is written with fewer digits than it has.
const WHOLE: f64 = 9_007_199_254_740_992.0; // 2^53

/// The first double above all integers.
const BEYOND: f64 = 9_223_372_036_854_775_808.0; // 2^63

/// Advisory locks of the tables whose ids are reserved: this, and the number of the table's sequence.
const RESERVE_LOCK: i32 = 0x6c65_6164; // `lead` in ASCII

/// Characters of a word that its lexeme has; see `transcript_lexemes` in the migrations.
const LEXEME: usize = 500;

/// PostgreSQL's dialect.
#[derive(Debug)]
pub(super) struct Postgres;

impl Dialect for Postgres {
    fn is_any_of(&self, expression: &str, list: &str) -> String {
        format!("{expression} = ANY({list})")
    }

    fn is_any_of_many_ids(&self, expression: &str, list: &str) -> String {
        // The planner estimates each element of an array by itself, which takes longer than the query.
        format!("{expression} IN (SELECT unnest({list}::bigint[]))")
    }

    fn lower(&self, expression: &str) -> String {
        // Elsewhere than in C, other letters than A to Z have a lower case too.
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

    fn custom(&self, key: &str, of: CustomType) -> String {
        let written = format!("(l.custom_fields ->> {key}::text)");
        let (name, value) = match of {
            CustomType::Text => ("string", format!("{written} COLLATE \"C\"")),
            CustomType::Number => ("number", format!("custom_number({written})")),
            CustomType::Boolean => ("boolean", format!("{written}::boolean")),
        };
        format!("CASE WHEN json_typeof(l.custom_fields -> {key}::text) = '{name}' THEN {value} END")
    }

    fn custom_operand(&self, value: Bind, placeholder: &str) -> (Bind, String) {
        // Numbers are sent as texts, so that integers and doubles stand in one list and are compared exactly.
        match value {
            Bind::Integer(_) | Bind::Number(_) => (number(&value), format!("{placeholder}::text::numeric")),
            Bind::List(values) if matches!(values.first(), Some(Bind::Integer(_) | Bind::Number(_))) => {
                (Bind::List(values.iter().map(number).collect()), format!("{placeholder}::text[]::numeric[]"))
            }
            other => (other, placeholder.to_owned()),
        }
    }

    fn queue_table(&self, table: &'static str, _index: &'static str) -> String {
        format!("FROM {table}")
    }

    fn lock_next(&self) -> &'static str {
        "FOR UPDATE SKIP LOCKED"
    }

    fn lock(&self) -> &'static str {
        "FOR NO KEY UPDATE"
    }

    fn lock_shared(&self) -> &'static str {
        "FOR SHARE"
    }

    fn words_id(&self) -> &'static str {
        "transcription_id"
    }

    fn push_said(&self, sql: &mut Sql, search: &Search) {
        // Two queries, so that the first believes the index and reads no lexemes. Where single words are all that is
        // searched, it reads no text either.
        sql.push("SELECT transcription_id FROM transcript_words WHERE lexemes @@ CAST(CAST(");
        sql.bind(Bind::Text(tsquery(search))).push(" AS TEXT) AS TSQUERY)");
        search.terms.iter().filter(|term| !is_lexeme(term)).for_each(|term| push_in_words(sql, term));
        sql.push(" UNION ALL SELECT transcription_id FROM transcript_words WHERE lexemes IS NULL");
        search.terms.iter().for_each(|term| push_in_words(sql, term));
    }

    fn texts(&self, array: &str) -> String {
        format!("jsonb_array_elements_text({array}) AS e (value)")
    }

    fn next_id(&self, table: &'static str) -> String {
        format!("nextval('{table}_id_seq')")
    }

    fn next_ids(&self, table: &'static str) -> String {
        format!("SELECT {} FROM generate_series(1, CAST(?1 AS BIGINT))", self.next_id(table))
    }

    fn reserve_id(&self, table: &'static str) -> Option<String> {
        // Looked at once without the lock, for most ids are long passed, and once more with it: so that of two who reserve,
        // the one with the lower id doesn't take the sequence back. `nextval` waits for no lock. Ids above ?1 that it gives
        // in the instant between the last look and `setval` are given again, and refused by the primary key; then the write
        // is run again, and gets the next one.
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
        // The server's start tells servers apart, a restored copy with the same system identifier too; the timeline tells a
        // standby from the primary that it became. The file tells apart databases and tables of the same names, and a table from
        // one that was emptied.
        "concat_ws('/', CAST(pg_postmaster_start_time() AS TEXT), left(pg_walfile_name(pg_current_wal_lsn()), 8),
             pg_relation_filepath('lead_changes'))"
    }

    fn lead_state(&self) -> &'static str {
        "CAST(pg_current_snapshot() AS TEXT)"
    }

    fn has_lead_state(&self, known: &str) -> String {
        // A server that crashes, and recovers without a restart, may lose transactions that weren't waited for on disk.
        format!("pg_snapshot_xmax(pg_current_snapshot()) >= pg_snapshot_xmax({})", snapshot(known))
    }

    fn lead_changes_since(&self, known: &str) -> String {
        // The first half is for the index.
        let known = snapshot(known);
        format!(
            "writer >= pg_snapshot_xmin({known}) AND NOT pg_visible_in_snapshot(writer, {known}) AND {}",
            is_own("writer")
        )
    }

    fn lead_changes_pruned_since(&self, known: &str) -> String {
        // Either the newest writer whose changes were forgotten is new itself, or one that was under way then has ended since,
        // and may be older.
        let (known, ended) = (snapshot(known), is_own("under_way"));
        format!(
            "{} AND (NOT pg_visible_in_snapshot(upto, {known})
                 OR EXISTS (SELECT 1 FROM pg_snapshot_xip({known}) AS under_way WHERE under_way <= upto AND {ended}))",
            is_own("upto")
        )
    }

    fn lead_changes_maybe_pruned_since(&self, known: &str) -> String {
        // Planned in a fraction of the time.
        format!("upto >= pg_snapshot_xmin({}) AND {}", snapshot(known), is_own("upto"))
    }

    fn forget_lead_changes(&self) -> [String; 2] {
        let (of_writer, of_upto) = (is_own("writer"), is_own("upto"));
        // There is no max() of transaction ids before version 18. The inner query stands for itself, so that the rows are found
        // by their numbers: in the index of writers all newer ones come first.
        let old = format!("SELECT writer FROM lead_changes WHERE seq <= ?1 AND {of_writer} OFFSET 0");
        let last = format!("(SELECT writer FROM ({old}) AS old ORDER BY writer DESC LIMIT 1)");
        // What was committed after the note was made stays.
        let noted = format!("writer <= (SELECT upto FROM lead_changes_pruned WHERE {of_upto})");
        [
            format!(
                "UPDATE lead_changes_pruned SET upto = {last} WHERE (upto < {last} OR NOT {of_upto}) AND {last} IS NOT NULL"
            ),
            format!("DELETE FROM lead_changes WHERE seq <= ?1 AND ({noted} OR NOT {of_writer})"),
        ]
    }
}

/// All words of a search, wherever they stand; a star after what is only the beginning of one. Inside quotes nothing but a
/// quote and a backslash has a meaning.
fn tsquery(search: &Search) -> String {
    let quoted = |word: &str| {
        let lexeme: String = word.chars().take(LEXEME).collect();
        format!("'{}'", lexeme.replace('\\', "\\\\").replace('\'', "''"))
    };
    let term = |term: &Term| {
        let words: Vec<String> = term.words.iter().map(|word| quoted(word)).collect();
        words.join(" & ") + if term.prefix { ":*" } else { "" }
    };
    search.terms.iter().map(term).collect::<Vec<_>>().join(" & ")
}

/// Whether the lexemes of a transcript tell everything of the term.
fn is_lexeme(term: &Term) -> bool {
    matches!(term.words.as_slice(), [word] if word.chars().count() < LEXEME)
}

/// Adds that the words hold the term, in this order.
fn push_in_words(sql: &mut Sql, term: &Term) {
    let end = if term.prefix { "" } else { " " };
    sql.push(" AND strpos(' ' || words || ' ', ");
    sql.bind(Bind::Text(format!(" {}{end}", term.words.join(" ")))).push(") > 0");
}

/// That a transaction is one of this server's. What was restored from a dump has numbers of another, which this one gives
/// only later, if ever.
fn is_own(transaction: &str) -> String {
    format!("pg_visible_in_snapshot({transaction}, pg_current_snapshot())")
}

/// A snapshot that is bound as a text.
fn snapshot(placeholder: &str) -> String {
    format!("CAST(CAST({placeholder} AS TEXT) AS pg_snapshot)")
}

/// A number as a decimal with all its digits; see `custom_number` in the migrations.
fn number(value: &Bind) -> Bind {
    match value {
        Bind::Integer(number) => Bind::Text(number.to_string()),
        Bind::Number(number) if number.abs() >= WHOLE && (-BEYOND..BEYOND).contains(number) => {
            Bind::Text((*number as i64).to_string())
        }
        Bind::Number(number) => Bind::Text(number.to_string()),
        other => other.clone(),
    }
}
