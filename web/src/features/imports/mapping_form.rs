//! Column mapping of a picked file, checked by the engine while the user edits it.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::RowError;
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::record::{CallDetailReader, DecimalMark, Duplicates, Format, Mapping, guess_fields, preview};
use leptos::prelude::*;

use super::csv_table::CsvTable;
use super::mapping::{ColumnMapping, LastMapping, column_name, has_phone_numbers, missing_key_message};
use crate::i18n::validation_errors::is_at;
use crate::i18n::{datetime, diagnostics_at};

/// Field whose numbers may have thousands separators and decimals.
const AMOUNT_FIELD: &str = "purchase_amount";

/// JSON Pointer of the time zone in a mapping.
pub const TIME_ZONE_POINTER: &str = "/timezone";

/// JSON Pointer of the extensions in a mapping.
pub const EXTENSIONS_POINTER: &str = "/extensions";

/// JSON Pointer of the trunks in a mapping.
pub const TRUNKS_POINTER: &str = "/trunks";

/// Mapping of a file and its diagnostics. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct MappingForm {
    kind: ImportKind,
    pub table: StoredValue<CsvTable>,
    /// True if these are call detail records, whose columns are fixed.
    pub has_call_details: bool,
    /// Mapping that was restored from an earlier import; `None` once the user chooses the guessed one.
    pub last_mapping: RwSignal<Option<LastMapping>>,
    /// Decimal mark of the restored mapping.
    last_decimal: RwSignal<Option<DecimalMark>>,
    pub fields: RwSignal<ColumnMapping>,
    /// Column that identifies rows if no field does.
    pub identifier: RwSignal<String>,
    /// Country of phone numbers without a country code.
    pub country: RwSignal<String>,
    /// Name of the chosen [`Duplicates`]; empty for the default.
    pub duplicates: RwSignal<String>,
    /// Decimal mark of amounts: chosen, detected or restored. `,`, `.` or empty.
    pub decimal: Signal<String>,
    pub chosen_decimal: RwSignal<Option<String>>,
    pub time_zone: RwSignal<String>,
    /// Patterns of the extensions in call detail records, separated by commas.
    pub extensions: RwSignal<String>,
    /// Patterns of the trunks, separated by commas.
    pub trunks: RwSignal<String>,
    pub mapping: Memo<Mapping>,
    /// Message that no field identifies rows.
    pub lacks_key: Memo<Option<String>>,
    /// Diagnostics of each of the first rows, or of their columns.
    preview: Memo<Result<Vec<Vec<Diagnostic>>, Vec<Diagnostic>>>,
}

