//! Filter form: one line per condition, and groups of lines.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::filter::ast::{Junction, SyntaxTree};
use leadscribe_engine::filter::{parse, print_pretty};
use leptos::prelude::*;

use super::line_tree::{
    Content, Edit, Line, add_button_id, apply_edit, child_lines, find, new_group_junction, reuse_numbers,
};
use super::lines::{
    assign_pointers, build_filter, collect_relative_conditions, detect_relative_dates, lines_from_filter,
};
use super::{Names, RelativeDates};
use crate::browser::focus::focus_after_render;
use crate::i18n::relative_date::RelativeCondition;
use crate::i18n::texts::filter;
use crate::ui::filter_editor::condition_row::ConditionRow;
use crate::ui::input::{Button, FieldDiagnostics, IconButton};
use crate::ui::{Glyph, Icon, SegmentedControl, segment};

/// State and callback shared by all lines.
#[derive(Clone, Copy)]
pub struct FormContext {
    pub lines: RwSignal<Vec<Line>>,
    pub diagnostics: Signal<Vec<Diagnostic>>,
    pub names: Signal<Names>,
    pub edit: Callback<Edit>,
}

#[component]
pub fn FormView(
    text: RwSignal<String>,
    /// Text to show in the form. It follows the JSON editor with a delay.
    synced_text: Signal<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
    #[prop(into)] names: Signal<Names>,
    dates: RelativeDates,
) -> impl IntoView {
    let lines = RwSignal::new(Vec::<Line>::new());
    // Text that the form produced last; it needn't be parsed again.
    let printed = StoredValue::new(None::<(String, Vec<RelativeCondition>)>);
    let next_number = StoredValue::new(0_usize);

    Effect::new(move |_| {
        let current = (synced_text.get(), dates.conditions.get());
        if printed.with_value(|printed| printed.as_ref() == Some(&current)) {
            return;
        }
        printed.set_value(None);
        let mut parsed = lines_from_filter(&parse(&current.0).tree);
        dates.anchor.with_untracked(|anchor| detect_relative_dates(&mut parsed, &current.1, anchor));
        lines.with_untracked(|previous| {
            next_number.update_value(|next_number| reuse_numbers(&mut parsed, previous, next_number))
        });
        lines.set(parsed);
    });

    let edit = Callback::new(move |edit: Edit| {
        // Adding an empty line doesn't change the filter.
        let changes_filter = !matches!(edit, Edit::AddTest(_) | Edit::AddGroup(_));
        let (mut updated, mut number) = (lines.get_untracked(), next_number.get_value());
        let focus_target = apply_edit(&mut updated, edit, &mut number);
        next_number.set_value(number);
        if changes_filter {
            let tree = parse(&text.get_untracked()).tree;
            let output = dates.anchor.with_untracked(|anchor| build_filter(&updated, &tree, anchor));
            assign_pointers(&mut updated, &output);
            let conditions = collect_relative_conditions(&updated);
            let new_text = print_pretty(&reset_offset(output.filter));
            lines.set(updated);
            printed.set_value(Some((new_text.clone(), conditions.clone())));
            dates.conditions.set(conditions);
            text.set(new_text);
        } else {
            lines.set(updated);
        }
        // Focuses the new line after it is rendered.
        if let Some(id) = focus_target {
            focus_after_render(id);
        }
    });
    let form = FormContext { lines, diagnostics, names, edit };
    view! {
        <div class="conditions" data-test="filter-form">
            {line_list(None, form)}
        </div>
    }
}

/// Resets the page offset: changed conditions start at the first page.
fn reset_offset(mut filter: SyntaxTree) -> SyntaxTree {
    match &mut filter.controls.limit {
        Some(limit) => {
            if let Some((count, _)) = limit.value.split_once(';') {
                limit.value = format!("{count};0");
            }
        }
        // The server rejects an empty filter, to prevent listing all leads by mistake.
        None if filter.conditions.is_empty() => filter.controls.limit = Some("50;0".to_owned().into()),
        None => {}
    }
    filter
}

