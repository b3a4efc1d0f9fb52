//! Values bound to the placeholders of statements.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use leadscribe_engine::api::{CustomValue, ImportId, Timestamp};
use leadscribe_engine::diagnostic::Message;
use leadscribe_engine::filter::predicate::Value;
use serde::Serialize;

/// Value of a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub enum Bind {
    /// SQL `NULL`.
    Null,
    Integer(i64),
    /// Double-precision number.
    Number(f64),
    /// Text, or JSON as text.
    Text(String),
    Boolean(bool),
    Time(Timestamp),
    Date(NaiveDate),
    /// Bytes, such as a hash.
    Bytes(Vec<u8>),
    /// Several values of one type, for [`super::Dialect::is_any_of`].
    List(Vec<Bind>),
}

impl Bind {
    /// Serializes a value as JSON text.
    ///
    /// # Panics
    /// If the value can't be serialized; every stored type can.
    pub fn json(value: &impl Serialize) -> Self {
        Self::Text(serde_json::to_string(value).expect("stored types serialize to JSON"))
    }

    /// List of ids.
    pub fn ids(ids: impl IntoIterator<Item = i64>) -> Self {
        Self::List(ids.into_iter().map(Self::Integer).collect())
    }
}

impl From<&Value> for Bind {
    fn from(value: &Value) -> Self {
        match value {
            Value::Integer(number) => Self::Integer(*number),
            Value::Number(number) => Self::Number(*number),
            Value::Text(text) => Self::Text(text.clone()),
            Value::Boolean(flag) => Self::Boolean(*flag),
            Value::Time(time) => Self::Time(*time),
        }
    }
}

/// Implements conversions from references to other types. They take references, because callers still use the values afterwards.
macro_rules! from {
    ($($type:ty, $value:ident => $bind:expr;)+) => {$(
        impl From<&$type> for Bind {
            fn from($value: &$type) -> Self {
                $bind
            }
        }

        impl From<&Option<$type>> for Bind {
            fn from(value: &Option<$type>) -> Self {
                value.as_ref().map_or(Self::Null, Self::from)
            }
        }
    )+};
}

from! {
    i64, value => Self::Integer(*value);
    u16, value => Self::Integer((*value).into());
    u32, value => Self::Integer((*value).into());
    // No stored value exceeds `i64::MAX`.
    u64, value => Self::Integer(i64::try_from(*value).unwrap_or(i64::MAX));
    f64, value => Self::Number(*value);
    bool, value => Self::Boolean(*value);
    String, value => Self::Text(value.clone());
    &str, value => Self::Text((*value).to_owned());
    // PostgreSQL can't store U+0000.
    Message, value => Self::Text(value.to_stored().replace('\0', "\u{2400}"));
    Timestamp, value => Self::Time(*value);
    NaiveDate, value => Self::Date(*value);
    ImportId, value => Self::Integer(value.0);
    BTreeMap<String, CustomValue>, value => Self::json(value);
    [u8; 32], value => Self::Bytes(value.to_vec());
}

impl From<&Bind> for Bind {
    fn from(bind: &Bind) -> Self {
        bind.clone()
    }
}

impl From<&str> for Bind {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&Option<&Message>> for Bind {
    fn from(message: &Option<&Message>) -> Self {
        message.map_or(Self::Null, Self::from)
    }
}

/// Values of a statement's placeholders, in order.
macro_rules! binds {
    ($($value:expr),* $(,)?) => {
        [$($crate::storage::sql::Bind::from(&$value)),*]
    };
}
pub(crate) use binds;