impl MappingForm {
    /// Starts with `last_mapping`, or else with a guess from the column names.
    pub fn new(kind: ImportKind, table: CsvTable, last_mapping: Option<LastMapping>) -> Self {
        let has_call_details = table.has_call_details;
        let guessed_fields = guess_fields(kind, &table.header);
        let last_decimal = RwSignal::new(last_mapping.as_ref().and_then(|last_mapping| last_mapping.mapping.decimal));
        // An earlier mapping that equals the guess isn't mentioned.
        let last_mapping = last_mapping.filter(|LastMapping { mapping, .. }| {
            let has_other_settings = mapping.identifier.is_some() || mapping.default_country.is_some();
            !has_call_details && (has_other_settings || fields_of_mapping(mapping, &table.header) != guessed_fields)
        });
        let (fields, Mapping { identifier, default_country, .. }) = match &last_mapping {
            Some(LastMapping { mapping, .. }) => (fields_of_mapping(mapping, &table.header), mapping.clone()),
            None => (guessed_fields, Mapping::default()),
        };
        let (last_mapping, fields, table) =
            (RwSignal::new(last_mapping), RwSignal::new(fields), StoredValue::new(table));
        let identifier = RwSignal::new(identifier.unwrap_or_default());
        let country = RwSignal::new(default_country.unwrap_or_default());
        let [duplicates, extensions, trunks] = [const { String::new() }; 3].map(RwSignal::new);
        let time_zone = RwSignal::new(datetime::time_zone());
        let lacks_key =
            Memo::new(move |_| fields.with(|fields| missing_key_message(kind, fields)).filter(|_| !has_call_details));
        let chosen_decimal = RwSignal::new(None::<String>);
        let decimal = Signal::derive(move || {
            let detected = || with_amounts(kind, table, fields, |amounts| DecimalMark::guess(amounts));
            let default = || detected().or_else(|| last_decimal.get()).map(|mark| mark.as_str().to_owned());
            chosen_decimal.get().or_else(default).unwrap_or_default()
        });
        let mapping = Memo::new(move |_| {
            let mapping = match has_call_details {
                true => Mapping {
                    format: Format::Asterisk,
                    timezone: Some(time_zone.get()),
                    extensions: split_patterns(&extensions.get()),
                    trunks: split_patterns(&trunks.get()),
                    delimiter: Some(table.with_value(|table| table.delimiter)),
                    ..Mapping::default()
                },
                false => Mapping {
                    identifier: lacks_key.get().map(|_| identifier.get()).filter(|identifier| !identifier.is_empty()),
                    ..table.with_value(|table| fields.with(|fields| to_mapping(table, fields)))
                },
            };
            let has_phone_numbers = has_call_details || fields.with(|fields| has_phone_numbers(kind, fields));
            let has_amounts = fields.with(|fields| amount_columns(kind, fields).contains(&true));
            Mapping {
                default_country: Some(country.get()).filter(|country| !country.is_empty() && has_phone_numbers),
                decimal: DecimalMark::from_name(&decimal.get()).filter(|_| has_amounts),
                duplicates: Duplicates::from_name(&duplicates.get()).unwrap_or(mapping.duplicates),
                ..mapping
            }
        });
        let preview = Memo::new(move |_| {
            table.with_value(|table| mapping.with(|mapping| preview(kind, mapping, &table.header, &table.rows)))
        });
        Self {
            kind,
            table,
            has_call_details,
            last_mapping,
            last_decimal,
            fields,
            identifier,
            country,
            duplicates,
            decimal,
            chosen_decimal,
            time_zone,
            extensions,
            trunks,
            mapping,
            lacks_key,
            preview,
        }
    }

    /// Starts over with the guessed mapping.
    pub fn use_guess(self) {
        self.last_mapping.set(None);
        self.last_decimal.set(None);
        self.fields.set(self.table.with_value(|table| guess_fields(self.kind, &table.header)));
        self.identifier.set(String::new());
        self.country.set(String::new());
    }

    /// Message that neither a field nor a chosen column identifies rows.
    pub fn missing_key(self) -> Option<String> {
        self.lacks_key.get().filter(|_| self.identifier.with(String::is_empty))
    }

    /// True if a column is mapped to an amount.
    pub fn has_amounts(self) -> bool {
        self.fields.with(|fields| amount_columns(self.kind, fields).contains(&true))
    }

    /// True if an amount is ambiguous without the decimal mark.
    pub fn is_decimal_needed(self) -> bool {
        with_amounts(self.kind, self.table, self.fields, |amounts| amounts.into_iter().any(DecimalMark::is_ambiguous))
    }

    /// True if a column is mapped to a phone number.
    pub fn has_phone_numbers(self) -> bool {
        self.has_call_details || self.fields.with(|fields| has_phone_numbers(self.kind, fields))
    }

    /// For each column, true if it is not imported.
    pub fn ignored_columns(self) -> Vec<bool> {
        let identifier = self.mapping.with(|mapping| mapping.identifier.clone());
        self.table.with_value(|table| {
            let columns = table.header.iter();
            if self.has_call_details {
                return columns.map(|name| CallDetailReader::fields_from(name).next().is_none()).collect();
            }
            self.fields.with(|fields| {
                columns.zip(fields).map(|(name, field)| field.is_none() && identifier.as_ref() != Some(name)).collect()
            })
        })
    }

    /// Names of the columns that are not imported.
    pub fn ignored_names(self) -> Vec<String> {
        self.table.with_value(|table| {
            let columns = table.header.iter().enumerate().zip(self.ignored_columns());
            columns.filter(|(_, is_ignored)| *is_ignored).map(|((index, name), _)| column_name(index, name)).collect()
        })
    }

    /// Diagnostics of the columns or of their mapping.
    pub fn column_diagnostics(self) -> Vec<Diagnostic> {
        self.preview.get().err().unwrap_or_default()
    }

