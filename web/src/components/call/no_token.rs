//! Notice shown in place of the token choice if there is no speech token.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::texts::calls as texts;

/// The notice; shown while `missing` is true.
#[component]
pub fn NoTokenNotice(missing: Signal<bool>, may_create: Signal<bool>) -> impl IntoView {
    let way = move || {
        if may_create.get() {
            view! { <a href="/settings">{texts::create_token()}</a> "." }.into_any()
        } else {
            texts::ask_administrator().into_any()
        }
    };
    move || {
        missing.get().then(|| {
            view! {
                <div class="notice tone-warning">
                    <Icon glyph=Glyph::Key />
                    <div class="notice-body">
                        <strong>{texts::no_token_yet()}</strong>
                        <p>{texts::belong_to_token()} {way()}</p>
                    </div>
                </div>
            }
        })
    }
}
