//! Box with a secret that is shown only once.

use leptos::prelude::*;

use crate::i18n::texts::settings;
use crate::ui::copy_button::CopyButton;
use crate::ui::icon::{Glyph, Icon};

#[component]
pub fn SecretBox(#[prop(into)] secret: String, usage: &'static str, on_copied: Callback<()>) -> impl IntoView {
    let text = secret.clone();
    view! {
        <div class="stack">
            <div class="notice tone-warning">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">
                    <strong>{settings::copy_now()}</strong>
                    <p>{settings::stored_as_hash()}</p>
                </div>
            </div>
            <div class="secret">
                <code data-test="new-key-secret">{secret}</code>
                <CopyButton text=Signal::stored(text) on_copied />
            </div>
            <p class="small secondary">{usage}</p>
        </div>
    }
}
