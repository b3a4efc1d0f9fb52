//! The corner of the screen in which toasts appear.

use leptos::ev;
use leptos::prelude::*;

use crate::browser::dom::listen_on_window;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, shell};
use crate::state::{ActionProgress, Toast, use_toasts};
use crate::ui::charts::percent;
use crate::ui::input::{Button, IconButton};
use crate::ui::prose::with_code;
use crate::ui::{Glyph, Icon, ProgressBar};

#[component]
pub fn ToastRegion() -> impl IntoView {
    let toasts = use_toasts();
    listen_on_window(ev::beforeunload, move |event| {
        if toasts.has_running_action() {
            event.prevent_default();
        }
    });
    view! {
        <div class="toasts" role="region" aria-label=shell::notifications() aria-live="polite">
            <For each=move || toasts.visible.get() key=|toast| toast.id let:toast>
                {match toast.progress.clone() {
                    Some(state) => view! { <ProgressToastView text=toast.text state /> }.into_any(),
                    None => view! { <ResultToast toast /> }.into_any(),
                }}
            </For>
        </div>
    }
}

/// Toast of a running action: its progress and a cancel button.
#[component]
fn ProgressToastView(text: String, state: ActionProgress) -> impl IntoView {
    let ActionProgress { progress, is_cancelled } = state;
    let is_cancelled_view = is_cancelled.clone();
    let status = move || {
        let (done, total) = progress.get();
        view! {
            <span class="small secondary" data-test="progress-toast-status">
                {common::progress_of_total(format_count(done), format_count(total))}
            </span>
            <ProgressBar label=common::progress() percent=percent(done, total) />
        }
    };
    view! {
        <div class="toast toast-progress" data-test="progress-toast">
            <span class="spinner" aria-hidden="true"></span>
            <div class="stack-tight">
                <p>{text}</p>
                // Hidden from screen readers, which would announce each step.
                <div class="stack-tight" aria-live="off">
                    {status}
                </div>
            </div>
            <Button
                class="button-small"
                label=common::cancel()
                test_id="progress-toast-cancel"
                disabled=move || is_cancelled_view.get()
                on_press=move |()| is_cancelled.set(true)
            />
        </div>
    }
}

/// Toast of a completed or failed action.
#[component]
fn ResultToast(toast: Toast) -> impl IntoView {
    let toasts = use_toasts();
    view! {
        <div class=if toast.is_failure { "toast toast-failure" } else { "toast toast-success" } data-test="toast">
            <Icon glyph=if toast.is_failure { Glyph::Alert } else { Glyph::Check } />
            <p>{with_code(&toast.text)}</p>
            {toast
                .undo
                .map(|undo| {
                    view! {
                        <Button
                            class="button-small"
                            label=common::undo()
                            test_id="undo"
                            on_press=move |()| {
                                toasts.close(toast.id);
                                undo();
                            }
                        />
                    }
                })}
            <IconButton glyph=Glyph::Close label=common::dismiss() on_press=move |()| toasts.close(toast.id) />
        </div>
    }
}
