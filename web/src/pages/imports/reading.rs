//! How a file that was picked is read: what each column goes to, and what the engine says of that as it is chosen.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::RowError;
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::record::{CallDetails, DecimalMark, Duplicates, Format, Mapping, guess, preview};
use leptos::prelude::*;

use crate::components::import::choices::has_numbers;
use crate::components::import::mapping::{Chosen, column_name, key_to_map};
use crate::faults::{faults_at, stands_at};
use crate::last_mapping::LastMapping;
use crate::sheet::Sheet;
use crate::when;

/// The field whose numbers may have thousands and a fraction.
const AMOUNT: &str = "purchase_amount";

/// Where the time zone of call detail records stands in a mapping.
const ZONE: &str = "/timezone";

/// And the patterns of extensions and trunks.
const EXTENSIONS: &str = "/extensions";
const TRUNKS: &str = "/trunks";

/// What was chosen for a file, and what comes of it; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Reading {
    pub sheet: StoredValue<Sheet>,
    /// What it began with: the mapping of an import before, as long as nobody wants the guess instead.
    pub last: RwSignal<Option<LastMapping>>,
    /// Begins anew, with the guess.
    pub take_guess: Callback<()>,
    /// What each column goes to.
    pub chosen: RwSignal<Chosen>,
    /// The column by which rows are told apart where no field does.
    pub identifier: RwSignal<String>,
    /// The country of numbers that name none.
    pub country: RwSignal<String>,
    /// The chosen name of [`Duplicates`]; empty for the default.
    pub duplicates: RwSignal<String>,
    /// How amounts are written, as somebody chose it or as they look: `,`, `.` or nothing.
    pub decimal: Signal<String>,
    /// Chooses it.
    pub choose_decimal: Callback<String>,
    /// Whether any column goes to an amount.
    pub has_amounts: Memo<bool>,
    /// Whether an amount means one thing or another by how they are written.
    pub is_decimal_needed: Memo<bool>,
    /// The time zone of call detail records.
    pub zone: RwSignal<String>,
    /// Patterns of the extensions in call detail records, with commas between them.
    pub extensions: RwSignal<String>,
    /// Patterns of the trunks.
    pub trunks: RwSignal<String>,
    /// Whether these are call detail records, whose columns are known.
    pub has_call_details: bool,
    pub mapping: Memo<Mapping>,
    /// Why no field tells rows apart.
    pub lacks_key: Memo<Option<String>>,
    /// The same, as long as no other column does.
    pub missing_key: Memo<Option<String>>,
    /// Whether phone numbers are among what goes in.
    pub numbers: Memo<bool>,
    /// Whether each column goes nowhere.
    pub left_out: Signal<Vec<bool>>,
    /// Those that do, by name.
    pub unread: Memo<Vec<String>>,
    /// What is wrong with the columns, or with the mapping of them.
    pub column_faults: Signal<Vec<Fault>>,
    pub zone_faults: Signal<Vec<Fault>>,
    pub extension_faults: Signal<Vec<Fault>>,
    pub trunk_faults: Signal<Vec<Fault>>,
    /// What is wrong with neither a column nor the time zone.
    pub other_faults: Signal<Vec<Fault>>,
    /// What is wrong with each of the first rows; nothing while the columns can't be read.
    pub row_faults: Signal<Vec<Vec<Fault>>>,
}

impl Reading {
    /// As in the `last` import of such a file, or else as the names of the columns suggest; `on_changed` is told when somebody
    /// chooses otherwise.
    pub fn new(kind: ImportKind, sheet: Sheet, last: Option<LastMapping>, on_changed: Callback<()>) -> Self {
        let has_call_details = sheet.format == Some(Format::Asterisk);
        let guessed = guess(kind, &sheet.header);
        let last_decimal = RwSignal::new(last.as_ref().and_then(|last| last.mapping.decimal));
        // Nothing is to be told of one that says no more than the guess.
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
        // What is in a file with names of its own and goes nowhere is told before, by name.
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
            let is_other = |fault: &Fault| {
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
                let of_row = |(faults, error): (Vec<Fault>, Option<RowError>)| match error {
                    Some(error) => vec![error.fault()],
                    None => faults,
                };
                faults.into_iter().zip(errors).map(of_row).collect()
            }),
        }
    }

    /// Whether it can't go in as it is read now.
    pub fn is_faulty(self) -> bool {
        self.missing_key.with(Option::is_some) || self.column_faults.with(|faults| !faults.is_empty())
    }
}

/// The patterns of a list that was typed.
fn patterns(list: &str) -> Vec<String> {
    list.split([',', ';', ' ']).map(str::trim).filter(|pattern| !pattern.is_empty()).map(str::to_owned).collect()
}

/// The mapping that says what was chosen, and nothing that the names of the columns say already.
fn mapping_of(sheet: &Sheet, chosen: &Chosen) -> Mapping {
    let mut mapping = Mapping { delimiter: sheet.delimiter, ..Mapping::default() };
    for (own, field) in sheet.header.iter().zip(chosen) {
        if field.as_ref() != Some(own) {
            // Of columns with one name the first says what all of them are about; two that are about the same are refused.
            mapping.columns.entry(own.clone()).or_insert_with(|| field.clone());
        }
    }
    mapping
}

/// What was chosen where a mapping says this.
fn chosen_in(mapping: &Mapping, header: &[String]) -> Chosen {
    header.iter().map(|own| mapping.columns.get(own).cloned().unwrap_or_else(|| Some(own.clone()))).collect()
}

fn is_about_column(fault: &Fault, header: &[String]) -> bool {
    matches!(&fault.place, Place::Column(name) if header.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_says_what_the_names_do_not() {
        let header = ["Vorname", "email", "Notiz"].map(str::to_owned).to_vec();
        let sheet = Sheet { header, ..Sheet::default() };
        let chosen = vec![Some("first_name".to_owned()), Some("email".to_owned()), None];
        let mapping = mapping_of(&sheet, &chosen);
        assert_eq!(chosen_in(&mapping, &sheet.header), chosen);
        let expected = Mapping::from_json(r#"{"columns":{"Vorname":"first_name","Notiz":null}}"#);
        assert_eq!(Ok(mapping), expected);
    }
}
