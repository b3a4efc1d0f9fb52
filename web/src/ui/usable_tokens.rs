//! Speech tokens for a form, and the notice that all are missing or revoked.

use leadscribe_engine::api::SpeechToken;
use leptos::prelude::*;

use crate::api::use_session;
use crate::i18n::texts::calls as texts;
use crate::state::ApiResource;
use crate::ui::input::Choice;
use crate::ui::{Glyph, Icon};

/// Tokens that aren't revoked. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct UsableTokens {
    tokens: ApiResource<Vec<SpeechToken>>,
    /// Tokens by id.
    pub choices: Signal<Vec<Choice>>,
}

impl UsableTokens {
    pub fn new(tokens: ApiResource<Vec<SpeechToken>>) -> Self {
        let choices = Signal::derive(move || {
            let usable = tokens.get().unwrap_or_default().into_iter().filter(|token| token.revoked_at.is_none());
            usable.map(|token| (token.id.to_string(), token.name)).collect()
        });
        Self { tokens, choices }
    }

    pub fn are_loaded(self) -> bool {
        self.tokens.with(|tokens| tokens.is_some())
    }

    /// Id of the token to select: the only token, or the preferred one. Empty if neither is usable.
    pub fn preselect(self, preferred: &str) -> String {
        self.choices.with(|choices| {
            let mut ids = choices.iter().map(|(id, _)| id);
            ids.find(|id| choices.len() == 1 || *id == preferred).cloned().unwrap_or_default()
        })
    }
}

/// The notice; shown if no token is usable.
#[component]
pub fn NoTokenNotice(tokens: UsableTokens) -> impl IntoView {
    let session = use_session();
    let next_step = move || match session.is_admin() {
        true => view! { <a href="/settings">{texts::create_token()}</a> "." }.into_any(),
        false => texts::ask_administrator().into_any(),
    };
    view! {
        <Show when=move || tokens.are_loaded() && tokens.choices.with(Vec::is_empty)>
            <div class="notice tone-warning">
                <Icon glyph=Glyph::Key />
                <div class="notice-body">
                    <strong>{texts::no_token_yet()}</strong>
                    <p>{texts::token_required()} {next_step}</p>
                </div>
            </div>
        </Show>
    }
}
