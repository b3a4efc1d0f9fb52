//! One line of the form: field, operator, value.

use leadscribe_engine::fault::Fault;
use leadscribe_engine::filter::ast::{Condition, Junction};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FIELDS, Kind, Owner, find};
use leadscribe_engine::filter::form::Row;
use leadscribe_engine::filter::{Operator, operators_for};
use leptos::prelude::*;

use super::Names;
use super::relative_input::RelativeInput;
use super::rows::{Content, Line, is_complete, kind_of, new_test, with_operator};
use super::values::{ValueInput, has_options};
use crate::components::field::FieldFaults;
use crate::components::icon::{Glyph, Icon};
use crate::language::language;
use crate::relative::{Choice, Relative};
use crate::texts::filter;

/// What stands among the operators for a relative date.
const RELATIVE: &str = "relative";

#[component]
pub fn ConditionRow(
    number: usize,
    lines: RwSignal<Vec<Line>>,
    faults: Signal<Vec<Fault>>,
    names: Signal<Names>,
    on_change: Callback<(usize, Content)>,
    on_remove: Callback<usize>,
) -> impl IntoView {
    let content = Memo::new(move |_| {
        lines.with(|lines| lines.iter().find(|line| line.number == number).map(|line| line.content.clone()))
    });
    let test = Memo::new(move |_| match content.get() {
        Some(Content::Test(test)) => test,
        // Its operator and values are those of the relative date.
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
    let change = Callback::new(move |content: Content| on_change.run((number, content)));
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
                on:click=move |_| on_remove.run(number)
            >
                <Icon glyph=Glyph::Close />
            </button>
            <div class="condition-faults">
                <FieldFaults faults />
                {move || {
                    (!is_kept.get() && relative.get().is_none() && !is_complete(&test.get()))
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
    let change_test = Callback::new(move |test: Row| change.run(Content::Test(test)));
    let choose = Callback::new(move |relative: Relative| {
        let key = test.with_untracked(|test| test.key.clone());
        change.run(Content::Relative(Choice { key, relative }));
    });
    let pick_field = move |key: String| {
        let old = test.get_untracked();
        let kind = kind_of(&key);
        if let Some(relative) = relative.get_untracked().filter(|relative| relative.fits(kind)) {
            return change.run(Content::Relative(Choice { key, relative }));
        }
        let operator = if operators_for(kind).contains(&old.operator) { old.operator } else { Operator::Eq };
        let values = if kind == kind_of(&old.key) && has_options(&key) == has_options(&old.key) {
            old.values
        } else {
            Vec::new()
        };
        change_test.run(Row { key, operator, values });
    };
    let pick_operator = move |name: String| {
        if name == RELATIVE {
            choose.run(Relative::LastDays(7));
        } else if let Some(operator) = Operator::from_name(&name) {
            change_test.run(with_operator(test.get_untracked(), operator));
        }
    };
    view! {
        <div class="condition-field">
            <FieldPicker number test pick=Callback::new(pick_field) />
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
                // A custom field's name changes with every key stroke; its input must not.
                let key = if custom.get() { CUSTOM_PREFIX.to_owned() } else { key };
                view! { <ValueInput key operator test names change=change_test /> }.into_any()
            }}
        </div>
    }
}

/// The operators; none selected means that the condition is a relative date.
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

/// The element in which the field of a condition is chosen.
pub fn field_id(number: usize) -> String {
    format!("condition-{number}-field")
}

/// The fields, by whose they are. A browser's own list: typing finds, the keyboard works, a phone shows its wheel.
#[component]
fn FieldPicker(number: usize, test: Memo<Row>, pick: Callback<String>) -> impl IntoView {
    let shown = Memo::new(move |_| {
        test.with(|test| match find(&test.key) {
            Some(field) => field.name().to_owned(),
            None => CUSTOM_PREFIX.to_owned(),
        })
    });
    view! {
        <select
            class="select"
            aria-label=filter::field()
            id=field_id(number)
            data-test=format!("field-{number}")
            inner_html=field_options()
            prop:value=move || shown.get()
            on:change:target=move |event| pick.run(event.target().value())
        ></select>
    }
}

/// The options as HTML: made one by one, with so many of them, they would take most of the time in which a key is to be
/// shown. They are names and labels of ours, without anything that HTML takes for markup.
fn field_options() -> String {
    let option = |value: &str, label: &str| format!("<option value=\"{value}\">{label}</option>");
    let group = |label: &str, owners: &[Owner]| {
        let fields = FIELDS.iter().filter(|field| owners.contains(&field.owner));
        let options: String = fields.map(|field| option(field.name(), field.label(language()))).collect();
        format!("<optgroup label=\"{label}\">{options}</optgroup>")
    };
    let custom = option(CUSTOM_PREFIX, filter::custom_field());
    [
        group(filter::campaign_lead(), &[Owner::Campaign, Owner::CampaignLead]),
        group(filter::lead(), &[Owner::Lead]),
        format!("<optgroup label=\"{}\">{custom}</optgroup>", filter::custom()),
    ]
    .concat()
}

/// What a condition that the form can't show is about.
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

#[cfg(test)]
mod tests {
    use leadscribe_engine::wording::Language;

    use super::*;

    #[test]
    fn no_label_is_markup() {
        let is_plain = |text: &str| !text.contains(['<', '>', '&', '"']);
        for field in FIELDS {
            assert!(
                is_plain(field.name())
                    && [Language::English, Language::German].map(|one| field.label(one)).into_iter().all(is_plain)
            );
        }
        assert_eq!(field_options().matches("<option ").count(), FIELDS.len() + 1);
    }
}
