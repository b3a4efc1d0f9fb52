//! The form of the rule tables.

use super::{CallRecord, Form, value::Given};
use crate::api::CustomValue;
use crate::fault::Fault;
use crate::message::Message;

/// Who may say what a field is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Every form.
    Open,
    /// Every form but [`Form::Change`]: it is fixed once the thing is made.
    Fixed,
    /// CSV only; in JSON bodies it is known, and refused.
    Csv,
    /// Nobody: the store keeps it. It is known, and refused.
    Kept,
}

/// One field of a kind of thing: its name, who may set it, and how it is read.
pub struct Rule<R> {
    /// The name of the member in JSON.
    pub name: &'static str,
    /// The names of its columns in CSV.
    pub columns: &'static [&'static str],
    /// Who may set it.
    pub access: Access,
    /// Whether its value can be taken away. In CSV an empty cell does that, and says nothing of a field that can't be
    /// empty.
    pub nullable: bool,
    /// Puts the value into the record, or adds what is wrong with it, with places relative to the field.
    pub read: fn(&mut R, &Given<'_>, &mut Vec<Fault>),
    /// What the reader takes in JSON, as JSON Schema.
    #[cfg(feature = "openapi")]
    pub schema: fn() -> serde_json::Value,
}

/// A kind of thing that is written.
pub trait Record: Default + Sized + 'static {
    /// Says what it is, with its article: `a lead`.
    const THING: fn() -> Message;
    /// Its fields.
    const RULES: &'static [Rule<Self>];
    /// The fields a new one can't be without.
    const REQUIRED: &'static [&'static str];
    /// The fields by which a row is found, the first that it has.
    const KEYS: &'static [&'static [&'static str]];

    /// Checks what concerns several fields, once each of them is good. `form` is none for a CSV row.
    fn check(&self, form: Option<Form>, faults: &mut Vec<Fault>);

    /// Sets a custom field; only called where [`Record::HAS_CUSTOM_FIELDS`].
    fn set_custom(&mut self, _name: &str, _value: Option<CustomValue>) {}

    /// Whether it has custom fields.
    const HAS_CUSTOM_FIELDS: bool = false;

    /// Makes a record of a call that is read from call detail records; none for a kind that these aren't about.
    const OF_CALL: Option<fn(CallRecord) -> Self> = None;
}

/// Keeps what was read, or what is wrong with it.
pub fn set<T>(slot: &mut Option<T>, read: Result<T, Fault>, faults: &mut Vec<Fault>) {
    match read {
        Ok(value) => *slot = Some(value),
        Err(fault) => faults.push(fault),
    }
}

/// A table of rules: `field: access, required or optional, reader;` for a field that is one value in one column, and
/// `field: access, required or optional in [columns], reader;` for one that isn't, whose reader takes the slot, what is
/// given, and the list of faults. Each reader has its equal of the same name in [`super::schema`].
macro_rules! rules {
    ($record:ident: $(
        $field:ident: $access:ident, $null:ident $(in $columns:expr)?, $reader:ident $(($($argument:expr),+))?;
    )+) => {
        &[$(Rule {
            name: stringify!($field),
            columns: rules!(@columns $field $(in $columns)?),
            access: Access::$access,
            nullable: rules!(@nullable $null),
            read: rules!(@read $access, $record, $field, $null $(in $columns)?, $reader $(($($argument),+))?),
            #[cfg(feature = "openapi")]
            schema: || crate::record::schema::$reader($($($argument),+)?),
        }),+]
    };
    (@columns $field:ident) => { &[stringify!($field)] };
    (@columns $field:ident in $columns:expr) => { &$columns };
    (@read Kept, $($rest:tt)+) => { |_, _, _| {} };
    (@read $access:ident, $record:ident, $field:ident, $null:ident in $columns:expr, $reader:ident) => {
        |record: &mut $record, given, faults| $reader(&mut record.$field, given, faults)
    };
    (@read $access:ident, $record:ident, $field:ident, $null:ident, $reader:ident $(($($argument:expr),+))?) => {
        |record: &mut $record, given, faults| {
            crate::record::rule::set(&mut record.$field, rules!(@value $null, given, $reader $(($($argument),+))?), faults);
        }
    };
    (@nullable required) => { false };
    (@nullable optional) => { true };
    (@value required, $given:ident, $reader:ident $(($($argument:expr),+))?) => { $reader$(($($argument),+))?($given) };
    (@value optional, $given:ident, $reader:ident $(($($argument:expr),+))?) => {
        if $given.is_null() { Ok(None) } else { $reader$(($($argument),+))?($given).map(Some) }
    };
}
pub(super) use rules;

/// The two ways to read a record, as methods of its own.
macro_rules! record_forms {
    ($record:ident) => {
        impl $record {
            /// Reads a record from a JSON body.
            ///
            /// # Errors
            /// Every fault of the body, at once, each with its JSON Pointer.
            pub fn from_json(text: &str, form: super::Form) -> Result<Self, Vec<crate::fault::Fault>> {
                super::body::read(text, form)
            }

            /// A reader for the rows of a CSV file with this header.
            ///
            /// # Errors
            /// Every fault of the header, at once, each with its column.
            pub fn csv(header: &[impl AsRef<str>]) -> Result<super::CsvReader<Self>, Vec<crate::fault::Fault>> {
                super::CsvReader::new(header, &super::Mapping::default())
            }

            /// A reader for the rows of a CSV file with this header, whose columns are about what the mapping says.
            ///
            /// # Errors
            /// Every fault of the header, at once, each with its column as the file names it.
            pub fn mapped_csv(
                header: &[impl AsRef<str>],
                mapping: &super::Mapping,
            ) -> Result<super::CsvReader<Self>, Vec<crate::fault::Fault>> {
                super::CsvReader::new(header, mapping)
            }

            /// The columns a CSV file may have, custom fields aside, in their documented order.
            pub fn columns() -> impl Iterator<Item = &'static str> {
                use super::rule::{Access, Record};
                let rules = <Self as Record>::RULES.iter().filter(|rule| rule.access != Access::Kept);
                rules.flat_map(|rule| rule.columns.iter().copied())
            }
        }
    };
}
pub(super) use record_forms;

/// Overwrites the named fields of a thing with those a record mentions.
macro_rules! apply {
    ($record:ident => $thing:ident: $($field:ident),+ $(,)?) => {
        $(if let Some(value) = &$record.$field { $thing.$field.clone_from(value); })+
    };
}
pub(super) use apply;
