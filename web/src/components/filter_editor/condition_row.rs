//! One line of the filter form: field, operator and value.

use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, Kind, find};
use leadscribe_engine::filter::form::Row;
use leadscribe_engine::filter::{Operator, operators_for};
use leptos::prelude::*;

use super::Names;
use super::field_picker::FieldPicker;
use super::form_view::{Form, faults_of};
use super::relative_input::RelativeInput;
use super::rows::{kind_of, new_test, with_operator};
use super::tree::{Content, Edit, find as find_line};
use super::values::{ValueInput, has_options};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::language::language;
use crate::relative::{Choice, Relative};
use crate::texts::filter;

/// Value of the option for a relative date in the list of operators.
const RELATIVE: &str = "relative";

/// Initial value of a date condition: users rarely search for an exact second.
const FIRST: Relative = Relative::LastDays(7);

#[component]
pub fn ConditionRow(number: usize, form: Form) -> impl IntoView {
    let Form { lines, names, edit, .. } = form;
    let content = Memo::new(move |_| lines.with(|lines| find_line(lines, number).map(|line| line.content.clone())));
    let test = Memo::new(move |_| match content.get() {
        Some(Content::Test(test)) => test,
        // Operator and value come from the relative date.
        Some(Content::Relative(Choice { key, .. })) => Row { key, operator: Operator::Eq, values: Vec::new() },
        _ => new_test(),
    });
    let relative = Memo::new(move |_| match content.get() {
        Some(Content::Relative(choice)) => Some(choice.relative),
        _ => None,
    });
    let kept = move || match content.get() {
        Some(Content::Kept(condition)) => Some(condition),
        _ => None,
    };
    let is_kept = Memo::new(move |_| kept().is_some());
    let change = Callback::new(move |content: Content| edit.run(Edit::Change(number, content)));
    let faults = faults_of(form, number);
    view! {
        <div class="condition" data-test="condition">
            <Show
                when=move || is_kept.get()
                fallback=move || view! { <TestInputs number test relative names change /> }
            >
                <p class="condition-kept">
                    <span class="badge">{move || kept().map(|condition| kept_name(&condition))}</span>
                    <span class="small secondary">{filter::edited_as_json()}</span>
                </p>
            </Show>
            <button
                type="button"
                class="button button-plain button-icon condition-remove"
                aria-label=filter::remove_condition()
                title=filter::remove_condition()
                on:click=move |_| edit.run(Edit::Remove(number))
            >
                <Icon glyph=Glyph::Close />
            </button>
            <div class="condition-faults">
                <FieldFaults faults />
                {move || {
                    (!is_kept.get() && relative.get().is_none() && !test.with(Row::is_complete))
                        .then(|| view! { <p class="field-hint">{filter::unfinished()}</p> })
                }}
            </div>
        </div>
    }
}

#[component]
fn TestInputs(
    number: usize,
    test: Memo<Row>,
    relative: Memo<Option<Relative>>,
    names: Signal<Names>,
    change: Callback<Content>,
) -> impl IntoView {
    let shape = Memo::new(move |_| {
        let is_relative = relative.with(Option::is_some);
        test.with(|test| (test.key.clone(), test.operator, is_relative))
    });
    let custom = Memo::new(move |_| test.with(|test| test.key.starts_with(CUSTOM_PREFIX) && find(&test.key).is_none()));
    let key = Memo::new(move |_| test.with(|test| test.key.clone()));
    let change_test = Callback::new(move |test: Row| change.run(Content::Test(test)));
    let choose = Callback::new(move |relative: Relative| {
        let key = test.with_untracked(|test| test.key.clone());
        change.run(Content::Relative(Choice::new(key, relative)));
    });
    let pick_field = move |key: String| {
        let old = test.get_untracked();
        let kind = kind_of(&key);
        let operator = if operators_for(kind).contains(&old.operator) { old.operator } else { Operator::Eq };
        let held = relative.get_untracked();
        let begins = operator == Operator::Eq && (held.is_some() || !FIRST.fits(kind_of(&old.key)));
        if let Some(relative) = held.into_iter().chain(begins.then_some(FIRST)).find(|one| one.fits(kind)) {
            return change.run(Content::Relative(Choice::new(key, relative)));
        }
        // Values picked from a list don't fit another field.
        let is_typed = !has_options(&key) && !has_options(&old.key);
        let values = if is_typed && kind == kind_of(&old.key) { old.values } else { Vec::new() };
        change_test.run(Row { key, operator, values });
    };
    let pick_operator = move |name: String| {
        if name == RELATIVE {
            choose.run(FIRST);
        } else if let Some(operator) = Operator::from_name(&name) {
            change_test.run(with_operator(test.get_untracked(), operator));
        }
    };
    view! {
        <div class="condition-field">
            <FieldPicker number key=key pick=Callback::new(pick_field) />
            <Show when=move || custom.get()>
                <input
                    class="input"
                    aria-label=filter::custom_name()
                    placeholder=filter::name()
                    prop:value=move || test.with(|test| test.key[CUSTOM_PREFIX.len().min(test.key.len())..].to_owned())
                    on:input:target=move |event| {
                        let key = format!("{CUSTOM_PREFIX}{}", event.target().value());
                        change_test.run(Row { key, ..test.get_untracked() });
                    }
                />
            </Show>
        </div>
        <select
            class="select condition-operator"
            aria-label=filter::operator()
            prop:value=move || {
                let (_, operator, is_relative) = shape.get();
                if is_relative { RELATIVE } else { operator.as_str() }
            }
            on:change:target=move |event| pick_operator(event.target().value())
        >
            {move || {
                let (key, operator, is_relative) = shape.get();
                operator_options(kind_of(&key), (!is_relative).then_some(operator))
            }}
        </select>
        <div class="condition-value">
            {move || {
                let (key, operator, is_relative) = shape.get();
                if is_relative {
                    let kind = kind_of(&key);
                    return view! { <RelativeInput kind relative choose /> }.into_any();
                }
                // The name of a custom field changes with each keystroke; its input must not be rebuilt.
                let key = if custom.get() { CUSTOM_PREFIX.to_owned() } else { key };
                view! { <ValueInput key operator test names change=change_test /> }.into_any()
            }}
        </div>
    }
}

/// Operator options. With `None`, the condition is a relative date.
fn operator_options(kind: Kind, selected: Option<Operator>) -> impl IntoView {
    let relative = Relative::Today.fits(kind).then(|| {
        view! {
            <option value=RELATIVE selected=selected.is_none()>
                {filter::is_relative()}
            </option>
        }
    });
    let operators = operators_for(kind).iter().map(|operator| {
        view! {
            <option value=operator.as_str() selected=Some(*operator) == selected>
                {operator.label(kind, language())}
            </option>
        }
    });
    (relative, operators.collect_view())
}

/// Description of a condition that the form can't show.
fn kept_name(condition: &Condition) -> String {
    match condition {
        Condition::Group(group) => match group.junction {
            Junction::Any => filter::any_of_groups(group.branches.len() as u64),
            Junction::All => filter::all_of_groups(group.branches.len() as u64),
        },
        Condition::Field(field) => match find(&field.key.text) {
            Some(known) => known.label(language()).to_owned(),
            None => field.key.text.clone(),
        },
    }
}
