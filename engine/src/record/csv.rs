//! Records from rows of CSV files.
//!
//! The header is resolved once; a row then costs no more than its values. Reading the file itself is the caller's.

use super::asterisk::CallDetails;
use super::custom;
use super::decimal::DecimalMark;
use super::mapping::{Format, Mapping, OwnNames};
use super::rule::{Access, Record, Rule};
use super::value::Given;
use crate::fault::{Fault, Place};
use crate::filter::fields::CUSTOM_PREFIX;
use crate::json::MAX_FAULTS;
use crate::message::texts::record as texts;
use crate::message::{did_you_mean, expected, fault, name};

/// The field by which another system knows a record.
const IDENTIFIER: &str = "original_identifier";

/// The field by which a record is known here.
const ID: &str = "id";

/// What is said of a row of which nothing says what it is about.
const NO_KEY: &str = "no_key";

/// Most columns a single field has.
const MAX_COLUMNS: usize = 3;

/// Reads the rows of a CSV file with a certain header. Columns are named as the fields are, unless a mapping says which
/// field they are about; custom fields are `custom.<name>`, and always texts. An empty cell takes the value away; of a field
/// that can't be empty it says nothing.
pub struct CsvReader<R: 'static> {
    width: usize,
    own_names: OwnNames,
    fields: Vec<FieldColumns<R>>,
    custom: Vec<CustomColumn>,
    /// The column that tells rows apart beside what it is about.
    identifier: Option<String>,
    /// How numbers are written, where the mapping says so.
    decimal: Option<DecimalMark>,
    /// What rows are made of that are no fields themselves.
    call_details: Option<CallDetails>,
}

/// A field that is in the file, and the places of its columns; none for a column that isn't there.
struct FieldColumns<R: 'static> {
    rule: &'static Rule<R>,
    places: [Option<usize>; MAX_COLUMNS],
}

struct CustomColumn {
    name: String,
    place: usize,
}

impl<R> CsvReader<R> {
    /// The names that the file has for the fields.
    pub fn own_names(&self) -> &OwnNames {
        &self.own_names
    }
}

