//! Signing secret of a token: show, copy, rotate.

use leadscribe_engine::api::SpeechToken;
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::{common, settings};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::dialog::{Dialog, prevent_close_while};
use crate::ui::input::Button;
use crate::ui::{CopyButton, ErrorNotice, Glyph, Icon, LocalTime};

/// Dialog for a token.
#[component]
pub fn SigningSecret(open: RwSignal<bool>, token: RwSignal<Option<SpeechToken>>) -> impl IntoView {
    let title = Signal::derive(move || {
        let name = token.with(|token| token.as_ref().map(|token| token.name.clone()));
        settings::signing_secret_title(name.unwrap_or_default())
    });
    view! {
        <Dialog open title test_id="signing-dialog">
            {token.get_untracked().map(|token| view! { <SigningSecretBody open token /> })}
        </Dialog>
    }
}

#[component]
fn SigningSecretBody(open: RwSignal<bool>, token: SpeechToken) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let id = token.id;
    let (secret, load) = ApiResource::loaded(move || api.webhook_secret(id));
    let (rotation, is_confirming) = (Mutation::new(), RwSignal::new(false));
    let rotate = Callback::new(move |()| {
        rotation.start(api.rotate_webhook_secret(id), move |_| {
            is_confirming.set(false);
            toasts.show_success(settings::secret_changed());
            load.run(());
        });
    });
    let is_busy = rotation.is_busy();
    prevent_close_while(is_busy);
    let secret_view = move || {
        let response = secret.get()?;
        let text = response.secret.clone();
        let previous_secret_notice = response.previous_valid_until.map(|until| {
            view! {
                <div class="notice tone-info">
                    <Icon glyph=Glyph::Clock />
                    <p class="notice-body">{settings::previous_secret_valid_until()} <LocalTime at=until /></p>
                </div>
            }
        });
        Some(view! {
            <div class="space-between secret">
                <code data-test="signing-secret">{response.secret}</code>
                <CopyButton text=Signal::stored(text) />
            </div>
            {previous_secret_notice}
        })
    };
    view! {
        <div class="dialog-body">
            <p class="secondary">
                {settings::signing_secret_hint()}
            </p>
            {move || secret.error.get().map(|error| view! { <ErrorNotice error on_retry=load /> })}
            {secret_view}
            <Show when=move || is_confirming.get()>
                <div class="notice tone-warning" role="alert">
                    <Icon glyph=Glyph::Alert />
                    <div class="notice-body">
                        <strong>{settings::change_secret_title()}</strong>
                        <p>{settings::change_secret_hint()}</p>
                    </div>
                </div>
            </Show>
            {move || rotation.error().map(|error| view! { <ErrorNotice error /> })}
        </div>
        <footer class="dialog-footer">
            <Show
                when=move || is_confirming.get()
                fallback=move || {
                    view! {
                        <Button
                            class="footer-start"
                            glyph=Glyph::Rotate
                            label=settings::change_secret_dialog()
                            test_id="rotate-signing"
                            disabled=move || secret.with(|secret| secret.is_none())
                            on_press=move |()| is_confirming.set(true)
                        />
                        <Button class="button-primary" label=common::done() on_press=move |()| open.set(false) />
                    }
                }
            >
                <Button label=common::cancel() on_press=move |()| is_confirming.set(false) />
                <Button
                    class="button-danger"
                    label=settings::change_secret()
                    is_blocked=is_busy
                    test_id="confirm-rotate-signing"
                    on_press=rotate
                />
            </Show>
        </footer>
    }
}
