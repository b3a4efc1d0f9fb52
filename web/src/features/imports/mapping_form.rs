//! Column mapping of a picked file, checked by the engine while the user edits it.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::RowError;
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::record::{CallDetailReader, DecimalMark, Duplicates, Format, Mapping, guess_fields, preview};
use leptos::prelude::*;

use crate::features::imports::csv_preview::CsvPreview;
use crate::features::imports::last_mapping::LastMapping;
use crate::features::imports::mapping::{ColumnMapping, column_name, missing_key_message};
use crate::features::imports::options::has_phone_numbers;
use crate::i18n::datetime;
use crate::i18n::validation_errors::{diagnostics_at, is_at};

/// Field whose numbers may have thousands separators and decimals.
const AMOUNT_FIELD: &str = "purchase_amount";

/// JSON Pointer to the time zone of call detail records in a mapping.
const TIME_ZONE_POINTER: &str = "/timezone";

/// JSON Pointers to the patterns of extensions and trunks.
const EXTENSIONS_POINTER: &str = "/extensions";
const TRUNKS_POINTER: &str = "/trunks";

/// Mapping of a file and its diagnostics. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct MappingForm {
    pub sheet: StoredValue<CsvPreview>,
    /// Mapping of the earlier import that was used as default, until the user chooses the guessed one.
    pub last_mapping: RwSignal<Option<LastMapping>>,
    /// Starts over with the guessed mapping.
    pub use_guess: Callback<()>,
    /// Field of each column.
    pub chosen: RwSignal<ColumnMapping>,
    /// Column that identifies rows if no field does.
    pub identifier: RwSignal<String>,
    /// Country of phone numbers without a country code.
    pub country: RwSignal<String>,
    /// Name of the chosen [`Duplicates`]; empty for the default.
    pub duplicates: RwSignal<String>,
    /// Decimal separator of amounts, chosen or detected: `,`, `.` or empty.
    pub decimal: Signal<String>,
    /// Sets the decimal separator.
    pub set_decimal: Callback<String>,
    /// True if a column is mapped to an amount.
    pub has_amounts: Memo<bool>,
    /// True if an amount is ambiguous without the decimal separator.
    pub is_decimal_needed: Memo<bool>,
    /// Time zone of call detail records.
    pub time_zone: RwSignal<String>,
    /// Patterns of the extensions in call detail records, separated by commas.
    pub extensions: RwSignal<String>,
    /// Patterns of the trunks, separated by commas.
    pub trunks: RwSignal<String>,
    /// True if these are call detail records, whose columns are fixed.
    pub has_call_details: bool,
    pub mapping: Memo<Mapping>,
    /// Reason why no field identifies rows.
    pub lacks_key: Memo<Option<String>>,
    /// The same reason, unless another column identifies rows.
    pub missing_key: Memo<Option<String>>,
    /// True if a column is mapped to a phone number.
    pub maps_phone_numbers: Memo<bool>,
    /// For each column, true if it is not imported.
    pub is_ignored_by_column: Signal<Vec<bool>>,
    /// Names of the columns that are not imported.
    pub unread: Memo<Vec<String>>,
    /// Diagnostics of the columns or of their mapping.
    pub column_diagnostics: Signal<Vec<Diagnostic>>,
    pub time_zone_diagnostics: Signal<Vec<Diagnostic>>,
    pub extension_diagnostics: Signal<Vec<Diagnostic>>,
    pub trunk_diagnostics: Signal<Vec<Diagnostic>>,
    /// Diagnostics of anything but columns, time zone and patterns.
    pub other_diagnostics: Signal<Vec<Diagnostic>>,
    /// Diagnostics of each of the first rows; empty while the columns can't be parsed.
    pub row_diagnostics: Signal<Vec<Vec<Diagnostic>>>,
}

