//! Page header: title, a short note, and actions.

use leptos::prelude::*;

/// Sets the title of the browser tab.
pub fn name_tab(title: &str) {
    document().set_title(&format!("{title} · Leadscribe"));
}

/// The page header. Also sets the title of the browser tab, to `tab` or the page title.
#[component]
pub fn PageHead(
    #[prop(into)] title: Signal<String>,
    #[prop(optional, into)] tab: Option<Signal<String>>,
    #[prop(optional, into)] fact: Option<ViewFn>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let tab = tab.unwrap_or(title);
    Effect::new(move |_| name_tab(&tab.get()));
    view! {
        <header class="page-head">
            <div class="page-title">
                <h1>{title}</h1>
                {fact.map(|fact| move || fact.run())}
            </div>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </header>
    }
}
