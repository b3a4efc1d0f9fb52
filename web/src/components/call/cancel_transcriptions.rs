//! Cancels transcriptions that aren't finished.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::shell::toast::use_toasts;
use crate::texts::calls as texts;

/// Confirmation of cancelling the transcriptions of these calls. The signal drops calls whose transcription finishes while the dialog is
/// open.
pub type Cancelling = Doubt<Signal<Vec<CallId>>>;

/// Button that opens the confirmation.
#[component]
pub fn CancelTranscription(
    cancelling: Cancelling,
    calls: Signal<Vec<CallId>>,
    #[prop(optional)] small: bool,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            class:button-small=small
            data-test="cancel-transcriptions"
            on:click=move |_| cancelling.ask(calls)
        >
            {texts::cancel_transcription()}
        </button>
    }
    .into_any()
}

/// Confirmation dialog. It is separate from the button, which disappears as soon as no call is waiting. `on_done` runs after the server has
/// cancelled the transcriptions, unless its owner is disposed.
#[component]
pub fn CancelDialog(cancelling: Cancelling, calls: Signal<Vec<CallId>>, on_done: Callback<()>) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let on_confirm = Callback::new(move |calls: Signal<Vec<CallId>>| {
        cancelling.close();
        let calls = calls.get_untracked();
        spawn_local(async move {
            match api.cancel_transcriptions(&calls).await {
                Ok(cancelled) => {
                    toasts.done(match cancelled as u64 {
                        0 => texts::none_cancelled().to_owned(),
                        count => texts::cancelled(count),
                    });
                    on_done.try_run(());
                }
                Err(error) => toasts.failed(&error),
            }
        });
    });
    let is_any = Memo::new(move |_| calls.with(|calls| !calls.is_empty()));
    Effect::new(move |_| {
        let is_any = is_any.get();
        if cancelling.close_unless(|_| is_any) {
            toasts.done(texts::nothing_to_cancel());
        }
    });
    view! { <ConfirmDialog doubt=cancelling question on_confirm keep=texts::go_on_transcribing() /> }
}

fn question(calls: &Signal<Vec<CallId>>) -> Question {
    Question {
        title: texts::cancel_title().to_owned(),
        text: texts::cancel_text(calls.with(Vec::len) as u64),
        action: texts::stop_transcribing(),
    }
}
