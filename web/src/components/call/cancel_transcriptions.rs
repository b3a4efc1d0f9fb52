//! Giving up transcriptions of calls that were sent, as long as they aren't finished.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::shell::toast::use_toasts;
use crate::texts::calls as texts;

/// Whether the transcriptions of these calls are to be given up; of what isn't finished by now, as long as it is asked.
pub type Cancelling = Doubt<Signal<Vec<CallId>>>;

/// The button that asks.
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

/// What is asked. It stands apart from the button, which goes as soon as none of the calls waits any more. `on_done` is told when
/// the server has given them up, as long as it is there.
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
