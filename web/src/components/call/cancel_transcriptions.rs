//! Giving up transcriptions of calls that were sent, as long as they aren't finished.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::shell::toast::use_toasts;
use crate::texts::calls as texts;

/// The button, and what it asks before; `on_done` is told when the server has given them up, as long as it is there.
#[component]
pub fn CancelTranscriptions(#[prop(into)] calls: Signal<Vec<CallId>>, on_done: Callback<()>) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let doubt = Doubt::<u64>::new();
    let on_confirm = Callback::new(move |_| {
        // The button is gone as soon as none of them waits any more, which may be before the answer.
        doubt.close();
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
    view! {
        <button
            type="button"
            class="button"
            data-test="cancel-transcriptions"
            on:click=move |_| doubt.ask(calls.with_untracked(Vec::len) as u64)
        >
            {texts::cancel_transcription()}
        </button>
        <ConfirmDialog doubt question on_confirm />
    }
}

fn question(count: &u64) -> Question {
    Question {
        title: texts::cancel_title().to_owned(),
        text: texts::cancel_text(*count),
        action: texts::stop_transcribing(),
    }
}
