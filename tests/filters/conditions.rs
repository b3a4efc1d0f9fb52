//! Random filters over every key, operator and form.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::{Map, Value, json};

use super::fields::{self, CUSTOM_FIELDS, FIELDS, PHONES, Rng, ValuePool};
use super::reference::{OPERATORS, Operand};

/// Maximum nesting of `_or` and `_and`.
const MAX_DEPTH: u32 = 2;

/// Returns a filter with its controls.
pub fn filter(random: &mut Rng) -> Value {
    let mut filter = formula(random, MAX_DEPTH);
    match random.random_range(0..4) {
        0 => {
            let limit = format!("{};{}", random.random_range(0..30), random.random_range(0..20));
            filter.insert("limit".to_owned(), json!(limit));
        }
        1 => drop(filter.insert("limit".to_owned(), json!("1000;0"))),
        _ => {}
    }
    if random.random_bool(0.15) {
        filter.insert("_campaigns".to_owned(), json!("all"));
    }
    Value::Object(filter)
}

/// Returns a filter that fits into a query: scalars and expressions. It has no custom fields, because query values are
/// untyped.
pub fn flat_filter(random: &mut Rng) -> Vec<(String, Value)> {
    (0..random.random_range(1..=3))
        .map(|_| {
            let (key, pool) = known_field(random);
            let value = if supports_expressions(pool) && random.random_bool(0.6) {
                expressions(pool, random)
            } else {
                scalar(pool, random)
            };
            (key, value)
        })
        .collect()
}

/// Returns one to four conditions, some of which are nested formulas.
fn formula(random: &mut Rng, depth: u32) -> Map<String, Value> {
    let mut conditions = Map::new();
    for _ in 0..*[1, 1, 1, 2, 2, 3, 4].choose(random).unwrap() {
        let (key, pool) = field(random);
        conditions.insert(key, condition(pool, random));
    }
    if depth > 0 {
        for control in ["_or", "_and"] {
            if random.random_bool(0.15) {
                let subfilters =
                    (0..random.random_range(1..=3)).map(|_| Value::Object(formula(random, depth - 1))).collect();
                conditions.insert(control.to_owned(), Value::Array(subfilters));
            }
        }
    }
    conditions
}

/// Returns a key and the source of its values.
fn field(random: &mut Rng) -> (String, ValuePool) {
    if random.random_bool(0.12) {
        return (format!("custom.{}", CUSTOM_FIELDS.choose(random).unwrap()), ValuePool::Custom);
    }
    known_field(random)
}

fn known_field(random: &mut Rng) -> (String, ValuePool) {
    let field = FIELDS.choose(random).unwrap();
    ((*field.keys.choose(random).unwrap()).to_owned(), field.pool)
}

/// Returns a condition on a field, in one of the forms.
fn condition(pool: ValuePool, random: &mut Rng) -> Value {
    match random.random_range(0..10) {
        0..=1 => scalar(pool, random),
        2 => Value::Null,
        3..=4 => list(pool, random),
        5..=6 if supports_expressions(pool) => expressions(pool, random),
        _ => operators(pool, random),
    }
}

fn scalar(pool: ValuePool, random: &mut Rng) -> Value {
    match pool {
        ValuePool::Time => json!(random_time(random)),
        // A date compared with a time means midnight of that date.
        ValuePool::Date if random.random_bool(0.3) => json!(random_time(random)),
        other => fields::field_value(other, random),
    }
}

/// Returns a time in a random notation.
fn random_time(random: &mut Rng) -> String {
    let time = fields::random_time(random);
    fields::format_time(time, random)
}

fn list(pool: ValuePool, random: &mut Rng) -> Value {
    let mut list: Vec<_> = (0..random.random_range(0..=3)).map(|_| scalar(pool, random)).collect();
    if random.random_bool(0.2) {
        list.push(Value::Null);
    }
    Value::Array(list)
}

/// True if a field accepts `value;operator`.
fn supports_expressions(pool: ValuePool) -> bool {
    matches!(pool, ValuePool::Integer(_) | ValuePool::Number(_) | ValuePool::Time | ValuePool::Date)
}

fn expressions(pool: ValuePool, random: &mut Rng) -> Value {
    let expression = |random: &mut Rng| {
        let value = match scalar(pool, random) {
            Value::String(text) => text,
            number => number.to_string(),
        };
        format!("{value};{}", [">", "<", ">=", "<=", "=", "!="].choose(random).unwrap())
    };
    let mut expressions = expression(random);
    if random.random_bool(0.4) {
        expressions = format!("{expressions}|{}", expression(random));
    }
    json!(expressions)
}

/// Returns one or two operators, both of which must hold.
fn operators(pool: ValuePool, random: &mut Rng) -> Value {
    let is_permitted = |operand| match operand {
        Operand::Ordered => pool != ValuePool::Boolean,
        Operand::Part => matches!(pool, ValuePool::Text(_) | ValuePool::Custom),
        _ => true,
    };
    let mut permitted: Vec<_> = OPERATORS.iter().filter(|(_, operand, _)| is_permitted(*operand)).collect();
    permitted.shuffle(random);
    let count = if random.random_bool(0.3) { 2 } else { 1 };
    let operators = permitted.into_iter().take(count);
    operators.map(|(name, operand, _)| ((*name).to_owned(), random_operand(*operand, pool, random))).collect()
}

fn random_operand(operand: Operand, pool: ValuePool, random: &mut Rng) -> Value {
    match operand {
        Operand::Boolean => json!(random.random_bool(0.5)),
        Operand::List => list(pool, random),
        Operand::ScalarOrList if random.random_bool(0.5) => list(pool, random),
        Operand::Scalar | Operand::ScalarOrList => scalar(pool, random),
        Operand::Part => json!(substring(pool, random)),
        Operand::Ordered => ordered_value(pool, random),
    }
}

/// Returns a value with an order: for custom fields, no boolean.
fn ordered_value(pool: ValuePool, random: &mut Rng) -> Value {
    loop {
        let value = scalar(pool, random);
        if !value.is_boolean() {
            return value;
        }
    }
}

/// Returns a substring of one to three characters, sometimes in another case.
fn substring(pool: ValuePool, random: &mut Rng) -> String {
    loop {
        let text = match scalar(pool, random) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let characters: Vec<_> = text.chars().collect();
        if characters.is_empty() {
            continue;
        }
        let start = random.random_range(0..characters.len());
        let end = (start + random.random_range(1..=3)).min(characters.len());
        let part: String = characters[start..end].iter().collect();
        // Rejected in a phone number.
        if pool == ValuePool::Text(PHONES) && part.starts_with(' ') {
            continue;
        }
        return match random.random_range(0..4) {
            0 => part.to_uppercase(),
            1 => part.to_lowercase(),
            _ => part,
        };
    }
}
