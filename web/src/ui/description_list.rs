//! Description list: names and values, one per line.

use leptos::prelude::*;

#[component]
pub fn DescriptionList(children: Children) -> impl IntoView {
    view! { <dl class="description-list">{children()}</dl> }
}

/// One entry; the children are the value.
#[component]
pub fn DescriptionItem(#[prop(into)] label: String, children: Children) -> impl IntoView {
    view! {
        <div class="description-item">
            <dt>{label}</dt>
            <dd>{children()}</dd>
        </div>
    }
}
