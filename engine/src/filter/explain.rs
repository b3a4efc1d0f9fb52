//! Describes a filter in plain words: "leads in campaign 7, updated after 1 May 2026, 09:30 UTC". The wording of each language is in
//! [`super::wording`].
//!
//! Defaults, such as the order by id, are omitted.

use super::fields::{FieldId, Kind, Owner};
use super::predicate::{
    CampaignSelection, CheckedFilter, Comparison, Cursor, FieldRef, Limit, OrderKey, Predicate, Test, TextMatch, Value,
};
use super::wording as words;
use crate::api::{CampaignId, NotCallableCode, Timestamp};
use crate::time;
use crate::wording::{Language, format_decimal, format_integer, in_sentence};

/// Display names, if known.
pub trait DisplayNames {
    /// Returns the name of a campaign.
    fn campaign_name(&self, _id: CampaignId) -> Option<String> {
        None
    }

    /// Returns the display name of a status in the language of the description.
    fn status_label(&self, _name: &str) -> Option<String> {
        None
    }
}

/// No known names.
impl DisplayNames for () {}

/// Formats timestamps.
pub type TimeFormat<'a> = dyn Fn(Timestamp) -> String + 'a;

/// Maximum number of items in a list of values. The last item of a longer list is the number of the remaining values.
const MAX_LISTED_VALUES: usize = 5;

/// Describes the filter on one line, without a full stop.
pub fn explain(filter: &CheckedFilter, names: &dyn DisplayNames, language: Language) -> String {
    explain_with(filter, names, &|time| time::describe(time, language), language)
}

/// Like [`explain`], with another format for timestamps.
pub fn explain_with(
    filter: &CheckedFilter,
    names: &dyn DisplayNames,
    format_time: &TimeFormat<'_>,
    language: Language,
) -> String {
    let explainer = Explainer { names, format_time, language };
    let mut text = match explainer.conditions(&filter.predicate).as_slice() {
        [] => words::all_leads(language).to_owned(),
        [(only, _)] => words::leads(language, only),
        phrases => {
            let phrases: Vec<String> = phrases.iter().map(parenthesize).collect();
            words::leads(language, phrases.join(", "))
        }
    };
    for clause in
        [explainer.describe_order(&filter.order), explainer.describe_page(filter), explainer.describe_members(filter)]
            .into_iter()
            .flatten()
    {
        text.push_str("; ");
        text.push_str(&clause);
    }
    text
}

/// A phrase, with a flag that is true if it needs parentheses next to other phrases.
type Phrase = (String, bool);

fn parenthesize((phrase, is_compound): &Phrase) -> String {
    if *is_compound { format!("({phrase})") } else { phrase.clone() }
}

/// Context of a description.
struct Explainer<'a> {
    names: &'a dyn DisplayNames,
    format_time: &'a TimeFormat<'a>,
    language: Language,
}

