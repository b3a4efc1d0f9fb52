//! Settings that the file itself doesn't contain: the identifier column, the country of phone numbers and the decimal mark.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::country;
use leadscribe_engine::record::{DecimalMark, Duplicates};
use leptos::prelude::*;

use super::mapping::Chosen;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::chip_picker::Choice;
use crate::components::input::field::Field;
use crate::components::input::filter_inputs::Pick;
use crate::display_names::Named;
use crate::sheet::Sheet;
use crate::texts::imports;

/// True if records of this kind can have an identifier from another system.
pub fn can_be_identified(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Leads | ImportKind::Calls)
}

/// Choice of the identifier column, if no column is mapped to it.
#[component]
pub fn IdentifierChoice(
    sheet: StoredValue<Sheet>,
    /// Empty until one is chosen.
    identifier: RwSignal<String>,
    identify: Callback<String>,
) -> impl IntoView {
    let names =
        sheet.with_value(|sheet| sheet.header.iter().filter(|name| !name.is_empty()).cloned().collect::<Vec<_>>());
    let columns = Signal::stored(names.into_iter().map(|name| (name.clone(), name)).collect::<Vec<Choice>>());
    view! {
        <Field id="import-identifier" label=imports::known_by() hint=imports::known_by_hint()>
            <Pick
                id="import-identifier"
                label=imports::known_by()
                none=imports::choose_column()
                choices=columns
                value=identifier
                set=identify
            />
        </Field>
    }
    .into_any()
}

/// Choice of the country of phone numbers without a country code. Empty means the server's default.
#[component]
pub fn CountryChoice(country: RwSignal<String>) -> impl IntoView {
    let countries = Signal::stored(Named::Country.listed(country::codes().map(str::to_owned)));
    let choose = Callback::new(move |code| country.set(code));
    view! {
        <Field id="import-country" label=imports::country_of_numbers() hint=imports::country_of_numbers_hint()>
            <Pick
                id="import-country"
                label=imports::country_of_numbers()
                none=imports::as_on_server()
                choices=countries
                value=country
                set=choose
            />
        </Field>
    }
    .into_any()
}

/// Choice of the decimal mark: `,` or `.`, or empty if both are accepted.
#[component]
pub fn DecimalChoice(
    decimal: Signal<String>,
    set: Callback<String>,
    /// True if the choice affects the meaning of an amount.
    is_needed: Memo<bool>,
) -> impl IntoView {
    let way = |mark: DecimalMark, example: &str| (mark.as_str().to_owned(), example.to_owned());
    let ways = vec![way(DecimalMark::Comma, "1.234,56"), way(DecimalMark::Point, "1,234.56")];
    view! {
        <Field id="import-decimal" label=imports::numbers_written() hint=imports::numbers_written_hint()>
            <Pick
                id="import-decimal"
                label=imports::numbers_written()
                none=imports::either_way()
                choices=Signal::stored(ways)
                value=decimal
                set
            />
            <Show when=move || is_needed.get() && decimal.with(String::is_empty)>
                <p class="field-fault" role="status" data-test="decimal-needed">
                    <Icon glyph=Glyph::Alert />
                    <span>{imports::choose_how_numbers_are_written()}</span>
                </p>
            </Show>
        </Field>
    }
    .into_any()
}

/// Choice of how rows about the same record are handled. Empty means that the first row is imported.
#[component]
pub fn DuplicatesChoice(duplicates: RwSignal<String>, set: Callback<String>) -> impl IntoView {
    let none = vec![(Duplicates::Refused.as_str().to_owned(), imports::none_goes_in().to_owned())];
    view! {
        <Field id="import-duplicates" label=imports::duplicates() hint=imports::duplicates_hint()>
            <Pick
                id="import-duplicates"
                label=imports::duplicates()
                none=imports::first_goes_in()
                choices=Signal::stored(none)
                value=duplicates
                set
            />
        </Field>
    }
    .into_any()
}

/// True if a mapped column contains phone numbers.
pub fn has_numbers(kind: ImportKind, chosen: &Chosen) -> bool {
    let is_number = |field: &String| match kind {
        ImportKind::Leads => ["phone", "phone2"].contains(&field.as_str()),
        ImportKind::Calls => ["caller_number", "callee_number"].contains(&field.as_str()),
        ImportKind::Campaigns | ImportKind::CampaignLeads => false,
    };
    chosen.iter().flatten().any(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_for_country_if_phone_numbers_are_mapped() {
        let asked = |kind, field: &str| has_numbers(kind, &vec![None, Some(field.to_owned())]);
        assert!(asked(ImportKind::Leads, "phone2") && asked(ImportKind::Calls, "callee_number"));
        assert!(!asked(ImportKind::Leads, "email") && !asked(ImportKind::Calls, "phone"));
        assert!(!asked(ImportKind::Campaigns, "phone"));
    }
}