    /// Diagnostics at one member of the mapping.
    pub fn diagnostics_at(self, pointer: &'static str) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || diagnostics_at(&self.column_diagnostics(), pointer))
    }

    /// Diagnostics of anything but columns, time zone and patterns.
    pub fn other_diagnostics(self) -> Vec<Diagnostic> {
        let pointers = [TIME_ZONE_POINTER, EXTENSIONS_POINTER, TRUNKS_POINTER];
        let is_other = |diagnostic: &Diagnostic| {
            !pointers.iter().any(|pointer| is_at(diagnostic, pointer))
                && self.table.with_value(|table| !is_about_column(diagnostic, &table.header))
        };
        self.column_diagnostics().into_iter().filter(is_other).collect()
    }

    /// Diagnostics of each of the first rows; empty while the columns or their mapping have diagnostics.
    pub fn row_diagnostics(self) -> Vec<Vec<Diagnostic>> {
        let errors = self.table.with_value(|table| table.errors.clone());
        let row_diagnostics = |(diagnostics, error): (Vec<Diagnostic>, Option<RowError>)| match error {
            Some(error) => vec![error.diagnostic()],
            None => diagnostics,
        };
        self.preview.get().unwrap_or_default().into_iter().zip(errors).map(row_diagnostics).collect()
    }

    /// True if the file can't be imported with this mapping.
    pub fn is_invalid(self) -> bool {
        self.missing_key().is_some() || self.preview.with(|preview| preview.as_ref().is_err_and(|all| !all.is_empty()))
    }
}

/// For each column, true if it is mapped to an amount.
fn amount_columns(kind: ImportKind, fields: &ColumnMapping) -> Vec<bool> {
    fields.iter().map(|field| kind == ImportKind::Leads && field.as_deref() == Some(AMOUNT_FIELD)).collect()
}

/// Passes the amounts in the first rows to a function.
fn with_amounts<U>(
    kind: ImportKind,
    table: StoredValue<CsvTable>,
    fields: RwSignal<ColumnMapping>,
    read: impl FnOnce(Vec<&str>) -> U,
) -> U {
    let is_amount = fields.with(|fields| amount_columns(kind, fields));
    table.with_value(|table| read(table.cells_of(&is_amount).collect()))
}

/// Splits a typed list into patterns.
fn split_patterns(list: &str) -> Vec<String> {
    list.split([',', ';', ' ']).map(str::trim).filter(|pattern| !pattern.is_empty()).map(str::to_owned).collect()
}

/// Returns the mapping of the user's choices, without entries that equal the column's own name.
fn to_mapping(table: &CsvTable, field_by_column: &ColumnMapping) -> Mapping {
    let mut mapping = Mapping { delimiter: Some(table.delimiter), ..Mapping::default() };
    for (column, field) in table.header.iter().zip(field_by_column) {
        if field.as_ref() != Some(column) {
            // If columns share a name, the first one decides. Two columns with the same field are rejected.
            mapping.columns.entry(column.clone()).or_insert_with(|| field.clone());
        }
    }
    mapping
}

/// Returns the choices that a mapping stands for.
fn fields_of_mapping(mapping: &Mapping, header: &[String]) -> ColumnMapping {
    header.iter().map(|column| mapping.columns.get(column).cloned().unwrap_or_else(|| Some(column.clone()))).collect()
}

fn is_about_column(diagnostic: &Diagnostic, header: &[String]) -> bool {
    matches!(&diagnostic.location, Location::Column(name) if header.contains(name))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::csv::Encoding;

    use crate::features::imports::mapping_form::*;

    #[test]
    fn mapping_omits_columns_named_like_their_field() {
        let table = CsvTable::parse(b"Vorname;email;Notiz\n", true, (Encoding::Utf8, 0), None, 1).unwrap();
        let field_by_column = vec![Some("first_name".to_owned()), Some("email".to_owned()), None];
        let mapping = to_mapping(&table, &field_by_column);
        assert_eq!(fields_of_mapping(&mapping, &table.header), field_by_column);
        let expected = Mapping::from_json(r#"{"columns":{"Vorname":"first_name","Notiz":null},"delimiter":";"}"#);
        assert_eq!(Ok(mapping), expected);
    }
}
