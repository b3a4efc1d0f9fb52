//! Column mappings of files with their own column names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::channel_pattern::Patterns;
use super::decimal::DecimalMark;
use crate::api::named_enum;
use crate::country;
use crate::csv::trim_cell;
use crate::diagnostic::{
    self, Diagnostic, Location, Message,
    catalog::{common, record as texts, work},
    expected, format_name, format_text, member_location, new_diagnostic, not_permitted, wrong_type,
};
use crate::json::{self, Member, Node, Value};
use crate::zone;

/// Maximum number of columns in a mapping; files have fewer.
pub const MAX_MAPPED_COLUMNS: usize = 500;

/// Maximum number of characters in a column name and in a field name.
const MAX_NAME_CHARS: usize = 200;

named_enum! {
    /// Separator between the cells of a row.
    Delimiter {
        /// `,`
        Comma = ",",
        /// `;`
        Semicolon = ";",
        /// Tab.
        Tab = "\t",
        /// `|`
        Bar = "|",
    }
}

named_enum! {
    /// Handling of several rows for the same record.
    Duplicates {
        /// The first valid row is imported; the others are rejected.
        First = "first",
        /// All of them are rejected.
        RejectAll = "none",
    }
}

named_enum! {
    /// Content of a file's rows.
    Format {
        /// Fields, as named by the header or the mapping.
        Fields = "fields",
        /// Call detail records, as in Asterisk's `Master.csv`, without a header.
        Asterisk = "asterisk",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` can't derive it")]
impl Default for Delimiter {
    fn default() -> Self {
        Self::Comma
    }
}

impl Delimiter {
    /// Returns the separator as a byte.
    pub const fn byte(self) -> u8 {
        self.as_str().as_bytes()[0]
    }

    /// Returns the display name.
    pub fn display_name(self) -> Message {
        match self {
            Self::Comma => work::commas(),
            Self::Semicolon => work::semicolons(),
            Self::Tab => work::tabs(),
            Self::Bar => work::bars(),
        }
    }
}

/// Describes how to read a file: the field of each column, and the format. By default, columns are named like the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// Field of each column, such as `phone` or `custom.segment`, by the column's name in the file; null skips the column. Other columns
    /// map to the field of the same name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, Option<String>>,
    /// Decimal mark of amounts. By default a point, or a comma that can't separate thousands: `12,5` is accepted, `1,234` is rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<DecimalMark>,
    /// Country of phone numbers without a country code, as its ISO 3166-1 alpha-2 code in upper case. Used if neither the row nor the lead
    /// has a known country. By default, the server's country is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_country: Option<String>,
    /// Separator between cells; detected if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<Delimiter>,
    /// Handling of several rows for the same record.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub duplicates: Duplicates,
    /// Patterns of extensions in call detail records, such as `1XX`, `200-299` or `alice`. Channels that match none are trunks. Without
    /// patterns, numbers of 2 to 6 digits are extensions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
    /// Content of the rows.
    #[serde(default = "fields", skip_serializing_if = "is_fields")]
    pub format: Format,
    /// Name of a column whose cells are also used as `original_identifier`, for files without an identifier column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// IANA time zone of times in call detail records; UTC by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Names or patterns of the trunks in call detail records, such as `12345` or `line-*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trunks: Vec<String>,
}

fn fields() -> Format {
    Format::Fields
}

fn is_fields(format: &Format) -> bool {
    *format == Format::Fields
}

fn first() -> Duplicates {
    Duplicates::First
}

fn is_first(duplicates: &Duplicates) -> bool {
    *duplicates == Duplicates::First
}

impl Default for Mapping {
    fn default() -> Self {
        Self {
            columns: BTreeMap::new(),
            decimal: None,
            default_country: None,
            delimiter: None,
            duplicates: Duplicates::First,
            extensions: Vec::new(),
            format: Format::Fields,
            identifier: None,
            timezone: None,
            trunks: Vec::new(),
        }
    }
}

/// The members of a mapping.
const MAPPING_MEMBERS: [&str; 10] = [
    "columns",
    "decimal",
    "default_country",
    "delimiter",
    "duplicates",
    "extensions",
    "format",
    "identifier",
    "timezone",
    "trunks",
];

impl Mapping {
    /// Parses a mapping: `{"columns":{"Phone number":"phone","Notes":null},"delimiter":";"}`. Fields are checked later, when the mapping is
    /// applied to a file.
    ///
    /// # Errors
    /// All errors of the text, each with its JSON Pointer.
    pub fn from_json(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = json::parse(text);
        let mut mapping = Self::default();
        let mut diagnostics = Vec::new();
        match document.root.as_ref().map(|root| &root.value) {
            Some(Value::Object(members)) => {
                members.iter().for_each(|member| mapping.parse_member(member, &mut diagnostics))
            }
            Some(Value::Invalid) => {}
            Some(other) => diagnostics.push(wrong_type(common::object(), other.kind())),
            None if document.diagnostics.is_empty() => {
                diagnostics.push(expected("empty_body", common::json_object(), common::empty_text()));
            }
            None => {}
        }
        let mut diagnostics = diagnostic::merge(document.diagnostics, diagnostics);
        diagnostics.truncate(json::MAX_DIAGNOSTICS);
        if diagnostics.is_empty() { Ok(mapping) } else { Err(diagnostics) }
    }

    fn parse_member(&mut self, member: &Member, diagnostics: &mut Vec<Diagnostic>) {
        let location = member_location(&member.key);
        let result = match member.key.as_str() {
            "columns" => return self.parse_columns(&member.value, diagnostics),
            "decimal" => parse_decimal_mark(&member.value).map(|mark| self.decimal = Some(mark)),
            "default_country" => {
                parse_string(&member.value).and_then(country::parse).map(|code| self.default_country = Some(code))
            }
            "delimiter" => parse_delimiter(&member.value).map(|delimiter| self.delimiter = Some(delimiter)),
            "duplicates" => parse_duplicates(&member.value).map(|duplicates| self.duplicates = duplicates),
            "extensions" => parse_patterns(&member.value).map(|patterns| self.extensions = patterns),
            "format" => parse_format(&member.value).map(|format| self.format = format),
            "identifier" => {
                parse_string(&member.value).map(|column_name| self.identifier = Some(trim_cell(column_name).to_owned()))
            }
            "timezone" => parse_string(&member.value)
                .and_then(zone::parse_name)
                .map(|zone| self.timezone = Some(zone.name().to_owned())),
            "trunks" => parse_patterns(&member.value).map(|patterns| self.trunks = patterns),
            other => {
                let diagnostic = new_diagnostic("unknown_key", texts::unknown_member(format_name(other)));
                Err(diagnostic.suggest_nearest(other, MAPPING_MEMBERS).permitted(MAPPING_MEMBERS))
            }
        };
        if let Err(error) = result {
            diagnostics.push(Diagnostic { location, byte_range: member.value.span, ..error });
        }
    }

    fn parse_columns(&mut self, node: &Node, diagnostics: &mut Vec<Diagnostic>) {
        let mut add = |pointer: String, error: Diagnostic, node: &Node| {
            diagnostics.push(Diagnostic { location: Location::Pointer(pointer), byte_range: node.span, ..error });
        };
        let members = match &node.value {
            Value::Object(members) => members,
            Value::Invalid => return,
            other => {
                let error = wrong_type(texts::mapped_columns(), other.kind());
                return add("/columns".to_owned(), error, node);
            }
        };
        if members.len() > MAX_MAPPED_COLUMNS {
            let too_many = expected("too_many", texts::at_most_columns(MAX_MAPPED_COLUMNS), members.len());
            return add("/columns".to_owned(), too_many, node);
        }
        for member in members {
            let field = match &member.value.value {
                Value::Null => Ok(None),
                Value::String(field) if field.chars().count() <= MAX_NAME_CHARS => Ok(Some(field.clone())),
                Value::String(_) => Err(new_diagnostic("too_long", texts::field_name_too_long(MAX_NAME_CHARS))),
                Value::Invalid => continue,
                other => Err(wrong_type(texts::field_name(), other.kind())),
            };
            match field {
                Ok(field) => drop(self.columns.insert(trim_cell(&member.key).to_owned(), field)),
                Err(error) => {
                    let mut pointer = "/columns".to_owned();
                    json::push_pointer(&mut pointer, &member.key);
                    add(pointer, error, &member.value);
                }
            }
        }
    }

    /// Returns the field of a column; `None` if the column is skipped.
    pub fn field<'a>(&'a self, column_name: &'a str) -> Option<&'a str> {
        match self.columns.get(column_name) {
            None => Some(column_name),
            Some(field) => field.as_deref(),
        }
    }
}

fn parse_string(node: &Node) -> Result<&str, Diagnostic> {
    match &node.value {
        Value::String(text) => Ok(text),
        other => Err(wrong_type(common::string(), other.kind())),
    }
}

fn parse_format(node: &Node) -> Result<Format, Diagnostic> {
    let text = parse_string(node)?;
    Format::from_name(text).ok_or_else(|| not_permitted(text, Format::names()))
}

fn parse_duplicates(node: &Node) -> Result<Duplicates, Diagnostic> {
    let text = parse_string(node)?;
    let error = || expected("not_permitted", texts::duplicates(), format_text(text)).permitted(Duplicates::names());
    Duplicates::from_name(text).ok_or_else(error)
}

/// Parses patterns of extensions or trunks.
fn parse_patterns(node: &Node) -> Result<Vec<String>, Diagnostic> {
    let type_error = || wrong_type(texts::channel_patterns(), node.value.kind());
    let Value::Array(items) = &node.value else { return Err(type_error()) };
    let texts = items.iter().map(|item| match &item.value {
        Value::String(text) => Ok(text.clone()),
        _ => Err(type_error()),
    });
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    Patterns::parse(&texts)?;
    Ok(texts)
}

fn parse_decimal_mark(node: &Node) -> Result<DecimalMark, Diagnostic> {
    let text = parse_string(node)?;
    let error = || expected("not_permitted", texts::decimal(), format_text(text)).permitted(DecimalMark::names());
    DecimalMark::from_name(text).ok_or_else(error)
}

fn parse_delimiter(node: &Node) -> Result<Delimiter, Diagnostic> {
    let text = parse_string(node)?;
    let error = || expected("not_permitted", texts::delimiter(), format_text(text)).permitted(Delimiter::names());
    Delimiter::from_name(text).ok_or_else(error)
}

/// The names of columns in the file, by field. Messages use these names, because users look for them in their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames(BTreeMap<String, String>);

impl ColumnNames {
    /// Records that the column `column_name` maps to `field`.
    pub(super) fn record(&mut self, field: &str, column_name: &str) {
        if field != column_name {
            self.0.insert(field.to_owned(), column_name.to_owned());
        }
    }

    /// Returns the name of a field's column in the file.
    #[must_use]
    pub fn column_of<'a>(&'a self, field: &'a str) -> &'a str {
        self.0.get(field).map_or(field, String::as_str)
    }

    /// Replaces a field's name in a diagnostic with the column's name in the file.
    #[must_use]
    pub fn with_file_column(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if let Location::Column(field) = &mut diagnostic.location
            && let Some(column_name) = self.0.get(field)
        {
            field.clone_from(column_name);
        }
        diagnostic
    }
}
