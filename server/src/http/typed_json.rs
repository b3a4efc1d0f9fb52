//! Deserializes JSON values into types, with diagnostics as errors.
//!
//! The deserializer compares each value with the requested type, so no error message of serde is needed.

use std::fmt::{self, Display};

use leadscribe_engine::diagnostic::{
    Arg, Diagnostic, Location, Message, common, format_text, not_permitted, request, required,
};
use leadscribe_engine::json::push_pointer;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use serde_path_to_error::Segment;

/// Deserializes a value. Messages leave out values of the wrong type, which may be passwords.
///
/// # Errors
/// The first wrong value or missing member, with its location.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Diagnostic> {
    serde_path_to_error::deserialize(TypedJson(value)).map_err(|error| {
        let mut pointer = String::new();
        for segment in error.path() {
            match segment {
                Segment::Seq { index } => push_pointer(&mut pointer, &index.to_string()),
                Segment::Map { key } => push_pointer(&mut pointer, key),
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        let Error { diagnostic, missing } = error.into_inner();
        if let Some(name) = missing {
            push_pointer(&mut pointer, name);
        }
        Diagnostic { location: Location::Pointer(pointer), ..*diagnostic }
    })
}

/// Returns the diagnostic for a member that doesn't exist, with the root as its location.
pub fn unknown_member<'a>(permitted: impl Iterator<Item = &'a str> + Clone, name: &str) -> Diagnostic {
    let message = request::unknown_field_here(format_text(name));
    let diagnostic = Diagnostic::new(Location::default(), "unknown_key", message);
    diagnostic.permitted(permitted.clone()).suggest_nearest(name, permitted)
}

/// Error of the deserializer.
#[derive(Debug)]
struct Error {
    diagnostic: Box<Diagnostic>,
    /// Name of the missing member, if that is the error.
    missing: Option<&'static str>,
}

impl Error {
    fn invalid(message: Message) -> Self {
        Diagnostic::new(Location::default(), "invalid_value", message).into()
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic: Box::new(diagnostic), missing: None }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.message.fmt(f)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    /// Creates an error without serde's text, which is only English.
    fn custom<T: Display>(_: T) -> Self {
        Self::invalid(request::invalid_value())
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::invalid(request::invalid_value())
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::invalid(request::invalid_value())
    }

    fn unknown_field(name: &str, permitted: &'static [&'static str]) -> Self {
        unknown_member(permitted.iter().copied(), name).into()
    }

    fn missing_field(name: &'static str) -> Self {
        Self { missing: Some(name), ..required(name).into() }
    }
}

/// Deserializer of a JSON value.
struct TypedJson(Value);

impl TypedJson {
    /// Returns the error for a value of another type than `wanted`.
    fn expected(&self, wanted: Message) -> Error {
        let actual: Arg = match &self.0 {
            Value::Null => "null".into(),
            Value::Bool(_) => common::boolean().into(),
            Value::Number(_) => common::number().into(),
            Value::String(_) => common::string().into(),
            Value::Array(_) => common::array().into(),
            Value::Object(_) => common::object().into(),
        };
        Error::invalid(common::expected(wanted, actual))
    }

    /// Returns the error for a value that isn't an integer of the type.
    fn expected_integer(&self, wanted: Message) -> Error {
        /// Floating-point numbers above this have no fraction.
        const MAX_WITH_FRACTION: f64 = 9e15;
        match &self.0 {
            Value::Number(number)
                if number.is_f64() && number.as_f64().is_some_and(|n| n.abs() < MAX_WITH_FRACTION) =>
            {
                Error::invalid(common::expected(wanted, common::fraction()))
            }
            Value::Number(_) => Error::invalid(common::expected(wanted, common::out_of_range())),
            _ => self.expected(wanted),
        }
    }
}

impl<'de> IntoDeserializer<'de, Error> for TypedJson {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Defines methods for integer types. They fail if the value isn't an integer of the type.
macro_rules! integers {
    ($($deserialize:ident $visit:ident $as:ident $wanted:ident;)+) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.$as().map(TryInto::try_into) {
                Some(Ok(number)) => visitor.$visit(number),
                _ => Err(self.expected_integer(common::$wanted())),
            }
        }
    )+};
}

/// Defines methods for types with a corresponding JSON type.
macro_rules! typed {
    ($($deserialize:ident($($other:ty),*) $is_type:ident $wanted:ident;)+) => {$(
        fn $deserialize<V: Visitor<'de>>(self, $(_: $other,)* visitor: V) -> Result<V::Value, Error> {
            if self.0.$is_type() { self.deserialize_any(visitor) } else { Err(self.expected(common::$wanted())) }
        }
    )+};
}