impl MappingForm {
    /// Starts with the mapping of the `last_mapping` import, or else with a guess from the column names. Calls `on_changed` when the
    /// user changes it.
    pub fn new(
        kind: ImportKind,
        sheet: CsvPreview,
        last_mapping: Option<LastMapping>,
        on_changed: Callback<()>,
    ) -> Self {
        let has_call_details = sheet.format == Some(Format::Asterisk);
        let guessed_fields = guess_fields(kind, &sheet.header);
        let last_decimal = RwSignal::new(last_mapping.as_ref().and_then(|last_mapping| last_mapping.mapping.decimal));
        // An earlier mapping that equals the guess isn't mentioned.
        let last_mapping = last_mapping.filter(|LastMapping { mapping, .. }| {
            let has_other_settings = mapping.identifier.is_some() || mapping.default_country.is_some();
            !has_call_details && (has_other_settings || fields_of_mapping(mapping, &sheet.header) != guessed_fields)
        });
        let initial_mapping = last_mapping.as_ref().map(|last_mapping| last_mapping.mapping.clone());
        let field_by_column = initial_mapping
            .as_ref()
            .map_or_else(|| guessed_fields.clone(), |mapping| fields_of_mapping(mapping, &sheet.header));
        let Mapping { identifier, default_country, .. } = initial_mapping.unwrap_or_default();
        let (last_mapping, field_by_column) = (RwSignal::new(last_mapping), RwSignal::new(field_by_column));
        let identifier = RwSignal::new(identifier.unwrap_or_default());
        let country = RwSignal::new(default_country.unwrap_or_default());
        let duplicates = RwSignal::new(String::new());
        let use_guess = Callback::new(move |()| {
            last_mapping.set(None);
            last_decimal.set(None);
            field_by_column.set(guessed_fields.clone());
            identifier.set(String::new());
            country.set(String::new());
            on_changed.run(());
        });
        let time_zone = RwSignal::new(datetime::time_zone());
        let (extensions, trunks) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
        let sheet = StoredValue::new(sheet);
        let missing_identifier_reason = Memo::new(move |_| {
            if has_call_details {
                None
            } else {
                field_by_column.with(|field_by_column| missing_key_message(kind, field_by_column))
            }
        });
        let unresolved_identifier_reason =
            Memo::new(move |_| missing_identifier_reason.get().filter(|_| identifier.with(String::is_empty)));
        let is_amount_by_column = Memo::new(move |_| {
            let is_amount =
                |field: &Option<String>| kind == ImportKind::Leads && field.as_deref() == Some(AMOUNT_FIELD);
            field_by_column.with(|field_by_column| field_by_column.iter().map(is_amount).collect::<Vec<_>>())
        });
        let has_amounts =
            Memo::new(move |_| is_amount_by_column.with(|is_amount_by_column| is_amount_by_column.contains(&true)));
        let is_decimal_needed = Memo::new(move |_| {
            is_amount_by_column.with(|is_amount_by_column| {
                sheet.with_value(|sheet| sheet.cells_of(is_amount_by_column).any(DecimalMark::is_ambiguous))
            })
        });
        let chosen_decimal = RwSignal::new(None::<String>);
        let decimal = Signal::derive(move || {
            let detected = || {
                is_amount_by_column.with(|is_amount_by_column| {
                    sheet.with_value(|sheet| DecimalMark::guess(sheet.cells_of(is_amount_by_column)))
                })
            };
            chosen_decimal.get().unwrap_or_else(|| {
                detected().or_else(|| last_decimal.get()).map_or_else(String::new, |mark| mark.as_str().to_owned())
            })
        });
        let set_decimal = Callback::new(move |mark| {
            chosen_decimal.set(Some(mark));
            on_changed.run(());
        });
        let maps_phone_numbers = Memo::new(move |_| {
            has_call_details || field_by_column.with(|field_by_column| has_phone_numbers(kind, field_by_column))
        });
        let mapping = Memo::new(move |_| {
            let default_country = Some(country.get()).filter(|country| !country.is_empty() && maps_phone_numbers.get());
            let decimal = DecimalMark::from_name(&decimal.get()).filter(|_| has_amounts.get());
            let mapping = match has_call_details {
                true => {
                    let delimiter = sheet.with_value(|sheet| sheet.delimiter);
                    Mapping {
                        format: Format::Asterisk,
                        timezone: Some(time_zone.get()),
                        extensions: split_patterns(&extensions.get()),
                        trunks: split_patterns(&trunks.get()),
                        delimiter,
                        ..Mapping::default()
                    }
                }
                false => sheet.with_value(|sheet| {
                    let identifier = Some(identifier.get())
                        .filter(|identifier| !identifier.is_empty() && missing_identifier_reason.with(Option::is_some));
                    Mapping { identifier, ..field_by_column.with(|field_by_column| to_mapping(sheet, field_by_column)) }
                }),
            };
            let duplicates =
                duplicates.with(|field_by_column| Duplicates::from_name(field_by_column)).unwrap_or(mapping.duplicates);
            Mapping { default_country, decimal, duplicates, ..mapping }
        });
        let is_ignored_by_column = Signal::derive(move || match has_call_details {
            true => sheet.with_value(|sheet| {
                let is_ignored = |column: &String| CallDetailReader::fields_from(column).next().is_none();
                sheet.header.iter().map(is_ignored).collect::<Vec<_>>()
            }),
            false => sheet.with_value(|sheet| {
                let identifier = mapping.with(|mapping| mapping.identifier.clone());
                let is_ignored = |(field, column_name_in_file): (&Option<String>, &String)| {
                    field.is_none() && identifier.as_ref() != Some(column_name_in_file)
                };
                field_by_column.with(|field_by_column| {
                    field_by_column.iter().zip(&sheet.header).map(is_ignored).collect::<Vec<_>>()
                })
            }),
        });
        // Named columns that aren't imported are listed before the import.
        let ignored_columns = Memo::new(move |_| {
            sheet.with_value(|sheet| {
                let columns = sheet
                    .header
                    .iter()
                    .enumerate()
                    .zip(is_ignored_by_column.get())
                    .filter(|(_, is_ignored_by_column)| *is_ignored_by_column);
                columns
                    .map(|((column_index, column_name_in_file), _)| column_name(column_index, column_name_in_file))
                    .collect::<Vec<_>>()
            })
        });
        let preview_result = Memo::new(move |_| {
            sheet.with_value(|sheet| mapping.with(|mapping| preview(kind, mapping, &sheet.header, &sheet.rows)))
        });
        let column_diagnostics = Signal::derive(move || preview_result.get().err().unwrap_or_default());
        let other_diagnostics = Signal::derive(move || {
            let is_other = |diagnostic: &Diagnostic| {
                ![TIME_ZONE_POINTER, EXTENSIONS_POINTER, TRUNKS_POINTER]
                    .iter()
                    .any(|column_index| is_at(diagnostic, column_index))
                    && sheet.with_value(|sheet| !is_about_column(diagnostic, &sheet.header))
            };
            column_diagnostics.get().into_iter().filter(is_other).collect::<Vec<_>>()
        });
        Effect::watch(
            move || (time_zone.get(), extensions.get(), trunks.get(), country.get()),
            move |_, _, _| on_changed.run(()),
            false,
        );
        Self {
            sheet,
            last_mapping,
            use_guess,
            chosen: field_by_column,
            identifier,
            country,
            duplicates,
            decimal,
            set_decimal,
            has_amounts,
            is_decimal_needed,
            time_zone,
            extensions,
            trunks,
            has_call_details,
            mapping,
            lacks_key: missing_identifier_reason,
            missing_key: unresolved_identifier_reason,
            maps_phone_numbers,
            is_ignored_by_column,
            unread: ignored_columns,
            column_diagnostics,
            time_zone_diagnostics: Signal::derive(move || diagnostics_at(&column_diagnostics.get(), TIME_ZONE_POINTER)),
            extension_diagnostics: Signal::derive(move || {
                diagnostics_at(&column_diagnostics.get(), EXTENSIONS_POINTER)
            }),
            trunk_diagnostics: Signal::derive(move || diagnostics_at(&column_diagnostics.get(), TRUNKS_POINTER)),
            other_diagnostics,
            row_diagnostics: Signal::derive(move || {
                let diagnostics = preview_result.get().ok().unwrap_or_default();
                let errors = sheet.with_value(|sheet| sheet.errors.clone());
                let row_diagnostics = |(diagnostics, error): (Vec<Diagnostic>, Option<RowError>)| match error {
                    Some(error) => vec![error.diagnostic()],
                    None => diagnostics,
                };
                diagnostics.into_iter().zip(errors).map(row_diagnostics).collect()
            }),
        }
    }

