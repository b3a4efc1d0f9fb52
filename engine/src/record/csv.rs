//! Reads records from rows of CSV files.
//!
//! The header is resolved once, so that each row only costs its values. The caller reads the file itself.

use std::borrow::Cow;

use super::CallRecord;
use super::asterisk::CallDetails;
use super::custom;
use super::decimal::DecimalMark;
use super::mapping::{Format, Mapping, OwnNames};
use super::rule::{Access, Record, Rule};
use super::value::Given;
use crate::csv::{trimmed, value_of};
use crate::diagnostic::{Diagnostic, Place, catalog::record as texts, expected, fault, name, shown};
use crate::filter::fields::CUSTOM_PREFIX;
use crate::json::MAX_DIAGNOSTICS;

/// The field with a record's identifier in another system.
const IDENTIFIER: &str = "original_identifier";

/// The field with a record's id.
const ID: &str = "id";

/// Diagnostic code for a row without a key.
const NO_KEY: &str = "no_key";

/// Maximum number of columns per field.
const MAX_COLUMNS: usize = 3;

/// Reads the rows of a CSV file with a certain header. Columns are named like the fields, unless a mapping assigns them. Custom fields are
/// `custom.<name>` and always texts. An empty cell removes the value; for a field that can't be empty, it is ignored.
pub struct CsvReader<R: 'static> {
    width: usize,
    own_names: OwnNames,
    fields: Vec<FieldColumns<R>>,
    custom: Vec<CustomColumn>,
    keys: Vec<KeyColumns>,
    /// Columns without a name. Their cells must be empty.
    nameless: Vec<usize>,
    /// True for each column that is imported.
    is_read: Vec<bool>,
    /// The column that also serves as the identifier of each row.
    identifier: Option<String>,
    /// Number format, if the mapping sets it.
    decimal: Option<DecimalMark>,
    /// Reader for call detail records, if the rows are such records.
    call_details: Option<CallDetails>,
}

/// The reader of call detail records, and the function that converts a call to a record.
pub type CallDetailsReader<'a, R> = (&'a CallDetails, fn(CallRecord) -> R);

/// A field in the file with the positions of its columns; `None` for an absent column.
struct FieldColumns<R: 'static> {
    rule: &'static Rule<R>,
    places: [Option<usize>; MAX_COLUMNS],
}

struct CustomColumn {
    name: String,
    place: usize,
}

/// The columns of a record's [key](Record::KEYS), all of which are in the file.
struct KeyColumns {
    /// Index in [`Record::KEYS`].
    kind: usize,
    places: Vec<usize>,
    is_identifier: bool,
}

impl KeyColumns {
    /// Returns the key of a row; `None` if one of its cells has no value.
    fn of_row<'a>(&self, cell: impl Fn(usize) -> &'a str) -> Option<RowKey<'a>> {
        let mut joined: Option<Cow<'a, str>> = None;
        for place in &self.places {
            let value = value_of(cell(*place));
            let value = if self.is_identifier { identifier(value) } else { value };
            if value.is_empty() || (self.is_identifier && is_shortened_number(value)) {
                return None;
            }
            joined = Some(match joined {
                None => Cow::Borrowed(value),
                Some(before) => Cow::Owned(format!("{before} {value}")),
            });
        }
        Some(RowKey { kind: self.kind, value: joined? })
    }
}

/// The key of a row within its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowKey<'a> {
    /// Index in [`Record::KEYS`].
    kind: usize,
    /// The cells of its fields, joined by blanks. Keys with several fields consist of ids, which contain no blanks.
    value: Cow<'a, str>,
}

impl RowKey<'_> {
    /// Returns an owned copy of the key.
    pub fn into_owned(self) -> RowKey<'static> {
        RowKey { kind: self.kind, value: Cow::Owned(self.value.into_owned()) }
    }
}

impl<R> CsvReader<R> {
    /// Returns the names of the fields in the file.
    pub fn own_names(&self) -> &OwnNames {
        &self.own_names
    }

    /// Returns true if a column is imported. The cells of other columns are ignored.
    pub fn reads(&self, place: usize) -> bool {
        self.is_read.get(place).is_none_or(|is_read| *is_read)
    }

    /// Returns the keys of a row: its id and its other identifiers, if present. Rows with a common key describe the same record.
    pub fn keys<'a>(&'a self, cell: impl Fn(usize) -> &'a str + 'a) -> impl Iterator<Item = RowKey<'a>> {
        self.keys.iter().filter_map(move |key| key.of_row(&cell))
    }
}

