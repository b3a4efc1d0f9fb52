//! Filter form: one line per condition, and groups of lines.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::filter::ast::SyntaxTree;
use leadscribe_engine::filter::{parse, print_pretty};
use leptos::prelude::*;

use super::group_view::line_list;
use super::line_tree::{Content, Edit, Line, apply_edit, find, reuse_numbers};
use super::lines::{
    assign_pointers, build_filter, collect_relative_conditions, detect_relative_dates, lines_from_filter,
};
use super::{Names, RelativeDates};
use crate::browser::focus::focus_after_render;
use crate::i18n::relative_date::RelativeCondition;

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
    /// The text, while the form is in sync with it.
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
        // A new line has no content yet.
        let has_content = !matches!(edit, Edit::AddTest(_) | Edit::AddGroup(_));
        let (mut updated, mut number) = (lines.get_untracked(), next_number.get_value());
        let focus_target = apply_edit(&mut updated, edit, &mut number);
        next_number.set_value(number);
        if has_content {
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

/// Diagnostics at a line: at its key, or at its operator if several lines share the key. A group has only its own diagnostics,
/// without those of its lines.
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

/// Part of the diagnostics below a line's location that belong to the line.
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

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::Span;

    use crate::ui::filter_editor::form_view::*;

    #[test]
    fn assigns_diagnostics_to_lines() {
        let diagnostic = |line_pointer: &str| {
            Diagnostic::new(Location::Pointer(line_pointer.to_owned()), "x", "wrong").at(Span::default())
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
