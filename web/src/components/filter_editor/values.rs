//! Value input of a condition, depending on the field and the operator.

use leadscribe_engine::api::{CallStatus, FieldValue, NotCallableCode};
use leadscribe_engine::filter::fields::{FieldId, Kind, find};
use leadscribe_engine::filter::form::Row;
use leadscribe_engine::filter::{Arity, Operator};
use leptos::prelude::*;

use super::moment_values::{MomentInput, MomentList};
use super::rows::kind_of;
use super::typed_values::TypeMany;
use super::{Count, Names};
use crate::components::badge::{call_status_name, spelled};
use crate::components::input::chip_picker::{ChipPicker, Choice};
use crate::language::language;
use crate::texts::filter;
use crate::{figures, when};

/// Maximum number of values that `Count` reports for a field.
const MOST_COUNTED: usize = 100;

/// True if the values of this key's field are picked by name.
pub fn has_options(key: &str) -> bool {
    find(key).is_some_and(|field| {
        !field.permitted.is_empty() || matches!(field.id, FieldId::CampaignId | FieldId::CampaignName | FieldId::Status)
    })
}

/// Values to pick from for this key's field.
fn options(key: &str, names: &Names) -> Vec<Choice> {
    let Some(field) = find(key) else { return Vec::new() };
    let campaigns = names.campaigns.iter();
    match field.id {
        FieldId::CampaignId => campaigns.map(|campaign| (campaign.id.to_string(), campaign.name.clone())).collect(),
        FieldId::CampaignName => campaigns.map(|campaign| (campaign.name.clone(), campaign.name.clone())).collect(),
        FieldId::Status => names.statuses.iter().map(|one| (one.name.clone(), one.label.clone())).collect(),
        _ => field.permitted.iter().map(|name| (name.to_string(), permitted_name(name))).collect(),
    }
}

/// Label of a value from a closed list.
fn permitted_name(name: &str) -> String {
    match (CallStatus::from_name(name), NotCallableCode::from_name(name)) {
        (Some(status), _) => call_status_name(status).to_owned(),
        (None, Some(reason)) => reason.label(language()).to_owned(),
        (None, None) => spelled(name),
    }
}

#[component]
pub fn ValueInput(
    key: String,
    operator: Operator,
    test: Memo<Row>,
    names: Signal<Names>,
    change: Callback<Row>,
) -> impl IntoView {
    let set = Callback::new(move |values: Vec<String>| change.run(Row { values, ..test.get_untracked() }));
    let values = Signal::derive(move || test.with(|test| test.values.clone()));
    let kind = kind_of(&key);
    let compares_text = matches!(operator, Operator::Contains | Operator::StartsWith | Operator::EndsWith);
    match (operator.arity(), kind) {
        (Arity::Truth, _) => view! { <Truth values set yes=filter::is_null() no=filter::is_not_null() /> }.into_any(),
        (_, Kind::Boolean) => view! { <Truth values set yes=filter::yes() no=filter::no() /> }.into_any(),
        (Arity::One, Kind::DateTime) => view! { <MomentInput values set /> }.into_any(),
        (Arity::One, Kind::Date) => view! { <SingleInput values set date=true /> }.into_any(),
        (Arity::One, _) if has_options(&key) && !compares_text => view! { <PickOne key values set names /> }.into_any(),
        (Arity::One, _) => view! { <SingleInput values set number=kind == Kind::Number /> }.into_any(),
        (_, Kind::DateTime) => view! { <MomentList values set many=operator == Operator::In /> }.into_any(),
        _ if has_options(&key) => view! { <PickMany key values set names /> }.into_any(),
        _ => {
            let key = Signal::derive(move || test.with(|test| test.key.clone()));
            view! { <TypeMany key values set kind many=operator == Operator::In /> }.into_any()
        }
    }
}

