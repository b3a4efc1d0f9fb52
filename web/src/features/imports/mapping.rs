//! Column mapping: the guessed field of each column, editable, next to sample values. The browser stores mappings per
//! user: the next file of the same kind with the same columns starts with the stored mapping.

use leadscribe_engine::api::{ImportKind, Timestamp, UserId};
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, find};
use leadscribe_engine::record::{Mapping, column_names, has_custom_fields};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::browser::storage;
use crate::features::imports::csv_table::CsvTable;
use crate::i18n::texts::{common, imports};
use crate::i18n::{datetime, language};
use crate::ui::humanize;
use crate::ui::input::FieldDiagnostics;

/// Field of each column in file order; `None` for an ignored column.
pub type ColumnMapping = Vec<Option<String>>;

/// Value of the option that ignores a column.
const IGNORED_OPTION: &str = "";

/// One row per column of the file.
#[component]
pub fn ImportMapping(
    kind: ImportKind,
    table: StoredValue<CsvTable>,
    mapping: RwSignal<ColumnMapping>,
    /// Diagnostics of the current mapping.
    #[prop(into)]
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let header = table.with_value(|table| table.header.clone());
    let rows = header.into_iter().enumerate().map(|(index, header_name)| {
        let samples = table.with_value(|table| table.samples(index));
        let samples = samples.into_iter().map(|cell| view! { <li class="sample">{cell}</li> });
        let location = Location::Column(header_name.clone());
        let column_diagnostics = Signal::derive(move || {
            diagnostics.get().into_iter().filter(|diagnostic| diagnostic.location == location).collect::<Vec<_>>()
        });
        let field = Memo::new(move |_| mapping.with(|mapping| mapping.get(index).cloned().flatten()));
        let label = column_name(index, &header_name);
        let name = imports::field_of(&label);
        let on_choose = Callback::new(move |field| mapping.update(|mapping| mapping[index] = field));
        view! {
            <tr data-test="mapped-column" class:is-ignored=move || field.with(Option::is_none)>
                <td class="lead-cell">
                    <span class="strong">{label}</span>
                </td>
                <td data-label=imports::values()>
                    <ul class="row small secondary samples">{samples.collect_view()}</ul>
                </td>
                <td data-label=common::field() class="mapped-field">
                    <div class="stack-tight">
                        <FieldChoice kind header_name name field on_choose />
                        <div aria-live="polite">
                            <FieldDiagnostics diagnostics=column_diagnostics />
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
                        <th scope="col">{common::field()}</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

/// Display name of a column; its number if it has no name.
pub fn column_name(index: usize, header_name: &str) -> String {
    if header_name.is_empty() { imports::unnamed_column(index + 1) } else { header_name.to_owned() }
}

/// Label of a field. Lead fields have the same labels as in filters.
fn field_label(kind: ImportKind, column: &'static str) -> String {
    match find(column).filter(|_| kind == ImportKind::Leads) {
        Some(field) => field.label(language()).to_owned(),
        None => humanize(column),
    }
}

/// Chip with a column's name in the file, shown next to diagnostics of that column.
pub fn column_chip(header_name: String) -> impl IntoView {
    view! {
        <code class="chip">{header_name}</code>
        " "
    }
}

/// Message shown while no mapped column identifies the record of a row.
pub fn missing_key_message(kind: ImportKind, mapping: &ColumnMapping) -> Option<String> {
    // One of these columns is sufficient. Campaign leads can also be identified by two columns together.
    let (other, third) = match kind {
        ImportKind::Campaigns => ("name", None),
        ImportKind::Leads | ImportKind::Calls => ("original_identifier", None),
        ImportKind::CampaignLeads => ("lead_id", Some("campaign_id")),
    };
    let is_mapped = |name: &str| mapping.iter().flatten().any(|field| field == name);
    let label = |column| field_label(kind, column);
    if is_mapped("id") || (is_mapped(other) && third.is_none_or(is_mapped)) {
        return None;
    }
    Some(match third {
        None => imports::map_one(label("id"), label(other)),
        Some(third) => imports::map_one_or_both(label("id"), label(other), label(third)),
    })
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

/// Choice of a field. A native `<select>`, for keyboard search and the mobile picker.
#[component]
fn FieldChoice(
    kind: ImportKind,
    header_name: String,
    name: String,
    field: Memo<Option<String>>,
    on_choose: Callback<Option<String>>,
) -> impl IntoView {
    let custom_name = header_name.strip_prefix(CUSTOM_PREFIX).unwrap_or(&header_name);
    let custom_name = (has_custom_fields(kind) && !header_name.is_empty()).then(|| custom_name.to_owned());
    let is_chosen = move |value: &str| field.with(|field| field.as_deref().unwrap_or(IGNORED_OPTION) == value);
    let options = column_names(kind).into_iter().map(|column| {
        view! {
            <option value=column selected=move || is_chosen(column)>
                {field_label(kind, column)}
            </option>
        }
    });
    let custom_option = custom_name.map(|name| {
        let value = format!("{CUSTOM_PREFIX}{name}");
        view! {
            <optgroup label=imports::custom()>
                <option value=value.clone() selected=move || is_chosen(&value)>
                    {common::custom_field_named(name)}
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
                on_choose.run((value != IGNORED_OPTION).then_some(value));
            }
        >
            <option value=IGNORED_OPTION selected=move || is_chosen(IGNORED_OPTION)>
                {imports::do_not_import()}
            </option>
            <optgroup label=imports::fields_heading(kind)>{options.collect_view()}</optgroup>
            {custom_option}
        </select>
    }
}

/// Maximum number of stored mappings.
const MAX_STORED_MAPPINGS: usize = 20;

/// Mapping of an import that was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastMapping {
    pub stored_at: Timestamp,
    pub mapping: Mapping,
    kind: ImportKind,
    /// Names of the file's columns, sorted.
    names: Vec<String>,
}

impl LastMapping {
    fn new(kind: ImportKind, header: &[String], mapping: Mapping, stored_at: Timestamp) -> Self {
        let mut names = header.to_vec();
        names.sort();
        Self { stored_at, mapping, kind, names }
    }

    fn has_same_columns(&self, other: &Self) -> bool {
        (self.kind, &self.names) == (other.kind, &other.names)
    }
}

/// Returns the mapping of the last file with these columns, in any order.
pub fn load_last_mapping(user: UserId, kind: ImportKind, header: &[String]) -> Option<LastMapping> {
    let key = LastMapping::new(kind, header, Mapping::default(), Timestamp::default());
    load_all(user).into_iter().find(|mapping| mapping.has_same_columns(&key))
}

/// Stores a mapping. It replaces the mapping of the last file with the same columns.
pub fn store_last_mapping(user: UserId, kind: ImportKind, header: &[String], mapping: Mapping) {
    let mut mappings = load_all(user);
    insert(&mut mappings, LastMapping::new(kind, header, mapping, datetime::now()));
    storage::store(&storage_key(user), &mappings);
}

fn insert(mappings: &mut Vec<LastMapping>, new: LastMapping) {
    mappings.retain(|mapping| !mapping.has_same_columns(&new));
    mappings.insert(0, new);
    mappings.truncate(MAX_STORED_MAPPINGS);
}

fn load_all(user: UserId) -> Vec<LastMapping> {
    storage::load(&storage_key(user)).unwrap_or_default()
}

fn storage_key(user: UserId) -> String {
    format!("leadscribe.mappings.{user}")
}

#[cfg(test)]
mod tests {
    use crate::features::imports::mapping::*;

    #[test]
    fn requires_an_identifier_column() {
        let missing = |kind, fields: &[&str]| {
            let mapping = fields.iter().map(|field| Some((*field).to_owned())).chain([None]).collect();
            missing_key_message(kind, &mapping)
        };
        let lead_message = "Map a column to “Lead ID” or “Original identifier” to identify each row.";
        assert_eq!(missing(ImportKind::Leads, &["first_name", "name"]).as_deref(), Some(lead_message));
        assert_eq!(missing(ImportKind::Leads, &["original_identifier"]), None);
        let campaign_lead_message =
            "Map a column to “ID”, or columns to “Lead ID” and “Campaign ID”, to identify each row.";
        assert_eq!(missing(ImportKind::CampaignLeads, &["lead_id"]).as_deref(), Some(campaign_lead_message));
        assert_eq!(missing(ImportKind::CampaignLeads, &["lead_id", "campaign_id"]), None);
    }

    #[test]
    fn keeps_the_last_mapping_for_the_same_columns() {
        let mapping = |kind, names: &[&str]| {
            let header: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            LastMapping::new(kind, &header, Mapping::default(), Timestamp::default())
        };
        let mut mappings = Vec::new();
        for new in [
            mapping(ImportKind::Leads, &["No", "Name"]),
            mapping(ImportKind::Calls, &["No", "Name"]),
            mapping(ImportKind::Leads, &["No", "Name", "Town"]),
            mapping(ImportKind::Leads, &["Name", "No"]),
        ] {
            insert(&mut mappings, new);
        }
        let stored: Vec<_> = mappings.iter().map(|mapping| (mapping.kind, mapping.names.len())).collect();
        assert_eq!(stored, [(ImportKind::Leads, 2), (ImportKind::Leads, 3), (ImportKind::Calls, 2)]);
        for number in 0..MAX_STORED_MAPPINGS {
            insert(&mut mappings, mapping(ImportKind::Leads, &[&number.to_string()]));
        }
        assert_eq!((mappings.len(), &*mappings[0].names[0]), (MAX_STORED_MAPPINGS, "19"));
    }
}
