//! Queries, read from `workload.jsonl`: one per line, with `shape` and `body`.

use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::time;

/// Query of the workload.
pub struct Query {
    /// Name of its shape.
    pub shape: String,
    /// Conditions by key.
    pub keys: Map<String, Value>,
    /// Length of the page.
    pub count: usize,
    /// Number of matches before the page.
    pub offset: usize,
}

impl Query {
    /// Returns the names of the keys in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        self.keys.keys().map(String::as_str).collect()
    }
}

/// Reads all queries.
pub fn read(path: &str) -> Result<Vec<Query>> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {path}"))?;
    text.lines().map(|line| query(line).with_context(|| format!("in {line}"))).collect()
}

fn query(line: &str) -> Result<Query> {
    let mut line: Value = serde_json::from_str(line)?;
    let shape = line["shape"].as_str().context("a shape is missing")?.to_owned();
    let Value::Object(mut keys) = line["body"].take() else { bail!("a body is missing") };
    let limit = keys.remove("limit");
    let limit = limit.as_ref().and_then(Value::as_str).unwrap_or("200;0");
    let (count, offset) = limit.split_once(';').context("a limit without an offset")?;
    Ok(Query { shape, keys, count: count.parse()?, offset: offset.parse()? })
}

/// Returns the seconds that `<time>;>|<time>;<` permits, both ends inclusive.
pub fn range(value: &Value) -> (u32, u32) {
    let (mut from, mut till) = (0, u32::MAX);
    for expression in text(value).split('|') {
        let (timestamp, operator) = expression.split_once(';').expect("an expression has an operator");
        let timestamp = time::parse(timestamp).expect("an expression has a time");
        match operator {
            ">" => from = timestamp + 1,
            _ => till = timestamp - 1,
        }
    }
    (from, till)
}

/// Returns the elements of an array, or the single value.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// Returns a string of the workload.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("the workload has a text here")
}

/// Returns an integer of the workload.
pub fn integer(value: &Value) -> i64 {
    value.as_i64().expect("the workload has an integer here")
}
