//! Two-step search for many alternatives on one field, such as calling hours by time zone.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};

use super::SqlBuilder;

/// Minimum number of alternatives for which the second step pays off.
const MIN_ALTERNATIVES: usize = 9;

impl SqlBuilder {
    /// Adds alternatives, at least one of which must hold.
    ///
    /// Alternatives that start with a test of the same field against some values are grouped. Each group first tests the field against all
    /// values of the group, then its own alternatives. A row is then tested against few alternatives.
    pub(super) fn push_alternatives(&mut self, parts: &[Predicate], now: Timestamp) -> &mut Self {
        let leading_field = parts.iter().find_map(leading_values).map(|(field, _)| field);
        let starts_with_leading_field =
            |part: &&Predicate| leading_values(part).is_some_and(|(field, _)| Some(field) == leading_field);
        let (leading_parts, other_parts): (Vec<&Predicate>, Vec<&Predicate>) =
            parts.iter().partition(starts_with_leading_field);
        if leading_parts.len() < MIN_ALTERNATIVES {
            return self.push_joined(" OR ", "FALSE", parts, |sql, part| _ = sql.push_predicate(part, now));
        }
        let groups: Vec<&[&Predicate]> = leading_parts.chunks(leading_parts.len().isqrt()).collect();
        let steps = other_parts.into_iter().map(Step::Single).chain(groups.into_iter().map(Step::Group));
        self.push_joined(" OR ", "FALSE", steps, |sql, step| match step {
            Step::Single(part) => _ = sql.push_predicate(part, now),
            Step::Group(group) => {
                let values =
                    group.iter().filter_map(|part| leading_values(part)).flat_map(|(_, values)| values).cloned();
                let is_in_group = Test::In { values: values.collect(), includes_null: false };
                let field = leading_field.cloned().map(|field| Predicate::Field(field, is_in_group));
                sql.push("(");
                sql.push_all(field, |sql, test| _ = sql.push_predicate(&test, now)).push(" AND ");
                sql.push_joined(" OR ", "FALSE", group, |sql, part| _ = sql.push_predicate(part, now)).push(")");
            }
        })
    }
}

enum Step<'p> {
    Single(&'p Predicate),
    Group(&'p [&'p Predicate]),
}

/// Field and values that a part tests first, if other tests follow.
fn leading_values(part: &Predicate) -> Option<(&FieldRef, &Vec<Value>)> {
    let Predicate::All(parts) = part else { return None };
    match &parts[..] {
        [Predicate::Field(field @ FieldRef::Builtin(_), Test::In { values, includes_null: false }), _, ..]
            if !values.is_empty() =>
        {
            Some((field, values))
        }
        _ => None,
    }
}
