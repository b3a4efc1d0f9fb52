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
use crate::i18n::relative_date::{MAX_COUNT, RelativeDate};
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
        FieldId::CampaignName => {
            names.campaigns.iter().map(|campaign| (campaign.name.clone(), campaign.name.clone())).collect()
        }
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
    row: Memo<FormRow>,
    names: Signal<Names>,
    change: Callback<FormRow>,
) -> impl IntoView {
    let set = Callback::new(move |values: Vec<String>| change.run(FormRow { values, ..row.get_untracked() }));
    let values = Signal::derive(move || row.with(|row| row.values.clone()));
    let set_one = Callback::new(move |value| set.run(vec![value]));
    let value = Signal::derive(move || row.with(|row| row.values.first().cloned().unwrap_or_default()));
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
            let key = Signal::derive(move || row.with(|row| row.key.clone()));
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

/// Values to pick from for a key's field, with their lead counts once known.
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

/// Choice of the relative date, and its number if it has one.
#[component]
pub fn RelativeInput(
    kind: Kind,
    relative: Memo<Option<RelativeDate>>,
    on_choose: Callback<RelativeDate>,
) -> impl IntoView {
    let shape = Memo::new(move |_| relative.get().map(RelativeDate::pattern));
    let count = Memo::new(move |_| relative.get().and_then(RelativeDate::count));
    let has_count = Memo::new(move |_| count.get().is_some());
    let select_shape = move |shape: String| {
        let Some(new) = RelativeDate::ALL.into_iter().find(|candidate| candidate.pattern() == shape) else { return };
        on_choose.run(relative.get_untracked().map_or(new, |previous| new.with_count_of(previous)));
    };
    let set_count = move |input: web_sys::HtmlInputElement| {
        let count = input.value().parse::<u64>().ok().filter(|count| *count > 0);
        let count = count.map(|count| u32::try_from(count).unwrap_or(MAX_COUNT).min(MAX_COUNT));
        if let Some((relative, count)) = relative.get_untracked().zip(count) {
            on_choose.run(relative.with_count(count));
            // A number above the maximum is replaced by the maximum.
            if count == MAX_COUNT {
                input.set_value(&count.to_string());
            }
        }
    };
    let options = RelativeDate::ALL.into_iter().filter(|candidate| candidate.can_compare(kind)).map(|candidate| {
        view! {
            <option value=candidate.pattern() selected=move || shape.get() == Some(candidate.pattern())>
                {candidate.label()}
            </option>
        }
    });
    view! {
        <div class="line value-datetime">
            <select
                class="select"
                aria-label=filter::relative_date()
                data-test="relative"
                on:change:target=move |event| select_shape(event.target().value())
            >
                {options.collect_view()}
            </select>
            <Show when=move || has_count.get()>
                <input
                    class="input relative-count"
                    type="number"
                    inputmode="numeric"
                    min="1"
                    max=MAX_COUNT
                    required
                    aria-label=filter::how_many()
                    data-test="relative-count"
                    prop:value=move || count.get().map(|count| count.to_string())
                    on:input:target=move |event| set_count(event.target())
                    // Invalid input is reset to the current number.
                    on:change:target=move |event| {
                        let current = count.get_untracked().map(|count| count.to_string()).unwrap_or_default();
                        event.target().set_value(&current);
                    }
                />
            </Show>
        </div>
    }
}
