//! Two-step search for many alternatives on one field, such as calling hours by time zone.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};

use super::Sql;

/// Minimum number of alternatives for which the second step pays off.
const MIN_ALTERNATIVES: usize = 9;

impl Sql {
    /// Adds alternatives, at least one of which must hold.
    ///
    /// Alternatives that start with a test of the same field against some values are grouped. Each group first tests the field against all
    /// values of the group, then its own alternatives. A row is then tested against few alternatives.
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

/// Field and values that a part tests first, if other tests follow.
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
