//! What a file can't say itself: by which of its columns rows are told apart, and of which country its phone numbers are.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::country;
use leptos::prelude::*;

use super::chip_picker::Choice;
use super::field::Field;
use super::import_mapping::Chosen;
use crate::display_names::Named;
use crate::sheet::Sheet;
use crate::texts::imports;

/// Whether things of a kind are known by what another system calls them.
pub fn can_be_identified(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Leads | ImportKind::Calls)
}

/// The choice of a column that tells rows apart, where none is about that.
#[component]
pub fn IdentifierChoice(
    sheet: StoredValue<Sheet>,
    identifier: RwSignal<Option<String>>,
    identify: Callback<Option<String>>,
) -> impl IntoView {
    let names =
        sheet.with_value(|sheet| sheet.header.iter().filter(|name| !name.is_empty()).cloned().collect::<Vec<_>>());
    let options = names.into_iter().map(|name| (name.clone(), name)).collect();
    view! {
        <Field id="import-identifier" label=imports::known_by() hint=imports::known_by_hint()>
            {choice("import-identifier", imports::choose_column(), options, identifier, identify)}
        </Field>
    }
    .into_any()
}

/// The choice of the country that phone numbers without one are of; none of them leaves it to the server.
#[component]
pub fn CountryChoice(country: RwSignal<Option<String>>) -> impl IntoView {
    let options = Named::Country.listed(country::codes().map(str::to_owned));
    let choose = Callback::new(move |code| country.set(code));
    view! {
        <Field id="import-country" label=imports::country_of_numbers() hint=imports::country_of_numbers_hint()>
            {choice("import-country", imports::as_on_server(), options, country, choose)}
        </Field>
    }
    .into_any()
}

/// A list to choose one of, or `none` of.
fn choice(
    id: &'static str,
    none: &'static str,
    options: Vec<Choice>,
    chosen: RwSignal<Option<String>>,
    choose: Callback<Option<String>>,
) -> AnyView {
    let options = options.into_iter().map(|(value, name)| {
        let own = value.clone();
        let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&own));
        view! {
            <option value=value selected=is_chosen>
                {name}
            </option>
        }
    });
    view! {
        <select
            id=id
            class="select"
            aria-describedby=format!("{id}-note")
            data-test=id
            on:change:target=move |event| choose.run(Some(event.target().value()).filter(|value| !value.is_empty()))
        >
            <option value="">{none}</option>
            {options.collect_view()}
        </select>
    }
    .into_any()
}

/// Whether rows of a kind have phone numbers, which `chosen` takes.
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
    fn a_country_is_asked_for_where_there_are_numbers() {
        let asked = |kind, field: &str| has_numbers(kind, &vec![None, Some(field.to_owned())]);
        assert!(asked(ImportKind::Leads, "phone2") && asked(ImportKind::Calls, "callee_number"));
        assert!(!asked(ImportKind::Leads, "email") && !asked(ImportKind::Calls, "phone"));
        assert!(!asked(ImportKind::Campaigns, "phone"));
    }
}
