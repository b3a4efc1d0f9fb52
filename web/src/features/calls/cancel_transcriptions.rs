//! Cancels transcriptions that aren't finished.

use leadscribe_engine::api::CallId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::i18n::texts::calls as texts;
use crate::state::use_toasts;
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation, Question};

/// Confirmation of cancelling the transcriptions of these calls. The signal drops calls whose transcription finishes
/// while the dialog is open.
pub type PendingCancellation = PendingConfirmation<Signal<Vec<CallId>>>;

/// Button that opens the confirmation.
#[component]
pub fn CancelTranscriptionButton(
    confirmation: PendingCancellation,
    calls: Signal<Vec<CallId>>,
    #[prop(optional)] small: bool,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            class:button-small=small
            data-test="cancel-transcriptions"
            on:click=move |_| confirmation.request(calls)
        >
            {texts::cancel_transcription()}
        </button>
    }
}

/// Confirmation dialog. It is separate from the button, which disappears as soon as no call is waiting. `on_done` runs
/// after the server has cancelled the transcriptions, unless its owner is disposed.
#[component]
pub fn CancelTranscriptionDialog(
    confirmation: PendingCancellation,
    calls: Signal<Vec<CallId>>,
    on_done: Callback<()>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let on_confirm = Callback::new(move |calls: Signal<Vec<CallId>>| {
        confirmation.close();
        let calls = calls.get_untracked();
        spawn_local(async move {
            match api.cancel_transcriptions(&calls).await {
                Ok(cancelled) => {
                    toasts.show_success(match cancelled as u64 {
                        0 => texts::nothing_to_cancel().to_owned(),
                        count => texts::cancelled(count),
                    });
                    on_done.try_run(());
                }
                Err(error) => toasts.show_error(&error),
            }
        });
    });
    let has_calls = Memo::new(move |_| calls.with(|calls| !calls.is_empty()));
    Effect::new(move |_| {
        let has_calls = has_calls.get();
        if confirmation.close_unless(|_| has_calls) {
            toasts.show_success(texts::already_transcribed());
        }
    });
    view! { <ConfirmDialog confirmation question on_confirm cancel_label=texts::keep_transcribing() /> }
}

fn question(calls: &Signal<Vec<CallId>>) -> Question {
    Question::new(texts::cancel_title(), texts::cancel_text(calls.with(Vec::len) as u64), texts::cancel_transcription())
}
