//! Translation of a checked filter to SQL with placeholders and bound values. Values are never part of the SQL text.
//!
//! Knows the meaning of predicates and the tables, which all databases share; a [`Dialect`] covers the differences. Must not depend on an
//! adapter, and runs nothing.
//!
//! A predicate is a formula over a lead and one of its campaign leads. It holds for a lead if any such pair satisfies it.
//! [`leadscribe_engine::filter::Formula`] splits it, so that conditions on the lead alone are evaluated once, outside the search for a
//! campaign lead.
//!
//! In the SQL, `l` is the lead, `c` the campaign lead, and `p` the campaign.

use std::fmt::Write as _;
use std::sync::Arc;

use chrono::{NaiveTime, TimeDelta};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::fields::{Field, FieldId, Kind, Owner};
use leadscribe_engine::filter::predicate::{Comparison, FieldRef, Predicate, Test, TextMatch, Value};

use super::sql::{Bind, CustomType, Dialect};
use super::{Result, StoreError};

mod alternatives;
mod formula;
mod order;
#[cfg(test)]
mod tests;
mod values;

pub use formula::pair_depends_on_lead;
pub use order::SortKey;

/// Maximum number of conditions in one chain; more are nested in groups of this size. Each condition makes an expression one level deeper,
/// and SQLite allows 1,000 levels.
const MAX_CHAINED_CONDITIONS: usize = 100;

/// Maximum number of campaigns in a condition for which an index may pay off.
const MAX_INDEXED_CAMPAIGNS: usize = 100;

/// Maximum number of values that a statement can bind. This is SQLite's limit; PostgreSQL allows 65,535.
const MAX_VALUES: usize = 32_766;

/// Error: a filter binds more values than a statement allows. No statement was run.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the filter binds {0} values; a statement can have at most {MAX_VALUES}")]
pub struct TooManyBoundValues(pub usize);

#[derive(Debug)]
pub struct SqlBuilder {
    dialect: &'static dyn Dialect,
    text: String,
    binds: Vec<Bind>,
    /// Conditions on callability with their SQL, which is repeated with the same placeholders.
    cached_verdicts: Vec<(Arc<Predicate>, String)>,
}

impl SqlBuilder {
    /// Creates an empty statement.
    pub fn new(dialect: &'static dyn Dialect) -> Self {
        Self { dialect, text: String::with_capacity(512), binds: Vec::new(), cached_verdicts: Vec::new() }
    }

    /// Adds SQL, which must not contain untrusted values.
    pub fn push(&mut self, sql: &str) -> &mut Self {
        self.text.push_str(sql);
        self
    }

    /// Dialect of the SQL.
    pub fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    /// Adds a placeholder for a value.
    pub fn push_bind(&mut self, value: Bind) -> &mut Self {
        let placeholder = self.add_placeholder(value);
        self.push(&placeholder)
    }

    /// Returns the text and the values of its placeholders, in order.
    pub fn finish(self) -> (String, Vec<Bind>) {
        (self.text, self.binds)
    }

    /// Like [`Self::finish`], for a statement whose size depends on a filter.
    ///
    /// # Errors
    /// [`TooManyBoundValues`], as the cause of [`StoreError::Failed`].
    pub fn finish_bounded(self) -> Result<(String, Vec<Bind>)> {
        match self.binds.len() {
            0..=MAX_VALUES => Ok(self.finish()),
            count => Err(StoreError::Failed(Box::new(TooManyBoundValues(count)))),
        }
    }

    /// Returns a placeholder for a value. The caller adds it to the text.
    pub fn add_placeholder(&mut self, value: Bind) -> String {
        self.binds.push(value);
        format!("?{}", self.binds.len())
    }

    /// Adds the condition that `expression` is one of `values`, which must not be empty.
    pub fn push_any_of(&mut self, expression: &str, mut values: Vec<Bind>) -> &mut Self {
        if values.len() == 1 {
            let value = self.add_placeholder(values.remove(0));
            let _ = write!(self.text, "{expression} = {value}");
        } else {
            let list = self.add_placeholder(Bind::List(values));
            let sql = self.dialect.is_any_of(expression, &list);
            self.push(&sql);
        }
        self
    }

    /// Adds several conditions, all of which must hold.
    pub fn push_all<T>(&mut self, parts: impl IntoIterator<Item = T>, add: impl FnMut(&mut Self, T)) -> &mut Self {
        self.push_joined(" AND ", "TRUE", parts, add)
    }

    fn push_joined<T>(
        &mut self,
        separator: &str,
        if_empty: &str,
        parts: impl IntoIterator<Item = T>,
        mut add: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        self.push("(");
        let start = self.text.len();
        let mut count = 0;
        for part in parts {
            if count > 0 && count % MAX_CHAINED_CONDITIONS == 0 {
                if count == MAX_CHAINED_CONDITIONS {
                    self.text.insert(start, '(');
                }
                self.push(")").push(separator).push("(");
            } else if count > 0 {
                self.push(separator);
            }
            add(self, part);
            count += 1;
        }
        if count == 0 {
            self.push(if_empty);
        }
        self.push(if count > MAX_CHAINED_CONDITIONS { "))" } else { ")" })
    }