impl Explainer<'_> {
    /// Returns the phrases of a predicate. All of them must match.
    fn conditions(&self, predicate: &Predicate) -> Vec<Phrase> {
        match predicate {
            Predicate::Field(field, test) => vec![(self.field_condition(field, &[test]), false)],
            Predicate::Any(branches) => vec![self.alternatives(branches)],
            Predicate::Verdict(condition) => self.conditions(condition),
            Predicate::All(parts) => {
                let mut phrases = Vec::new();
                let mut rest = parts.as_slice();
                while let [first, remaining @ ..] = rest {
                    rest = remaining;
                    match first {
                        Predicate::Field(field, test @ Test::Compare(..)) => {
                            let mut bounds = vec![test];
                            while let [Predicate::Field(same, test @ Test::Compare(..)), remaining @ ..] = rest
                                && same == field
                            {
                                bounds.push(test);
                                rest = remaining;
                            }
                            phrases.push((self.field_condition(field, &bounds), false));
                        }
                        other => phrases.extend(self.conditions(other)),
                    }
                }
                phrases
            }
        }
    }

    fn alternatives(&self, branches: &[Predicate]) -> Phrase {
        let language = self.language;
        let mut phrases: Vec<String> = branches
            .iter()
            .map(|branch| match self.conditions(branch).as_slice() {
                [] => words::of_any_kind(language).to_owned(),
                [only] => parenthesize(only),
                several => {
                    let parts: Vec<String> = several.iter().map(parenthesize).collect();
                    format!("({})", parts.join(&format!(" {} ", words::and(language))))
                }
            })
            .collect();
        match (phrases.pop(), phrases.as_slice()) {
            (None, _) => (words::of_no_kind(language).to_owned(), false),
            (Some(only), []) => (only, false),
            (Some(last), first) => (words::either(language, first.join(", "), last), true),
        }
    }

    /// Describes tests on one field. If there are several, all are comparisons.
    fn field_condition(&self, field: &FieldRef, tests: &[&Test]) -> String {
        let language = self.language;
        let definition = match field {
            FieldRef::Custom(name) => {
                return self.noun_phrase(
                    &words::custom_field(language, self.quote_if_needed(name)),
                    Kind::Custom,
                    true,
                    tests,
                );
            }
            FieldRef::Builtin(id) => id.field(),
        };
        let is_presence = definition.id == FieldId::CampaignLeadId && matches!(tests, [Test::IsNull(_)]);
        if definition.id == FieldId::CampaignId || is_presence {
            return self.campaign_condition(tests);
        }
        if let ([Test::In { values, includes_null: false }], Some((yes, no))) = (tests, boolean_phrases(definition.id))
            && let [Value::Boolean(value)] = values.as_slice()
        {
            return (if *value { yes } else { no })(language).to_owned();
        }
        if let Some(verb) = words::verb(definition.id, language) {
            match tests {
                [Test::IsNull(null)] => match (definition.id, null) {
                    (FieldId::LastCallAt, true) => return words::never_called(language).to_owned(),
                    (FieldId::LastCallAt, false) => return words::called_before(language).to_owned(),
                    _ => {}
                },
                [Test::In { values, includes_null: false }] if !values.is_empty() => {
                    let times = self.any_of(values, definition.kind);
                    return match definition.kind {
                        Kind::Date => words::happened_on(language, verb, times),
                        _ => words::happened_at(language, verb, times),
                    };
                }
                [Test::NotIn { values, includes_null: false }] if !values.is_empty() => {
                    let times = self.any_of(values, definition.kind);
                    return match definition.kind {
                        Kind::Date => words::not_happened_on(language, verb, times),
                        _ => words::not_happened_at(language, verb, times),
                    };
                }
                [Test::Compare(..), ..] => return words::happened(language, verb, self.bounds(tests, definition.kind)),
                _ => {}
            }
        }
        if let [.., Test::Compare(_, last)] = tests {
            match (definition.id, *last == Value::Integer(1)) {
                (FieldId::CallsCount, true) => return words::with_call(language, self.count_bounds(tests)),
                (FieldId::CallsCount, false) => return words::with_calls(language, self.count_bounds(tests)),
                (FieldId::CallsToday, true) => return words::with_call_today(language, self.count_bounds(tests)),
                (FieldId::CallsToday, false) => return words::with_calls_today(language, self.count_bounds(tests)),
                _ => {}
            }
        }
        let noun = |tests: &[&Test]| {
            self.noun_phrase(&words::noun(definition, language), definition.kind, definition.nullable, tests)
        };
        let label: &dyn Fn(&str) -> Option<String> = match definition.id {
            FieldId::Status => &|name| self.names.status_label(name),
            FieldId::NotCallableReason => &|name| reason_label(name, language),
            _ => return noun(tests),
        };
        let labeled: Vec<_> = tests.iter().map(|test| with_labels(test, label)).collect();
        match (definition.id, labeled.as_slice()) {
            (FieldId::NotCallableReason, [test]) => self.reason_condition(test).unwrap_or_else(|| noun(&[test])),
            (_, tests) => noun(&tests.iter().collect::<Vec<_>>()),
        }
    }

    /// Describes a test on the reasons not to call; `None` if the general wording fits.
    fn reason_condition(&self, test: &Test) -> Option<String> {
        let (language, list) = (self.language, |values: &[Value]| self.any_of(values, Kind::Text));
        match test {
            Test::IsNull(true) => Some(words::callable(language).to_owned()),
            Test::IsNull(false) => Some(words::not_callable(language).to_owned()),
            Test::In { values, includes_null: false } if !values.is_empty() => {
                Some(words::not_callable_for(language, list(values)))
            }
            Test::NotIn { values, includes_null: false } if !values.is_empty() => {
                Some(words::without_reason(language, list(values)))
            }
            _ => None,
        }
    }

    fn campaign_condition(&self, tests: &[&Test]) -> String {
        let language = self.language;
        let list = |values: &[Value]| {
            self.or_list(values, |value| match value {
                Value::Integer(id) => match self.names.campaign_name(CampaignId(*id)) {
                    Some(name) => self.quote_if_needed(&name),
                    None => id.to_string(),
                },
                other => self.text(other, Kind::Integer),
            })
        };
        match tests {
            [Test::In { values, includes_null: false }] if !values.is_empty() => {
                words::in_campaign(language, list(values))
            }
            [Test::NotIn { values, .. }] if !values.is_empty() => words::in_other_campaign(language, list(values)),
            [Test::IsNull(false)] => words::in_any_campaign(language).to_owned(),
            [Test::IsNull(true)] => words::in_no_campaign(language).to_owned(),
            tests => {
                words::in_campaign_with(language, self.noun_phrase(words::id(language), Kind::Integer, false, tests))
            }
        }
    }

    /// Describes tests in the form `with last name Smith`.
    fn noun_phrase(&self, name: &str, kind: Kind, nullable: bool, tests: &[&Test]) -> String {
        let language = self.language;
        match tests {
            [Test::IsNull(true)] => words::without(language, name),
            [Test::IsNull(false)] => words::with_any(language, name),
            // Users see an empty text as no value.
            [Test::In { values, includes_null: true }] if values.iter().all(is_blank) => words::without(language, name),
            [Test::In { values, .. }] if values.is_empty() => words::with_empty_list(language, name),
            [Test::In { values, includes_null: true }] => {
                words::with_or_none(language, name, self.any_of(values, kind))
            }
            [Test::In { values, includes_null: false }] => words::with(language, name, self.any_of(values, kind)),
            [Test::NotIn { values, includes_null: true }] if values.iter().all(is_blank) => {
                words::with_any(language, name)
            }
            [Test::NotIn { values, .. }] if values.is_empty() => words::with_or_without(language, name),
            [Test::NotIn { values, includes_null: false }] if nullable => {
                words::with_other_if_any(language, name, self.any_of(values, kind))
            }
            [Test::NotIn { values, .. }] => words::with_other(language, name, self.any_of(values, kind)),
            [Test::Text(text_match, part)] => {
                let part = self.quote_if_needed(part);
                match text_match {
                    TextMatch::Contains => words::containing(language, name, part),
                    TextMatch::StartsWith => words::starting_with(language, name, part),
                    TextMatch::EndsWith => words::ending_with(language, name, part),
                }
            }
            tests => words::with(language, name, self.bounds(tests, kind)),
        }
    }

    /// Describes bounds in the form `after X and before Y`.
    fn bounds(&self, tests: &[&Test], kind: Kind) -> String {
        self.join_bounds(tests, kind, |comparison, value| comparison_word(comparison, value, kind))
    }

    /// Describes bounds of a count in the form `at least X and fewer than Y`.
    fn count_bounds(&self, tests: &[&Test]) -> String {
        self.join_bounds(tests, Kind::Integer, |comparison, value| match comparison {
            Comparison::Greater => words::more_than,
            Comparison::Less => words::fewer_than,
            other => comparison_word(other, value, Kind::Integer),
        })
    }

    fn join_bounds(&self, tests: &[&Test], kind: Kind, word: impl Fn(Comparison, &Value) -> StaticText) -> String {
        let bounds: Vec<String> = tests
            .iter()
            .filter_map(|test| match test {
                Test::Compare(comparison, value) => {
                    Some(format!("{} {}", word(*comparison, value)(self.language), self.text(value, kind)))
                }
                _ => None,
            })
            .collect();
        bounds.join(&format!(" {} ", words::and(self.language)))
    }

    /// Formats values in the form `Ann, Bob or Eve`. A long list is cut after the first values, followed by the number of the others.
    fn any_of(&self, values: &[Value], kind: Kind) -> String {
        self.or_list(values, |value| self.text(value, kind))
    }

    fn or_list(&self, values: &[Value], format_value: impl Fn(&Value) -> String) -> String {
        let language = self.language;
        let (first, last) = match values {
            [] => return String::new(),
            [only] => return format_value(only),
            [first @ .., last] if values.len() <= MAX_LISTED_VALUES => (first, format_value(last)),
            values => {
                let other_count = format_integer((values.len() - MAX_LISTED_VALUES + 1) as u64, language);
                (&values[..MAX_LISTED_VALUES - 1], words::others(language, other_count))
            }
        };
        let first: Vec<String> = first.iter().map(format_value).collect();
        format!("{} {} {last}", first.join(", "), words::or(language))
    }

    /// Formats a value. Texts of custom fields are always quoted, because `5` and `"5"` differ there.
    fn text(&self, value: &Value, kind: Kind) -> String {
        match value {
            Value::Integer(value) => value.to_string(),
            Value::Number(value) => format_decimal(*value, self.language),
            Value::Text(text) if kind == Kind::Custom => self.quote(text),
            Value::Text(text) => self.quote_if_needed(text),
            Value::Boolean(value) => value.to_string(),
            Value::Time(time) if kind == Kind::Date => self.date(*time),
            Value::Time(time) => (self.format_time)(*time),
        }
    }

    fn date(&self, time: Timestamp) -> String {
        match time.time() == chrono::NaiveTime::MIN {
            true => time::describe_date(time.date_naive(), self.language),
            false => time::describe(time, self.language),
        }
    }

    /// Returns a text as it is if it is unambiguous, or else in quotes.
    fn quote_if_needed(&self, text: &str) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.' | '@' | '_' | '+' | '/');
        let conjunctions = [words::or(self.language), words::and(self.language)];
        let has_plain_words =
            !text.is_empty() && text.split(' ').all(|word| !word.is_empty() && !conjunctions.contains(&word));
        match has_plain_words && text.chars().count() <= 60 && text.chars().all(is_plain) {
            true => text.to_owned(),
            false => self.quote(text),
        }
    }

    fn quote(&self, text: &str) -> String {
        let mut excerpt: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        if text.chars().count() > 60 {
            excerpt.push('…');
        }
        words::quoted(self.language, excerpt)
    }

    fn describe_order(&self, order: &[OrderKey]) -> Option<String> {
        if let [OrderKey { field: FieldId::Id, descending: false }] = order {
            return None;
        }
        let language = self.language;
        let named_keys = match order {
            [first @ .., OrderKey { field: FieldId::Id, descending: false }] => first,
            keys => keys,
        };
        let keys: Vec<String> = named_keys
            .iter()
            .map(|key| {
                let field = key.field.field();
                debug_assert!(field.owner == Owner::Lead);
                let name = words::noun(field, language);
                match (key.descending, field.kind) {
                    (false, _) => name,
                    (true, Kind::DateTime | Kind::Date) => words::latest_first(language, name),
                    (true, Kind::Text) => words::z_to_a(language, name),
                    (true, _) => words::largest_first(language, name),
                }
            })
            .collect();
        Some(words::sorted_by(language, keys.join(words::then(language))))
    }

    fn describe_page(&self, filter: &CheckedFilter) -> Option<String> {
        let language = self.language;
        let Limit { count, offset } = filter.limit;
        let count_shown = format_integer(count.into(), language);
        let page = match (count, offset) {
            (0, _) => words::total_only(language).to_owned(),
            (_, 0) if filter.limit == Limit::default() => String::new(),
            (_, 0) => words::at_most_count(language, count_shown),
            (_, offset) => words::at_most_after(language, count_shown, format_integer(offset, language)),
        };
        let cursor = match filter.cursor {
            None => "",
            Some(Cursor::Start) => words::from_start(language),
            Some(Cursor::After(_)) => words::from_last_page(language),
        };
        match (page.as_str(), cursor) {
            ("", "") => None,
            ("", cursor) => Some(cursor.to_owned()),
            (_, "") => Some(page),
            (_, cursor) => Some(format!("{page}, {cursor}")),
        }
    }

    fn describe_members(&self, filter: &CheckedFilter) -> Option<String> {
        let fields = filter.fields.as_ref().map(|fields| {
            let names: Vec<&str> = fields.iter().map(String::as_str).collect();
            words::showing_only(self.language, names.join(", "))
        });
        let campaigns =
            (filter.campaigns == CampaignSelection::All).then(|| words::with_all_campaigns(self.language).to_owned());
        match (fields, campaigns) {
            (Some(fields), Some(campaigns)) => Some(format!("{fields}; {campaigns}")),
            (fields, campaigns) => fields.or(campaigns),
        }
    }
}

