//! Column mapping: the guessed field of each column, editable, next to sample values.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, find};
use leadscribe_engine::record::{columns, has_custom_fields};
use leptos::prelude::*;

use crate::components::badge::spelled;
use crate::components::input::field::FieldFaults;
use crate::language::language;
use crate::sheet::Sheet;
use crate::texts::imports;

/// Field of each column in file order; `None` for an ignored column.
pub type Chosen = Vec<Option<String>>;

/// Value of the option that ignores a column.
const LEFT_OUT: &str = "";

/// One row per column of the file.
#[component]
pub fn ImportMapping(
    kind: ImportKind,
    sheet: StoredValue<Sheet>,
    #[prop(into)] chosen: Signal<Chosen>,
    /// Called with the index of a column and its new field.
    choose: Callback<(usize, Option<String>)>,
    /// Faults of the current mapping.
    #[prop(into)]
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let header = sheet.with_value(|sheet| sheet.header.clone());
    let rows = header.into_iter().enumerate().map(|(place, own)| {
        let samples = sheet.with_value(|sheet| sheet.samples(place));
        let samples = samples.into_iter().map(|cell| view! { <li class="sample">{cell}</li> });
        let at = Place::Column(own.clone());
        let wrong = Signal::derive(move || {
            faults.with(|faults| faults.iter().filter(|fault| fault.place == at).cloned().collect::<Vec<_>>())
        });
        let field = Memo::new(move |_| chosen.with(|chosen| chosen.get(place).cloned().flatten()));
        let label = column_name(place, &own);
        let name = imports::field_of(&label);
        view! {
            <tr data-test="mapped-column" class:is-left-out=move || field.with(Option::is_none)>
                <td class="lead-cell">
                    <span class="strong">{label}</span>
                </td>
                <td data-label=imports::values()>
                    <ul class="samples">{samples.collect_view()}</ul>
                </td>
                <td data-label=imports::goes_to() class="mapped-field">
                    <div class="stack-tight">
                        <FieldChoice kind own name field choose=Callback::new(move |field| choose.run((place, field))) />
                        <div aria-live="polite">
                            <FieldFaults faults=wrong />
                        </div>
                    </div>
                </td>
            </tr>
        }
    });
    view! {
        <div class="table-wrap">
            <table class="table mapping-table">
                <thead>
                    <tr>
                        <th scope="col">{imports::column()}</th>
                        <th scope="col">{imports::values()}</th>
                        <th scope="col">{imports::goes_to()}</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

/// Display name of a column; its number if it has no name.
pub fn column_name(place: usize, own: &str) -> String {
    if own.is_empty() { imports::nameless_column(place + 1) } else { own.to_owned() }
}

/// Label of a field. Lead fields have the same labels as in filters.
fn label(kind: ImportKind, column: &'static str) -> String {
    match find(column).filter(|_| kind == ImportKind::Leads) {
        Some(field) => field.label(language()).to_owned(),
        None => spelled(column),
    }
}

/// Chip with the name of a column in the file, shown at faults independent of the field it is mapped to.
pub fn column_chip(own: String) -> impl IntoView {
    view! {
        <code class="chip">{own}</code>
        " "
    }
}

/// Message shown while no mapped column identifies the record of a row.
pub fn key_to_map(kind: ImportKind, chosen: &Chosen) -> Option<String> {
    // One of these columns is sufficient. Campaign leads can also be identified by two columns together.
    let (other, third) = match kind {
        ImportKind::Campaigns => ("name", None),
        ImportKind::Leads | ImportKind::Calls => ("original_identifier", None),
        ImportKind::CampaignLeads => ("lead_id", Some("campaign_id")),
    };
    let has = |wanted: &str| chosen.iter().flatten().any(|field| field == wanted);
    let text = |column| label(kind, column);
    if has("id") || (has(other) && third.is_none_or(has)) {
        return None;
    }
    Some(match third {
        None => imports::map_one(text("id"), text(other)),
        Some(third) => imports::map_one_or_both(text("id"), text(other), text(third)),
    })
}

/// Choice of a field. A native `<select>`, for keyboard search and the mobile picker.
#[component]
fn FieldChoice(
    kind: ImportKind,
    own: String,
    name: String,
    field: Memo<Option<String>>,
    choose: Callback<Option<String>>,
) -> impl IntoView {
    let own_field = (has_custom_fields(kind) && !own.is_empty()).then(|| match own.strip_prefix(CUSTOM_PREFIX) {
        Some(_) => own.clone(),
        None => format!("{CUSTOM_PREFIX}{own}"),
    });
    let is_chosen = move |value: &str| field.with(|field| field.as_deref().unwrap_or(LEFT_OUT) == value);
    let options = columns(kind).into_iter().map(|column| {
        view! {
            <option value=column selected=move || is_chosen(column)>
                {label(kind, column)}
            </option>
        }
    });
    let own_option = own_field.map(|value| {
        let name = imports::custom_field(value.strip_prefix(CUSTOM_PREFIX).unwrap_or_default());
        let shown = value.clone();
        view! {
            <optgroup label=imports::custom()>
                <option value=value selected=move || is_chosen(&shown)>
                    {name}
                </option>
            </optgroup>
        }
    });
    view! {
        <select
            class="select"
            aria-label=name
            data-test="mapped-field"
            prop:value=move || field.get().unwrap_or_default()
            on:change:target=move |event| {
                let value = event.target().value();
                choose.run((value != LEFT_OUT).then_some(value));
            }
        >
            <option value=LEFT_OUT selected=move || is_chosen(LEFT_OUT)>
                {imports::leave_out()}
            </option>
            <optgroup label=imports::fields(kind)>{options.collect_view()}</optgroup>
            {own_option}
        </select>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requires_an_identifier_column() {
        let missing = |kind, fields: &[&str]| {
            let chosen = fields.iter().map(|field| Some((*field).to_owned())).chain([None]).collect();
            key_to_map(kind, &chosen)
        };
        let of_leads = "Map a column to “Lead ID” or “Original identifier” to identify each row.";
        assert_eq!(missing(ImportKind::Leads, &["first_name", "name"]).as_deref(), Some(of_leads));
        assert_eq!(missing(ImportKind::Leads, &["original_identifier"]), None);
        assert_eq!(missing(ImportKind::Campaigns, &["name"]), None);
        assert_eq!(missing(ImportKind::Calls, &["id"]), None);
        let of_both = "Map a column to “Id”, or columns to “Lead id” and “Campaign id”, to identify each row.";
        assert_eq!(missing(ImportKind::CampaignLeads, &["lead_id"]).as_deref(), Some(of_both));
        assert_eq!(missing(ImportKind::CampaignLeads, &["lead_id", "campaign_id"]), None);
    }
}