    /// Adds a predicate on `l` and `c`. Only true counts as a match: false and null are equivalent.
    pub fn push_predicate(&mut self, predicate: &Predicate, now: Timestamp) -> &mut Self {
        match predicate {
            Predicate::All(parts) => self.push_all(parts, |sql, part| {
                sql.push_predicate(part, now);
            }),
            Predicate::Any(parts) => self.push_alternatives(parts, now),
            Predicate::Verdict(stored) => self.push_verdict(stored, now),
            // Constants come before any value is bound, because a bound value without a placeholder is an error.
            Predicate::Field(_, Test::In { values, includes_null: false }) if values.is_empty() => self.push("FALSE"),
            Predicate::Field(_, Test::NotIn { values, includes_null: false }) if values.is_empty() => self.push("TRUE"),
            Predicate::Field(FieldRef::Custom(name), test) => self.push_custom_test(name, test),
            Predicate::Field(FieldRef::Builtin(id), test) => self.push_field_test(*id, test, now),
        }
    }

    fn push_verdict(&mut self, condition: &Arc<Predicate>, now: Timestamp) -> &mut Self {
        if let Some((_, text)) = self.cached_verdicts.iter().find(|(cached, _)| Arc::ptr_eq(cached, condition)) {
            self.text.push_str(text);
            return self;
        }
        let start = self.text.len();
        self.push_predicate(condition, now);
        self.cached_verdicts.push((Arc::clone(condition), self.text[start..].to_owned()));
        self
    }

    fn push_field_test(&mut self, id: FieldId, test: &Test, now: Timestamp) -> &mut Self {
        let field = id.field();
        match field.owner {
            Owner::Lead => self.push_test(&self.lead_value(field), test),
            Owner::CampaignLead if id == FieldId::CallsToday => {
                // A count from another day reads as 0.
                let today = now.date_naive().and_time(NaiveTime::MIN).and_utc();
                let from = self.add_placeholder(Bind::Time(today));
                let until = self.add_placeholder(Bind::Time(today + TimeDelta::days(1)));
                let is_today = format!("c.last_call_at >= {from} AND c.last_call_at < {until}");
                self.push_test(&format!("CASE WHEN {is_today} THEN c.calls_today ELSE 0 END"), test)
            }
            Owner::CampaignLead if let Some(campaigns) = many_campaign_ids(id, test) => {
                let list = self.add_placeholder(Bind::List(campaigns));
                let sql = self.dialect.is_any_of_many_ids("c.campaign_id", &list);
                self.push(&sql)
            }
            Owner::CampaignLead => self.push_test(&format!("c.{}", field.property), test),
            Owner::Verdict => {
                debug_assert!(false, "callability is not a stored field");
                self.push("FALSE")
            }
            Owner::Campaign => {
                // Evaluated once for all campaign leads, and can use the index on `campaign_id`.
                self.push("c.campaign_id IN (SELECT p.id FROM campaigns p WHERE ");
                self.push_test(&format!("p.{}", field.property), test).push(")")
            }
        }
    }

    /// Field of the lead in comparable form: dates as timestamps.
    fn lead_value(&self, field: &Field) -> String {
        let column = format!("l.{}", field.property);
        if field.kind == Kind::Date { self.dialect.midnight(&column) } else { column }
    }

    fn push_test(&mut self, expression: &str, test: &Test) -> &mut Self {
        match test {
            Test::In { values, includes_null } => {
                let tests = [(!values.is_empty()).then_some(false), includes_null.then_some(true)];
                self.push_joined(" OR ", "FALSE", tests.into_iter().flatten(), |sql, is_null_test| {
                    if is_null_test {
                        sql.push(expression).push(" IS NULL");
                    } else {
                        sql.push_any_of(expression, values.iter().map(Bind::from).collect());
                    }
                })
            }
            Test::NotIn { values, includes_null } => {
                let exists = format!("{expression} IS NOT NULL");
                self.push_not_in(&exists, *includes_null, !values.is_empty(), |sql| {
                    sql.push_any_of(expression, values.iter().map(Bind::from).collect());
                })
            }
            Test::Compare(comparison, value) => {
                self.push(expression).push(comparison_operator(*comparison)).push_bind(Bind::from(value))
            }
            Test::Text(mode, text) => self.push_text_test(expression, *mode, text),
            Test::IsNull(null) => self.push(expression).push(if *null { " IS NULL" } else { " IS NOT NULL" }),
        }
    }

