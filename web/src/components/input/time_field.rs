//! Labelled date or time input with the browser's own picker.

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::field::Field;
use super::filter_inputs::exact_moment;
use crate::components::dialog::filling;
use crate::faults::invalid;
use crate::texts::forms;
use crate::when;

/// Type of the input. Each type has its own functions, so that a page loads only those it uses.
pub struct Asks {
    kind: &'static str,
    least: Option<&'static str>,
    most: Option<&'static str>,
    step: Option<&'static str>,
    /// Conversion between the value and the text of the input.
    show: fn(&str) -> String,
    read: fn(&str) -> String,
    /// Exact value, shown on hover.
    title: fn(&str) -> Option<String>,
}

/// A calendar date.
pub static DATE: Asks = Asks {
    kind: "date",
    least: None,
    most: None,
    step: None,
    show: str::to_owned,
    read: str::to_owned,
    title: |_| None,
};

/// A timestamp with minutes, as RFC 3339.
pub static MINUTE: Asks = Asks {
    kind: "datetime-local",
    least: Some("1970-01-01T00:00"),
    most: Some("9999-12-31T23:59"),
    step: None,
    show: when::to_local_input,
    read: when::from_local_input,
    title: |_| None,
};

/// A timestamp with seconds, in the format of filters.
pub static SECOND: Asks = Asks {
    kind: "datetime-local",
    least: None,
    most: None,
    step: Some("any"),
    show: when::filter_to_input,
    read: when::filter_from_input,
    title: |value| Some(exact_moment(value)),
};

/// Value of a partly filled input. It is not a valid date, so the engine reports a fault at this field. Browsers report such an input as
/// empty, which would mean no value.
const INCOMPLETE: &str = "?";

/// The labelled input.
#[component]
pub fn TimeField(
    #[prop(into)] id: String,
    label: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
    asks: &'static Asks,
    value: Signal<String>,
    set: Callback<String>,
    /// Faults of this field.
    faults: Signal<Vec<Diagnostic>>,
    /// Note about a valid value.
    #[prop(optional)]
    remark: Option<AnyView>,
) -> impl IntoView {
    let node = NodeRef::<html::Input>::new();
    // Value that the input shows. Only a different value is written, because writing would clear a partly filled input.
    let shown = StoredValue::new(None::<String>);
    Effect::new(move |_| {
        let (Some(input), value) = (node.get(), value.get()) else { return };
        if shown.with_value(|shown| shown.as_ref() != Some(&value)) {
            input.set_value(&(asks.show)(&value));
            shown.set_value(Some(value));
        }
    });
    let filled = filling();
    let tell = move |input: HtmlInputElement| {
        let value = if input.validity().bad_input() { INCOMPLETE.to_owned() } else { (asks.read)(&input.value()) };
        shown.set_value(Some(value.clone()));
        filled();
        set.run(value);
    };
    // Browsers fire no event when the input becomes partly filled, nor when that is cleared.
    let check = move |input: HtmlInputElement| {
        // The input also loses the focus when it is removed together with its form.
        let was_incomplete = shown.try_with_value(|shown| shown.as_deref() == Some(INCOMPLETE));
        if was_incomplete.is_some_and(|was| was != input.validity().bad_input()) {
            tell(input);
        }
    };
    let faults = Signal::derive(move || match value.with(|value| value == INCOMPLETE) {
        true => vec![Diagnostic::new(Place::default(), "incomplete", forms::incomplete())],
        false => faults.get(),
    });
    view! {
        <Field
            id=id.clone()
            label
            faults
            remark=view! {
                {remark}
                {hint.map(|hint| view! { <p class="field-hint">{hint}</p> })}
            }
                .into_any()
        >
            <input
                node_ref=node
                id=id.clone()
                class="input"
                type=asks.kind
                min=asks.least
                max=asks.most
                step=asks.step
                title=move || value.with(|value| (asks.title)(value))
                autocomplete="off"
                aria-describedby=format!("{id}-note")
                aria-invalid=invalid(faults)
                data-test=id.clone()
                on:input:target=move |event| tell(event.target())
                on:focusout:target=move |event| check(event.target())
                on:keydown:target=move |event| {
                    if event.key() == "Enter" {
                        check(event.target());
                    }
                }
            />
        </Field>
    }
    .into_any()
}
