//! Card: a titled section of a page. Description list: names and values, one per line.

use leptos::prelude::*;

#[component]
pub fn Card(
    title: &'static str,
    /// Id of the heading.
    #[prop(optional)]
    title_id: Option<&'static str>,
    /// Accessible name; the title by default.
    #[prop(optional)]
    label: Option<&'static str>,
    /// CSS class of the body.
    #[prop(default = "card-body")]
    body_class: &'static str,
    #[prop(optional)] test_id: Option<&'static str>,
    #[prop(optional, into)] hidden: Signal<bool>,
    /// Content next to the title.
    #[prop(optional, into)]
    header: ViewFn,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="card" aria-label=label.unwrap_or(title) data-test=test_id hidden=hidden>
            <div class="card-header">
                <h2 id=title_id>{title}</h2>
                {header.run()}
            </div>
            <div class=body_class>{children()}</div>
        </section>
    }
}

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
