//! What differs between databases.

use std::fmt::Debug;

use leadscribe_engine::words::Search;

use super::Bind;
use crate::storage::filter_sql::Sql;

/// The type of a custom field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CustomType {
    /// A text.
    Text,
    /// A number, whole or not.
    Number,
    /// True or false.
    Boolean,
}

/// What differs between databases. Placeholders are `?1`, `?2` and so on in every dialect.
pub trait Dialect: Debug + Sync {
    /// That `expression` is one of the values of the list bound to `list`.
    fn is_any_of(&self, expression: &str, list: &str) -> String;
    /// The same for many ids, where no index on `expression` is wanted.
    fn is_any_of_many_ids(&self, expression: &str, list: &str) -> String {
        self.is_any_of(expression, list)
    }
    /// `expression` with A to Z, and nothing else, in lower case.
    fn lower(&self, expression: &str) -> String;
    /// That `part` stands in `text`.
    fn contains(&self, text: &str, part: &str) -> String;
    /// A column of days as moments, each the midnight in UTC at which the day begins.
    fn midnight(&self, column: &str) -> String;
    /// Where a custom field of this name is found: what is bound for it.
    fn custom_key(&self, name: &str) -> Bind;
    /// Whether the lead has the custom field whose key is bound to `key`.
    fn has_custom(&self, key: &str) -> String;
    /// The custom field's value, when it is of this type, otherwise null.
    fn custom(&self, key: &str, of: CustomType) -> String;
    /// What is bound to compare with a custom field's value, and the expression that stands for it, given its placeholder.
    fn custom_operand(&self, value: Bind, placeholder: &str) -> (Bind, String);
    /// `FROM` a table of a queue, with the index that gives its entries in the order of their turn.
    fn queue_table(&self, table: &'static str, index: &'static str) -> String;
    /// Ends a query whose row is about to be changed by nobody else: locks it, and passes over rows that others have locked.
    fn lock_next(&self) -> &'static str;
    /// Ends a query whose rows nobody else may change or lock until the transaction ends; waits for whoever has locked them.
    fn lock(&self) -> &'static str;
    /// Ends a query whose rows nobody may change until the transaction ends; others may lock them like this too.
    fn lock_shared(&self) -> &'static str;
    /// The column of `transcript_words` that holds the id of the transcription.
    fn words_id(&self) -> &'static str;
    /// Adds a query for the ids of transcriptions whose transcripts say all terms of a search.
    fn push_said(&self, sql: &mut Sql, search: &Search);
    /// The texts of a JSON array as a table `e` with the column `value`.
    fn texts(&self, array: &str) -> String;
    /// The next id of a table, for a row that was given none: what `coalesce(?1, …)` falls back to in `INSERT`.
    fn next_id(&self, table: &'static str) -> String;
    /// A query for the next ids of a table, as many as bound to `?1`, for rows that are inserted next.
    fn next_ids(&self, table: &'static str) -> String;
    /// A statement that makes sure that `next_id` of this table never gives the id bound to `?1`; none where the database
    /// sees to that itself.
    fn reserve_id(&self, table: &'static str) -> Option<String>;
    /// The history that the database is in, as a text. It differs after a failover, a restore or a restart that may have lost or
    /// replaced changes; states of two histories can't be compared.
    fn history(&self) -> &'static str;
    /// The state of the leads that a snapshot sees, as a text.
    fn lead_state(&self) -> &'static str;
    /// Whether a snapshot has at least the state bound to `known`, which is of the same history.
    fn has_lead_state(&self, known: &str) -> String;
    /// That a row of `lead_changes` was not seen by the state bound to `known`.
    fn lead_changes_since(&self, known: &str) -> String;
    /// That `lead_changes_pruned` has forgotten rows which the state bound to `known` may not have seen.
    fn lead_changes_pruned_since(&self, known: &str) -> String;
    /// Whether [`Dialect::lead_changes_pruned_since`] may hold: quicker to ask, and true too often.
    fn lead_changes_maybe_pruned_since(&self, known: &str) -> String {
        self.lead_changes_pruned_since(known)
    }
    /// The statements that forget the rows of `lead_changes` whose `seq` is at most `?1`: the first one notes in
    /// `lead_changes_pruned` what goes, the second one deletes what is noted.
    fn forget_lead_changes(&self) -> [String; 2];
}
