//! Query of the workload as SQL, driven from the most suitable index.
//!
//! A lead matches the keys of a campaign lead if *one* of its campaign leads meets all of them; the page is in order of
//! the lead's id. `_or` contains only conditions on the lead.

use serde_json::{Map, Value};

use crate::time;
use crate::workload::{Query, list, text};

/// Statement and its values.
#[derive(Default)]
pub struct Statement {
    /// Text, with placeholders from `?1`.
    pub text: String,
    /// Times are integers.
    pub values: Vec<Value>,
}

/// Statements of a query.
pub struct Statements {
    /// Counts all matches.
    pub count: Statement,
    /// Ids of the page: all matches by an index, then sorted.
    pub narrow: Statement,
    /// Ids of the page, read in id order until the page is full. For ranges of the lead's times.
    pub wide: Option<Statement>,
}

/// Returns the column of `campaign_leads` for a key, if it belongs to that table.
fn campaign_column(key: &str) -> Option<&'static str> {
    match key {
        "campaign_id" => Some("campaign_id"),
        "campaign_status" => Some("status"),
        "campaign_updated_at" => Some("updated_at"),
        _ => None,
    }
}

fn is_range(key: &str) -> bool {
    key.ends_with("updated_at")
}

/// Returns the statements of a query.
pub fn statements(query: &Query) -> Statements {
    let (of_rows, of_leads): (Map<_, _>, Map<_, _>) =
        query.keys.clone().into_iter().partition(|(key, _)| campaign_column(key).is_some());
    let page = format!("LIMIT {} OFFSET {}", query.count, query.offset);
    let make = |begin: &str, rest: &str, plus: &'static str| {
        let mut maker = Maker { plus, statement: Statement::default() };
        maker.put(begin);
        maker.put(" WHERE ");
        maker.conditions("c", &of_rows);
        maker.put(if of_rows.is_empty() || of_leads.is_empty() { "" } else { " AND " });
        maker.conditions("l", &of_leads);
        maker.put(" ");
        maker.put(rest);
        maker.statement
    };
    // A lead is in a campaign at most once.
    let distinct = if of_rows.contains_key("campaign_id") { "" } else { "DISTINCT " };
    let ranges_only = of_leads.keys().all(|key| is_range(key));
    let (from, id, distinct) = if of_rows.is_empty() {
        ("leads l", "l.id", "")
    } else if of_leads.is_empty() {
        ("campaign_leads c", "c.lead_id", distinct)
    } else if ranges_only {
        // Fixes the join order: a campaign is more selective than a range of days, but less than a name.
        ("campaign_leads c CROSS JOIN leads l ON l.id = c.lead_id", "l.id", distinct)
    } else {
        ("campaign_leads c JOIN leads l ON l.id = c.lead_id", "l.id", distinct)
    };
    let counted = if distinct.is_empty() { "*".to_owned() } else { format!("{distinct}{id}") };
    let ordered = format!("ORDER BY {id} {page}");
    let wide = (of_rows.is_empty() && ranges_only)
        .then(|| make("SELECT l.id FROM leads l INDEXED BY leads_cover", &ordered, "+"));
    Statements {
        count: make(&format!("SELECT count({counted}) FROM {from}"), "", ""),
        narrow: make(&format!("SELECT {distinct}{id} AS id FROM {from}"), &ordered, ""),
        wide,
    }
}

struct Maker {
    /// Prefix of a column whose index must not be used.
    plus: &'static str,
    statement: Statement,
}

impl Maker {
    fn put(&mut self, text: &str) {
        self.statement.text.push_str(text);
    }

    fn conditions(&mut self, table: &str, keys: &Map<String, Value>) {
        for (place, (key, value)) in keys.iter().enumerate() {
            self.put(if place > 0 { " AND " } else { "" });
            if key == "_or" {
                self.any(table, list(value));
            } else {
                let column = campaign_column(key).unwrap_or(key);
                self.condition(&format!("{}{table}.{column}", self.plus), key, value);
            }
        }
    }

    fn any(&mut self, table: &str, branches: &[Value]) {
        for (place, branch) in branches.iter().enumerate() {
            self.put(if place > 0 { " OR (" } else { "((" });
            self.conditions(table, branch.as_object().expect("a branch is an object"));
            self.put(")");
        }
        self.put(")");
    }

    fn condition(&mut self, column: &str, key: &str, value: &Value) {
        match value {
            Value::String(expressions) if is_range(key) => {
                for (place, expression) in expressions.split('|').enumerate() {
                    let (timestamp, operator) = expression.split_once(';').expect("an expression has an operator");
                    self.put(&format!("{}{column} {operator} ", if place > 0 { " AND " } else { "" }));
                    self.value(&time::parse(timestamp).expect("an expression has a time").into());
                }
            }
            Value::Array(values) => {
                self.put(&format!("{column} IN ("));
                for (place, value) in values.iter().enumerate() {
                    self.put(if place > 0 { "," } else { "" });
                    self.value(value);
                }
                self.put(")");
            }
            Value::Object(operators) => {
                // The workload has no differences in case and no wildcards.
                self.put(&format!("{column} LIKE "));
                self.value(&Value::String(format!("%{}%", text(&operators["contains"]))));
            }
            _ => {
                self.put(&format!("{column} = "));
                self.value(value);
            }
        }
    }

    fn value(&mut self, value: &Value) {
        self.statement.values.push(value.clone());
        self.put(&format!("?{}", self.statement.values.len()));
    }
}
