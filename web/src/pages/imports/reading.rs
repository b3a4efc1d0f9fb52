//! Column mapping of a picked file, checked by the engine while the user edits it.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::RowError;
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::record::{CallDetails, DecimalMark, Duplicates, Format, Mapping, guess, preview};
use leptos::prelude::*;

use crate::components::import::choices::has_numbers;
use crate::components::import::mapping::{Chosen, column_name, key_to_map};
use crate::faults::{faults_at, stands_at};
use crate::last_mapping::LastMapping;
use crate::sheet::Sheet;
use crate::when;

/// Field whose numbers may have thousands separators and decimals.
const AMOUNT: &str = "purchase_amount";

/// JSON Pointer to the time zone of call detail records in a mapping.
const ZONE: &str = "/timezone";

/// JSON Pointers to the patterns of extensions and trunks.
const EXTENSIONS: &str = "/extensions";
const TRUNKS: &str = "/trunks";

/// Mapping of a file and its faults. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Reading {
    pub sheet: StoredValue<Sheet>,
    /// Mapping of the earlier import that was used as default, until the user chooses the guessed one.
    pub last: RwSignal<Option<LastMapping>>,
    /// Starts over with the guessed mapping.
    pub take_guess: Callback<()>,
    /// Field of each column.
    pub chosen: RwSignal<Chosen>,
    /// Column that identifies rows if no field does.
    pub identifier: RwSignal<String>,
    /// Country of phone numbers without a country code.
    pub country: RwSignal<String>,
    /// Name of the chosen [`Duplicates`]; empty for the default.
    pub duplicates: RwSignal<String>,
    /// Decimal separator of amounts, chosen or detected: `,`, `.` or empty.
    pub decimal: Signal<String>,
    /// Sets the decimal separator.
    pub choose_decimal: Callback<String>,
    /// True if a column is mapped to an amount.
    pub has_amounts: Memo<bool>,
    /// True if an amount is ambiguous without the decimal separator.
    pub is_decimal_needed: Memo<bool>,
    /// Time zone of call detail records.
    pub zone: RwSignal<String>,
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
    pub numbers: Memo<bool>,
    /// For each column, true if it is not imported.
    pub left_out: Signal<Vec<bool>>,
    /// Names of the columns that are not imported.
    pub unread: Memo<Vec<String>>,
    /// Faults of the columns or of their mapping.
    pub column_faults: Signal<Vec<Diagnostic>>,
    pub zone_faults: Signal<Vec<Diagnostic>>,
    pub extension_faults: Signal<Vec<Diagnostic>>,
    pub trunk_faults: Signal<Vec<Diagnostic>>,
    /// Faults of anything but columns, time zone and patterns.
    pub other_faults: Signal<Vec<Diagnostic>>,
    /// Faults of each of the first rows; empty while the columns can't be parsed.
    pub row_faults: Signal<Vec<Vec<Diagnostic>>>,
}

