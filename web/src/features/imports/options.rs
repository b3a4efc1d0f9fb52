//! Settings that the file itself doesn't contain: the identifier column, the country of phone numbers and the decimal mark.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::country;
use leadscribe_engine::record::{DecimalMark, Duplicates};
use leptos::prelude::*;

use super::mapping::ColumnMapping;
use crate::features::imports::csv_preview::CsvPreview;
use crate::i18n::texts::imports;
use crate::ui::display_names::CodeKind;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::chip_picker::Choice;
use crate::ui::input::field::Field;
use crate::ui::input::filter_inputs::Select;

/// True if records of this kind can have an identifier from another system.
pub fn supports_identifier(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Leads | ImportKind::Calls)
}

/// Choice of the identifier column, if no column is mapped to it.
#[component]
pub fn IdentifierChoice(
    sheet: StoredValue<CsvPreview>,
    /// Empty until one is chosen.
    identifier: RwSignal<String>,
    on_choose: Callback<String>,
) -> impl IntoView {
    let names =
        sheet.with_value(|sheet| sheet.header.iter().filter(|name| !name.is_empty()).cloned().collect::<Vec<_>>());
    let columns = Signal::stored(names.into_iter().map(|name| (name.clone(), name)).collect::<Vec<Choice>>());
    view! {
        <Field id="import-identifier" label=imports::identifier_column() hint=imports::identifier_column_hint()>
            <Select
                id="import-identifier"
                label=imports::identifier_column()
                empty_label=imports::choose_column()
                choices=columns
                value=identifier
                set=on_choose
            />
        </Field>
    }
    .into_any()
}

/// Choice of the country of phone numbers without a country code. Empty means the server's default.
#[component]
pub fn CountryChoice(country: RwSignal<String>) -> impl IntoView {
    let countries = Signal::stored(CodeKind::Country.sorted_choices(country::codes().map(str::to_owned)));
    let choose = Callback::new(move |code| country.set(code));
    view! {
        <Field id="import-country" label=imports::country_of_numbers() hint=imports::country_of_numbers_hint()>
            <Select
                id="import-country"
                label=imports::country_of_numbers()
                empty_label=imports::server_default()
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
    let option = |mark: DecimalMark, example: &str| (mark.as_str().to_owned(), example.to_owned());
    let options = vec![option(DecimalMark::Comma, "1.234,56"), option(DecimalMark::Point, "1,234.56")];
    view! {
        <Field id="import-decimal" label=imports::number_format() hint=imports::number_format_hint()>
            <Select
                id="import-decimal"
                label=imports::number_format()
                empty_label=imports::automatic_number_format()
                choices=Signal::stored(options)
                value=decimal
                set
            />
            <Show when=move || is_needed.get() && decimal.with(String::is_empty)>
                <p class="field-error" role="status" data-test="decimal-needed">
                    <Icon glyph=Glyph::Alert />
                    <span>{imports::number_format_required()}</span>
                </p>
            </Show>
        </Field>
    }
    .into_any()
}

/// Choice of how rows about the same record are handled. Empty means that the first row is imported.
#[component]
pub fn DuplicatesChoice(duplicates: RwSignal<String>, set: Callback<String>) -> impl IntoView {
    let options = vec![(Duplicates::RejectAll.as_str().to_owned(), imports::import_no_duplicates().to_owned())];
    view! {
        <Field id="import-duplicates" label=imports::duplicates() hint=imports::duplicates_hint()>
            <Select
                id="import-duplicates"
                label=imports::duplicates()
                empty_label=imports::import_first_duplicate()
                choices=Signal::stored(options)
                value=duplicates
                set
            />
        </Field>
    }
    .into_any()
}

/// True if a mapped column contains phone numbers.
pub fn has_phone_numbers(kind: ImportKind, mapping: &ColumnMapping) -> bool {
    let is_number = |field: &String| match kind {
        ImportKind::Leads => ["phone", "phone2"].contains(&field.as_str()),
        ImportKind::Calls => ["caller_number", "callee_number"].contains(&field.as_str()),
        ImportKind::Campaigns | ImportKind::CampaignLeads => false,
    };
    mapping.iter().flatten().any(is_number)
}

#[cfg(test)]
mod tests {
    use crate::features::imports::options::*;

    #[test]
    fn asks_for_country_if_phone_numbers_are_mapped() {
        let needs_country = |kind, field: &str| has_phone_numbers(kind, &vec![None, Some(field.to_owned())]);
        assert!(needs_country(ImportKind::Leads, "phone2") && needs_country(ImportKind::Calls, "callee_number"));
        assert!(!needs_country(ImportKind::Leads, "email") && !needs_country(ImportKind::Calls, "phone"));
        assert!(!needs_country(ImportKind::Campaigns, "phone"));
    }
}
