//! What stands where nothing is: why, and what to do next.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::texts::common as texts;

/// An empty state; children are the next steps.
#[component]
pub fn Empty(
    glyph: Glyph,
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    /// The title is the page's: nothing else stands there.
    #[prop(optional)]
    alone: bool,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty" data-test="empty">
            <span class="empty-icon">
                <Icon glyph />
            </span>
            {if alone { view! { <h1>{title}</h1> }.into_any() } else { view! { <h2>{title}</h2> }.into_any() }}
            <p>{text}</p>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </div>
    }
}

/// Of a page behind the last one of a list: a way to the first.
#[component]
pub fn BehindLast(glyph: Glyph, on_first: Callback<()>) -> impl IntoView {
    let (title, text, show_all) = (texts::nothing_on_page(), texts::fewer_by_now(), texts::to_first_page());
    view! { <NoMatch glyph title text show_all on_reset=on_first /> }.into_any()
}

/// Of a list that is narrowed: nothing matches, and a way to all of it.
#[component]
pub fn NoMatch(
    glyph: Glyph,
    title: &'static str,
    text: &'static str,
    show_all: &'static str,
    on_reset: Callback<()>,
) -> impl IntoView {
    view! {
        <Empty glyph title text>
            <button type="button" class="button" on:click=move |_| on_reset.run(())>
                {show_all}
            </button>
        </Empty>
    }
    .into_any()
}
