//! Parts of a page: its header with title, note and actions; and empty states, which explain why there is no content
//! and offer a next step.

use leptos::prelude::*;

use crate::i18n::texts::common as texts;
use crate::ui::input::Button;
use crate::ui::{Glyph, Icon};

/// Empty state; the children are further next steps.
#[component]
pub fn EmptyState(
    glyph: Glyph,
    #[prop(into)] title: String,
    #[prop(optional, into)] text: String,
    /// Uses the title as the page's heading, because the page has no other.
    #[prop(optional)]
    as_heading: bool,
    /// Path and label of a link to the next step.
    #[prop(optional_no_strip, into)]
    link: Option<(&'static str, &'static str)>,
    /// Highlights the link.
    #[prop(optional)]
    is_primary: bool,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let class = if is_primary { "button button-primary" } else { "button" };
    let link = link.map(|(path, label)| view! { <a class=class href=path>{label}</a> });
    let has_next_step = link.is_some() || children.is_some();
    let next_steps = (link, children.map(|children| children()));
    view! {
        <div class="empty-state" data-test="empty-state">
            <span class="empty-state-icon">
                <Icon glyph />
            </span>
            {if as_heading { view! { <h1>{title}</h1> }.into_any() } else { view! { <h2>{title}</h2> }.into_any() }}
            {(!text.is_empty()).then(|| view! { <p>{text}</p> })}
            {has_next_step.then(|| view! { <div class="row">{next_steps}</div> })}
        </div>
    }
}

/// Empty state of a page past the end of a list, with a button to go to the first page.
#[component]
pub fn PageOutOfRange(glyph: Glyph, on_first: Callback<()>) -> impl IntoView {
    let (title, text, reset_label) = (texts::nothing_on_page(), texts::past_end_of_list(), texts::to_first_page());
    view! { <NoMatches glyph title text reset_label on_reset=on_first /> }
}

/// Empty state of a filtered list without matches, with a button to show all.
#[component]
pub fn NoMatches(
    glyph: Glyph,
    title: &'static str,
    text: &'static str,
    reset_label: &'static str,
    on_reset: Callback<()>,
) -> impl IntoView {
    view! {
        <EmptyState glyph title text>
            <Button label=reset_label on_press=on_reset />
        </EmptyState>
    }
}

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
