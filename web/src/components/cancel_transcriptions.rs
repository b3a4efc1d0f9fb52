//! Giving up transcriptions of calls that were sent, as long as they aren't finished.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::toast::use_toasts;
use crate::api::use_api;
use crate::texts::calls as texts;

/// The button; `on_done` is told when the server has given them up, as long as it is there.
#[component]
pub fn CancelTranscriptions(#[prop(into)] calls: Signal<Vec<CallId>>, on_done: Callback<()>) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let is_busy = RwSignal::new(false);
    let cancel = move |_| {
        if is_busy.get_untracked() {
            return;
        }
        is_busy.set(true);
        spawn_local(async move {
            match api.cancel_transcriptions(&calls.get_untracked()).await {
                Ok(cancelled) => {
                    toasts.done(match cancelled as u64 {
                        0 => texts::none_cancelled().to_owned(),
                        count => texts::cancelled(count),
                    });
                    on_done.try_run(());
                }
                Err(error) => toasts.failed(&error),
            }
            is_busy.try_set(false);
        });
    };
    // A button that is turned off would lose the focus.
    view! {
        <button
            type="button"
            class="button"
            data-test="cancel-transcriptions"
            aria-disabled=move || is_busy.get().then_some("true")
            on:click=cancel
        >
            {texts::cancel_transcription()}
        </button>
    }
}
