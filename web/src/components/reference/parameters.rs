//! Parameters of an operation: their descriptions and inputs.

use std::sync::Arc;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::schema_view::Details;
use crate::components::input::field::FieldDiagnostics;
use crate::components::prose::with_code;
use crate::openapi::{Document, Parameter, ParameterLocation, SchemaDescription, describe};
use crate::texts::api_page as texts;
use crate::validation_errors::diagnostics_at;

/// Number of parameters shown initially if there are many more.
const MAX_INITIAL_PARAMETERS: usize = 8;

#[component]
pub fn Parameters(
    document: Arc<Document>,
    parameters: Vec<Parameter>,
    /// Values, in the order of the parameters.
    values: Vec<RwSignal<String>>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let count = parameters.len();
    let shows_all = RwSignal::new(count <= MAX_INITIAL_PARAMETERS + 2);
    let rows = parameters.into_iter().zip(values).enumerate().map(|(index, (parameter, value))| {
        let is_collapsible = index >= MAX_INITIAL_PARAMETERS && !parameter.is_required;
        let shape = describe(&document, &parameter.schema);
        view! {
            <li class="parameter" hidden=move || is_collapsible && !shows_all.get()>
                <ParameterRow parameter shape value diagnostics />
            </li>
        }
    });
    view! {
        <ul class="parameters">{rows.collect_view()}</ul>
        <Show when=move || !shows_all.get()>
            <button type="button" class="button button-small parameters-more" data-test="all-parameters" on:click=move |_| shows_all.set(true)>
                {texts::all_parameters(count as u64)}
            </button>
        </Show>
    }
    .into_any()
}

/// Id of the input of a parameter.
pub fn input_id(name: &str) -> String {
    format!("parameter-{name}")
}

#[component]
fn ParameterRow(
    parameter: Parameter,
    shape: SchemaDescription,
    value: RwSignal<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let name = parameter.name.clone();
    let parameter_diagnostics =
        Signal::derive(move || diagnostics.with(|diagnostics| diagnostics_at(diagnostics, &name)));
    let description = (!parameter.description.is_empty()).then(|| with_code(&parameter.description));
    let location = match parameter.location {
        ParameterLocation::Query => None,
        ParameterLocation::Path => Some(texts::in_path()),
        ParameterLocation::Header => Some(texts::in_header()),
    };
    let location = location.map(|location| view! { " " <span class="small muted">{location}</span> });
    let id = input_id(&parameter.name);
    view! {
        <div class="parameter-about">
            <label class="schema-name" for=id.clone()>
                <code class="strong">{parameter.name.clone()}</code>
                " "
                <span class="kind">{shape.type_name.clone()}</span>
                {location}
                {parameter.is_required.then(|| view! { " " <span class="required">{texts::required()}</span> })}
            </label>
            {description.map(|description| view! { <p class="secondary small">{description}</p> })}
            <Details shape=SchemaDescription { values: Vec::new(), examples: Vec::new(), ..shape.clone() } />
        </div>
        <div>
            {input(id, &parameter, &shape, value)}
            <FieldDiagnostics diagnostics=parameter_diagnostics />
        </div>
    }
    .into_any()
}

fn input(id: String, parameter: &Parameter, shape: &SchemaDescription, value: RwSignal<String>) -> AnyView {
    let test_id = format!("param-{}", parameter.name);
    let example = parameter.example.clone().or_else(|| shape.examples.first().cloned()).unwrap_or_default();
    let is_boolean = shape.type_name.starts_with("boolean");
    if parameter.is_repeatable {
        return view! {
            <textarea
                id=id
                class="textarea"
                rows="1"
                placeholder=texts::one_value_per_line()
                autocapitalize="off"
                spellcheck="false"
                data-test=test_id
                bind:value=value
            ></textarea>
        }
        .into_any();
    }
    let choices = if is_boolean { vec!["true".to_owned(), "false".to_owned()] } else { shape.values.clone() };
    if !choices.is_empty() {
        let options = choices.into_iter().map(|choice| {
            let value = choice.clone();
            view! { <option value=value>{choice}</option> }
        });
        return view! {
            <select id=id class="select" data-test=test_id bind:value=value>
                <option value="">"–"</option>
                {options.collect_view()}
            </select>
        }
        .into_any();
    }
    view! {
        <input
            id=id
            class="input"
            type="text"
            inputmode=shape.type_name.starts_with("integer").then_some("numeric")
            placeholder=example
            autocapitalize="off"
            autocomplete="off"
            spellcheck="false"
            data-test=test_id
            bind:value=value
        />
    }
    .into_any()
}
