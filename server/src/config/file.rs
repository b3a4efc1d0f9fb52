//! Reads the options file, a TOML file. Types aren't converted: a text isn't a number, and a number isn't a boolean.

use anyhow::{anyhow, bail, ensure};
use toml::{Table, Value};

use super::form::Form;
use super::{Row, named, rows};

/// Parses the text of a file.
///
/// # Errors
/// The position of invalid TOML, or the option with a value of the wrong type. The text itself is never included, because it may be a
/// secret.
pub(super) fn read(text: &str) -> anyhow::Result<Table> {
    let file = parse(text)?;
    for Row { section, key, form, .. } in rows() {
        let options = match file.get(*section) {
            None => continue,
            Some(Value::Table(options)) => options,
            Some(other) => bail!("{section}: expected a table of options, found {}", name(other)),
        };
        let Some(value) = options.get(*key) else { continue };
        let is_taken = takes(*form, value);
        ensure!(is_taken, "{}: expected {}, found {}", named(&format!("{section}.{key}")), form.name(), name(value));
    }
    Ok(file)
}

fn parse(text: &str) -> anyhow::Result<Table> {
    toml::from_str(text).map_err(|error| {
        // The error's `Display` would quote the line.
        let what = error.message();
        match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => {
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                anyhow!("line {line}, column {column}: {what}")
            }
            None => anyhow!("{what}"),
        }
    })
}

fn takes(form: Form, value: &Value) -> bool {
    match (form, value) {
        (Form::Boolean, Value::Boolean(_)) | (Form::Text | Form::List, Value::String(_)) => true,
        (Form::Whole, Value::Integer(number)) => *number >= 0,
        (Form::List, Value::Array(items)) => items.iter().all(Value::is_str),
        _ => false,
    }
}

/// Returns the name of a value's type for messages.
fn name(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text in quotes",
        Value::Integer(0..) => "a whole number",
        Value::Integer(_) => "a negative number",
        Value::Float(_) => "a number with a fraction",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        Value::Datetime(_) => "a date or time",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}
