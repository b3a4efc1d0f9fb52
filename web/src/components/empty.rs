//! What stands where nothing is: why, and what to do next.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};

/// An empty state; children are the next steps.
#[component]
pub fn Empty(
    glyph: Glyph,
    #[prop(into)] title: String,
    #[prop(into)] text: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty" data-test="empty">
            <span class="empty-icon">
                <Icon glyph />
            </span>
            <h2>{title}</h2>
            <p>{text}</p>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </div>
    }
}
