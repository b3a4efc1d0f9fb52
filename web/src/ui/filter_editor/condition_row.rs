//! One line of the filter form: field, operator and value.

use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, Kind, find};
use leadscribe_engine::filter::form::FormRow;
use leadscribe_engine::filter::{Operator, operators_for};
use leptos::prelude::*;

use super::Names;
use super::field_picker::FieldPicker;
use super::form_view::{FormContext, line_diagnostics};
use super::line_tree::{Content, Edit, find as find_line};
use super::lines::{default_test, field_kind, with_operator};
use super::values::{RelativeInput, ValueInput, has_options};
use crate::i18n::language;
use crate::i18n::relative_date::{RelativeCondition, RelativeDate};
use crate::i18n::texts::filter;
use crate::ui::Glyph;
use crate::ui::input::{FieldDiagnostics, IconButton};

/// Value of the option for a relative date in the list of operators.
const RELATIVE_OPTION: &str = "relative";

/// Initial value of a date condition: users rarely search for an exact second.
const DEFAULT_RELATIVE: RelativeDate = RelativeDate::LastDays(7);

#[component]
pub fn ConditionRow(number: usize, form: FormContext) -> impl IntoView {
    let FormContext { lines, names, edit, .. } = form;
    let content = Memo::new(move |_| lines.with(|lines| find_line(lines, number).map(|line| line.content.clone())));
    let row = Memo::new(move |_| match content.get() {
        Some(Content::Test(row)) => row,
        // Operator and value come from the relative date.
        Some(Content::Relative(RelativeCondition { key, .. })) => {
            FormRow { key, operator: Operator::Eq, values: Vec::new() }
        }
        _ => default_test(),
    });
    let relative = Memo::new(move |_| match content.get() {
        Some(Content::Relative(condition)) => Some(condition.relative),
        _ => None,
    });
    let unsupported = move || match content.get() {
        Some(Content::Unsupported(condition)) => Some(condition),
        _ => None,
    };
    let is_unsupported = Memo::new(move |_| unsupported().is_some());
    let change = Callback::new(move |content: Content| edit.run(Edit::Change(number, content)));
    let diagnostics = line_diagnostics(form, number);
    view! {
        <div class="condition" data-test="condition">
            <Show
                when=move || is_unsupported.get()
                fallback=move || view! { <TestInputs number row relative names on_change=change /> }
            >
                <p class="row condition-unsupported">
                    <span class="badge">{move || unsupported().map(|condition| describe_condition(&condition))}</span>
                    <span class="small secondary">{filter::edited_as_json()}</span>
                </p>
            </Show>
            <IconButton
                glyph=Glyph::Close
                label=filter::remove_condition()
                title=filter::remove_condition()
                class="condition-remove"
                on_press=move |()| edit.run(Edit::Remove(number))
            />
            <div class="condition-errors">
                <FieldDiagnostics diagnostics />
                {move || {
                    (!is_unsupported.get() && relative.get().is_none() && !row.with(FormRow::is_complete))
                        .then(|| view! { <p class="field-hint">{filter::unfinished()}</p> })
                }}
            </div>
        </div>
    }
}

#[component]
fn TestInputs(
    number: usize,
    row: Memo<FormRow>,
    relative: Memo<Option<RelativeDate>>,
    names: Signal<Names>,
    on_change: Callback<Content>,
) -> impl IntoView {
    let shape = Memo::new(move |_| {
        let is_relative = relative.with(Option::is_some);
        row.with(|row| (row.key.clone(), row.operator, is_relative))
    });
    let is_custom = Memo::new(move |_| row.with(|row| row.key.starts_with(CUSTOM_PREFIX) && find(&row.key).is_none()));
    let key = Memo::new(move |_| row.with(|row| row.key.clone()));
    let change_test = Callback::new(move |row: FormRow| on_change.run(Content::Test(row)));
    let set_relative = Callback::new(move |relative: RelativeDate| {
        let key = row.with_untracked(|row| row.key.clone());
        on_change.run(Content::Relative(RelativeCondition::new(key, relative)));
    });
    let pick_field = move |key: String| {
        let previous = row.get_untracked();
        let kind = field_kind(&key);
        let operator = if operators_for(kind).contains(&previous.operator) { previous.operator } else { Operator::Eq };
        let previous_relative = relative.get_untracked();
        let use_default = operator == Operator::Eq
            && (previous_relative.is_some() || !DEFAULT_RELATIVE.can_compare(field_kind(&previous.key)));
        if let Some(relative) = previous_relative
            .into_iter()
            .chain(use_default.then_some(DEFAULT_RELATIVE))
            .find(|candidate| candidate.can_compare(kind))
        {
            return on_change.run(Content::Relative(RelativeCondition::new(key, relative)));
        }
        // Values picked from a list don't fit another field.
        let is_free_text = !has_options(&key) && !has_options(&previous.key);
        let values = if is_free_text && kind == field_kind(&previous.key) { previous.values } else { Vec::new() };
        change_test.run(FormRow { key, operator, values });
    };
    let pick_operator = move |name: String| {
        if name == RELATIVE_OPTION {
            set_relative.run(DEFAULT_RELATIVE);
        } else if let Some(operator) = Operator::from_name(&name) {
            change_test.run(with_operator(row.get_untracked(), operator));
        }
    };
    view! {
        <div class="condition-field">
            <FieldPicker number key on_pick=Callback::new(pick_field) />
            <Show when=move || is_custom.get()>
                <input
                    class="input"
                    aria-label=filter::custom_name()
                    placeholder=filter::name()
                    prop:value=move || row.with(|row| row.key[CUSTOM_PREFIX.len().min(row.key.len())..].to_owned())
                    on:input:target=move |event| {
                        let key = format!("{CUSTOM_PREFIX}{}", event.target().value());
                        change_test.run(FormRow { key, ..row.get_untracked() });
                    }
                />
            </Show>
        </div>
        <select
            class="select condition-operator"
            aria-label=filter::operator()
            prop:value=move || {
                let (_, operator, is_relative) = shape.get();
                if is_relative { RELATIVE_OPTION } else { operator.as_str() }
            }
            on:change:target=move |event| pick_operator(event.target().value())
        >
            {move || {
                let (key, operator, is_relative) = shape.get();
                operator_options(field_kind(&key), (!is_relative).then_some(operator))
            }}
        </select>
        <div class="condition-value">
            {move || {
                let (key, operator, is_relative) = shape.get();
                if is_relative {
                    let kind = field_kind(&key);
                    return view! { <RelativeInput kind relative on_choose=set_relative /> }.into_any();
                }
                // The name of a custom field changes with each keystroke; its input must not be rebuilt.
                let key = if is_custom.get() { CUSTOM_PREFIX.to_owned() } else { key };
                view! { <ValueInput key operator row names change=change_test /> }.into_any()
            }}
        </div>
    }
}

/// Operator options. With `None`, the condition is a relative date.
fn operator_options(kind: Kind, selected: Option<Operator>) -> impl IntoView {
    let relative = RelativeDate::Today.can_compare(kind).then(|| {
        view! {
            <option value=RELATIVE_OPTION selected=selected.is_none()>
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
fn describe_condition(condition: &Condition) -> String {
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