#[component]
fn Truth(
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    yes: &'static str,
    no: &'static str,
) -> impl IntoView {
    let value = move || values.with(|values| values.first().cloned().unwrap_or_default());
    view! {
        <select
            class="select"
            aria-label=filter::value()
            on:change:target=move |event| set.run(vec![event.target().value()])
        >
            <option value="" selected=move || value().is_empty() hidden>
                {filter::choose()}
            </option>
            <option value="true" selected=move || value() == "true">
                {yes}
            </option>
            <option value="false" selected=move || value() == "false">
                {no}
            </option>
        </select>
    }
}

/// Input of one value; dates use the browser's own picker.
#[component]
fn SingleInput(
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    #[prop(optional)] date: bool,
    #[prop(optional)] number: bool,
) -> impl IntoView {
    let value = move || {
        let value = values.with(|values| values.first().cloned().unwrap_or_default());
        match (date, number) {
            (true, _) => value.chars().take(10).collect(),
            (_, true) => figures::decimal(&value),
            _ => value,
        }
    };
    let typed = move |value: String| {
        set.run(vec![if number { figures::plain_text(&value) } else { value }]);
    };
    view! {
        <div class="value-moment">
            <input
                class="input"
                type=if date { "date" } else { "text" }
                aria-label=filter::value()
                placeholder=filter::a_value()
                data-test="value"
                prop:value=value
                on:input:target=move |event| typed(event.target().value())
            />
        </div>
    }
}

/// Values to pick from for a key's field, with their number of leads once known.
fn counted_options(key: String, names: Signal<Names>) -> Signal<Vec<Choice>> {
    let id = find(&key).map(|field| field.id);
    // Campaigns are picked by id but counted by name.
    let by_name = id == Some(FieldId::CampaignId);
    let asked = match id {
        Some(FieldId::CampaignId | FieldId::CampaignName) => Some(FieldId::CampaignName),
        id => id.filter(|id| matches!(id, FieldId::Status | FieldId::NotCallableReason)),
    };
    let found = RwSignal::new(None::<Vec<FieldValue>>);
    if let (Some(field), Some(Count(ask))) = (asked, use_context()) {
        let tell = Callback::new(move |values| _ = found.try_set(Some(values)));
        ask.run((field.field().name().to_owned(), tell));
    }
    Signal::derive(move || {
        let choices = names.with(|names| options(&key, names));
        let Some(found) = found.get() else { return choices };
        let leads = |(value, label): &Choice| {
            let name = if by_name { label } else { value };
            let one = found.iter().find(|one| one.value == *name).map(|one| one.leads);
            // If the list is cut off, missing values may still have leads.
            one.or_else(|| (found.len() < MOST_COUNTED).then_some(0))
        };
        let counted = choices.into_iter().map(|choice| match leads(&choice) {
            Some(leads) => (choice.0, filter::with_count(choice.1, when::count(leads))),
            None => choice,
        });
        counted.collect()
    })
}

#[component]
fn PickOne(
    key: String,
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    names: Signal<Names>,
) -> impl IntoView {
    let choices = counted_options(key, names);
    let value = move || values.with(|values| values.first().cloned().unwrap_or_default());
    view! {
        <select
            class="select"
            aria-label=filter::value()
            data-test="value"
            on:change:target=move |event| set.run(vec![event.target().value()])
        >
            <option value="" hidden selected=move || value().is_empty()>
                {filter::choose()}
            </option>
            {move || choice_options(choices.get(), value())}
        </select>
    }
}

fn choice_options(choices: Vec<Choice>, selected: String) -> impl IntoView {
    choices
        .into_iter()
        .map(|(value, label)| {
            let selected = value == selected;
            view! {
                <option value=value selected=selected>
                    {label}
                </option>
            }
        })
        .collect_view()
}

/// Several values from a list: chips, and a list to add from.
#[component]
fn PickMany(
    key: String,
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    names: Signal<Names>,
) -> impl IntoView {
    let listed = counted_options(key.clone(), names);
    let choices = Memo::new(move |_| names.with(|names| options(&key, names)));
    view! { <ChipPicker choices listed chosen=values set test="value" /> }
}
