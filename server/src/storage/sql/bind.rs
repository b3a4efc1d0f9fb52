//! Values on their way into statements.

use chrono::NaiveDate;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::Value;
use serde::Serialize;

/// A value for a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub enum Bind {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A double.
    Number(f64),
    /// A text, or JSON as text.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// A moment.
    Time(Timestamp),
    /// A day.
    Date(NaiveDate),
    /// A hash.
    Bytes(Vec<u8>),
    /// Several values of one type, for [`super::Dialect::is_any_of`].
    List(Vec<Bind>),
}

impl Bind {
    /// Anything that is stored as JSON.
    ///
    /// # Panics
    /// The value can't be written as JSON, which none that is stored does.
    pub fn json(value: &impl Serialize) -> Self {
        Self::Text(serde_json::to_string(value).expect("what is stored as JSON can be written as JSON"))
    }

    /// A list of ids.
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
            Value::Time(moment) => Self::Time(*moment),
        }
    }
}

/// Makes binds of other types, by reference: what is stored is looked at once more after it was bound.
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
    // More than an i64 counts to is stored nowhere.
    u64, value => Self::Integer(i64::try_from(*value).unwrap_or(i64::MAX));
    f64, value => Self::Number(*value);
    bool, value => Self::Boolean(*value);
    String, value => Self::Text(value.clone());
    &str, value => Self::Text((*value).to_owned());
    Timestamp, value => Self::Time(*value);
    NaiveDate, value => Self::Date(*value);
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

impl From<&Option<&String>> for Bind {
    fn from(text: &Option<&String>) -> Self {
        text.map_or(Self::Null, Self::from)
    }
}

/// The values of a statement's placeholders, in order.
macro_rules! binds {
    ($($value:expr),* $(,)?) => {
        [$($crate::storage::sql::Bind::from(&$value)),*]
    };
}
pub(crate) use binds;
