//! Parameters of an operation: their descriptions and inputs.

use std::sync::Arc;

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::schema_view::Details;
use crate::components::input::field::FieldFaults;
use crate::components::prose::with_code;
use crate::faults::faults_at;
use crate::openapi::{Document, Parameter, Place, Shape, shape};
use crate::texts::api_page as texts;

/// Number of parameters shown initially if there are many more.
const FEW: usize = 8;

#[component]
pub fn Parameters(
    document: Arc<Document>,
    parameters: Vec<Parameter>,
    /// Values, in the order of the parameters.
    values: Vec<RwSignal<String>>,
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let count = parameters.len();
    let all = RwSignal::new(count <= FEW + 2);
    let rows = parameters.into_iter().zip(values).enumerate().map(|(place, (parameter, value))| {
        let is_late = place >= FEW && !parameter.required;
        let shape = shape(&document, &parameter.schema);
        view! {
            <li class="parameter" hidden=move || is_late && !all.get()>
                <Row parameter shape value faults />
            </li>
        }
    });
    view! {
        <ul class="parameters">{rows.collect_view()}</ul>
        <Show when=move || !all.get()>
            <button type="button" class="button button-small parameters-more" data-test="all-parameters" on:click=move |_| all.set(true)>
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
fn Row(parameter: Parameter, shape: Shape, value: RwSignal<String>, faults: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let name = parameter.name.clone();
    let own = Signal::derive(move || faults.with(|faults| faults_at(faults, &name)));
    let about = (!parameter.about.is_empty()).then(|| with_code(&parameter.about));
    let place = match parameter.place {
        Place::Query => None,
        Place::Path => Some(texts::in_path()),
        Place::Header => Some(texts::in_header()),
    };
    let place = place.map(|place| view! { " " <span class="small muted">{place}</span> });
    let id = input_id(&parameter.name);
    view! {
        <div class="parameter-about">
            <label class="schema-name" for=id.clone()>
                <code class="strong">{parameter.name.clone()}</code>
                " "
                <span class="kind">{shape.kind.clone()}</span>
                {place}
                {parameter.required.then(|| view! { " " <span class="required">{texts::required()}</span> })}
            </label>
            {about.map(|about| view! { <p class="secondary small">{about}</p> })}
            <Details shape=Shape { values: Vec::new(), examples: Vec::new(), ..shape.clone() } />
        </div>
        <div>
            {input(id, &parameter, &shape, value)}
            <FieldFaults faults=own />
        </div>
    }
    .into_any()
}

fn input(id: String, parameter: &Parameter, shape: &Shape, value: RwSignal<String>) -> AnyView {
    let test = format!("param-{}", parameter.name);
    let example = parameter.example.clone().or_else(|| shape.examples.first().cloned()).unwrap_or_default();
    let is_boolean = shape.kind.starts_with("boolean");
    if parameter.repeats {
        return view! {
            <textarea
                id=id
                class="textarea"
                rows="1"
                placeholder=texts::one_a_line()
                autocapitalize="off"
                spellcheck="false"
                data-test=test
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
            <select id=id class="select" data-test=test bind:value=value>
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
            inputmode=shape.kind.starts_with("integer").then_some("numeric")
            placeholder=example
            autocapitalize="off"
            autocomplete="off"
            spellcheck="false"
            data-test=test
            bind:value=value
        />
    }
    .into_any()
}
