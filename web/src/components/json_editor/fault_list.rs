//! List of faults in the text: message, suggested fix and link to the location.

use leadscribe_engine::fault::Fault;
use leptos::prelude::*;

use super::{floor, textarea};
use crate::components::icon::{Glyph, Icon};
use crate::components::prose::{detail, hint};
use crate::texts::filter;

/// Prefix of a hint that suggests a name.
const PROPOSAL: &str = "did you mean `";

/// A replacement that fixes a fault.
#[derive(Clone, Debug, PartialEq)]
struct Cure {
    start: usize,
    end: usize,
    name: String,
    quoted: bool,
}

/// The list.
#[component]
pub fn FaultList(
    /// Id of the editor.
    id: &'static str,
    text: RwSignal<String>,
    faults: Signal<Vec<Fault>>,
) -> impl IntoView {
    let items = move || faults.get().into_iter().map(|fault| view! { <FaultItem id text fault /> }).collect_view();
    view! {
        <ul id=format!("{id}-faults") class="faults" aria-label=filter::faults() aria-live="polite">
            {items}
        </ul>
    }
}

#[component]
fn FaultItem(id: &'static str, text: RwSignal<String>, fault: Fault) -> impl IntoView {
    let at = fault.at;
    let cure = text.with_untracked(|text| cure(text, &fault));
    let place = text.with_untracked(|text| line_and_column(text, at.start));
    let jump = move |_| text.with_untracked(|text| select(id, text, at.start, at.end));
    let (detail, hint) = (detail(&fault), hint(&fault));
    view! {
        <li class="fault" data-test="fault" data-code=fault.code>
            <button type="button" class="fault-jump" on:click=jump>
                <Icon glyph=Glyph::Alert />
                <span>
                    <span class="strong">{detail}</span>
                    {hint.map(|hint| view! { <span class="secondary">{hint}</span> })}
                    <span class="muted nowrap">" " {place}</span>
                </span>
            </button>
            {cure
                .map(|cure| {
                    let label = filter::use_name(&cure.name);
                    view! {
                        <button
                            type="button"
                            class="button button-small"
                            data-test="use-suggestion"
                            on:click=move |_| text.update(|text| apply(text, &cure))
                        >
                            <Icon glyph=Glyph::Wand />
                            {label}
                        </button>
                    }
                })}
        </li>
    }
}

/// Fix suggested by the engine for the text at the fault.
fn cure(text: &str, fault: &Fault) -> Option<Cure> {
    let name = fault.hint.as_ref()?.to_string().strip_prefix(PROPOSAL)?.split('`').next()?.to_owned();
    let (start, end) = (floor(text, fault.at.start), floor(text, fault.at.end));
    let found = text.get(start..end).filter(|found| !found.is_empty())?;
    let quoted = found.len() >= 2 && found.starts_with('"') && found.ends_with('"');
    Some(Cure { start, end, name, quoted })
}

fn apply(text: &mut String, cure: &Cure) {
    let name = if cure.quoted { format!("\"{}\"", cure.name) } else { cure.name.clone() };
    if text.get(cure.start..cure.end).is_some() {
        text.replace_range(cure.start..cure.end, &name);
    }
}

/// `line 2, column 5`, both counted from 1.
fn line_and_column(text: &str, at: usize) -> String {
    let before = &text[..floor(text, at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    filter::line_and_column(line, column)
}

/// Selects a byte range of the text in the textarea. Browsers count UTF-16 units.
fn select(id: &str, text: &str, start: usize, end: usize) {
    let place = |at: usize| text[..floor(text, at)].encode_utf16().count() as u32;
    if let Some(area) = textarea(id) {
        // Both fail only on elements that are not text inputs.
        let _ = area.focus();
        let _ = area.set_selection_range(place(start), place(end.max(start)));
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::fault::{Place, Span};

    use super::*;

    #[test]
    fn applies_suggested_key_in_place() {
        let mut text = r#"{"frist_name": "Ann"}"#.to_owned();
        let fault = Fault::new(Place::default(), "unknown_key", "wrong")
            .hint("did you mean `first_name`?")
            .at(Span::new(1, 13));
        let cure = cure(&text, &fault).unwrap();
        apply(&mut text, &cure);
        assert_eq!(text, r#"{"first_name": "Ann"}"#);
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_and_column("{\n \"ü\": 1", 6), "line 2, column 4");
    }
}
