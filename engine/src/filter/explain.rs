//! Describes a filter in plain words: "leads in campaign 7, updated after 1 May 2026, 09:30 UTC". The wording of each language is in
//! [`super::wording`].
//!
//! Defaults, such as the order by id, are omitted.

use super::fields::{FieldId, Kind, Owner};
use super::predicate::{
    CampaignsShown, CheckedFilter, Comparison, Cursor, FieldRef, Limit, OrderKey, Predicate, Test, TextMatch, Value,
};
use super::wording as words;
use crate::api::{CampaignId, NotCallableCode, Timestamp};
use crate::time;
use crate::wording::{Language, decimal, grouped, in_sentence};

/// Display names, if known.
pub trait Names {
    /// Returns the name of a campaign.
    fn campaign(&self, _id: CampaignId) -> Option<String> {
        None
    }

    /// Returns the display name of a status in the language of the description.
    fn status(&self, _name: &str) -> Option<String> {
        None
    }
}

/// No known names.
impl Names for () {}

/// Formats timestamps.
pub type Moments<'a> = dyn Fn(Timestamp) -> String + 'a;

/// Maximum length of a fully listed set of values. Of a longer one, all but the last place are listed, followed by the number of the
/// others.
const MAX_SHOWN: usize = 5;

/// Describes the filter on one line, without a full stop.
pub fn explain(filter: &CheckedFilter, names: &dyn Names, language: Language) -> String {
    explain_by(filter, names, &|moment| time::describe(moment, language), language)
}

/// Like [`explain`], with another format for timestamps.
pub fn explain_by(filter: &CheckedFilter, names: &dyn Names, moments: &Moments<'_>, language: Language) -> String {
    let reading = Reading { names, moments, language };
    let mut text = match reading.conditions(&filter.predicate).as_slice() {
        [] => words::all_leads(language).to_owned(),
        [(only, _)] => words::leads(language, only),
        several => {
            let phrases: Vec<String> = several.iter().map(parenthesised).collect();
            words::leads(language, phrases.join(", "))
        }
    };
    for rest in [reading.order(&filter.order), reading.page(filter), reading.members(filter)].into_iter().flatten() {
        text.push_str("; ");
        text.push_str(&rest);
    }
    text
}

/// A phrase, with a flag that is true if it needs brackets next to other phrases.
type Phrase = (String, bool);

fn parenthesised((phrase, compound): &Phrase) -> String {
    if *compound { format!("({phrase})") } else { phrase.clone() }
}

/// Context of a description.
struct Reading<'a> {
    names: &'a dyn Names,
    moments: &'a Moments<'a>,
    language: Language,
}

