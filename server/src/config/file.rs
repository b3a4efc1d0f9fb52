//! Reads the options file, a TOML file. Types aren't converted: a text isn't a number, and a number isn't a boolean.

use anyhow::{anyhow, bail, ensure};
use toml::{Table, Value};

use super::option_type::OptionType;
use super::{OptionSpec, all_options, option_names};

/// Parses the text of a file.
///
/// # Errors
/// The position of invalid TOML, or the option with a value of the wrong type. The text itself is never included, because it may be a
/// secret.
pub(super) fn parse_options(text: &str) -> anyhow::Result<Table> {
    let file = parse_toml(text)?;
    for OptionSpec { section, key, option_type, .. } in all_options() {
        let options = match file.get(*section) {
            None => continue,
            Some(Value::Table(options)) => options,
            Some(other) => bail!("{section}: expected a table of options, found {}", type_name(other)),
        };
        let Some(value) = options.get(*key) else { continue };
        let is_accepted = accepts(*option_type, value);
        ensure!(
            is_accepted,
            "{}: expected {}, found {}",
            option_names(&format!("{section}.{key}")),
            option_type.name(),
            type_name(value)
        );
    }
    Ok(file)
}

fn parse_toml(text: &str) -> anyhow::Result<Table> {
    toml::from_str(text).map_err(|error| {
        // The error's `Display` would quote the line.
        let message = error.message();
        match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => {
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                anyhow!("line {line}, column {column}: {message}")
            }
            None => anyhow!("{message}"),
        }
    })
}

fn accepts(option_type: OptionType, value: &Value) -> bool {
    match (option_type, value) {
        (OptionType::Boolean, Value::Boolean(_)) | (OptionType::Text | OptionType::List, Value::String(_)) => true,
        (OptionType::Integer, Value::Integer(number)) => *number >= 0,
        (OptionType::List, Value::Array(items)) => items.iter().all(Value::is_str),
        _ => false,
    }
}

/// Returns the name of a value's type for messages.
fn type_name(value: &Value) -> &'static str {
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
