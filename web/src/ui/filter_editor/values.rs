//! Value input of a condition, depending on the field and the operator.

use leadscribe_engine::api::{CallStatus, FieldValue, NotCallableCode};
use leadscribe_engine::filter::fields::{FieldId, Kind, find};
use leadscribe_engine::filter::form::FormRow;
use leadscribe_engine::filter::{Arity, Operator};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::lines::field_kind;
use super::value_list::{DateTimeListInput, DateTimeValueInput, TextListInput};
use super::{Names, ValueSource};
use crate::i18n::texts::{common, filter};
use crate::i18n::{datetime, language, number_format};
use crate::ui::input::{ChipPicker, Choice, Select};
use crate::ui::{BadgeState, humanize};

/// Maximum number of values that the server counts for a field.
const MAX_COUNTED_VALUES: usize = 100;

/// True if the values of this key's field are picked by name.
pub fn has_options(key: &str) -> bool {
    find(key).is_some_and(|field| {
        !field.permitted.is_empty() || matches!(field.id, FieldId::CampaignId | FieldId::CampaignName | FieldId::Status)
    })
}

/// Values to pick from for this key's field.
fn options(key: &str, names: &Names) -> Vec<Choice> {
    let Some(field) = find(key) else { return Vec::new() };
    match field.id {
        FieldId::CampaignId => names.campaign_choices(),
        FieldId::CampaignName => names.campaigns.iter().map(|it| (it.name.clone(), it.name.clone())).collect(),
        FieldId::Status => names.status_choices(),
        _ => field.permitted.iter().map(|name| (name.to_string(), permitted_label(name))).collect(),
    }
}

/// Label of a value from a closed list.
fn permitted_label(name: &str) -> String {
    match (CallStatus::from_name(name), NotCallableCode::from_name(name)) {
        (Some(status), _) => status.state_label().to_owned(),
        (None, Some(reason)) => reason.label(language()).to_owned(),
        (None, None) => humanize(name),
    }
}

#[component]
pub fn ValueInput(
    key: String,
    operator: Operator,
    test: Memo<FormRow>,
    names: Signal<Names>,
    change: Callback<FormRow>,
) -> impl IntoView {
    let set = Callback::new(move |values: Vec<String>| change.run(FormRow { values, ..test.get_untracked() }));
    let values = Signal::derive(move || test.with(|test| test.values.clone()));
    let set_one = Callback::new(move |value| set.run(vec![value]));
    let value = Signal::derive(move || test.with(|test| test.values.first().cloned().unwrap_or_default()));
    let kind = field_kind(&key);
    let multiple = operator == Operator::In;
    match (operator.arity(), kind) {
        (Arity::Boolean, _) | (_, Kind::Boolean) => {
            let choices = [("true", filter::yes()), ("false", filter::no())];
            let choices = choices.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
            single_select(Signal::stored(choices), value, set_one)
        }
        (Arity::One, Kind::DateTime) => view! { <DateTimeValueInput value set=set_one /> }.into_any(),
        (Arity::One, _) if has_options(&key) && !operator.needs_text() => {
            single_select(counted_options(key, names), value, set_one)
        }
        (Arity::One, _) => view! { <SingleInput kind value set=set_one /> }.into_any(),
        (_, Kind::DateTime) => view! { <DateTimeListInput values set multiple /> }.into_any(),
        _ if has_options(&key) => {
            let list_choices = counted_options(key.clone(), names);
            let choices = Memo::new(move |_| names.with(|names| options(&key, names)));
            view! { <ChipPicker choices list_choices selected=values set test_id="value" /> }.into_any()
        }
        _ => {
            let key = Signal::derive(move || test.with(|test| test.key.clone()));
            view! { <TextListInput key values set kind multiple /> }.into_any()
        }
    }
}

/// Input of one value; dates use the browser's own picker.
#[component]
fn SingleInput(kind: Kind, value: Signal<String>, set: Callback<String>) -> impl IntoView {
    let shown_value = move || match kind {
        Kind::Date => value.get().chars().take(10).collect(),
        Kind::Number => number_format::localize_decimal(&value.get()),
        _ => value.get(),
    };
    let on_input =
        move |value: String| set.run(if kind == Kind::Number { number_format::number_or_text(&value) } else { value });
    view! {
        <div class="line value-datetime">
            <input
                class="input"
                type=if kind == Kind::Date { "date" } else { "text" }
                aria-label=filter::value()
                placeholder=filter::value_placeholder()
                data-test="value"
                prop:value=shown_value
                on:input:target=move |event| on_input(event.target().value())
            />
        </div>
    }
}

/// Values to pick from for a key's field, with their number of leads once known.
fn counted_options(key: String, names: Signal<Names>) -> Signal<Vec<Choice>> {
    let id = find(&key).map(|field| field.id);
    // Campaigns are picked by id but counted by name.
    let is_counted_by_name = id == Some(FieldId::CampaignId);
    let counted_field = match id {
        Some(FieldId::CampaignId | FieldId::CampaignName) => Some(FieldId::CampaignName),
        id => id.filter(|id| matches!(id, FieldId::Status | FieldId::NotCallableReason)),
    };
    let counts = RwSignal::new(None::<Vec<FieldValue>>);
    if let (Some(field), Some(ValueSource(api))) = (counted_field, use_context()) {
        spawn_local(async move {
            // Without counts the user can still choose.
            if let Ok(response) = api.field_value_counts(field.field().name()).await {
                _ = counts.try_set(Some(response.values));
            }
        });
    }
    Signal::derive(move || {
        let choices = names.with(|names| options(&key, names));
        let Some(counts) = counts.get() else { return choices };
        let lead_count = |(value, label): &Choice| {
            let name = if is_counted_by_name { label } else { value };
            let entry = counts.iter().find(|entry| entry.value == *name).map(|entry| entry.leads);
            // If the list is cut off, missing values may still have leads.
            entry.or_else(|| (counts.len() < MAX_COUNTED_VALUES).then_some(0))
        };
        let with_counts = choices.into_iter().map(|choice| match lead_count(&choice) {
            Some(lead_count) => (choice.0, filter::with_count(choice.1, datetime::format_count(lead_count))),
            None => choice,
        });
        with_counts.collect()
    })
}

fn single_select(choices: Signal<Vec<Choice>>, value: Signal<String>, set: Callback<String>) -> AnyView {
    let (label, empty_label) = (filter::value(), common::choose());
    view! { <Select label empty_label is_required=true choices value set test_id="value" /> }.into_any()
}
