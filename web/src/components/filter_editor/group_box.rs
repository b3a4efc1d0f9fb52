//! List of lines in the form, and boxes for groups.

use leadscribe_engine::filter::ast::Junction;
use leptos::prelude::*;

use super::condition_row::ConditionRow;
use super::form_view::{Form, faults_of};
use super::tree::{Content, Edit, find, group_for, lines_within};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::components::segments::{Segments, segment};
use crate::texts::filter;

/// Id of the button that adds a line to a group or to the form.
pub fn add_id(within: Option<usize>) -> String {
    match within {
        None => "condition-add".to_owned(),
        Some(number) => format!("condition-add-{number}"),
    }
}

/// Lines of a group or the form, and the buttons to add more. Returns `AnyView`, because groups are nested and the type would be recursive.
pub fn line_list(within: Option<usize>, form: Form) -> AnyView {
    let Form { lines, edit, .. } = form;
    let numbers = Memo::new(move |_| {
        lines.with(|lines| lines_within(lines, within).iter().map(|line| line.number).collect::<Vec<_>>())
    });
    let has_room = Memo::new(move |_| lines.with(|lines| group_for(lines, within).is_some()));
    view! {
        <For each=move || numbers.get() key=|number| *number let:number>
            {line(number, form)}
        </For>
        <footer class="conditions-add">
            <button
                type="button"
                id=add_id(within)
                class="button button-small"
                class:button-plain=within.is_some()
                data-test="add-condition"
                on:click=move |_| edit.run(Edit::AddTest(within))
            >
                <Icon glyph=Glyph::Plus />
                {filter::add_condition()}
            </button>
            <Show when=move || has_room.get()>
                <button
                    type="button"
                    class="button button-small button-plain"
                    data-test="add-group"
                    on:click=move |_| edit.run(Edit::AddGroup(within))
                >
                    <Icon glyph=Glyph::Plus />
                    {filter::add_group()}
                </button>
            </Show>
        </footer>
    }
    .into_any()
}

fn line(number: usize, form: Form) -> AnyView {
    let is_group = Memo::new(move |_| {
        form.lines.with(|lines| find(lines, number).is_some_and(|line| matches!(line.content, Content::Group(..))))
    });
    let shown = move || match is_group.get() {
        true => group_box(number, form),
        false => view! { <ConditionRow number form /> }.into_any(),
    };
    shown.into_any()
}

fn group_box(number: usize, form: Form) -> AnyView {
    let Form { lines, edit, .. } = form;
    let junction = Memo::new(move |before: Option<&Junction>| {
        lines.with(|lines| match find(lines, number).map(|line| &line.content) {
            Some(Content::Group(junction, _)) => *junction,
            _ => before.copied().unwrap_or(Junction::Any),
        })
    });
    let is_empty = Memo::new(move |_| lines.with(|lines| lines_within(lines, Some(number)).is_empty()));
    let name = |junction| match junction {
        Junction::Any => filter::any_of_these(),
        Junction::All => filter::all_of_these(),
    };
    let junctions =
        vec![segment(Junction::Any, name(Junction::Any), "any"), segment(Junction::All, name(Junction::All), "all")];
    view! {
        <div
            class="condition-group"
            class:is-any=move || junction.get() == Junction::Any
            role="group"
            aria-label=move || name(junction.get())
            data-test="group"
            data-number=number
        >
            <header class="condition-group-head">
                <Segments
                    label=filter::which_must_hold()
                    segments=junctions
                    chosen=junction
                    on_choose=move |junction| edit.run(Edit::Switch(number, junction))
                />
                <button
                    type="button"
                    class="button button-plain button-icon"
                    aria-label=filter::remove_group()
                    title=filter::remove_group()
                    data-test="remove-group"
                    on:click=move |_| edit.run(Edit::Remove(number))
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </header>
            {line_list(Some(number), form)}
            <div class="condition-faults">
                <FieldFaults faults=faults_of(form, number) />
                {move || is_empty.get().then(|| view! { <p class="field-hint">{filter::empty_group()}</p> })}
            </div>
        </div>
    }
    .into_any()
}
