//! Filter form: one line per condition, and groups of lines.

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::filter::ast::Filter;
use leadscribe_engine::filter::{parse, print_pretty};
use leptos::prelude::*;

use super::field_picker::field_id;
use super::group_box::{add_id, line_list};
use super::rows::{choices_of, filter_of, lines_of, place, recognize};
use super::tree::{Content, Edit, GoOn, Line, apply, find, keep_numbers};
use super::{Dates, Names};
use crate::focus::focus_soon;
use crate::relative::Choice;

/// State and callback shared by all lines.
#[derive(Clone, Copy)]
pub struct Form {
    pub lines: RwSignal<Vec<Line>>,
    pub faults: Signal<Vec<Diagnostic>>,
    pub names: Signal<Names>,
    pub edit: Callback<Edit>,
}

#[component]
pub fn FormView(
    text: RwSignal<String>,
    /// The text, while the form is in sync with it.
    shown: Signal<String>,
    faults: Signal<Vec<Diagnostic>>,
    #[prop(into)] names: Signal<Names>,
    dates: Dates,
) -> impl IntoView {
    let lines = RwSignal::new(Vec::<Line>::new());
    // Text that the form produced last; it needn't be parsed again.
    let printed = StoredValue::new(None::<(String, Vec<Choice>)>);
    let next = StoredValue::new(0_usize);

    Effect::new(move |_| {
        let current = (shown.get(), dates.chosen.get());
        if printed.with_value(|printed| printed.as_ref() == Some(&current)) {
            return;
        }
        printed.set_value(None);
        let mut read = lines_of(&parse(&current.0).tree);
        dates.anchor.with_untracked(|anchor| recognize(&mut read, &current.1, anchor));
        lines.with_untracked(|before| next.update_value(|next| keep_numbers(&mut read, before, next)));
        lines.set(read);
    });

    let edit = Callback::new(move |edit: Edit| {
        // A new line has no content yet.
        let is_said = !matches!(edit, Edit::AddTest(_) | Edit::AddGroup(_));
        let (mut after, mut number) = (lines.get_untracked(), next.get_value());
        let go_on = apply(&mut after, edit, &mut number);
        next.set_value(number);
        if is_said {
            let tree = parse(&text.get_untracked()).tree;
            let written = dates.anchor.with_untracked(|anchor| filter_of(&after, &tree, anchor));
            place(&mut after, &written);
            let choices = choices_of(&after);
            let new = print_pretty(&at_first_page(written.filter));
            lines.set(after);
            printed.set_value(Some((new.clone(), choices.clone())));
            dates.chosen.set(choices);
            text.set(new);
        } else {
            lines.set(after);
        }
        // Focuses the new line after it is rendered.
        match go_on {
            GoOn::Here => {}
            GoOn::Field(number) => focus_soon(field_id(number)),
            GoOn::Add(within) => focus_soon(add_id(within)),
        }
    });
    let form = Form { lines, faults, names, edit };
    view! {
        <div class="conditions" data-test="filter-form">
            {line_list(None, form)}
        </div>
    }
}

/// Resets the page offset: changed conditions start at the first page.
fn at_first_page(mut filter: Filter) -> Filter {
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

/// Faults at a line: at its key, or at its operator if several lines share the key. A group has only its own faults, without those of its
/// lines.
pub fn faults_of(form: Form, number: usize) -> Signal<Vec<Diagnostic>> {
    let at_line = move || {
        let place = form.lines.with(|lines| {
            let line = find(lines, number)?;
            let place = line.place.clone()?;
            match &line.content {
                Content::Test(test) if !test.is_complete() => None,
                Content::Test(test) => Some((place, Within::Operator(test.operator.as_str()))),
                Content::Kept(_) | Content::Relative(_) => Some((place, Within::All)),
                Content::Group(..) => Some((place, Within::Nothing)),
            }
        });
        let Some((place, within)) = place else { return Vec::new() };
        form.faults.with(|faults| faults.iter().filter(|fault| is_at(fault, &place, within)).cloned().collect())
    };
    Memo::new(move |_| at_line()).into()
}

/// Part of the faults below a line's location that belong to the line.
#[derive(Clone, Copy)]
enum Within {
    Nothing,
    /// List elements, and faults at this operator.
    Operator(&'static str),
    All,
}

fn is_at(fault: &Diagnostic, place: &str, within: Within) -> bool {
    let Place::Pointer(at) = &fault.place else { return false };
    match (at.strip_prefix(place), within) {
        (Some(""), _) => true,
        (Some(rest), within) => match (rest.strip_prefix('/'), within) {
            (Some(_), Within::All) => true,
            (Some(inner), Within::Operator(operator)) => {
                let step = inner.split('/').next().unwrap_or(inner);
                step == operator || step.starts_with(|first: char| first.is_ascii_digit())
            }
            _ => false,
        },
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::Span;

    use super::*;

    #[test]
    fn assigns_faults_to_lines() {
        let fault = |place: &str| Diagnostic::new(Place::Pointer(place.to_owned()), "x", "wrong").at(Span::default());
        for (at, place, within, expected) in [
            ("/_or/0/city", "/_or/0/city", Within::Operator("eq"), true),
            ("/_or/0/city/2", "/_or/0/city", Within::Operator("in"), true),
            ("/_or/0/city/not/2", "/_or/0/city", Within::Operator("not"), true),
            ("/_or/0/city/not", "/_or/0/city", Within::Operator("contains"), false),
            ("/_or/1/city", "/_or/0/city", Within::Operator("eq"), false),
            ("/city2", "/city", Within::All, false),
            ("/city/x", "/city", Within::All, true),
            ("/_or", "/_or", Within::Nothing, true),
            ("/_or/0/city", "/_or", Within::Nothing, false),
        ] {
            assert_eq!(is_at(&fault(at), place, within), expected, "{at} at {place}");
        }
    }
}
