//! Description list: names and values, one per line.

use leptos::prelude::*;

/// A description list.
#[component]
pub fn DescriptionList(children: Children) -> impl IntoView {
    view! { <dl class="facts">{children()}</dl> }
}

/// One entry; the children are the value.
#[component]
pub fn DescriptionItem(#[prop(into)] label: String, children: Children) -> impl IntoView {
    view! {
        <div class="fact">
            <dt>{label}</dt>
            <dd>{children()}</dd>
        </div>
    }
}
