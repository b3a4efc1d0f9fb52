//! Page header: title, a short note, and actions.

use leptos::prelude::*;

use crate::ui::{Glyph, Icon};

/// Sets the title of the browser tab.
pub fn set_tab_title(title: &str) {
    document().set_title(&format!("{title} · Leadscribe"));
}

/// The page header. Also sets the title of the browser tab, to `tab_title` or the page title.
#[component]
pub fn PageHeader(
    #[prop(into)] title: Signal<String>,
    #[prop(optional, into)] tab_title: Option<Signal<String>>,
    /// Path and label of a link back to the list.
    #[prop(optional)]
    back: Option<(&'static str, &'static str)>,
    #[prop(optional, into)] note: Option<ViewFn>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let tab_title = tab_title.unwrap_or(title);
    Effect::new(move |_| set_tab_title(&tab_title.get()));
    let back_link = back.map(|(path, label)| {
        view! {
            <a class="breadcrumb" href=path>
                <Icon glyph=Glyph::Previous />
                {label}
            </a>
        }
    });
    view! {
        <header class="page-header">
            <div class="baseline page-title">
                <h1>{title}</h1>
                {back_link}
                {note.map(|note| move || note.run())}
            </div>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </header>
    }
}
