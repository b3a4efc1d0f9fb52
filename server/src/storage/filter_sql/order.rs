//! Order of rows, and the condition for rows after a cursor.

use leadscribe_engine::filter::predicate::{Cursor, OrderKey};

use super::{Bind, SqlBuilder};

#[derive(Clone, Debug)]
pub struct SortKey {
    /// SQL expression of the value, without untrusted values.
    pub expression: String,
    /// True if the value may be null.
    pub nullable: bool,
    /// True if the largest value comes first.
    pub descending: bool,
}

impl SqlBuilder {
    /// Adds `ORDER BY`. Leads without a value come last in both directions.
    pub fn push_lead_order(&mut self, order: &[OrderKey]) -> &mut Self {
        let keys: Vec<_> = order.iter().map(|key| sort_key(key, format!("l.{}", key.field.field().property))).collect();
        self.push_order_by(&keys)
    }

    /// Adds the condition that a lead follows the cursor in this order.
    pub fn push_lead_after(&mut self, order: &[OrderKey], cursor: &Cursor) -> &mut Self {
        let keys: Vec<_> = order.iter().map(|key| sort_key(key, self.lead_value(key.field.field()))).collect();
        self.push_after(&keys, cursor)
    }

    /// Adds `ORDER BY`. Rows without a value come last in both directions.
    pub fn push_order_by(&mut self, keys: &[SortKey]) -> &mut Self {
        for (index, key) in keys.iter().enumerate() {
            self.push(if index == 0 { " ORDER BY " } else { ", " }).push(&key.expression);
            self.push(if key.descending { " DESC" } else { "" });
            self.push(if key.nullable { " NULLS LAST" } else { "" });
        }
        self
    }

    /// Adds the condition that a row follows the cursor, which has a value for each key, in the order of the keys.
    pub fn push_after(&mut self, keys: &[SortKey], cursor: &Cursor) -> &mut Self {
        let Cursor::After(values) = cursor else { return self.push("TRUE") };
        // If the first key is never null, a bound on it alone lets its index find the start.
        if let (Some(key), Some(Some(value))) = (keys.first(), values.first())
            && !key.nullable
        {
            self.push(&key.expression);
            self.push(if key.descending { " <= " } else { " >= " }).push_bind(Bind::from(value)).push(" AND ");
        }
        self.push_joined(" OR ", "FALSE", 0..keys.len().min(values.len()), |sql, last_index| {
            sql.push_all(0..=last_index, |sql, index| {
                let key = &keys[index];
                match (&values[index], index == last_index) {
                    (None, true) => _ = sql.push("FALSE"),
                    (None, false) => _ = sql.push(&key.expression).push(" IS NULL"),
                    (Some(value), false) => _ = sql.push(&key.expression).push(" = ").push_bind(Bind::from(value)),
                    (Some(value), true) => {
                        let operator = if key.descending { " < " } else { " > " };
                        sql.push("(").push(&key.expression).push(operator).push_bind(Bind::from(value));
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