/// Returns true for an empty text.
fn is_blank(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.is_empty())
}

/// A text without arguments.
type StaticText = fn(Language) -> &'static str;

/// Replaces the values of a test with their labels.
fn with_labels(test: &Test, label: impl Fn(&str) -> Option<String>) -> Test {
    let labels = |values: &[Value]| {
        let labeled = values.iter().map(|value| match value {
            Value::Text(name) => Value::Text(label(name).unwrap_or_else(|| name.clone())),
            other => other.clone(),
        });
        labeled.collect()
    };
    match test {
        Test::In { values, includes_null } => Test::In { values: labels(values), includes_null: *includes_null },
        Test::NotIn { values, includes_null } => Test::NotIn { values: labels(values), includes_null: *includes_null },
        other => other.clone(),
    }
}

/// Returns the label of a reason.
fn reason_label(name: &str, language: Language) -> Option<String> {
    NotCallableCode::from_name(name).map(|code| in_sentence(code.label(language), language))
}

/// Returns the descriptions of a boolean field for true and for false.
fn boolean_phrases(id: FieldId) -> Option<(StaticText, StaticText)> {
    match id {
        FieldId::DoNotCall => Some((words::do_not_call, words::may_call)),
        FieldId::Blacklisted => Some((words::blacklisted, words::not_blacklisted)),
        FieldId::Callable => Some((words::callable, words::not_callable)),
        _ => None,
    }
}

fn comparison_word(comparison: Comparison, value: &Value, kind: Kind) -> StaticText {
    match (value, comparison) {
        (Value::Time(_), Comparison::Greater) => words::after,
        (Value::Time(_), Comparison::Less) => words::before,
        (Value::Time(_), Comparison::GreaterOrEqual) if kind == Kind::Date => words::on_or_after,
        (Value::Time(_), Comparison::LessOrEqual) if kind == Kind::Date => words::on_or_before,
        (Value::Time(_), Comparison::GreaterOrEqual) => words::at_or_after,
        (Value::Time(_), Comparison::LessOrEqual) => words::at_or_before,
        (Value::Text(_), Comparison::Greater) => words::after_text,
        (Value::Text(_), Comparison::Less) => words::before_text,
        (Value::Text(_), Comparison::GreaterOrEqual) => words::from_text,
        (Value::Text(_), Comparison::LessOrEqual) => words::to_text,
        (_, Comparison::Greater) => words::above,
        (_, Comparison::Less) => words::below,
        (_, Comparison::GreaterOrEqual) => words::at_least,
        (_, Comparison::LessOrEqual) => words::at_most,
    }
}
