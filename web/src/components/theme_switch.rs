//! The switch between light, dark and the system's theme.

use leptos::prelude::*;

use crate::theme::{Theme, use_theme};

#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let chosen = use_theme();
    let choices = Theme::ALL.map(|one| {
        view! {
            <button
                type="button"
                aria-pressed=move || (chosen.get() == one).to_string()
                on:click=move |_| chosen.set(one)
            >
                {one.label()}
            </button>
        }
    });
    view! {
        <div class="segments" role="group" aria-label="Theme" data-test="theme">
            {choices.collect_view()}
        </div>
    }
}