/// Diagnostics at a line: at its key, or at its operator if several lines share the key. A group has only its own
/// diagnostics, without those of its lines.
pub fn line_diagnostics(form: FormContext, number: usize) -> Signal<Vec<Diagnostic>> {
    let find_diagnostics = move || {
        let line_pointer = form.lines.with(|lines| {
            let line = find(lines, number)?;
            let line_pointer = line.pointer.clone()?;
            match &line.content {
                Content::Test(test) if !test.is_complete() => None,
                Content::Test(test) => Some((line_pointer, DiagnosticScope::Operator(test.operator.as_str()))),
                Content::Unsupported(_) | Content::Relative(_) => Some((line_pointer, DiagnosticScope::Subtree)),
                Content::Group(..) => Some((line_pointer, DiagnosticScope::Exact)),
            }
        });
        let Some((line_pointer, scope)) = line_pointer else { return Vec::new() };
        form.diagnostics.with(|diagnostics| {
            diagnostics.iter().filter(|diagnostic| belongs_to_line(diagnostic, &line_pointer, scope)).cloned().collect()
        })
    };
    Memo::new(move |_| find_diagnostics()).into()
}

/// Selects which diagnostics below a line's location belong to the line.
#[derive(Clone, Copy)]
enum DiagnosticScope {
    Exact,
    /// List elements, and diagnostics at this operator.
    Operator(&'static str),
    Subtree,
}

fn belongs_to_line(diagnostic: &Diagnostic, line_pointer: &str, scope: DiagnosticScope) -> bool {
    let Location::Pointer(pointer) = &diagnostic.location else { return false };
    let Some(rest) = pointer.strip_prefix(line_pointer) else { return false };
    match (rest.strip_prefix('/'), scope) {
        (None, _) => rest.is_empty(),
        (Some(_), DiagnosticScope::Subtree) => true,
        (Some(inner), DiagnosticScope::Operator(operator)) => {
            let segment = inner.split('/').next().unwrap_or(inner);
            segment == operator || segment.starts_with(|c: char| c.is_ascii_digit())
        }
        (Some(_), DiagnosticScope::Exact) => false,
    }
}

/// Lines of a group or the form, and the buttons to add more. Returns `AnyView`, because groups are nested and the type
/// would be recursive.
fn line_list(parent: Option<usize>, form: FormContext) -> AnyView {
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

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::{Span, common};

    use crate::ui::filter_editor::form_view::*;

    #[test]
    fn assigns_diagnostics_to_lines() {
        let diagnostic = |line_pointer: &str| {
            Diagnostic::new(Location::Pointer(line_pointer.to_owned()), "x", common::none()).at(Span::default())
        };
        for (pointer, line_pointer, scope, expected) in [
            ("/_or/0/city", "/_or/0/city", DiagnosticScope::Operator("eq"), true),
            ("/_or/0/city/2", "/_or/0/city", DiagnosticScope::Operator("in"), true),
            ("/_or/0/city/not/2", "/_or/0/city", DiagnosticScope::Operator("not"), true),
            ("/_or/0/city/not", "/_or/0/city", DiagnosticScope::Operator("contains"), false),
            ("/_or/1/city", "/_or/0/city", DiagnosticScope::Operator("eq"), false),
            ("/city2", "/city", DiagnosticScope::Subtree, false),
            ("/city/x", "/city", DiagnosticScope::Subtree, true),
            ("/_or", "/_or", DiagnosticScope::Exact, true),
            ("/_or/0/city", "/_or", DiagnosticScope::Exact, false),
        ] {
            assert_eq!(
                belongs_to_line(&diagnostic(pointer), line_pointer, scope),
                expected,
                "{pointer} at {line_pointer}"
            );
        }
    }
}
