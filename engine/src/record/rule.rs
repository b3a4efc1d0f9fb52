//! Definition of the rule tables.

use super::{WriteMode, value::FieldInput};
use crate::api::CustomValue;
use crate::diagnostic::{Diagnostic, Message};

/// Write access to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Accepted in every write mode.
    Writable,
    /// Accepted in every write mode except [`WriteMode::Update`]: fixed after creation.
    CreateOnly,
    /// Accepted in CSV only. Known in JSON bodies, but rejected.
    CsvOnly,
    /// Maintained by the store. Known, but rejected.
    ServerManaged,
}

/// Rule for one field of a record: its name, its access, and its reader.
pub struct Rule<R> {
    /// Name of the member in JSON.
    pub name: &'static str,
    /// Names of the columns in CSV.
    pub columns: &'static [&'static str],
    /// Write access.
    pub access: Access,
    /// True if the value can be removed. In CSV, an empty cell removes it; for other fields, it is ignored.
    pub nullable: bool,
    /// Stores the value in the record, or adds diagnostics with locations relative to the field.
    pub read: fn(&mut R, &FieldInput<'_>, &mut Vec<Diagnostic>),
    /// JSON Schema of the accepted values.
    #[cfg(feature = "openapi")]
    pub schema: fn() -> serde_json::Value,
}

impl<R> Rule<R> {
    /// Returns true if a body may contain the field in this mode.
    pub fn is_writable(&self, mode: WriteMode) -> bool {
        self.access == Access::Writable || (self.access == Access::CreateOnly && mode == WriteMode::Create)
    }
}

/// A kind of record.
pub trait Record: Default + Sized + 'static {
    /// Name of the kind, with its article: `a lead`.
    const NOUN: fn() -> Message;
    /// The fields.
    const RULES: &'static [Rule<Self>];
    /// Fields that are required on creation.
    const REQUIRED: &'static [&'static str];
    /// Keys that identify a record. For a row, the first one present is used.
    const KEYS: &'static [&'static [&'static str]];

    /// Checks rules across several valid fields. `mode` is `None` for a CSV row.
    fn check(&self, mode: Option<WriteMode>, diagnostics: &mut Vec<Diagnostic>);

    /// Sets a custom field. Only called if [`Record::HAS_CUSTOM_FIELDS`].
    fn set_custom(&mut self, _name: &str, _value: Option<CustomValue>) {}

    /// True if the kind has custom fields.
    const HAS_CUSTOM_FIELDS: bool = false;
}

/// Stores a value, or adds its diagnostic.
pub fn set<T>(slot: &mut Option<T>, read: Result<T, Diagnostic>, diagnostics: &mut Vec<Diagnostic>) {
    match read {
        Ok(value) => *slot = Some(value),
        Err(diagnostic) => diagnostics.push(diagnostic),
    }
}

/// A table of rules. Each reader has a schema function of the same name in [`super::schema`].
///
/// - `field: access, required or optional, reader;` defines a field with one value in one column.
/// - `field: access, required or optional in [columns], reader;` defines any other field. Its reader takes the slot, the input, and the
///   list of diagnostics.
/// - `@server field, field;` names fields that the store maintains.
macro_rules! rules {
    ($record:ident: $(
        $field:ident: $access:ident, $null:ident $(in $columns:expr)?, $reader:ident $(($($argument:expr),+))?;
    )+ $(@server $($server_field:ident),+;)?) => {
        &[$(Rule {
            name: stringify!($field),
            columns: rules!(@columns $field $(in $columns)?),
            access: Access::$access,
            nullable: rules!(@nullable $null),
            read: rules!(@read $record, $field, $null $(in $columns)?, $reader $(($($argument),+))?),
            #[cfg(feature = "openapi")]
            schema: || crate::record::schema::$reader($($($argument),+)?),
        },)+ $($(Rule {
            name: stringify!($server_field),
            columns: &[stringify!($server_field)],
            access: Access::ServerManaged,
            nullable: false,
            read: |_, _, _| {},
            #[cfg(feature = "openapi")]
            schema: || serde_json::Value::Null,
        }),+)?]
    };
    (@columns $field:ident) => { &[stringify!($field)] };
    (@columns $field:ident in $columns:expr) => { &$columns };
    (@read $record:ident, $field:ident, $null:ident in $columns:expr, $reader:ident) => {
        |record: &mut $record, input, diagnostics| $reader(&mut record.$field, input, diagnostics)
    };
    (@read $record:ident, $field:ident, $null:ident, $reader:ident $(($($argument:expr),+))?) => {
        |record: &mut $record, input, diagnostics| {
            crate::record::rule::set(&mut record.$field, rules!(@value $null, input, $reader $(($($argument),+))?), diagnostics);
        }
    };
    (@nullable required) => { false };
    (@nullable optional) => { true };
    (@value required, $input:ident, $reader:ident $(($($argument:expr),+))?) => { $reader$(($($argument),+))?($input) };
    (@value optional, $input:ident, $reader:ident $(($($argument:expr),+))?) => {
        if $input.is_null() { Ok(None) } else { $reader$(($($argument),+))?($input).map(Some) }
    };
}
pub(super) use rules;

/// Defines a record with fields of an API type: the struct, its table of rules, and `apply`. It always has the field `id`.
///
/// Each line has the form of [`rules!`], with the type of the value before the access.
macro_rules! record {
    ($(#[$attribute:meta])* $record:ident for $api_type:ident($id:ident): $(
        $field:ident: $type:ty, $access:ident, $null:ident $(in $columns:expr)?, $reader:ident $(($($argument:expr),+))?;
    )+ $(@server $($server_field:ident),+;)?) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[expect(missing_docs, reason = "the fields are those of the API type")]
        pub struct $record {
            pub id: Option<$id>,
            $(pub $field: Option<record!(@type $null, $type)>),+
        }

        impl $record {
            const FIELD_RULES: &'static [Rule<Self>] = rules! { $record:
                id: CreateOnly, required, new_id($id);
                $($field: $access, $null $(in $columns)?, $reader $(($($argument),+))?;)+
                $(@server $($server_field),+;)?
            };

            /// Applies the record, including its times. If it has no `updated_at`, the store sets it when something changed.
            pub fn apply(&self, target: &mut $api_type) {
                $(if let Some(value) = &self.$field { crate::record::rule::Assign::assign(value, &mut target.$field); })+
            }
        }
    };
    (@type required, $type:ty) => { $type };
    (@type optional, $type:ty) => { Option<$type> };
}
pub(super) use record;

/// A value in a record that changes a member of type `T`.
pub trait Assign<T> {
    /// Changes the member.
    fn assign(&self, member: &mut T);
}

impl<T: Clone> Assign<T> for T {
    fn assign(&self, member: &mut T) {
        member.clone_from(self);
    }
}

/// Overwrites the named fields with the values present in a record.
macro_rules! apply {
    ($record:ident => $target:ident: $($field:ident),+ $(,)?) => {
        $(if let Some(value) = &$record.$field { $target.$field.clone_from(value); })+
    };
}
pub(super) use apply;
