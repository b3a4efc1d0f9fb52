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
    let (campaign_conditions, lead_conditions): (Map<_, _>, Map<_, _>) =
        query.keys.clone().into_iter().partition(|(key, _)| campaign_column(key).is_some());
    let page = format!("LIMIT {} OFFSET {}", query.count, query.offset);
    let build = |begin: &str, rest: &str, column_prefix: &'static str| {
        let mut builder = StatementBuilder { column_prefix, statement: Statement::default() };
        builder.push(begin);
        builder.push(" WHERE ");
        builder.conditions("c", &campaign_conditions);
        builder.push(if campaign_conditions.is_empty() || lead_conditions.is_empty() { "" } else { " AND " });
        builder.conditions("l", &lead_conditions);
        builder.push(" ");
        builder.push(rest);
        builder.statement
    };
    // A lead is in a campaign at most once.
    let distinct = if campaign_conditions.contains_key("campaign_id") { "" } else { "DISTINCT " };
    let ranges_only = lead_conditions.keys().all(|key| is_range(key));
    let (from, id, distinct) = if campaign_conditions.is_empty() {
        ("leads l", "l.id", "")
    } else if lead_conditions.is_empty() {
        ("campaign_leads c", "c.lead_id", distinct)
    } else if ranges_only {
        // Fixes the join order: a campaign is more selective than a range of days, but less than a name.
        ("campaign_leads c CROSS JOIN leads l ON l.id = c.lead_id", "l.id", distinct)
    } else {
        ("campaign_leads c JOIN leads l ON l.id = c.lead_id", "l.id", distinct)
    };
    let counted = if distinct.is_empty() { "*".to_owned() } else { format!("{distinct}{id}") };
    let ordered = format!("ORDER BY {id} {page}");
    let wide = (campaign_conditions.is_empty() && ranges_only)
        .then(|| build("SELECT l.id FROM leads l INDEXED BY leads_cover", &ordered, "+"));
    Statements {
        count: build(&format!("SELECT count({counted}) FROM {from}"), "", ""),
        narrow: build(&format!("SELECT {distinct}{id} AS id FROM {from}"), &ordered, ""),
        wide,
    }
}

struct StatementBuilder {
    /// Prefix of a column whose index must not be used.
    column_prefix: &'static str,
    statement: Statement,
}

impl StatementBuilder {
    fn push(&mut self, text: &str) {
        self.statement.text.push_str(text);
    }

    fn conditions(&mut self, table: &str, keys: &Map<String, Value>) {
        for (index, (key, value)) in keys.iter().enumerate() {
            self.push(if index > 0 { " AND " } else { "" });
            if key == "_or" {
                self.any_of(table, list(value));
            } else {
                let column = campaign_column(key).unwrap_or(key);
                self.condition(&format!("{}{table}.{column}", self.column_prefix), key, value);
            }
        }
    }

    fn any_of(&mut self, table: &str, branches: &[Value]) {
        for (index, branch) in branches.iter().enumerate() {
            self.push(if index > 0 { " OR (" } else { "((" });
            self.conditions(table, branch.as_object().expect("a branch is an object"));
            self.push(")");
        }
        self.push(")");
    }

    fn condition(&mut self, column: &str, key: &str, value: &Value) {
        match value {
            Value::String(expressions) if is_range(key) => {
                for (index, expression) in expressions.split('|').enumerate() {
                    let (timestamp, operator) = expression.split_once(';').expect("an expression has an operator");
                    self.push(&format!("{}{column} {operator} ", if index > 0 { " AND " } else { "" }));
                    self.value(&time::parse(timestamp).expect("an expression has a time").into());
                }
            }
            Value::Array(values) => {
                self.push(&format!("{column} IN ("));
                for (index, value) in values.iter().enumerate() {
                    self.push(if index > 0 { "," } else { "" });
                    self.value(value);
                }
                self.push(")");
            }
            Value::Object(operators) => {
                // The workload has no differences in case and no wildcards.
                self.push(&format!("{column} LIKE "));
                self.value(&Value::String(format!("%{}%", text(&operators["contains"]))));
            }
            _ => {
                self.push(&format!("{column} = "));
                self.value(value);
            }
        }
    }

    fn value(&mut self, value: &Value) {
        self.statement.values.push(value.clone());
        self.push(&format!("?{}", self.statement.values.len()));
    }
}
