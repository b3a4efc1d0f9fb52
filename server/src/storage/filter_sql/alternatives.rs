//! Many alternatives on the values of one field, such as calling hours by time zone, as a search in two steps.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};

use super::Sql;

/// Fewest alternatives that are worth the second step.
const MIN_ALTERNATIVES: usize = 9;

impl Sql {
    /// Alternatives, at least one of which must hold.
    ///
    /// Of those that each ask first whether the same field is one of some values, groups are made: whether it is one of all values of a
    /// group is asked before the group's own alternatives. A row then meets few of them.
    pub(super) fn alternatives(&mut self, parts: &[Predicate], now: Timestamp) -> &mut Self {
        let leading = parts.iter().find_map(first_values).map(|(field, _)| field);
        let is_leading = |part: &&Predicate| first_values(part).is_some_and(|(field, _)| Some(field) == leading);
        let (by_value, others): (Vec<&Predicate>, Vec<&Predicate>) = parts.iter().partition(is_leading);
        if by_value.len() < MIN_ALTERNATIVES {
            return self.joined(" OR ", "FALSE", parts, |sql, part| _ = sql.predicate(part, now));
        }
        let groups: Vec<&[&Predicate]> = by_value.chunks(by_value.len().isqrt()).collect();
        let steps = others.into_iter().map(Step::One).chain(groups.into_iter().map(Step::Group));
        self.joined(" OR ", "FALSE", steps, |sql, step| match step {
            Step::One(part) => _ = sql.predicate(part, now),
            Step::Group(group) => {
                let values = group.iter().filter_map(|part| first_values(part)).flat_map(|(_, values)| values).cloned();
                let is_in_group = Test::In { values: values.collect(), null: false };
                let field = leading.cloned().map(|field| Predicate::Field(field, is_in_group));
                sql.push("(");
                sql.all(field, |sql, test| _ = sql.predicate(&test, now)).push(" AND ");
                sql.joined(" OR ", "FALSE", group, |sql, part| _ = sql.predicate(part, now)).push(")");
            }
        })
    }
}

enum Step<'p> {
    One(&'p Predicate),
    Group(&'p [&'p Predicate]),
}

/// The field, and the values, that a part asks for first, and others after it.
fn first_values(part: &Predicate) -> Option<(&FieldRef, &Vec<Value>)> {
    let Predicate::All(parts) = part else { return None };
    match &parts[..] {
        [Predicate::Field(field @ FieldRef::Known(_), Test::In { values, null: false }), _, ..]
            if !values.is_empty() =>
        {
            Some((field, values))
        }
        _ => None,
    }
}
