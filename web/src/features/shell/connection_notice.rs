//! Notice shown while the connection is lost.

use leptos::prelude::*;

use crate::i18n::texts::shell;

#[component]
pub fn ConnectionNotice(is_lost: Signal<bool>) -> impl IntoView {
    view! {
        <div class="connection" role="status" data-test="connection">
            <Show when=move || is_lost.get()>
                <p class="line connection-lost">
                    <span class="spinner" aria-hidden="true"></span>
                    {shell::no_connection()}
                </p>
            </Show>
        </div>
    }
}
