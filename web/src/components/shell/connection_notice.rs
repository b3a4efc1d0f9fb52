//! Says that the connection is lost, for as long as it is.

use leptos::prelude::*;

use crate::texts::shell;

#[component]
pub fn ConnectionNotice(lost: Signal<bool>) -> impl IntoView {
    view! {
        <div class="connection" role="status" data-test="connection">
            {move || {
                lost.get()
                    .then(|| {
                        view! {
                            <p class="connection-lost">
                                <span class="spinner" aria-hidden="true"></span>
                                {shell::no_connection()}
                            </p>
                        }
                    })
            }}
        </div>
    }
}