impl<R: Record> CsvReader<R> {
    pub(super) fn new(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Diagnostic>> {
        if mapping.format == Format::Asterisk || R::OF_CALL.is_some() && mapping.reads_call_details(header) {
            return Self::of_call_details(header, mapping);
        }
        let mut reader = Self {
            width: header.len(),
            own_names: OwnNames::default(),
            fields: Vec::new(),
            custom: Vec::new(),
            keys: Vec::new(),
            nameless: Vec::new(),
            is_read: vec![false; header.len()],
            identifier: mapping.identifier.clone(),
            decimal: mapping.decimal,
            call_details: None,
        };
        let mut faults = Vec::new();
        let header: Vec<&str> = header.iter().map(|name| trimmed(name.as_ref())).collect();
        for (place, name) in header.iter().copied().enumerate() {
            let Some(field) = mapping.field(name) else { continue };
            if field.is_empty() {
                reader.nameless.push(place);
                reader.is_read[place] = true;
                continue;
            }
            match reader.add(field, place) {
                Ok(()) => reader.own_names.note(field, name),
                Err(wrong) => faults.push(Diagnostic { place: Place::Column(name.to_owned()), ..wrong }),
            }
            if faults.len() >= MAX_DIAGNOSTICS {
                break;
            }
        }
        if let Some(own) = &mapping.identifier
            && let Err(wrong) = reader.identify_by(own, &header)
        {
            faults.push(Diagnostic { place: Place::Column(own.clone()), ..wrong });
        }
        if reader.custom.len() > custom::MAX_CUSTOM_FIELDS {
            let most = texts::at_most_own_columns(custom::MAX_CUSTOM_FIELDS);
            let many = expected("too_many", most, reader.custom.len());
            faults.push(Diagnostic { place: Place::Column(CUSTOM_PREFIX.to_owned()), ..many });
        }
        reader.keys = reader.key_columns();
        if faults.is_empty() { Ok(reader) } else { Err(faults) }
    }

    fn key_columns(&self) -> Vec<KeyColumns> {
        let place = |name: &&str| self.fields.iter().find(|field| field.rule.name == *name)?.places[0];
        let columns = |(kind, names): (usize, &&[&str])| {
            let places = names.iter().map(place).collect::<Option<_>>()?;
            Some(KeyColumns { kind, places, is_identifier: **names == [IDENTIFIER] })
        };
        R::KEYS.iter().enumerate().filter_map(columns).collect()
    }

    /// Uses the cells of a column as the identifier of each row, in addition to its own field.
    fn identify_by(&mut self, own: &str, header: &[&str]) -> Result<(), Diagnostic> {
        let Some(place) = header.iter().position(|name| *name == own) else {
            let unknown = fault("unknown_column", texts::no_column(name(own)));
            return Err(unknown.suggest_nearest(own, header.iter().copied()));
        };
        self.add(IDENTIFIER, place)?;
        self.own_names.note(IDENTIFIER, own);
        // A fault about an empty identifier names the column as in the file.
        if !self.fields.iter().any(|field| field.rule.name == ID) {
            self.own_names.note(ID, own);
        }
        Ok(())
    }

    /// Creates a reader for call detail records.
    fn of_call_details(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Diagnostic>> {
        if R::OF_CALL.is_none() {
            return Err(vec![fault("not_permitted", texts::file_of_calls((R::THING)()))]);
        }
        let call_details = CallDetails::new(header, mapping)?;
        Ok(Self {
            width: header.len(),
            own_names: call_details.own_names(),
            fields: Vec::new(),
            custom: Vec::new(),
            keys: Vec::new(),
            nameless: Vec::new(),
            is_read: header.iter().map(|name| CallDetails::reads(name.as_ref())).collect(),
            identifier: None,
            decimal: None,
            call_details: Some(call_details),
        })
    }

    /// Adds the column with this name.
    fn add(&mut self, column: &str, place: usize) -> Result<(), Diagnostic> {
        let twice = || fault("duplicate_column", texts::repeated_column(name(column)));
        if R::HAS_CUSTOM_FIELDS
            && let Some(custom_name) = column.strip_prefix(CUSTOM_PREFIX)
        {
            custom::check_name(custom_name)?;
            if self.custom.iter().any(|other| other.name == custom_name) {
                return Err(twice());
            }
            self.custom.push(CustomColumn { name: custom_name.to_owned(), place });
            self.is_read[place] = true;
            return Ok(());
        }
        let found =
            R::RULES.iter().find_map(|rule| Some((rule, rule.columns.iter().position(|other| *other == column)?)));
        let Some((rule, nth)) = found else { return Err(unknown::<R>(column)) };
        if rule.access == Access::Kept {
            return Err(fault("read_only", texts::kept(name(column))));
        }
        let index = self.fields.iter().position(|field| std::ptr::eq(field.rule, rule)).unwrap_or_else(|| {
            self.fields.push(FieldColumns { rule, places: [None; MAX_COLUMNS] });
            self.fields.len() - 1
        });
        match self.fields[index].places[nth].replace(place) {
            None => {
                self.is_read[place] = true;
                Ok(())
            }
            Some(_) => Err(twice()),
        }
    }

    /// Returns the reader of call detail records and the conversion to a record, if the rows are such records.
    pub fn call_details(&self) -> Option<CallDetailsReader<'_, R>> {
        self.call_details.as_ref().zip(R::OF_CALL)
    }

    /// Reads a row. Surrounding blanks are trimmed, and null markers count as empty. Missing cells at the end are empty; cells beyond the
    /// header must be empty.
    ///
    /// # Errors
    /// All faults of the row, each with its column as named in the file.
    pub fn row(&self, cells: &[impl AsRef<str>]) -> Result<R, Vec<Diagnostic>> {
        let mut values: Vec<&str> = cells.iter().map(|cell| value_of(cell.as_ref())).collect();
        match self.call_details() {
            None => {
                let filled = values.iter().rposition(|value| !value.is_empty()).map_or(0, |last| last + 1);
                if filled > self.width {
                    return Err(vec![expected("wrong_number_of_cells", texts::cells_of_header(self.width), filled)]);
                }
                values.resize(self.width, "");
                self.fields_of(&values)
            }
            Some((call_details, of_call)) => Ok(of_call(call_details.call(&values)?)),
        }
    }

    /// Reads the values of the fields.
    fn fields_of(&self, cells: &[impl AsRef<str>]) -> Result<R, Vec<Diagnostic>> {
        let mut record = R::default();
        let mut faults = Vec::new();
        for place in self.nameless.iter().filter(|place| !cells[**place].as_ref().is_empty()) {
            faults.push(fault("unknown_column", texts::value_without_name(place + 1, shown(cells[*place].as_ref()))));
        }
        for FieldColumns { rule, places } in &self.fields {
            let cells = places.map(|place| place.map_or("", |place| cells[place].as_ref()));
            let cells = if rule.name == IDENTIFIER { cells.map(identifier) } else { cells };
            let given = Given::Cells(&cells[..rule.columns.len()], self.decimal);
            if !rule.nullable && given.is_null() {
                continue;
            }
            let before = faults.len();
            if rule.name == IDENTIFIER && is_shortened_number(cells[0]) {
                faults.push(fault("shortened_number", texts::shortened_number(shown(cells[0]))));
            } else {
                (rule.read)(&mut record, &given, &mut faults);
            }
            for fault in faults[before..].iter_mut().filter(|fault| fault.place == Place::default()) {
                fault.place = Place::Column(rule.name.to_owned());
            }
        }
        for CustomColumn { name, place } in &self.custom {
            match custom::from_cell(cells[*place].as_ref()) {
                Ok(value) => record.set_custom(name, value),
                Err(wrong) => faults.push(Diagnostic { place: custom::column(name), ..wrong }),
            }
        }
        if faults.is_empty() {
            record.check(None, &mut faults);
            for fault in &mut faults {
                if let Place::Pointer(pointer) = &fault.place {
                    fault.place = Place::Column(pointer.trim_start_matches('/').to_owned());
                }
            }
        }
        if faults.is_empty() {
            return Ok(record);
        }
        Err(faults.into_iter().map(|fault| self.own_names.restore(self.of_file(fault))).collect())
    }

    /// Rewords a fault of a row in terms of its file.
    fn of_file(&self, wrong: Diagnostic) -> Diagnostic {
        match &self.identifier {
            Some(own) if wrong.code == NO_KEY => Diagnostic { message: texts::empty_identifier(name(own)), ..wrong },
            _ => wrong,
        }
    }
}

/// Returns an identifier; empty if it has neither letters nor digits, such as the line of dashes that database tools print below a header.
fn identifier(value: &str) -> &str {
    if value.contains(char::is_alphanumeric) { value } else { "" }
}

/// Returns true for a number that a spreadsheet has shortened, such as `4.91714E+12`. Different numbers have this form.
fn is_shortened_number(cell: &str) -> bool {
    let Some((number, exponent)) = cell.split_once(['E', 'e']) else { return false };
    let (whole, fraction) = number.split_once(['.', ',']).unwrap_or((number, ""));
    let whole = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    // Without a fraction or sign, it may be a part number or a room number.
    (number.contains(['.', ',']) || digits.len() < exponent.len())
        && !whole.is_empty()
        && (1..=3).contains(&digits.len())
        && [whole, fraction, digits].into_iter().all(are_digits)
}

fn unknown<R: Record>(column: &str) -> Diagnostic {
    let permitted =
        || R::RULES.iter().filter(|rule| rule.access != Access::Kept).flat_map(|rule| rule.columns.iter().copied());
    let unknown = fault("unknown_column", texts::unknown_field((R::THING)(), name(column))).permitted(permitted());
    let unknown = unknown.suggest_nearest(column, permitted());
    if R::HAS_CUSTOM_FIELDS && unknown.suggestion.is_none() {
        return unknown.suggest(texts::own_column());
    }
    unknown
}
