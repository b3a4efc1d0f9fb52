//! What stands where a speech token is to be chosen and there is none.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};

/// The notice, while there is no token.
#[component]
pub fn NoTokenNotice(missing: Signal<bool>, may_create: Signal<bool>) -> impl IntoView {
    let way = move || {
        if may_create.get() {
            view! { <a href="/settings">"Create one under Settings"</a> ", then come back." }.into_any()
        } else {
            "Ask an administrator to create one.".into_any()
        }
    };
    move || {
        missing.get().then(|| {
            view! {
                <div class="notice tone-warning">
                    <Icon glyph=Glyph::Key />
                    <div class="notice-body">
                        <strong>"No speech token yet"</strong>
                        <p>"Transcripts belong to a token. " {way()}</p>
                    </div>
                </div>
            }
        })
    }
}
