//! Signing secret of a token: show, copy, rotate.

use leadscribe_engine::api::{SpeechToken, WebhookSecret};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::copy_button::CopyButton;
use crate::components::dialog::{Dialog, stay_while};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::work_button::WorkButton;
use crate::components::moment::Moment;
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::texts::{common, settings};

/// Dialog for a token.
#[component]
pub fn SigningSecret(open: RwSignal<bool>, token: RwSignal<Option<SpeechToken>>) -> impl IntoView {
    let title = Signal::derive(move || {
        let name = token.with(|token| token.as_ref().map(|token| token.name.clone()));
        settings::what_signs(name.unwrap_or_default())
    });
    view! {
        <Dialog open title test="signing-dialog">
            {token.get_untracked().map(|token| view! { <Body open token /> })}
        </Dialog>
    }
}

#[component]
fn Body(open: RwSignal<bool>, token: SpeechToken) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let id = token.id;
    let secret = Remote::<WebhookSecret>::new();
    let load = Callback::new(move |()| secret.load(api.webhook_secret(id)));
    load.run(());
    let (rotation, asking) = (Attempt::new(), RwSignal::new(false));
    let rotate = Callback::new(move |()| {
        rotation.start(api.rotate_webhook_secret(id), move |_| {
            asking.set(false);
            toasts.done(settings::secret_changed());
            load.run(());
        });
    });
    let is_busy = rotation.is_busy();
    stay_while(is_busy);
    let shown = move || {
        let answer = secret.get()?;
        let text = answer.secret.clone();
        let before = answer.previous_until.map(|until| {
            view! {
                <div class="notice tone-info">
                    <Icon glyph=Glyph::Clock />
                    <p class="notice-body">{settings::signs_too_until()} <Moment at=until /></p>
                </div>
            }
        });
        Some(view! {
            <div class="secret">
                <code data-test="signing-secret">{answer.secret}</code>
                <CopyButton text=Signal::stored(text) />
            </div>
            {before}
        })
    };
    view! {
        <div class="dialog-body">
            <p class="secondary">
                {settings::signs_about()}
            </p>
            {move || secret.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
            {shown}
            {move || {
                asking
                    .get()
                    .then(|| {
                        view! {
                            <div class="notice tone-warning" role="alert">
                                <Icon glyph=Glyph::Alert />
                                <div class="notice-body">
                                    <strong>{settings::change_secret_ask()}</strong>
                                    <p>{settings::change_secret_about()}</p>
                                </div>
                            </div>
                        }
                    })
            }}
            {move || rotation.refusal().map(|error| view! { <ErrorNotice error /> })}
        </div>
        <footer class="dialog-foot">
            <Show
                when=move || asking.get()
                fallback=move || {
                    view! {
                        <button
                            type="button"
                            class="button start"
                            data-test="rotate-signing"
                            disabled=move || secret.with(|secret| secret.is_none())
                            on:click=move |_| asking.set(true)
                        >
                            <Icon glyph=Glyph::Rotate />
                            {settings::change_secret_dialog()}
                        </button>
                        <button type="button" class="button button-primary" on:click=move |_| open.set(false)>
                            {settings::done()}
                        </button>
                    }
                }
            >
                <button type="button" class="button" on:click=move |_| asking.set(false)>
                    {common::cancel()}
                </button>
                <WorkButton class="button button-danger" held=is_busy test="confirm-rotate-signing" on_press=rotate>
                    {settings::change_secret()}
                </WorkButton>
            </Show>
        </footer>
    }
    .into_any()
}
