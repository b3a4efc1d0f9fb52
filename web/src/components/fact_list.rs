//! Names and values, one a line.

use leptos::prelude::*;

/// A list of facts.
#[component]
pub fn FactList(children: Children) -> impl IntoView {
    view! { <dl class="facts">{children()}</dl> }
}

/// One fact; the value is given as children.
#[component]
pub fn Fact(#[prop(into)] label: String, children: Children) -> impl IntoView {
    view! {
        <div class="fact">
            <dt>{label}</dt>
            <dd>{children()}</dd>
        </div>
    }
}
