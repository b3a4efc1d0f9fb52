//! Parses records from rows of CSV files.
//!
//! The header is resolved once, so that only the values of each row are left to parse. The caller reads the file itself.

use std::borrow::Cow;

use super::asterisk::CallDetailReader;
use super::custom;
use super::decimal::DecimalMark;
use super::mapping::{ColumnNames, Format, Mapping};
use super::rule::{Access, Record, Rule};
use super::value::FieldInput;
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};
use crate::csv::{cell_value, trim_cell};
use crate::diagnostic::{
    Diagnostic, Location, catalog::record as texts, expected, format_name, format_text, new_diagnostic,
};
use crate::filter::fields::CUSTOM_PREFIX;
use crate::json::MAX_DIAGNOSTICS;

/// The field with a record's identifier in another system.
const IDENTIFIER_FIELD: &str = "original_identifier";

/// The field with a record's id.
const ID_FIELD: &str = "id";

/// Diagnostic code for a row without a key.
const MISSING_IDENTIFIER_CODE: &str = "missing_identifier";

/// Maximum number of columns per field.
const MAX_COLUMNS_PER_FIELD: usize = 3;

/// A kind of record that CSV files contain.
pub trait CsvRecord: Record {
    /// Converts a call read from call detail records; `None` if they don't apply to this kind.
    const FROM_CALL: Option<fn(CallRecord) -> Self> = None;
}

impl CsvRecord for CampaignRecord {}
impl CsvRecord for LeadRecord {}
impl CsvRecord for CampaignLeadRecord {}
impl CsvRecord for CallRecord {
    const FROM_CALL: Option<fn(CallRecord) -> Self> = Some(|call| call);
}

/// Parses the rows of a CSV file with a given header. Columns are named like the fields, unless a mapping assigns them.
/// Custom fields are `custom.<name>` and always texts. An empty cell removes the value; for a field that can't be
/// empty, it is ignored.
pub struct CsvReader<R: 'static> {
    width: usize,
    column_names: ColumnNames,
    fields: Vec<FieldColumns<R>>,
    custom: Vec<CustomColumn>,
    keys: Vec<KeyColumns>,
    /// Columns without a name. Their cells must be empty.
    unnamed_columns: Vec<usize>,
    /// True for each column that is imported.
    imported_columns: Vec<bool>,
    /// The column that also serves as the identifier of each row.
    identifier_column: Option<String>,
    /// Number format, if the mapping sets it.
    decimal_mark: Option<DecimalMark>,
    /// Reader for call detail records, if the rows are such records.
    call_details: Option<CallDetailReader>,
}

/// The reader of call detail records, and the function that converts a call to a record.
pub type CallDetailConversion<'a, R> = (&'a CallDetailReader, fn(CallRecord) -> R);

/// A field in the file with the positions of its columns; `None` for an absent column.
struct FieldColumns<R: 'static> {
    rule: &'static Rule<R>,
    positions: [Option<usize>; MAX_COLUMNS_PER_FIELD],
}

struct CustomColumn {
    name: String,
    position: usize,
}

/// The columns of a record's [key](Record::KEYS), all of which are in the file.
struct KeyColumns {
    /// Index in [`Record::KEYS`].
    key_index: usize,
    positions: Vec<usize>,
    is_identifier: bool,
}

impl KeyColumns {
    /// Returns the key of a row; `None` if one of its cells has no value.
    fn row_key<'a>(&self, cell: impl Fn(usize) -> &'a str) -> Option<RowKey<'a>> {
        let mut joined: Option<Cow<'a, str>> = None;
        for position in &self.positions {
            let value = cell_value(cell(*position));
            let value = if self.is_identifier { normalize_identifier(value) } else { value };
            if value.is_empty() || (self.is_identifier && is_shortened_number(value)) {
                return None;
            }
            joined = Some(match joined {
                None => Cow::Borrowed(value),
                Some(prefix) => Cow::Owned(format!("{prefix} {value}")),
            });
        }
        Some(RowKey { key_index: self.key_index, value: joined? })
    }
}

/// The key of a row within its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowKey<'a> {
    /// Index in [`Record::KEYS`].
    key_index: usize,
    /// The cells of its fields, joined by blanks. Keys with several fields consist of ids, which contain no blanks.
    value: Cow<'a, str>,
}

