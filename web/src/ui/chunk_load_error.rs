//! Message for a part of the panel that couldn't be loaded.

use leptos::prelude::*;

use crate::i18n::texts::login;
use crate::ui::input::Button;
use crate::ui::{Glyph, Icon};

/// Offers to reload the panel: the connection was lost, or a newer server has different file names.
#[component]
pub fn ChunkLoadError() -> impl IntoView {
    let reload = move |()| window().location().reload().unwrap_or_default();
    view! {
        <div class="notice tone-danger" role="alert" data-test="chunk-load-error">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{login::page_load_failed()}</strong>
                <p>{login::page_load_failed_text()}</p>
            </div>
            <Button class="button-small" label=login::reload() on_press=reload />
        </div>
    }
}