impl Reading {
    /// Starts with the mapping of the `last` import, or else with a guess from the column names. Calls `on_changed` when the
    /// user changes it.
    pub fn new(kind: ImportKind, sheet: Sheet, last: Option<LastMapping>, on_changed: Callback<()>) -> Self {
        let has_call_details = sheet.format == Some(Format::Asterisk);
        let guessed = guess(kind, &sheet.header);
        let last_decimal = RwSignal::new(last.as_ref().and_then(|last| last.mapping.decimal));
        // An earlier mapping that equals the guess isn't mentioned.
        let last = last.filter(|LastMapping { mapping, .. }| {
            let is_more = mapping.identifier.is_some() || mapping.default_country.is_some();
            !has_call_details && (is_more || chosen_in(mapping, &sheet.header) != guessed)
        });
        let begun = last.as_ref().map(|last| last.mapping.clone());
        let chosen = begun.as_ref().map_or_else(|| guessed.clone(), |mapping| chosen_in(mapping, &sheet.header));
        let Mapping { identifier, default_country, .. } = begun.unwrap_or_default();
        let (last, chosen) = (RwSignal::new(last), RwSignal::new(chosen));
        let identifier = RwSignal::new(identifier.unwrap_or_default());
        let country = RwSignal::new(default_country.unwrap_or_default());
        let duplicates = RwSignal::new(String::new());
        let take_guess = Callback::new(move |()| {
            last.set(None);
            last_decimal.set(None);
            chosen.set(guessed.clone());
            identifier.set(String::new());
            country.set(String::new());
            on_changed.run(());
        });
        let zone = RwSignal::new(when::time_zone());
        let (extensions, trunks) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
        let sheet = StoredValue::new(sheet);
        let lacks_key =
            Memo::new(move |_| if has_call_details { None } else { chosen.with(|chosen| key_to_map(kind, chosen)) });
        let missing_key = Memo::new(move |_| lacks_key.get().filter(|_| identifier.with(String::is_empty)));
        let amounts = Memo::new(move |_| {
            let is_one = |field: &Option<String>| kind == ImportKind::Leads && field.as_deref() == Some(AMOUNT);
            chosen.with(|chosen| chosen.iter().map(is_one).collect::<Vec<_>>())
        });
        let has_amounts = Memo::new(move |_| amounts.with(|amounts| amounts.contains(&true)));
        let is_decimal_needed = Memo::new(move |_| {
            amounts.with(|amounts| sheet.with_value(|sheet| sheet.cells_of(amounts).any(DecimalMark::is_needed)))
        });
        let chosen_decimal = RwSignal::new(None::<String>);
        let decimal = Signal::derive(move || {
            let looks_like =
                || amounts.with(|amounts| sheet.with_value(|sheet| DecimalMark::guess(sheet.cells_of(amounts))));
            chosen_decimal.get().unwrap_or_else(|| {
                looks_like().or_else(|| last_decimal.get()).map_or_else(String::new, |mark| mark.as_str().to_owned())
            })
        });
        let choose_decimal = Callback::new(move |mark| {
            chosen_decimal.set(Some(mark));
            on_changed.run(());
        });
        let numbers = Memo::new(move |_| has_call_details || chosen.with(|chosen| has_numbers(kind, chosen)));
        let mapping = Memo::new(move |_| {
            let default_country = Some(country.get()).filter(|country| !country.is_empty() && numbers.get());
            let decimal = DecimalMark::from_name(&decimal.get()).filter(|_| has_amounts.get());
            let mapping = match has_call_details {
                true => {
                    let delimiter = sheet.with_value(|sheet| sheet.delimiter);
                    Mapping {
                        format: Format::Asterisk,
                        timezone: Some(zone.get()),
                        extensions: patterns(&extensions.get()),
                        trunks: patterns(&trunks.get()),
                        delimiter,
                        ..Mapping::default()
                    }
                }
                false => sheet.with_value(|sheet| {
                    let identifier = Some(identifier.get())
                        .filter(|identifier| !identifier.is_empty() && lacks_key.with(Option::is_some));
                    Mapping { identifier, ..chosen.with(|chosen| mapping_of(sheet, chosen)) }
                }),
            };
            let duplicates = duplicates.with(|chosen| Duplicates::from_name(chosen)).unwrap_or(mapping.duplicates);
            Mapping { default_country, decimal, duplicates, ..mapping }
        });
        let left_out = Signal::derive(move || match has_call_details {
            true => sheet.with_value(|sheet| {
                let goes_nowhere = |column: &String| CallDetails::fields_from(column).next().is_none();
                sheet.header.iter().map(goes_nowhere).collect::<Vec<_>>()
            }),
            false => sheet.with_value(|sheet| {
                let identifier = mapping.with(|mapping| mapping.identifier.clone());
                let goes_nowhere =
                    |(field, own): (&Option<String>, &String)| field.is_none() && identifier.as_ref() != Some(own);
                chosen.with(|chosen| chosen.iter().zip(&sheet.header).map(goes_nowhere).collect::<Vec<_>>())
            }),
        });
        // Named columns that aren't imported are listed before the import.
        let unread = Memo::new(move |_| {
            sheet.with_value(|sheet| {
                let columns = sheet.header.iter().enumerate().zip(left_out.get()).filter(|(_, left_out)| *left_out);
                columns.map(|((place, own), _)| column_name(place, own)).collect::<Vec<_>>()
            })
        });
        let read = Memo::new(move |_| {
            sheet.with_value(|sheet| mapping.with(|mapping| preview(kind, mapping, &sheet.header, &sheet.rows)))
        });
        let column_faults = Signal::derive(move || read.get().err().unwrap_or_default());
        let other_faults = Signal::derive(move || {
            let is_other = |fault: &Diagnostic| {
                ![ZONE, EXTENSIONS, TRUNKS].iter().any(|place| stands_at(fault, place))
                    && sheet.with_value(|sheet| !is_about_column(fault, &sheet.header))
            };
            column_faults.get().into_iter().filter(is_other).collect::<Vec<_>>()
        });
        Effect::watch(
            move || (zone.get(), extensions.get(), trunks.get(), country.get()),
            move |_, _, _| on_changed.run(()),
            false,
        );
        Self {
            sheet,
            last,
            take_guess,
            chosen,
            identifier,
            country,
            duplicates,
            decimal,
            choose_decimal,
            has_amounts,
            is_decimal_needed,
            zone,
            extensions,
            trunks,
            has_call_details,
            mapping,
            lacks_key,
            missing_key,
            numbers,
            left_out,
            unread,
            column_faults,
            zone_faults: Signal::derive(move || faults_at(&column_faults.get(), ZONE)),
            extension_faults: Signal::derive(move || faults_at(&column_faults.get(), EXTENSIONS)),
            trunk_faults: Signal::derive(move || faults_at(&column_faults.get(), TRUNKS)),
            other_faults,
            row_faults: Signal::derive(move || {
                let faults = read.get().ok().unwrap_or_default();
                let errors = sheet.with_value(|sheet| sheet.errors.clone());
                let of_row = |(faults, error): (Vec<Diagnostic>, Option<RowError>)| match error {
                    Some(error) => vec![error.fault()],
                    None => faults,
                };
                faults.into_iter().zip(errors).map(of_row).collect()
            }),
        }
    }

