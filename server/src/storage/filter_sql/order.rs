//! Order of rows, and the condition for rows after a cursor.

use leadscribe_engine::filter::predicate::{Cursor, OrderKey};

use super::{Bind, Sql};

/// Sort key.
#[derive(Clone, Debug)]
pub struct SortKey {
    /// SQL expression of the value, without untrusted values.
    pub expression: String,
    /// True if the value may be null.
    pub nullable: bool,
    /// True if the largest value comes first.
    pub descending: bool,
}

impl Sql {
    /// Adds `ORDER BY`. Leads without a value come last in both directions.
    pub fn order(&mut self, order: &[OrderKey]) -> &mut Self {
        let keys: Vec<_> = order.iter().map(|key| sort_key(key, format!("l.{}", key.field.field().property))).collect();
        self.order_by(&keys)
    }

    /// Adds the condition that a lead follows the cursor in this order.
    pub fn after(&mut self, order: &[OrderKey], cursor: &Cursor) -> &mut Self {
        let keys: Vec<_> = order.iter().map(|key| sort_key(key, self.lead_value(key.field.field()))).collect();
        self.after_in(&keys, cursor)
    }

    /// Adds `ORDER BY`. Rows without a value come last in both directions.
    pub fn order_by(&mut self, keys: &[SortKey]) -> &mut Self {
        for (place, key) in keys.iter().enumerate() {
            self.push(if place == 0 { " ORDER BY " } else { ", " }).push(&key.expression);
            self.push(if key.descending { " DESC" } else { "" });
            self.push(if key.nullable { " NULLS LAST" } else { "" });
        }
        self
    }

    /// Adds the condition that a row follows the cursor, which has a value for each key, in the order of the keys.
    pub fn after_in(&mut self, keys: &[SortKey], cursor: &Cursor) -> &mut Self {
        let Cursor::After(values) = cursor else { return self.push("TRUE") };
        // If the first key is never null, a bound on it alone lets its index find the start.
        if let (Some(key), Some(Some(value))) = (keys.first(), values.first())
            && !key.nullable
        {
            self.push(&key.expression);
            self.push(if key.descending { " <= " } else { " >= " }).bind(Bind::from(value)).push(" AND ");
        }
        self.joined(" OR ", "FALSE", 0..keys.len().min(values.len()), |sql, last| {
            sql.all(0..=last, |sql, place| {
                let key = &keys[place];
                match (&values[place], place == last) {
                    (None, true) => _ = sql.push("FALSE"),
                    (None, false) => _ = sql.push(&key.expression).push(" IS NULL"),
                    (Some(value), false) => _ = sql.push(&key.expression).push(" = ").bind(Bind::from(value)),
                    (Some(value), true) => {
                        let beyond = if key.descending { " < " } else { " > " };
                        sql.push("(").push(&key.expression).push(beyond).bind(Bind::from(value));
                        if key.nullable {
                            sql.push(" OR ").push(&key.expression).push(" IS NULL");
                        }
                        sql.push(")");
                    }
                }
            });
        })
    }
}

fn sort_key(key: &OrderKey, expression: String) -> SortKey {
    SortKey { expression, nullable: key.field.field().nullable, descending: key.descending }
}
