//! Button that shows only an icon.

use leptos::prelude::*;

use crate::ui::{Glyph, Icon};

/// The button, without a border. The label is its accessible name.
#[component]
pub fn IconButton(
    glyph: Glyph,
    #[prop(optional, into)] id: Option<String>,
    #[prop(into)] label: String,
    #[prop(optional, into)] title: Option<String>,
    /// Additional CSS class.
    #[prop(default = "button-small")]
    class: &'static str,
    #[prop(optional)] test_id: Option<&'static str>,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(into)] on_press: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            id=id
            type="button"
            class=format!("button button-plain button-icon {class}")
            aria-label=label
            title=title
            data-test=test_id
            disabled=disabled
            on:click=move |_| on_press.run(())
        >
            <Icon glyph />
        </button>
    }
}
