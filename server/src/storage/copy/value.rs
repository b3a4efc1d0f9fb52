//! Conversion and comparison of values of both databases.

use chrono::{DateTime, Datelike, NaiveTime};
use leadscribe_engine::api::Timestamp;
use rusqlite::types::ValueRef;
use serde_json::Value;

use crate::storage::Result;
use crate::storage::sql::{Bind, Row};

/// First full year of PostgreSQL's calendar, 4713 BC. The calendar ends later than any supported timestamp.
const MIN_YEAR: i32 = -4712;

/// Kind of a PostgreSQL column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Integer,
    Number,
    Text,
    Boolean,
    Time,
    Date,
    Bytes,
    /// `JSON`, which keeps the text as written.
    Json,
    /// `JSONB`, which keeps only the meaning of the text.
    Jsonb,
}

impl ColumnKind {
    /// Kind of a `data_type` of `information_schema.columns`; `None` if the store doesn't use it.
    pub(super) fn from_data_type(data_type: &str) -> Option<Self> {
        Some(match data_type {
            "bigint" => Self::Integer,
            "double precision" => Self::Number,
            "text" => Self::Text,
            "boolean" => Self::Boolean,
            "timestamp with time zone" => Self::Time,
            "date" => Self::Date,
            "bytea" => Self::Bytes,
            "json" => Self::Json,
            "jsonb" => Self::Jsonb,
            _ => return None,
        })
    }

    /// Array type in which the values of a column are sent in bulk.
    pub(super) fn array_type(self) -> &'static str {
        match self {
            Self::Integer => "BIGINT[]",
            Self::Number => "DOUBLE PRECISION[]",
            Self::Text | Self::Json | Self::Jsonb => "TEXT[]",
            Self::Boolean => "BOOLEAN[]",
            Self::Time => "TIMESTAMPTZ[]",
            Self::Date => "DATE[]",
            Self::Bytes => "BYTEA[]",
        }
    }

    /// Expression that converts a sent column to its stored type.
    pub(super) fn cast_expression(self, column: &str) -> String {
        match self {
            Self::Json => format!("CAST({column} AS JSON)"),
            Self::Jsonb => format!("CAST({column} AS JSONB)"),
            _ => column.to_owned(),
        }
    }

    /// Reads a value of the SQLite database.
    ///
    /// # Errors
    /// Reason why PostgreSQL can't store it in a column of this kind.
    pub(super) fn read_source(self, value: ValueRef<'_>) -> Result<Bind, &'static str> {
        Ok(match (self, value) {
            (_, ValueRef::Null) => Bind::Null,
            (Self::Integer, ValueRef::Integer(number)) => Bind::Integer(number),
            (Self::Number, ValueRef::Real(number)) => Bind::Number(number),
            (Self::Boolean, ValueRef::Integer(0)) => Bind::Boolean(false),
            (Self::Boolean, ValueRef::Integer(1)) => Bind::Boolean(true),
            (Self::Boolean, ValueRef::Integer(_)) => return Err("a flag that is neither 0 nor 1"),
            (Self::Time, ValueRef::Integer(micros)) => Bind::Time(parse_timestamp(micros)?),
            (Self::Date, ValueRef::Integer(micros)) => {
                let midnight = parse_timestamp(micros)?;
                if midnight.time() != NaiveTime::MIN {
                    return Err("a date with a time of day");
                }
                Bind::Date(midnight.date_naive())
            }
            (Self::Bytes, ValueRef::Blob(bytes)) => Bind::Bytes(bytes.to_vec()),
            (Self::Text | Self::Json | Self::Jsonb, ValueRef::Text(bytes)) => {
                let text = std::str::from_utf8(bytes).map_err(|_| "a text that is not UTF-8")?;
                if text.contains('\0') {
                    return Err("the character U+0000");
                }
                // Only escapes can contain these characters.
                if self != Self::Text && text.contains("\\u") {
                    check_escapes(text)?;
                }
                Bind::Text(text.to_owned())
            }
            _ => return Err("a value of another type"),
        })
    }

    /// Reads a value of the PostgreSQL database.
    pub(super) fn read_target(self, row: &dyn Row, column: usize) -> Result<Bind> {
        let value = match self {
            Self::Integer => row.integer(column)?.map(Bind::Integer),
            Self::Number => row.number(column)?.map(Bind::Number),
            Self::Text | Self::Json | Self::Jsonb => row.text(column)?.map(Bind::Text),
            Self::Boolean => row.boolean(column)?.map(Bind::Boolean),
            Self::Time => row.time(column)?.map(Bind::Time),
            Self::Date => row.date(column)?.map(Bind::Date),
            Self::Bytes => row.bytes(column)?.map(Bind::Bytes),
        };
        Ok(value.unwrap_or(Bind::Null))
    }

    /// True if two values of this kind are identical. JSONB is compared by its meaning, because its text isn't kept.
    pub(super) fn are_equal(self, left: &Bind, right: &Bind) -> bool {
        match (left, right) {
            (Bind::Number(left), Bind::Number(right)) => left.to_bits() == right.to_bits(),
            (Bind::Text(left), Bind::Text(right)) if self == Self::Jsonb => {
                let [left, right] = [left, right].map(|text| serde_json::from_str::<Value>(text).ok());
                left.is_some() && left == right
            }
            _ => left == right,
        }
    }
}

fn parse_timestamp(micros: i64) -> Result<Timestamp, &'static str> {
    DateTime::from_timestamp_micros(micros)
        .filter(|time| time.year() >= MIN_YEAR)
        .ok_or("a time before 4713 BC or beyond the calendar")
}

/// Checks that escapes in JSON are characters that PostgreSQL supports: no unpaired surrogates and no U+0000.
/// PostgreSQL would refuse other escapes on insert into JSONB, and on member access in JSON.
fn check_escapes(text: &str) -> Result<(), &'static str> {
    let json: Value = serde_json::from_str(text).map_err(|_| "JSON that can't be read")?;
    if has_nul(&json) { Err("the character U+0000, as an escape in JSON") } else { Ok(()) }
}

fn has_nul(json: &Value) -> bool {
    match json {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Value of a key in messages. Only the start of a hash is shown, because it represents a secret.
pub(super) fn key_text(key: &Bind) -> String {
    match key {
        Bind::Integer(number) => number.to_string(),
        Bind::Text(text) => format!("{text:?}"),
        Bind::Bytes(bytes) => {
            let start: String = bytes.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            format!("{start}…")
        }
        other => format!("{other:?}"),
    }
}
