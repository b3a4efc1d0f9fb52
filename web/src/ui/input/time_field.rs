//! Labeled date or time input with the browser's own picker.

use leadscribe_engine::diagnostic::{Diagnostic, Location, common};
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::field::Field;
use super::filter_inputs::exact_time_title;
use crate::i18n::{aria_invalid, datetime};
use crate::ui::dialog::use_mark_filled;

/// Type of the input. Each type has its own functions, so that a page loads only those it uses.
pub struct TimeInputType {
    html_type: &'static str,
    min: Option<&'static str>,
    max: Option<&'static str>,
    step: Option<&'static str>,
    /// Converts the value to the text of the input.
    to_input: fn(&str) -> String,
    /// Converts the text of the input to the value.
    from_input: fn(&str) -> String,
    /// Exact value, shown on hover.
    title: fn(&str) -> Option<String>,
}

/// A calendar date.
pub static DATE: TimeInputType = TimeInputType {
    html_type: "date",
    min: None,
    max: None,
    step: None,
    to_input: str::to_owned,
    from_input: str::to_owned,
    title: |_| None,
};

/// A timestamp with minutes, as RFC 3339.
pub static MINUTE: TimeInputType = TimeInputType {
    html_type: "datetime-local",
    min: Some("1970-01-01T00:00"),
    max: Some("9999-12-31T23:59"),
    step: None,
    to_input: datetime::to_local_input,
    from_input: datetime::from_local_input,
    title: |_| None,
};

/// A timestamp with seconds, in the format of filters.
pub static SECOND: TimeInputType = TimeInputType {
    html_type: "datetime-local",
    min: None,
    max: None,
    step: Some("any"),
    to_input: datetime::filter_to_input,
    from_input: datetime::filter_from_input,
    title: |value| Some(exact_time_title(value)),
};

/// Value of a partly filled input. It is not a valid date, so the engine reports a diagnostic at this field. Browsers
/// report such an input as empty, which would mean no value.
const INCOMPLETE: &str = "?";

#[component]
pub fn TimeField(
    #[prop(into)] id: String,
    label: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
    input_type: &'static TimeInputType,
    value: Signal<String>,
    set: Callback<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
    /// Note about a valid value.
    #[prop(optional)]
    note: Option<AnyView>,
) -> impl IntoView {
    let node = NodeRef::<html::Input>::new();
    // Value that the input shows. Only a different value is written, because writing would clear a partly filled input.
    let displayed = StoredValue::new(None::<String>);
    Effect::new(move |_| {
        let (Some(input), value) = (node.get(), value.get()) else { return };
        if displayed.with_value(|displayed| displayed.as_ref() != Some(&value)) {
            input.set_value(&(input_type.to_input)(&value));
            displayed.set_value(Some(value));
        }
    });
    let mark_filled = use_mark_filled();
    let report = move |input: HtmlInputElement| {
        let value =
            if input.validity().bad_input() { INCOMPLETE.to_owned() } else { (input_type.from_input)(&input.value()) };
        displayed.set_value(Some(value.clone()));
        mark_filled();
        set.run(value);
    };
    // Browsers fire no event when the input becomes partly filled, nor when that is cleared.
    let check = move |input: HtmlInputElement| {
        // The input also loses the focus when it is removed together with its form.
        let was_incomplete = displayed.try_with_value(|displayed| displayed.as_deref() == Some(INCOMPLETE));
        if was_incomplete.is_some_and(|was_bad| was_bad != input.validity().bad_input()) {
            report(input);
        }
    };
    let diagnostics = Signal::derive(move || match value.with(|value| value == INCOMPLETE) {
        true => vec![Diagnostic::new(Location::default(), "incomplete", common::incomplete())],
        false => diagnostics.get(),
    });
    view! {
        <Field
            id=id.clone()
            label
            diagnostics
            note=view! {
                {note}
                {hint.map(|hint| view! { <p class="field-hint">{hint}</p> })}
            }
                .into_any()
        >
            <input
                node_ref=node
                id=id.clone()
                class="input"
                type=input_type.html_type
                min=input_type.min
                max=input_type.max
                step=input_type.step
                title=move || value.with(|value| (input_type.title)(value))
                autocomplete="off"
                aria-describedby=format!("{id}-note")
                aria-invalid=aria_invalid(diagnostics)
                data-test=id.clone()
                on:input:target=move |event| report(event.target())
                on:focusout:target=move |event| check(event.target())
                on:keydown:target=move |event| {
                    if event.key() == "Enter" {
                        check(event.target());
                    }
                }
            />
        </Field>
    }
}
