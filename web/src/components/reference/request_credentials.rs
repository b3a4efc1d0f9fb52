//! Credentials of a tried request: the current session or an API key, and a speech recognition token. Secrets are kept in memory while the
//! page is open, and nowhere else.

use leptos::prelude::*;

use crate::api::TrialCredentials;
use crate::components::input::field::Field;
use crate::components::segmented_control::{SegmentedControl, segment};
use crate::openapi::Access;
use crate::texts::api_page as texts;

/// Chosen credentials. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct RequestCredentials {
    uses_api_key: RwSignal<bool>,
    key: RwSignal<String>,
    token: RwSignal<String>,
}

impl RequestCredentials {
    /// Uses the session by default.
    pub fn new() -> Self {
        Self {
            uses_api_key: RwSignal::new(false),
            key: RwSignal::new(String::new()),
            token: RwSignal::new(String::new()),
        }
    }

    /// Current sender of requests.
    pub fn sender(self) -> TrialCredentials {
        if self.uses_api_key.get_untracked() {
            TrialCredentials::ApiKey(self.key.with_untracked(|key| key.trim().to_owned()))
        } else {
            TrialCredentials::Session
        }
    }

    /// Speech recognition token, if the operation needs one.
    pub fn token(self, access: &Access) -> String {
        if access.accepts_speech_token {
            self.token.with_untracked(|token| token.trim().to_owned())
        } else {
            String::new()
        }
    }

    /// True if the session is chosen.
    pub fn is_session(self) -> bool {
        !self.uses_api_key.get()
    }
}

#[component]
pub fn CredentialsPicker(credentials: RequestCredentials, access: Access) -> impl IntoView {
    let senders = [segment(false, texts::by_session(), "with-session"), segment(true, texts::by_key(), "with-key")];
    let token = access.accepts_speech_token.then(|| {
        view! { <SecretInput id="try-token" label=texts::token() placeholder="ls_tok_…" value=credentials.token /> }
    });
    view! {
        <div class="proof">
            <SegmentedControl
                label=texts::sender()
                segments=senders.into()
                selected=credentials.uses_api_key
                on_choose=move |uses_api_key| credentials.uses_api_key.set(uses_api_key)
            />
            <Show when=move || credentials.uses_api_key.get()>
                <SecretInput id="try-key" label=texts::key() placeholder="ls_key_…" value=credentials.key />
            </Show>
            {token}
        </div>
    }
    .into_any()
}

/// Masked input that browsers don't store.
#[component]
fn SecretInput(
    id: &'static str,
    label: &'static str,
    placeholder: &'static str,
    value: RwSignal<String>,
) -> impl IntoView {
    view! {
        <Field id label hint=texts::secret_hint()>
            <input
                id=id
                class="input mono"
                type="password"
                autocomplete="new-password"
                spellcheck="false"
                placeholder=placeholder
                aria-describedby=format!("{id}-note")
                data-test=id
                bind:value=value
            />
        </Field>
    }
    .into_any()
}
