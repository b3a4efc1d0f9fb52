//! The form: one line a condition.

use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::filter::ast::{Condition, Filter};
use leadscribe_engine::filter::{parse, print_pretty};
use leptos::prelude::*;

use super::condition_row::{ConditionRow, field_id};
use super::rows::{Content, Line, choices_of, filter_of, is_complete, keep_numbers, lines_of, new_test, recognize};
use super::{Dates, Names};
use crate::components::icon::{Glyph, Icon};
use crate::focus::focus_soon;
use crate::relative::Choice;
use crate::texts::filter;

#[component]
pub fn FormView(
    text: RwSignal<String>,
    faults: Signal<Vec<Fault>>,
    #[prop(into)] names: Signal<Names>,
    dates: Dates,
) -> impl IntoView {
    let lines = RwSignal::new(Vec::<Line>::new());
    // What the form printed last: the text it needn't read again.
    let printed = StoredValue::new(None::<(String, Vec<Choice>)>);
    let next = StoredValue::new(0_usize);

    Effect::new(move |_| {
        let current = (text.get(), dates.chosen.get());
        if printed.with_value(|printed| printed.as_ref() == Some(&current)) {
            return;
        }
        printed.set_value(None);
        let mut read = lines_of(&parse(&current.0).tree);
        dates.anchor.with_untracked(|anchor| recognize(&mut read, &current.1, anchor));
        lines.with_untracked(|before| next.update_value(|next| keep_numbers(&mut read, before, next)));
        lines.set(read);
    });

    let print_lines = move || {
        let tree = parse(&text.get_untracked()).tree;
        let anchor = dates.anchor.get_untracked();
        let (filter, choices) = lines.with_untracked(|lines| (filter_of(lines, &tree, &anchor), choices_of(lines)));
        let new = print_pretty(&at_first_page(filter));
        printed.set_value(Some((new.clone(), choices.clone())));
        dates.chosen.set(choices);
        text.set(new);
    };
    let on_change = Callback::new(move |(number, content): (usize, Content)| {
        lines.update(|lines| {
            if let Some(line) = lines.iter_mut().find(|line| line.number == number) {
                line.content = content;
            }
        });
        print_lines();
    });
    let on_remove = Callback::new(move |number: usize| {
        lines.update(|lines| lines.retain(|line| line.number != number));
        print_lines();
    });
    let add = move |_| {
        let number = next.get_value();
        next.set_value(number + 1);
        lines.update(|lines| lines.push(Line { number, content: Content::Test(new_test()) }));
        // The line is drawn first; then the keyboard goes on in it.
        focus_soon(field_id(number));
    };
    view! {
        <div class="conditions" data-test="filter-form">
            {move || {
                lines.with(Vec::is_empty)
                    .then(|| view! { <p class="secondary">{filter::no_condition()}</p> })
            }}
            <For each=move || lines.get() key=|line| line.number let:line>
                <ConditionRow number=line.number lines faults=faults_of(lines, line.number, faults).into() names on_change on_remove />
            </For>
            <button type="button" class="button button-small conditions-add" data-test="add-condition" on:click=add>
                <Icon glyph=Glyph::Plus />
                {filter::add_condition()}
            </button>
        </div>
    }
}

/// Other conditions have other pages: what is shown starts at the first again.
fn at_first_page(mut filter: Filter) -> Filter {
    match &mut filter.controls.limit {
        Some(limit) => {
            if let Some((count, _)) = limit.value.split_once(';') {
                limit.value = format!("{count};0");
            }
        }
        // A filter without anything is refused: that nobody lists all leads by mistake.
        None if filter.conditions.is_empty() => filter.controls.limit = Some("50;0".to_owned().into()),
        None => {}
    }
    filter
}

/// The faults at a line: those at its key, and of several lines on one key those at its operator.
fn faults_of(lines: RwSignal<Vec<Line>>, number: usize, faults: Signal<Vec<Fault>>) -> Memo<Vec<Fault>> {
    Memo::new(move |_| {
        let place = lines.with(|lines| {
            let line = lines.iter().find(|line| line.number == number)?;
            match &line.content {
                Content::Test(test) if is_complete(test) => Some((test.key.clone(), test.operator.as_str())),
                Content::Kept(Condition::Field(field)) => Some((field.key.text.clone(), "")),
                Content::Kept(Condition::Group(group)) => Some((group.junction.key().to_owned(), "")),
                Content::Relative(choice) => Some((choice.key.clone(), "")),
                Content::Test(_) => None,
            }
        });
        let Some((key, operator)) = place else { return Vec::new() };
        let key = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        let operator = format!("{key}/{operator}");
        faults.with(|faults| faults.iter().filter(|fault| is_at(fault, &key, &operator)).cloned().collect())
    })
}

fn is_at(fault: &Fault, key: &str, operator: &str) -> bool {
    let Place::Pointer(place) = &fault.place else { return false };
    let Some(rest) = place.strip_prefix(key) else { return false };
    let is_list_or_key = rest.is_empty() || rest[1..].starts_with(|first: char| first.is_ascii_digit());
    is_list_or_key || place.starts_with(operator)
}