impl Reading<'_> {
    /// Returns the phrases of a predicate. All of them must match.
    fn conditions(&self, predicate: &Predicate) -> Vec<Phrase> {
        match predicate {
            Predicate::Field(field, test) => vec![(self.condition(field, &[test]), false)],
            Predicate::Any(branches) => vec![self.either(branches)],
            Predicate::Verdict(stored) => self.conditions(stored),
            Predicate::All(parts) => {
                let mut phrases = Vec::new();
                let mut rest = parts.as_slice();
                while let [first, after @ ..] = rest {
                    rest = after;
                    match first {
                        Predicate::Field(field, test @ Test::Compare(..)) => {
                            let mut bounds = vec![test];
                            while let [Predicate::Field(same, test @ Test::Compare(..)), after @ ..] = rest
                                && same == field
                            {
                                bounds.push(test);
                                rest = after;
                            }
                            phrases.push((self.condition(field, &bounds), false));
                        }
                        other => phrases.extend(self.conditions(other)),
                    }
                }
                phrases
            }
        }
    }

    fn either(&self, branches: &[Predicate]) -> Phrase {
        let language = self.language;
        let mut phrases: Vec<String> = branches
            .iter()
            .map(|branch| match self.conditions(branch).as_slice() {
                [] => words::of_any_kind(language).to_owned(),
                [only] => parenthesised(only),
                several => {
                    let parts: Vec<String> = several.iter().map(parenthesised).collect();
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

    /// Describes tests on one field. Several tests are given only if all of them compare.
    fn condition(&self, field: &FieldRef, tests: &[&Test]) -> String {
        let language = self.language;
        let known = match field {
            FieldRef::Custom(name) => {
                return self.noun(&words::custom_field(language, self.shown(name)), Kind::Custom, true, tests);
            }
            FieldRef::Known(id) => id.field(),
        };
        let is_presence = known.id == FieldId::CampaignLeadId && matches!(tests, [Test::IsNull(_)]);
        if known.id == FieldId::CampaignId || is_presence {
            return self.campaign(tests);
        }
        if let ([Test::In { values, null: false }], Some((yes, no))) = (tests, marks(known.id))
            && let [Value::Boolean(value)] = values.as_slice()
        {
            return (if *value { yes } else { no })(language).to_owned();
        }
        if let Some(verb) = words::verb(known.id, language) {
            match tests {
                [Test::IsNull(null)] => match (known.id, null) {
                    (FieldId::LastCallAt, true) => return words::never_called(language).to_owned(),
                    (FieldId::LastCallAt, false) => return words::called_before(language).to_owned(),
                    _ => {}
                },
                [Test::In { values, null: false }] if !values.is_empty() => {
                    let when = self.any_of(values, known.kind);
                    return match known.kind {
                        Kind::Date => words::happened_on(language, verb, when),
                        _ => words::happened_at(language, verb, when),
                    };
                }
                [Test::NotIn { values, null: false }] if !values.is_empty() => {
                    let when = self.any_of(values, known.kind);
                    return match known.kind {
                        Kind::Date => words::not_happened_on(language, verb, when),
                        _ => words::not_happened_at(language, verb, when),
                    };
                }
                [Test::Compare(..), ..] => return words::happened(language, verb, self.bounds(tests, known.kind)),
                _ => {}
            }
        }
        let noun = |tests: &[&Test]| self.noun(&words::noun(known, language), known.kind, known.nullable, tests);
        let label: &dyn Fn(&str) -> Option<String> = match known.id {
            FieldId::Status => &|name| self.names.status(name),
            FieldId::NotCallableReason => &|name| reason(name, language),
            _ => return noun(tests),
        };
        let labelled: Vec<_> = tests.iter().map(|test| labelled(test, label)).collect();
        match (known.id, labelled.as_slice()) {
            (FieldId::NotCallableReason, [test]) => self.reason(test).unwrap_or_else(|| noun(&[test])),
            (_, tests) => noun(&tests.iter().collect::<Vec<_>>()),
        }
    }

    /// Describes a test on the reasons not to call, if it reads differently from a test on text.
    fn reason(&self, test: &Test) -> Option<String> {
        let (language, list) = (self.language, |values: &[Value]| self.any_of(values, Kind::Text));
        match test {
            Test::IsNull(true) => Some(words::callable(language).to_owned()),
            Test::IsNull(false) => Some(words::not_callable(language).to_owned()),
            Test::In { values, null: false } if !values.is_empty() => {
                Some(words::not_callable_for(language, list(values)))
            }
            Test::NotIn { values, null: false } if !values.is_empty() => {
                Some(words::without_reason(language, list(values)))
            }
            _ => None,
        }
    }

    fn campaign(&self, tests: &[&Test]) -> String {
        let language = self.language;
        let list = |values: &[Value]| {
            self.or_list(values, |value| match value {
                Value::Integer(id) => match self.names.campaign(CampaignId(*id)) {
                    Some(name) => words::named(language, id, self.shown(&name)),
                    None => id.to_string(),
                },
                other => self.text(other, Kind::Integer),
            })
        };
        match tests {
            [Test::In { values, null: false }] if !values.is_empty() => words::in_campaign(language, list(values)),
            [Test::NotIn { values, .. }] if !values.is_empty() => words::in_other_campaign(language, list(values)),
            [Test::IsNull(false)] => words::in_any_campaign(language).to_owned(),
            [Test::IsNull(true)] => words::in_no_campaign(language).to_owned(),
            tests => words::in_a_campaign(language, self.noun(words::id(language), Kind::Integer, false, tests)),
        }
    }

    /// Describes tests in the form `with last name Smith`.
    fn noun(&self, name: &str, kind: Kind, nullable: bool, tests: &[&Test]) -> String {
        let language = self.language;
        match tests {
            [Test::IsNull(true)] => words::without(language, name),
            [Test::IsNull(false)] => words::with_any(language, name),
            // Users see an empty text as no value.
            [Test::In { values, null: true }] if values.iter().all(is_blank) => words::without(language, name),
            [Test::In { values, .. }] if values.is_empty() => words::with_none_of_no_values(language, name),
            [Test::In { values, null: true }] => words::with_or_none(language, name, self.any_of(values, kind)),
            [Test::In { values, null: false }] => words::with(language, name, self.any_of(values, kind)),
            [Test::NotIn { values, null: true }] if values.iter().all(is_blank) => words::with_any(language, name),
            [Test::NotIn { values, .. }] if values.is_empty() => words::with_or_without(language, name),
            [Test::NotIn { values, null: false }] if nullable => {
                words::with_other_if_any(language, name, self.any_of(values, kind))
            }
            [Test::NotIn { values, .. }] => words::with_other(language, name, self.any_of(values, kind)),
            [Test::Text(text_match, part)] => {
                let part = self.shown(part);
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
        let bounds: Vec<String> = tests
            .iter()
            .filter_map(|test| match test {
                Test::Compare(comparison, value) => {
                    let relation = relation(*comparison, value, kind)(self.language);
                    Some(format!("{relation} {}", self.text(value, kind)))
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

    fn or_list(&self, values: &[Value], shown: impl Fn(&Value) -> String) -> String {
        let language = self.language;
        let (first, last) = match values {
            [] => return String::new(),
            [only] => return shown(only),
            [first @ .., last] if values.len() <= MAX_SHOWN => (first, shown(last)),
            many => {
                let others = grouped((many.len() - MAX_SHOWN + 1) as u64, language);
                (&many[..MAX_SHOWN - 1], words::others(language, others))
            }
        };
        let first: Vec<String> = first.iter().map(shown).collect();
        format!("{} {} {last}", first.join(", "), words::or(language))
    }

    /// Formats a value. Texts of custom fields are always quoted, because `5` and `"5"` differ there.
    fn text(&self, value: &Value, kind: Kind) -> String {
        match value {
            Value::Integer(value) => value.to_string(),
            Value::Number(value) => decimal(*value, self.language),
            Value::Text(text) if kind == Kind::Custom => self.quoted(text),
            Value::Text(text) => self.shown(text),
            Value::Boolean(value) => value.to_string(),
            Value::Time(time) if kind == Kind::Date => self.date(*time),
            Value::Time(time) => (self.moments)(*time),
        }
    }

    fn date(&self, moment: Timestamp) -> String {
        match moment.time() == chrono::NaiveTime::MIN {
            true => time::describe_date(moment.date_naive(), self.language),
            false => time::describe(moment, self.language),
        }
    }

    /// Returns a text as it is if it is unambiguous, or else in quotes.
    fn shown(&self, text: &str) -> String {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '.' | '@' | '_' | '+' | '/');
        let joins = [words::or(self.language), words::and(self.language)];
        let single_spaced = !text.is_empty() && text.split(' ').all(|word| !word.is_empty() && !joins.contains(&word));
        match single_spaced && text.chars().count() <= 60 && text.chars().all(plain) {
            true => text.to_owned(),
            false => self.quoted(text),
        }
    }

    fn quoted(&self, text: &str) -> String {
        let mut short: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        if text.chars().count() > 60 {
            short.push('…');
        }
        words::quoted(self.language, short)
    }

    fn order(&self, order: &[OrderKey]) -> Option<String> {
        if let [OrderKey { field: FieldId::Id, descending: false }] = order {
            return None;
        }
        let language = self.language;
        let said = match order {
            [first @ .., OrderKey { field: FieldId::Id, descending: false }] => first,
            all => all,
        };
        let keys: Vec<String> = said
            .iter()
            .map(|key| {
                let field = key.field.field();
                debug_assert!(field.owner == Owner::Lead);
                let name = words::sort_key(field, language);
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

    fn page(&self, filter: &CheckedFilter) -> Option<String> {
        let language = self.language;
        let Limit { count, offset } = filter.limit;
        let count_shown = grouped(count.into(), language);
        let page = match (count, offset) {
            (0, _) => words::total_alone(language).to_owned(),
            (_, 0) if filter.limit == Limit::default() => String::new(),
            (_, 0) => words::at_most_count(language, count_shown),
            (_, offset) => words::at_most_after(language, count_shown, grouped(offset, language)),
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

    fn members(&self, filter: &CheckedFilter) -> Option<String> {
        let fields = filter.fields.as_ref().map(|fields| {
            let names: Vec<&str> = fields.iter().map(String::as_str).collect();
            words::showing_only(self.language, names.join(", "))
        });
        let campaigns =
            (filter.campaigns == CampaignsShown::All).then(|| words::with_all_campaigns(self.language).to_owned());
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
type Word = fn(Language) -> &'static str;

/// Replaces the values of a test by their labels.
fn labelled(test: &Test, label: impl Fn(&str) -> Option<String>) -> Test {
    let labels = |values: &[Value]| {
        let labelled = values.iter().map(|value| match value {
            Value::Text(name) => Value::Text(label(name).unwrap_or_else(|| name.clone())),
            other => other.clone(),
        });
        labelled.collect()
    };
    match test {
        Test::In { values, null } => Test::In { values: labels(values), null: *null },
        Test::NotIn { values, null } => Test::NotIn { values: labels(values), null: *null },
        other => other.clone(),
    }
}

/// Returns the label of a reason.
fn reason(name: &str, language: Language) -> Option<String> {
    NotCallableCode::from_name(name).map(|code| in_sentence(code.label(language), language))
}

/// Returns the descriptions of a boolean field for true and for false.
fn marks(id: FieldId) -> Option<(Word, Word)> {
    match id {
        FieldId::DoNotCall => Some((words::do_not_call, words::may_call)),
        FieldId::Blacklisted => Some((words::blacklisted, words::not_blacklisted)),
        FieldId::Callable => Some((words::callable, words::not_callable)),
        _ => None,
    }
}

fn relation(comparison: Comparison, value: &Value, kind: Kind) -> Word {
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
