//! List of lines in the form, and boxes for groups.

use leadscribe_engine::filter::ast::Junction;
use leptos::prelude::*;

use super::condition_row::ConditionRow;
use super::form_view::{FormContext, line_diagnostics};
use super::line_tree::{Content, Edit, add_button_id, child_lines, find, new_group_junction};
use crate::i18n::texts::filter;
use crate::ui::input::{Button, FieldDiagnostics, IconButton};
use crate::ui::{Glyph, Icon, SegmentedControl, segment};

/// Lines of a group or the form, and the buttons to add more. Returns `AnyView`, because groups are nested and the type would be recursive.
pub fn line_list(parent: Option<usize>, form: FormContext) -> AnyView {
    let FormContext { lines, edit, .. } = form;
    let numbers = Memo::new(move |_| {
        lines.with(|lines| child_lines(lines, parent).iter().map(|line| line.number).collect::<Vec<_>>())
    });
    let can_add_group = Memo::new(move |_| lines.with(|lines| new_group_junction(lines, parent).is_some()));
    view! {
        <For each=move || numbers.get() key=|number| *number let:number>
            {line_view(number, form)}
        </For>
        <footer class="conditions-footer">
            <button
                type="button"
                id=add_button_id(parent)
                class="button button-small"
                class:button-plain=parent.is_some()
                data-test="add-condition"
                on:click=move |_| edit.run(Edit::AddTest(parent))
            >
                <Icon glyph=Glyph::Plus />
                {filter::add_condition()}
            </button>
            <Show when=move || can_add_group.get()>
                <Button
                    class="button-small button-plain"
                    glyph=Glyph::Plus
                    label=filter::add_group()
                    test_id="add-group"
                    on_press=move |()| edit.run(Edit::AddGroup(parent))
                />
            </Show>
        </footer>
    }
    .into_any()
}

fn line_view(number: usize, form: FormContext) -> AnyView {
    let is_group = Memo::new(move |_| {
        form.lines.with(|lines| find(lines, number).is_some_and(|line| matches!(line.content, Content::Group(..))))
    });
    let view = move || match is_group.get() {
        true => group_box(number, form),
        false => view! { <ConditionRow number form /> }.into_any(),
    };
    view.into_any()
}

fn group_box(number: usize, form: FormContext) -> AnyView {
    let FormContext { lines, edit, .. } = form;
    let junction = Memo::new(move |previous: Option<&Junction>| {
        lines.with(|lines| match find(lines, number).map(|line| &line.content) {
            Some(Content::Group(junction, _)) => *junction,
            _ => previous.copied().unwrap_or(Junction::Any),
        })
    });
    let is_empty = Memo::new(move |_| lines.with(|lines| child_lines(lines, Some(number)).is_empty()));
    let junction_label = |junction| match junction {
        Junction::Any => filter::any_of_these(),
        Junction::All => filter::all_of_these(),
    };
    let junctions = vec![
        segment(Junction::Any, junction_label(Junction::Any), "any"),
        segment(Junction::All, junction_label(Junction::All), "all"),
    ];
    view! {
        <div
            class="condition-group"
            class:is-any=move || junction.get() == Junction::Any
            role="group"
            aria-label=move || junction_label(junction.get())
            data-test="group"
            data-number=number
        >
            <header class="line condition-group-header">
                <SegmentedControl
                    label=filter::match_mode()
                    segments=junctions
                    selected=junction
                    on_choose=move |junction| edit.run(Edit::SetJunction(number, junction))
                />
                <IconButton
                    glyph=Glyph::Close
                    label=filter::remove_group()
                    title=filter::remove_group()
                    class=""
                    test_id="remove-group"
                    on_press=move |()| edit.run(Edit::Remove(number))
                />
            </header>
            {line_list(Some(number), form)}
            <div class="condition-errors">
                <FieldDiagnostics diagnostics=line_diagnostics(form, number) />
                {move || is_empty.get().then(|| view! { <p class="field-hint">{filter::empty_group()}</p> })}
            </div>
        </div>
    }
    .into_any()
}