    /// True if the file can't be imported with this mapping.
    pub fn is_faulty(self) -> bool {
        self.missing_key.with(Option::is_some) || self.column_faults.with(|faults| !faults.is_empty())
    }
}

/// Splits a typed list into patterns.
fn patterns(list: &str) -> Vec<String> {
    list.split([',', ';', ' ']).map(str::trim).filter(|pattern| !pattern.is_empty()).map(str::to_owned).collect()
}

/// Returns the mapping of the user's choices, without entries that equal the column's own name.
fn mapping_of(sheet: &Sheet, chosen: &Chosen) -> Mapping {
    let mut mapping = Mapping { delimiter: sheet.delimiter, ..Mapping::default() };
    for (own, field) in sheet.header.iter().zip(chosen) {
        if field.as_ref() != Some(own) {
            // If columns share a name, the first one decides. Two columns with the same field are refused.
            mapping.columns.entry(own.clone()).or_insert_with(|| field.clone());
        }
    }
    mapping
}

/// Returns the choices that a mapping stands for.
fn chosen_in(mapping: &Mapping, header: &[String]) -> Chosen {
    header.iter().map(|own| mapping.columns.get(own).cloned().unwrap_or_else(|| Some(own.clone()))).collect()
}

fn is_about_column(fault: &Diagnostic, header: &[String]) -> bool {
    matches!(&fault.place, Place::Column(name) if header.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapping_omits_columns_named_like_their_field() {
        let header = ["Vorname", "email", "Notiz"].map(str::to_owned).to_vec();
        let sheet = Sheet { header, ..Sheet::default() };
        let chosen = vec![Some("first_name".to_owned()), Some("email".to_owned()), None];
        let mapping = mapping_of(&sheet, &chosen);
        assert_eq!(chosen_in(&mapping, &sheet.header), chosen);
        let expected = Mapping::from_json(r#"{"columns":{"Vorname":"first_name","Notiz":null}}"#);
        assert_eq!(Ok(mapping), expected);
    }
}
