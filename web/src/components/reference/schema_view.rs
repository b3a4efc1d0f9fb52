//! Readable view of a schema: its members with type, constraints and description. Nested schemas expand on demand, because schemas can be
//! recursive.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;

use crate::components::prose::with_code;
use crate::openapi::{Document, Inside, Member, REST, Shape, shape};
use crate::texts::api_page as texts;

/// Number of values of a closed list shown initially.
const VALUES: usize = 12;

/// A whole schema.
#[component]
pub fn SchemaView(
    document: Arc<Document>,
    schema: Value,
    /// True for a response schema: members are present unless stated otherwise.
    #[prop(optional)]
    answered: bool,
) -> impl IntoView {
    let shape = shape(&document, &schema);
    view! {
        <div class="schema stack-tight">
            <p class="schema-kind">
                <span class="kind">{shape.kind.clone()}</span>
                {(!shape.about.is_empty()).then(|| view! { <span class="secondary">" – " {with_code(&shape.about)}</span> })}
            </p>
            <Details shape=shape.clone() />
            {inside(document, shape.inside, answered)}
        </div>
    }
    .into_any()
}

/// Constraints, values and examples of a value, below its name.
#[component]
pub fn Details(shape: Shape) -> impl IntoView {
    let facts = (!shape.facts.is_empty()).then(|| {
        let facts = shape.facts.into_iter().map(|fact| view! { <span>{fact}</span> });
        view! { <p class="schema-facts small muted">{facts.collect_view()}</p> }
    });
    let examples = (!shape.examples.is_empty()).then(|| {
        let examples = shape.examples.into_iter().map(|example| view! { " " <code>{example}</code> });
        view! { <p class="schema-facts small muted">{texts::example_before()} {examples.collect_view()}</p> }
    });
    view! {
        {facts}
        {values(shape.values)}
        {examples}
    }
}

/// Values of a closed list; those after the first few expand on demand.
fn values(values: Vec<String>) -> AnyView {
    let chips = |values: Vec<String>| {
        let chips = values.into_iter().map(|value| view! { <code class="chip">{value}</code> });
        view! { <div class="chips">{chips.collect_view()}</div> }
    };
    match values.len() {
        0 => ().into_any(),
        count if count > VALUES => view! {
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
fn inside(document: Arc<Document>, inside: Inside, answered: bool) -> AnyView {
    match inside {
        Inside::Nothing => ().into_any(),
        Inside::Members(members) => {
            let rows = members.into_iter().map(|member| row(document.clone(), member, answered)).collect_view();
            view! { <ul class="schema-members">{rows}</ul> }.into_any()
        }
        Inside::Choices(choices) => {
            let rows = choices.into_iter().map(|schema| {
                let document = document.clone();
                view! { <li><SchemaView document schema answered /></li> }
            });
            view! {
                <p class="small muted">{texts::one_of()}</p>
                <ul class="schema-members schema-choices">{rows.collect_view()}</ul>
            }
            .into_any()
        }
    }
}

fn row(document: Arc<Document>, member: Member, answered: bool) -> AnyView {
    let Member { name, required, schema } = member;
    let shape = shape(&document, &schema);
    let mark = match (answered, required) {
        (false, true) => Some(view! { " " <span class="required">{texts::required()}</span> }.into_any()),
        (true, false) if name != REST => {
            Some(view! { " " <span class="kind">{texts::may_be_missing()}</span> }.into_any())
        }
        _ => None,
    };
    let more = (shape.inside != Inside::Nothing).then(|| {
        let label = match &shape.inside {
            Inside::Choices(_) => texts::forms().to_owned(),
            _ => texts::members_of(name.as_str()),
        };
        view! { <Unfolded label document inside=shape.inside.clone() answered /> }
    });
    view! {
        <li>
            <p class="schema-name">
                <code class="strong">{name}</code>
                " "
                <span class="kind">{shape.kind.clone()}</span>
                {mark}
            </p>
            {(!shape.about.is_empty()).then(|| view! { <p class="secondary small">{with_code(&shape.about)}</p> })}
            <Details shape />
            {more}
        </li>
    }
    .into_any()
}

/// Content that is built only when expanded.
#[component]
fn Unfolded(label: String, document: Arc<Document>, inside: Inside, answered: bool) -> impl IntoView {
    let open = RwSignal::new(false);
    let content = move || open.get().then(|| self::inside(document.clone(), inside.clone(), answered));
    view! {
        <details class="schema-more" on:toggle:target=move |event| open.set(event.target().open())>
            <summary>{label}</summary>
            {content}
        </details>
    }
    .into_any()
}
