//! Readable view of a schema: its members with type, constraints and description. Nested schemas expand on demand, because schemas can be
//! recursive.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;

use crate::components::prose::with_code;
use crate::openapi::{ADDITIONAL_NAMES_LABEL, Document, Member, SchemaContent, SchemaDescription, describe};
use crate::texts::api_page as texts;

/// Number of values of a closed list shown initially.
const MAX_INITIAL_VALUES: usize = 12;

/// A whole schema.
#[component]
pub fn SchemaView(
    document: Arc<Document>,
    schema: Value,
    /// True for a response schema: members are present unless stated otherwise.
    #[prop(optional)]
    is_response: bool,
) -> impl IntoView {
    let shape = describe(&document, &schema);
    view! {
        <div class="schema stack-tight">
            <p class="schema-kind">
                <span class="kind">{shape.type_name.clone()}</span>
                {(!shape.description.is_empty()).then(|| view! { <span class="secondary">" – " {with_code(&shape.description)}</span> })}
            </p>
            <Details shape=shape.clone() />
            {content_view(document, shape.content, is_response)}
        </div>
    }
    .into_any()
}

/// Constraints, values and examples of a value, below its name.
#[component]
pub fn Details(shape: SchemaDescription) -> impl IntoView {
    let constraints = (!shape.constraints.is_empty()).then(|| {
        let constraints = shape.constraints.into_iter().map(|constraint| view! { <span>{constraint}</span> });
        view! { <p class="schema-facts small muted">{constraints.collect_view()}</p> }
    });
    let examples = (!shape.examples.is_empty()).then(|| {
        let examples = shape.examples.into_iter().map(|example| view! { " " <code>{example}</code> });
        view! { <p class="schema-facts small muted">{texts::example_before()} {examples.collect_view()}</p> }
    });
    view! {
        {constraints}
        {value_chips(shape.values)}
        {examples}
    }
}

/// Values of a closed list; those after the first few expand on demand.
fn value_chips(values: Vec<String>) -> AnyView {
    let chips = |values: Vec<String>| {
        let chips = values.into_iter().map(|value| view! { <code class="chip">{value}</code> });
        view! { <div class="chips">{chips.collect_view()}</div> }
    };
    match values.len() {
        0 => ().into_any(),
        count if count > MAX_INITIAL_VALUES => view! {
            <details class="schema-more">
                <summary>{texts::values(count as u64)}</summary>
                {chips(values)}
            </details>
        }
        .into_any(),
        _ => chips(values).into_any(),
    }
}

/// Content of a value, as a list.
fn content_view(document: Arc<Document>, content: SchemaContent, is_response: bool) -> AnyView {
    match content {
        SchemaContent::Empty => ().into_any(),
        SchemaContent::Members(members) => {
            let rows =
                members.into_iter().map(|member| member_row(document.clone(), member, is_response)).collect_view();
            view! { <ul class="schema-members">{rows}</ul> }.into_any()
        }
        SchemaContent::Variants(choices) => {
            let rows = choices.into_iter().map(|schema| {
                let document = document.clone();
                view! { <li><SchemaView document schema is_response /></li> }
            });
            view! {
                <p class="small muted">{texts::one_of()}</p>
                <ul class="schema-members schema-choices">{rows.collect_view()}</ul>
            }
            .into_any()
        }
    }
}

fn member_row(document: Arc<Document>, member: Member, is_response: bool) -> AnyView {
    let Member { name, is_required: required, schema } = member;
    let shape = describe(&document, &schema);
    let requirement = match (is_response, required) {
        (false, true) => Some(view! { " " <span class="required">{texts::required()}</span> }.into_any()),
        (true, false) if name != ADDITIONAL_NAMES_LABEL => {
            Some(view! { " " <span class="kind">{texts::optional()}</span> }.into_any())
        }
        _ => None,
    };
    let expandable = (shape.content != SchemaContent::Empty).then(|| {
        let label = match &shape.content {
            SchemaContent::Variants(_) => texts::forms().to_owned(),
            _ => texts::members_of(name.as_str()),
        };
        view! { <ExpandableContent label document shape_content=shape.content.clone() is_response /> }
    });
    view! {
        <li>
            <p class="schema-name">
                <code class="strong">{name}</code>
                " "
                <span class="kind">{shape.type_name.clone()}</span>
                {requirement}
            </p>
            {(!shape.description.is_empty()).then(|| view! { <p class="secondary small">{with_code(&shape.description)}</p> })}
            <Details shape />
            {expandable}
        </li>
    }
    .into_any()
}

/// Content that is built only when expanded.
#[component]
fn ExpandableContent(
    label: String,
    document: Arc<Document>,
    shape_content: SchemaContent,
    is_response: bool,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let content = move || open.get().then(|| content_view(document.clone(), shape_content.clone(), is_response));
    view! {
        <details class="schema-more" on:toggle:target=move |event| open.set(event.target().open())>
            <summary>{label}</summary>
            {content}
        </details>
    }
    .into_any()
}