impl RowKey<'_> {
    /// Returns an owned copy of the key.
    pub fn into_owned(self) -> RowKey<'static> {
        RowKey { key_index: self.key_index, value: Cow::Owned(self.value.into_owned()) }
    }
}

impl<R> CsvReader<R> {
    /// Returns the names of the fields in the file.
    pub fn column_names(&self) -> &ColumnNames {
        &self.column_names
    }

    /// Returns true if a column is imported. The cells of other columns are ignored.
    pub fn is_imported(&self, position: usize) -> bool {
        self.imported_columns.get(position).is_none_or(|is_imported| *is_imported)
    }

    /// Returns the keys of a row: its id and its other identifiers, if present. Rows with a common key describe the same record.
    pub fn keys<'a>(&'a self, cell: impl Fn(usize) -> &'a str + 'a) -> impl Iterator<Item = RowKey<'a>> {
        self.keys.iter().filter_map(move |key| key.row_key(&cell))
    }
}

impl<R: CsvRecord> CsvReader<R> {
    /// Returns a reader for the rows of a file with this header and column mapping.
    ///
    /// # Errors
    /// All errors of the header, each with its column as named in the file.
    pub fn new(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Diagnostic>> {
        if mapping.format == Format::Asterisk || R::FROM_CALL.is_some() && CallDetailReader::matches(header, mapping) {
            return Self::for_call_details(header, mapping);
        }
        let mut reader = Self {
            width: header.len(),
            column_names: ColumnNames::default(),
            fields: Vec::new(),
            custom: Vec::new(),
            keys: Vec::new(),
            unnamed_columns: Vec::new(),
            imported_columns: vec![false; header.len()],
            identifier_column: mapping.identifier.clone(),
            decimal_mark: mapping.decimal,
            call_details: None,
        };
        let mut diagnostics = Vec::new();
        let header: Vec<&str> = header.iter().map(|name| trim_cell(name.as_ref())).collect();
        for (position, name) in header.iter().copied().enumerate() {
            let Some(field) = mapping.field(name) else { continue };
            if field.is_empty() {
                reader.unnamed_columns.push(position);
                reader.imported_columns[position] = true;
                continue;
            }
            match reader.add_column(field, position) {
                Ok(()) => reader.column_names.record(field, name),
                Err(error) => diagnostics.push(Diagnostic { location: Location::Column(name.to_owned()), ..error }),
            }
            if diagnostics.len() >= MAX_DIAGNOSTICS {
                break;
            }
        }
        if let Some(identifier_column) = &mapping.identifier
            && let Err(error) = reader.add_identifier_column(identifier_column, &header)
        {
            diagnostics.push(Diagnostic { location: Location::Column(identifier_column.clone()), ..error });
        }
        if reader.custom.len() > custom::MAX_CUSTOM_FIELDS {
            let limit = texts::at_most_custom_columns(custom::MAX_CUSTOM_FIELDS);
            let too_many = expected("too_many", limit, reader.custom.len());
            diagnostics.push(Diagnostic { location: Location::Column(CUSTOM_PREFIX.to_owned()), ..too_many });
        }
        reader.keys = reader.key_columns();
        if diagnostics.is_empty() { Ok(reader) } else { Err(diagnostics) }
    }

    fn key_columns(&self) -> Vec<KeyColumns> {
        let position_of = |name: &&str| self.fields.iter().find(|field| field.rule.name == *name)?.positions[0];
        let columns = |(key_index, names): (usize, &&[&str])| {
            let positions = names.iter().map(position_of).collect::<Option<_>>()?;
            Some(KeyColumns { key_index, positions, is_identifier: **names == [IDENTIFIER_FIELD] })
        };
        R::KEYS.iter().enumerate().filter_map(columns).collect()
    }

    /// Uses the cells of a column as the identifier of each row, in addition to the column's own field.
    fn add_identifier_column(&mut self, identifier_column: &str, header: &[&str]) -> Result<(), Diagnostic> {
        let Some(position) = header.iter().position(|name| *name == identifier_column) else {
            let unknown = new_diagnostic("unknown_column", texts::no_column(format_name(identifier_column)));
            return Err(unknown.suggest_nearest(identifier_column, header.iter().copied()));
        };
        self.add_column(IDENTIFIER_FIELD, position)?;
        self.column_names.record(IDENTIFIER_FIELD, identifier_column);
        // The diagnostic for an empty identifier names the column as in the file.
        if !self.fields.iter().any(|field| field.rule.name == ID_FIELD) {
            self.column_names.record(ID_FIELD, identifier_column);
        }
        Ok(())
    }

    /// Creates a reader for call detail records.
    fn for_call_details(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Diagnostic>> {
        if R::FROM_CALL.is_none() {
            return Err(vec![new_diagnostic("not_permitted", texts::calls_expected((R::NOUN)()))]);
        }
        let call_details = CallDetailReader::new(header, mapping)?;
        Ok(Self {
            width: header.len(),
            column_names: call_details.column_names(),
            fields: Vec::new(),
            custom: Vec::new(),
            keys: Vec::new(),
            unnamed_columns: Vec::new(),
            imported_columns: header.iter().map(|name| CallDetailReader::must_be_utf8(name.as_ref())).collect(),
            identifier_column: None,
            decimal_mark: None,
            call_details: Some(call_details),
        })
    }

    /// Adds the column with this name.
    fn add_column(&mut self, column: &str, position: usize) -> Result<(), Diagnostic> {
        let duplicate = || new_diagnostic("duplicate_column", texts::repeated_column(format_name(column)));
        if R::HAS_CUSTOM_FIELDS
            && let Some(custom_name) = column.strip_prefix(CUSTOM_PREFIX)
        {
            custom::check_name(custom_name)?;
            if self.custom.iter().any(|other| other.name == custom_name) {
                return Err(duplicate());
            }
            self.custom.push(CustomColumn { name: custom_name.to_owned(), position });
            self.imported_columns[position] = true;
            return Ok(());
        }
        let matching_rule =
            R::RULES.iter().find_map(|rule| Some((rule, rule.columns.iter().position(|other| *other == column)?)));
        let Some((rule, column_index)) = matching_rule else { return Err(unknown_column::<R>(column)) };
        if rule.access == Access::ServerManaged {
            return Err(new_diagnostic("read_only", texts::read_only_field(format_name(column))));
        }
        let index = self.fields.iter().position(|field| std::ptr::eq(field.rule, rule)).unwrap_or_else(|| {
            self.fields.push(FieldColumns { rule, positions: [None; MAX_COLUMNS_PER_FIELD] });
            self.fields.len() - 1
        });
        match self.fields[index].positions[column_index].replace(position) {
            None => {
                self.imported_columns[position] = true;
                Ok(())
            }
            Some(_) => Err(duplicate()),
        }
    }

    /// Returns the reader of call detail records and the conversion to a record, if the rows are such records.
    pub fn call_details(&self) -> Option<CallDetailConversion<'_, R>> {
        self.call_details.as_ref().zip(R::FROM_CALL)
    }

    /// Parses a row. Surrounding blanks are trimmed, and null markers count as empty. Missing cells at the end are empty; cells beyond the
    /// header must be empty.
    ///
    /// # Errors
    /// All errors of the row, each with its column as named in the file.
    pub fn row(&self, cells: &[impl AsRef<str>]) -> Result<R, Vec<Diagnostic>> {
        let mut values: Vec<&str> = cells.iter().map(|cell| cell_value(cell.as_ref())).collect();
        match self.call_details() {
            None => {
                let filled_cells = values.iter().rposition(|value| !value.is_empty()).map_or(0, |last| last + 1);
                if filled_cells > self.width {
                    let message = texts::cells_of_header(filled_cells, self.width);
                    return Err(vec![new_diagnostic("wrong_number_of_cells", message)]);
                }
                values.resize(self.width, "");
                self.parse_fields(&values)
            }
            Some((call_details, convert_call)) => Ok(convert_call(call_details.single_call(&values)?)),
        }
    }

    /// Parses the values of the fields.
    fn parse_fields(&self, cells: &[impl AsRef<str>]) -> Result<R, Vec<Diagnostic>> {
        let mut record = R::default();
        let mut diagnostics = Vec::new();
        for position in self.unnamed_columns.iter().filter(|position| !cells[**position].as_ref().is_empty()) {
            diagnostics.push(new_diagnostic(
                "unknown_column",
                texts::value_without_name(position + 1, format_text(cells[*position].as_ref())),
            ));
        }
        for FieldColumns { rule, positions } in &self.fields {
            let cells = positions.map(|position| position.map_or("", |position| cells[position].as_ref()));
            let cells = if rule.name == IDENTIFIER_FIELD { cells.map(normalize_identifier) } else { cells };
            let input = FieldInput::Cells(&cells[..rule.columns.len()], self.decimal_mark);
            if !rule.nullable && input.is_null() {
                continue;
            }
            let diagnostic_count = diagnostics.len();
            if rule.name == IDENTIFIER_FIELD && is_shortened_number(cells[0]) {
                diagnostics.push(new_diagnostic("shortened_number", texts::shortened_number(format_text(cells[0]))));
            } else {
                (rule.read)(&mut record, &input, &mut diagnostics);
            }
            for diagnostic in diagnostics[diagnostic_count..]
                .iter_mut()
                .filter(|diagnostic| diagnostic.location == Location::default())
            {
                diagnostic.location = Location::Column(rule.name.to_owned());
            }
        }
        for CustomColumn { name, position } in &self.custom {
            match custom::parse_cell(cells[*position].as_ref()) {
                Ok(value) => record.set_custom(name, value),
                Err(error) => diagnostics.push(Diagnostic { location: custom::column_location(name), ..error }),
            }
        }
        if diagnostics.is_empty() {
            record.check(None, &mut diagnostics);
            for diagnostic in &mut diagnostics {
                if let Location::Pointer(pointer) = &diagnostic.location {
                    diagnostic.location = Location::Column(pointer.trim_start_matches('/').to_owned());
                }
            }
        }
        if diagnostics.is_empty() {
            return Ok(record);
        }
        Err(diagnostics
            .into_iter()
            .map(|diagnostic| self.column_names.with_file_column(self.in_terms_of_file(diagnostic)))
            .collect())
    }

    /// Rewords a diagnostic of a row in terms of its file.
    fn in_terms_of_file(&self, error: Diagnostic) -> Diagnostic {
        match &self.identifier_column {
            Some(identifier_column) if error.code == MISSING_IDENTIFIER_CODE => {
                Diagnostic { message: texts::empty_identifier(format_name(identifier_column)), ..error }
            }
            _ => error,
        }
    }
}

/// Returns an identifier; empty if it has neither letters nor digits, such as the line of dashes that database tools print below a header.
fn normalize_identifier(value: &str) -> &str {
    if value.contains(char::is_alphanumeric) { value } else { "" }
}

/// Returns true for a number that a spreadsheet has shortened, such as `4.91714E+12`. Different numbers have this form.
fn is_shortened_number(cell: &str) -> bool {
    let Some((number, exponent)) = cell.split_once(['E', 'e']) else { return false };
    let (integer_part, fraction) = number.split_once(['.', ',']).unwrap_or((number, ""));
    let integer_part = integer_part.strip_prefix(['-', '+']).unwrap_or(integer_part);
    let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    // Without a fraction or sign, it may be a part number or a room number.
    (number.contains(['.', ',']) || digits.len() < exponent.len())
        && !integer_part.is_empty()
        && (1..=3).contains(&digits.len())
        && [integer_part, fraction, digits].into_iter().all(are_digits)
}

fn unknown_column<R: Record>(column: &str) -> Diagnostic {
    let permitted_columns = || {
        R::RULES
            .iter()
            .filter(|rule| rule.access != Access::ServerManaged)
            .flat_map(|rule| rule.columns.iter().copied())
    };
    let diagnostic = new_diagnostic("unknown_column", texts::unknown_field((R::NOUN)(), format_name(column)))
        .permitted(permitted_columns());
    let diagnostic = diagnostic.suggest_nearest(column, permitted_columns());
    if R::HAS_CUSTOM_FIELDS && diagnostic.suggestion.is_none() {
        return diagnostic.suggest(texts::custom_column_form());
    }
    diagnostic
}