impl<'de> Deserializer<'de> for TypedJson {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(TypedJson))),
            Value::Object(members) => {
                let members = members.into_iter().map(|(name, value)| (name, TypedJson(value)));
                visitor.visit_map(MapDeserializer::new(members))
            }
        }
    }

    integers! {
        deserialize_i8 visit_i8 as_i64 integer;
        deserialize_i16 visit_i16 as_i64 integer;
        deserialize_i32 visit_i32 as_i64 integer;
        deserialize_i64 visit_i64 as_i64 integer;
        deserialize_u8 visit_u8 as_u64 integer_from_zero;
        deserialize_u16 visit_u16 as_u64 integer_from_zero;
        deserialize_u32 visit_u32 as_u64 integer_from_zero;
        deserialize_u64 visit_u64 as_u64 integer_from_zero;
    }

    typed! {
        deserialize_bool() is_boolean boolean;
        deserialize_f32() is_number number;
        deserialize_f64() is_number number;
        deserialize_string() is_string string;
        deserialize_seq() is_array array;
        deserialize_tuple(usize) is_array array;
        deserialize_map() is_object object;
        deserialize_struct(&'static str, &'static [&'static str]) is_object object;
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(name) if variants.contains(&name.as_str()) => visitor.visit_enum(name.into_deserializer()),
            Value::String(name) => Err(not_permitted(&name, variants.iter().copied()).into()),
            _ => Err(self.expected(common::string())),
        }
    }

    /// Deserializes a time, the only type that requests a borrowed string.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.0 {
            Value::String(text) => visitor
                .visit_str(text)
                .map_err(|_: Error| Error::invalid(common::expected(common::rfc_3339(), format_text(text)))),
            _ => Err(self.expected(common::rfc_3339())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit unit_struct tuple_struct identifier ignored_any }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use leadscribe_engine::api::Timestamp;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are tested")]
    struct Body {
        id: Option<i64>,
        count: Option<u32>,
        share: Option<f64>,
        name: Option<String>,
        active: Option<bool>,
        ids: Option<Vec<i64>>,
        texts: Option<BTreeMap<String, String>>,
        inner: Option<Inner>,
        pair: Option<(i64, i64)>,
        role: Option<Role>,
        until: Option<Timestamp>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only errors are tested")]
    struct Inner {
        at: i64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Role {
        Admin,
        Viewer,
    }

    fn error(body: &str) -> String {
        let diagnostic = super::from_value::<Body>(serde_json::from_str(body).expect(body)).expect_err(body);
        diagnostic.located().to_string()
    }

    #[test]
    fn uses_json_type_names_and_omits_values() {
        for (body, expected) in [
            (r#"{"id":"secret"}"#, "/id: expected an integer, found a string"),
            (r#"{"id":"secret, expected 2 at line 3"}"#, "/id: expected an integer, found a string"),
            (r#"{"id":1.5}"#, "/id: expected an integer, found a number with a fraction"),
            (r#"{"id":9223372036854775808}"#, "/id: expected an integer, found a number out of range"),
            (r#"{"count":-1}"#, "/count: expected an integer of 0 or more, found a number out of range"),
            (r#"{"share":true}"#, "/share: expected a number, found a boolean"),
            (r#"{"name":5}"#, "/name: expected a string, found a number"),
            (r#"{"name":[]}"#, "/name: expected a string, found an array"),
            (r#"{"active":"secret"}"#, "/active: expected a boolean, found a string"),
            (r#"{"ids":{}}"#, "/ids: expected an array, found an object"),
            (r#"{"ids":[null]}"#, "/ids/0: expected an integer, found null"),
            (r#"{"texts":[]}"#, "/texts: expected an object, found an array"),
            (r#"{"inner":5}"#, "/inner: expected an object, found a number"),
            (r#"{"pair":5}"#, "/pair: expected an array, found a number"),
            (r#"{"role":5}"#, "/role: expected a string, found a number"),
            (r#"{"role":"boss"}"#, "/role: expected admin or viewer, found \"boss\""),
            (
                r#"{"until":"tomorrow"}"#,
                "/until: expected a date-time such as `2026-05-01T09:30:00Z`, found \"tomorrow\"",
            ),
            (r#"{"until":7}"#, "/until: expected a date-time such as `2026-05-01T09:30:00Z`, found a number"),
            (r#"{"inner":{}}"#, "/inner/at: `at` is required"),
        ] {
            assert_eq!(error(body), expected, "{body}");
        }
    }
}
