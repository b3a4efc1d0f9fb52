//! Credentials of a tried request: the current session or an API key, and a speech recognition token. Secrets are kept in memory while the
//! page is open, and nowhere else.

use leptos::prelude::*;

use crate::api::Sender;
use crate::components::input::field::Field;
use crate::components::segments::{Segments, segment};
use crate::openapi::Access;
use crate::texts::api_page as texts;

/// Chosen credentials. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Proof {
    by_key: RwSignal<bool>,
    key: RwSignal<String>,
    token: RwSignal<String>,
}

impl Proof {
    /// Uses the session by default.
    pub fn new() -> Self {
        Self { by_key: RwSignal::new(false), key: RwSignal::new(String::new()), token: RwSignal::new(String::new()) }
    }

    /// Current sender of requests.
    pub fn sender(self) -> Sender {
        if self.by_key.get_untracked() {
            Sender::Key(self.key.with_untracked(|key| key.trim().to_owned()))
        } else {
            Sender::Session
        }
    }

    /// Speech recognition token, if the operation needs one.
    pub fn token(self, access: &Access) -> String {
        if access.token { self.token.with_untracked(|token| token.trim().to_owned()) } else { String::new() }
    }

    /// True if the session is chosen.
    pub fn is_session(self) -> bool {
        !self.by_key.get()
    }
}

#[component]
pub fn ProofChoice(proof: Proof, access: Access) -> impl IntoView {
    let senders = [segment(false, texts::by_session(), "with-session"), segment(true, texts::by_key(), "with-key")];
    let token = access.token.then(|| {
        view! { <Secret id="try-token" label=texts::token() start="ls_tok_…" value=proof.token /> }
    });
    view! {
        <div class="proof">
            <Segments
                label=texts::sender()
                segments=senders.into()
                chosen=proof.by_key
                on_choose=move |by_key| proof.by_key.set(by_key)
            />
            <Show when=move || proof.by_key.get()>
                <Secret id="try-key" label=texts::key() start="ls_key_…" value=proof.key />
            </Show>
            {token}
        </div>
    }
    .into_any()
}

/// Masked input that browsers don't store.
#[component]
fn Secret(id: &'static str, label: &'static str, start: &'static str, value: RwSignal<String>) -> impl IntoView {
    view! {
        <Field id label hint=texts::secret_hint()>
            <input
                id=id
                class="input mono"
                type="password"
                autocomplete="new-password"
                spellcheck="false"
                placeholder=start
                aria-describedby=format!("{id}-note")
                data-test=id
                bind:value=value
            />
        </Field>
    }
    .into_any()
}