impl<R: Record> CsvReader<R> {
    pub(super) fn new(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Fault>> {
        if mapping.format == Format::Asterisk {
            return Self::of_call_details(header.len(), mapping);
        }
        let mut reader = Self {
            width: header.len(),
            own_names: OwnNames::default(),
            fields: Vec::new(),
            custom: Vec::new(),
            identifier: mapping.identifier.clone(),
            decimal: mapping.decimal,
            call_details: None,
        };
        let mut faults = Vec::new();
        let mut header: Vec<&str> = header.iter().map(AsRef::as_ref).collect();
        if let Some(first) = header.first_mut() {
            // Spreadsheets write a byte order mark before the first name.
            *first = first.trim_start_matches('\u{feff}');
        }
        for (place, name) in header.iter().copied().enumerate() {
            let Some(field) = mapping.field(name) else { continue };
            match reader.add(field, place) {
                Ok(()) => reader.own_names.note(field, name),
                Err(wrong) => faults.push(Fault { place: Place::Column(name.to_owned()), ..wrong }),
            }
            if faults.len() >= MAX_FAULTS {
                break;
            }
        }
        if let Some(own) = &mapping.identifier
            && let Err(wrong) = reader.identify_by(own, &header)
        {
            faults.push(Fault { place: Place::Column(own.clone()), ..wrong });
        }
        if reader.custom.len() > custom::MAX_CUSTOM_FIELDS {
            let most = texts::at_most_own_columns(custom::MAX_CUSTOM_FIELDS);
            let many = expected("too_many", most, reader.custom.len());
            faults.push(Fault { place: Place::Column(CUSTOM_PREFIX.to_owned()), ..many });
        }
        if faults.is_empty() { Ok(reader) } else { Err(faults) }
    }

    /// Takes the cells of a column for what tells rows apart, whatever else it is about.
    fn identify_by(&mut self, own: &str, header: &[&str]) -> Result<(), Fault> {
        let Some(place) = header.iter().position(|name| *name == own) else {
            let unknown = fault("unknown_column", texts::no_column(name(own)));
            return Err(did_you_mean(unknown, own, header.iter().copied()));
        };
        self.add(IDENTIFIER, place)?;
        self.own_names.note(IDENTIFIER, own);
        // What is missing where the cell is empty is told of the column that the file has.
        if !self.fields.iter().any(|field| field.rule.name == ID) {
            self.own_names.note(ID, own);
        }
        Ok(())
    }

    /// Reads call detail records of so many cells.
    fn of_call_details(width: usize, mapping: &Mapping) -> Result<Self, Vec<Fault>> {
        if !R::HAS_CALL_DETAILS {
            return Err(vec![fault("not_permitted", texts::file_of_calls((R::THING)()))]);
        }
        let call_details = Some(CallDetails::new(width, mapping.timezone.as_deref())?);
        let reader = Self::new(&CallDetails::fields(), &Mapping::default())?;
        Ok(Self { call_details, own_names: CallDetails::own_names(), ..reader })
    }

    /// Takes up the column of this name.
    fn add(&mut self, column: &str, place: usize) -> Result<(), Fault> {
        let twice = || fault("duplicate_column", texts::repeated_column(name(column)));
        if R::HAS_CUSTOM_FIELDS
            && let Some(custom_name) = column.strip_prefix(CUSTOM_PREFIX)
        {
            custom::check_name(custom_name)?;
            if self.custom.iter().any(|other| other.name == custom_name) {
                return Err(twice());
            }
            self.custom.push(CustomColumn { name: custom_name.to_owned(), place });
            return Ok(());
        }
        let found =
            R::RULES.iter().find_map(|rule| Some((rule, rule.columns.iter().position(|other| *other == column)?)));
        let Some((rule, nth)) = found else { return Err(unknown::<R>(column, place)) };
        if rule.access == Access::Kept {
            return Err(fault("read_only", texts::kept(name(column))));
        }
        let index = self.fields.iter().position(|field| std::ptr::eq(field.rule, rule)).unwrap_or_else(|| {
            self.fields.push(FieldColumns { rule, places: [None; MAX_COLUMNS] });
            self.fields.len() - 1
        });
        match self.fields[index].places[nth].replace(place) {
            None => Ok(()),
            Some(_) => Err(twice()),
        }
    }

    /// Reads one row.
    ///
    /// # Errors
    /// Every fault of the row, at once, each with its column as the file names it.
    pub fn row(&self, cells: &[impl AsRef<str>]) -> Result<R, Vec<Fault>> {
        match &self.call_details {
            None => self.fields_of(cells),
            Some(call_details) => {
                let cells: Vec<_> = cells.iter().map(AsRef::as_ref).collect();
                self.fields_of(&call_details.cells(&cells)?)
            }
        }
    }

    /// Reads the cells of the fields.
    fn fields_of(&self, cells: &[impl AsRef<str>]) -> Result<R, Vec<Fault>> {
        if cells.len() != self.width {
            return Err(vec![expected("wrong_number_of_cells", texts::cells_of_header(self.width), cells.len())]);
        }
        let mut record = R::default();
        let mut faults = Vec::new();
        for FieldColumns { rule, places } in &self.fields {
            let cells = places.map(|place| place.map_or("", |place| cells[place].as_ref()));
            let given = Given::Cells(&cells[..rule.columns.len()], self.decimal);
            if !rule.nullable && given.is_null() {
                continue;
            }
            let before = faults.len();
            (rule.read)(&mut record, &given, &mut faults);
            for fault in faults[before..].iter_mut().filter(|fault| fault.place == Place::default()) {
                fault.place = Place::Column(rule.name.to_owned());
            }
        }
        for CustomColumn { name, place } in &self.custom {
            match custom::from_cell(cells[*place].as_ref()) {
                Ok(value) => record.set_custom(name, value),
                Err(wrong) => faults.push(Fault { place: custom::column(name), ..wrong }),
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

    /// What is wrong with a row, in words of its file.
    fn of_file(&self, wrong: Fault) -> Fault {
        match &self.identifier {
            Some(own) if wrong.code == NO_KEY => Fault { detail: texts::empty_identifier(name(own)), ..wrong },
            _ => wrong,
        }
    }
}

fn unknown<R: Record>(column: &str, place: usize) -> Fault {
    if column.is_empty() {
        return fault("unknown_column", texts::column_without_name(place + 1));
    }
    let permitted =
        || R::RULES.iter().filter(|rule| rule.access != Access::Kept).flat_map(|rule| rule.columns.iter().copied());
    let unknown = fault("unknown_column", texts::unknown_field((R::THING)(), name(column))).permitted(permitted());
    let unknown = did_you_mean(unknown, column, permitted());
    if R::HAS_CUSTOM_FIELDS && unknown.hint.is_none() {
        return unknown.hint(texts::own_column());
    }
    unknown
}
