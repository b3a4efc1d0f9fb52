//! Availability of speech recognition, and the queue of recordings.

use leadscribe_engine::api::{RecognizerState, RecognizerStatus};
use leadscribe_engine::diagnostic::work;
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::api::to_sentence;
use crate::i18n::language;
use crate::i18n::texts::calls as texts;
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
                <p>{text}</p>
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