    /// True if the file can't be imported with this mapping.
    pub fn is_invalid(self) -> bool {
        self.missing_key.with(Option::is_some) || self.column_diagnostics.with(|diagnostics| !diagnostics.is_empty())
    }
}

/// Splits a typed list into patterns.
fn split_patterns(list: &str) -> Vec<String> {
    list.split([',', ';', ' ']).map(str::trim).filter(|pattern| !pattern.is_empty()).map(str::to_owned).collect()
}

/// Returns the mapping of the user's choices, without entries that equal the column's own name.
fn to_mapping(sheet: &CsvPreview, field_by_column: &ColumnMapping) -> Mapping {
    let mut mapping = Mapping { delimiter: sheet.delimiter, ..Mapping::default() };
    for (column, field) in sheet.header.iter().zip(field_by_column) {
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
    use crate::features::imports::page::mapping_form::*;

    #[test]
    fn mapping_omits_columns_named_like_their_field() {
        let header = ["Vorname", "email", "Notiz"].map(str::to_owned).to_vec();
        let sheet = CsvPreview { header, ..CsvPreview::default() };
        let field_by_column = vec![Some("first_name".to_owned()), Some("email".to_owned()), None];
        let mapping = to_mapping(&sheet, &field_by_column);
        assert_eq!(fields_of_mapping(&mapping, &sheet.header), field_by_column);
        let expected = Mapping::from_json(r#"{"columns":{"Vorname":"first_name","Notiz":null}}"#);
        assert_eq!(Ok(mapping), expected);
    }
}