    /// Adds the conditions that a value exists (with `excludes_null`) and isn't one of the values that `push_in` tests (with
    /// `has_values`).
    fn push_not_in(
        &mut self,
        exists: &str,
        excludes_null: bool,
        has_values: bool,
        push_in: impl Fn(&mut Self),
    ) -> &mut Self {
        let tests = [excludes_null.then_some(true), has_values.then_some(false)];
        self.push_all(tests.into_iter().flatten(), |sql, is_null_test| {
            if is_null_test {
                sql.push(exists);
            } else {
                // Unlike `NOT`, also true for null.
                sql.push("(");
                push_in(sql);
                sql.push(") IS NOT TRUE");
            }
        })
    }

    fn push_text_test(&mut self, expression: &str, mode: TextMatch, text: &str) -> &mut Self {
        let needle = text.to_ascii_lowercase();
        if needle.is_empty() {
            return self.push(expression).push(" IS NOT NULL");
        }
        let characters = i64::try_from(needle.chars().count()).unwrap_or(i64::MAX);
        let haystack = self.dialect.lower(expression);
        let needle = Bind::Text(needle);
        match mode {
            TextMatch::Contains => {
                let needle = self.add_placeholder(needle);
                let sql = self.dialect.contains(&haystack, &needle);
                self.push(&sql)
            }
            TextMatch::StartsWith => self
                .push("substr(")
                .push(&haystack)
                .push(", 1, ")
                .push_bind(Bind::Integer(characters))
                .push(") = ")
                .push_bind(needle),
            TextMatch::EndsWith => {
                // Compares the last characters; a shorter text can't end with the needle.
                let count = self.add_placeholder(Bind::Integer(characters));
                let _ = write!(
                    self.text,
                    "length({expression}) >= {count} AND substr({haystack}, length({expression}) - {count} + 1) = "
                );
                self.push_bind(needle)
            }
        }
    }

    fn push_custom_test(&mut self, name: &str, test: &Test) -> &mut Self {
        let dialect = self.dialect;
        let key = self.add_placeholder(dialect.custom_key(name));
        let type_of = |value: &Value| match value {
            Value::Text(_) => CustomType::Text,
            Value::Boolean(_) => CustomType::Boolean,
            Value::Integer(_) | Value::Number(_) | Value::Time(_) => CustomType::Number,
        };
        let push_in = |sql: &mut Self, values: &[Value]| {
            let types = [CustomType::Text, CustomType::Number, CustomType::Boolean];
            let groups = types.into_iter().map(|value_type| {
                let of_type = values.iter().filter(|value| type_of(value) == value_type).map(Bind::from);
                (value_type, of_type.collect::<Vec<_>>())
            });
            sql.push_joined(
                " OR ",
                "FALSE",
                groups.filter(|(_, values)| !values.is_empty()),
                |sql, (value_type, values)| {
                    sql.push_custom_any_of(&dialect.custom_value(&key, value_type), values);
                },
            );
        };
        let exists = dialect.has_custom(&key);
        match test {
            Test::In { values, includes_null } => {
                self.push("(");
                push_in(self, values);
                if *includes_null {
                    let _ = write!(self.text, " OR NOT ({exists})");
                }
                self.push(")")
            }
            Test::NotIn { values, includes_null } => {
                self.push_not_in(&exists, *includes_null, !values.is_empty(), |sql| push_in(sql, values))
            }
            Test::Compare(comparison, value) => {
                let stored = dialect.custom_value(&key, type_of(value));
                let value = self.custom_operand(Bind::from(value));
                self.push(&stored).push(comparison_operator(*comparison)).push(&value)
            }
            Test::Text(mode, text) => self.push_text_test(&dialect.custom_value(&key, CustomType::Text), *mode, text),
            Test::IsNull(true) => self.push("NOT (").push(&exists).push(")"),
            Test::IsNull(false) => self.push(&exists),
        }
    }

    /// Adds the condition that a custom field's value is one of `values`, which must not be empty.
    fn push_custom_any_of(&mut self, stored: &str, mut values: Vec<Bind>) {
        if values.len() == 1 {
            let value = self.custom_operand(values.remove(0));
            self.push(stored).push(" = ").push(&value);
        } else {
            let list = self.custom_operand(Bind::List(values));
            let sql = self.dialect.is_any_of(stored, &list);
            self.push(&sql);
        }
    }

    /// Returns the SQL operand for a value, or list of values, that a custom field is compared with.
    fn custom_operand(&mut self, value: Bind) -> String {
        let placeholder = format!("?{}", self.binds.len() + 1);
        let (value, operand) = self.dialect.custom_operand(value, &placeholder);
        self.binds.push(value);
        operand
    }
}

/// Campaigns that a campaign lead must be in, if there are many.
fn many_campaign_ids(id: FieldId, test: &Test) -> Option<Vec<Bind>> {
    match test {
        Test::In { values, includes_null: false }
            if id == FieldId::CampaignId && values.len() > MAX_INDEXED_CAMPAIGNS =>
        {
            Some(values.iter().map(Bind::from).collect())
        }
        _ => None,
    }
}

fn comparison_operator(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => " < ",
        Comparison::LessOrEqual => " <= ",
        Comparison::Greater => " > ",
        Comparison::GreaterOrEqual => " >= ",
    }
}
