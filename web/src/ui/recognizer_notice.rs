//! Availability of speech recognition, its queue of recordings, and the speech tokens for a form. Notices say what is
//! missing.

use leadscribe_engine::api::{RecognizerState, RecognizerStatus, SpeechToken};
use leadscribe_engine::diagnostic::work;
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::api::{to_sentence, use_session};
use crate::i18n::language;
use crate::i18n::texts::calls as texts;
use crate::state::ApiResource;
use crate::ui::input::Choice;
use crate::ui::prose::with_code;
use crate::ui::{CopyButton, Glyph, Icon};

/// Notice about a problem with speech recognition, if any.
#[component]
pub fn RecognizerNotice(#[prop(into)] status: Signal<Option<RecognizerStatus>>) -> impl IntoView {
    let state_and_detail = Memo::new(move |_| {
        status.with(|status| status.as_ref().map(|status| (status.state, status.error.clone(), status.command.clone())))
    });
    move || match state_and_detail.get()? {
        (RecognizerState::Missing, error, command) => {
            let command = command.map(|command| {
                view! {
                    <div class="row">
                        {host::capitalize_first(&work::install_with().text(language()))} ":"
                        <code>{command.clone()}</code>
                        <CopyButton text=Signal::stored(command) />
                    </div>
                }
            });
            let error = error.map(|error| to_sentence(&error.text(language()))).unwrap_or_default();
            Some(notice("tone-warning", texts::not_transcribed_yet(), texts::sent_calls_wait(error), command))
        }
        (RecognizerState::Off, ..) => Some(notice(
            "tone-info",
            texts::recognition_is_off(),
            texts::sent_calls_wait_for_operator().to_owned(),
            None::<()>,
        )),
        _ => None,
    }
}

fn notice(tone: &str, title: &'static str, text: String, command: Option<impl IntoView + 'static>) -> AnyView {
    view! {
        <div class=format!("notice {tone}") role="status" data-test="recognizer">
            <Icon glyph=Glyph::Info />
            <div class="notice-body">
                <strong>{title}</strong>
                <p>{with_code(&text)}</p>
                {command}
            </div>
        </div>
    }
    .into_any()
}

/// Number of queued recordings; empty if there are none.
#[component]
pub fn QueueStatus(#[prop(into)] status: Signal<Option<RecognizerStatus>>) -> impl IntoView {
    let queued = Memo::new(move |_| status.with(|status| status.as_ref().map_or(0, |status| status.queued)));
    let has_queue = move || queued.get() > 0;
    let text = move || has_queue().then(|| texts::in_queue(queued.get()));
    let is_loading =
        move || status.with(|status| status.as_ref().is_some_and(|status| status.state == RecognizerState::Loading));
    view! {
        <p class="row queue-line small secondary" role="status" data-test="queue">
            <Show when=has_queue>
                <Icon glyph=Glyph::Clock />
            </Show>
            {text}
            {move || is_loading().then(|| view! { <span>{texts::model_is_loading()}</span> })}
        </p>
    }
}

/// Tokens that aren't revoked. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct UsableTokens {
    tokens: ApiResource<Vec<SpeechToken>>,
    /// Ids and names of the tokens.
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
