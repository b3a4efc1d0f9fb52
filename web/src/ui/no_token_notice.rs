//! Notice shown in place of the token choice if there is no speech token.

use leptos::prelude::*;

use crate::i18n::texts::calls as texts;
use crate::ui::icon::{Glyph, Icon};

/// The notice; shown while `is_missing` is true.
#[component]
pub fn NoTokenNotice(is_missing: Signal<bool>, can_create: Signal<bool>) -> impl IntoView {
    let next_step = move || {
        if can_create.get() {
            view! { <a href="/settings">{texts::create_token()}</a> "." }.into_any()
        } else {
            texts::ask_administrator().into_any()
        }
    };
    move || {
        is_missing.get().then(|| {
            view! {
                <div class="notice tone-warning">
                    <Icon glyph=Glyph::Key />
                    <div class="notice-body">
                        <strong>{texts::no_token_yet()}</strong>
                        <p>{texts::token_required()} {next_step()}</p>
                    </div>
                </div>
            }
        })
    }
}
