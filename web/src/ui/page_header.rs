//! Page header: title, a short note, and actions.

use leptos::prelude::*;

/// Sets the title of the browser tab.
pub fn set_tab_title(title: &str) {
    document().set_title(&format!("{title} · Leadscribe"));
}

/// The page header. Also sets the title of the browser tab, to `tab_title` or the page title.
#[component]
pub fn PageHeader(
    #[prop(into)] title: Signal<String>,
    #[prop(optional, into)] tab_title: Option<Signal<String>>,
    #[prop(optional, into)] note: Option<ViewFn>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let tab_title = tab_title.unwrap_or(title);
    Effect::new(move |_| set_tab_title(&tab_title.get()));
    view! {
        <header class="page-header">
            <div class="page-title">
                <h1>{title}</h1>
                {note.map(|note| move || note.run())}
            </div>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </header>
    }
}
