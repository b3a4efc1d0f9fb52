//! Settings that the file itself doesn't contain: the identifier column, the country of phone numbers, the decimal
//! mark, the handling of duplicates, and the campaign and initial status of the leads.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::country;
use leadscribe_engine::record::{DecimalMark, Duplicates};
use leptos::prelude::*;

use super::mapping_form::MappingForm;
use crate::api::use_api;
use crate::i18n::texts::imports;
use crate::state::ApiResource;
use crate::ui::filter_editor::Names;
use crate::ui::input::{Choice, FieldError, SelectField};
use crate::ui::{CodeKind, ErrorNotice};

/// True if records of this kind can have an identifier from another system.
pub fn supports_identifier(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Leads | ImportKind::Calls)
}

/// Choice of a setting. `texts` are its label, its hint and the label of the empty option.
fn setting(id: &'static str, texts: [&'static str; 3], choices: Vec<Choice>, value: RwSignal<String>) -> AnyView {
    let ([label, hint, empty_label], choices) = (texts, Signal::stored(choices));
    view! { <SelectField id label hint empty_label choices value set=move |name| value.set(name) /> }.into_any()
}

/// Choice of the identifier column, if no column is mapped to it.
pub fn identifier_choice(form: MappingForm) -> AnyView {
    let names = form.table.with_value(|table| table.header.clone()).into_iter().filter(|name| !name.is_empty());
    let choices = names.map(|name| (name.clone(), name)).collect();
    let texts = [imports::identifier_column(), imports::identifier_column_hint(), imports::choose_column()];
    setting("import-identifier", texts, choices, form.identifier)
}

/// Choice of the country of phone numbers without a country code. Empty means the server's default.
pub fn country_choice(form: MappingForm) -> AnyView {
    let choices = CodeKind::Country.sorted_choices(country::codes().map(str::to_owned));
    let texts = [imports::country_of_numbers(), imports::country_of_numbers_hint(), imports::server_default()];
    setting("import-country", texts, choices, form.country)
}

/// Choice of how rows about the same record are handled. Empty means that the first row is imported.
pub fn duplicates_choice(form: MappingForm) -> AnyView {
    let choices = vec![(Duplicates::RejectAll.as_str().to_owned(), imports::import_no_duplicates().to_owned())];
    let texts = [imports::duplicates(), imports::duplicates_hint(), imports::import_first_duplicate()];
    setting("import-duplicates", texts, choices, form.duplicates)
}

/// Choice of the decimal mark: `,` or `.`, or empty if both are accepted.
pub fn decimal_choice(form: MappingForm) -> AnyView {
    let choice = |mark: DecimalMark, example: &str| (mark.as_str().to_owned(), example.to_owned());
    let choices = Signal::stored(vec![choice(DecimalMark::Comma, "1.234,56"), choice(DecimalMark::Point, "1,234.56")]);
    let (label, hint, value) = (imports::number_format(), imports::number_format_hint(), form.decimal);
    let set = move |mark| form.chosen_decimal.set(Some(mark));
    let is_needed = Memo::new(move |_| value.with(String::is_empty) && form.is_decimal_needed());
    let empty_label = imports::automatic_number_format();
    view! {
        <SelectField id="import-decimal" label hint empty_label choices value set>
            <Show when=move || is_needed.get()>
                <FieldError role="status" test_id="decimal-needed">
                    {imports::number_format_required()}
                </FieldError>
            </Show>
        </SelectField>
    }
    .into_any()
}

/// Choices of the campaign that imported leads are added to, and of their initial status. Both are optional.
#[component]
pub fn TargetChoice(
    /// Id of the campaign.
    campaign: RwSignal<String>,
    /// Name of the status; empty for the default.
    status: RwSignal<String>,
) -> impl IntoView {
    let api = use_api();
    let campaigns = ApiResource::requested(api.campaigns());
    let statuses = ApiResource::requested(api.statuses());
    let names = Names::from_resources(campaigns, statuses);
    let set_campaign = move |id: String| {
        if id.is_empty() {
            status.set(String::new());
        }
        campaign.set(id);
    };
    view! {
        <SelectField
            id="import-campaign"
            label=imports::add_to_campaign()
            hint=imports::add_to_campaign_hint()
            empty_label=imports::no_campaign()
            choices=Signal::derive(move || names.with(Names::campaign_choices))
            value=campaign
            set=set_campaign
        />
        <Show when=move || !campaign.with(String::is_empty)>
            <SelectField
                id="import-status"
                label=imports::initial_status()
                empty_label=imports::default_status()
                choices=Signal::derive(move || names.with(Names::status_choices))
                value=status
                set=move |name| status.set(name)
            />
        </Show>
        {move || campaigns.error.get().or_else(|| statuses.error.get()).map(|error| view! { <ErrorNotice error /> })}
    }
}
