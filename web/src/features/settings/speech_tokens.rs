//! Speech tokens: issue, rotate, revoke.

use leadscribe_engine::api::{NewSpeechTokenRequest, SpeechToken};
use leptos::prelude::*;

use crate::api::{use_api, use_session};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, settings};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::dialog::{
    ConfirmDialog, Dialog, NameForm, PendingConfirmation, Question, SecretDialog, prevent_close_while,
};
use crate::ui::input::Button;
use crate::ui::list::{ColumnHeader, RowAction, RowActions, SettingsList};
use crate::ui::{CopyButton, ErrorNotice, Glyph, Icon, LocalTime, OptionalLocalTime};

static COLUMNS: [ColumnHeader; 6] = [
    ColumnHeader::new(common::name),
    ColumnHeader::new(settings::key_prefix),
    ColumnHeader::new(settings::transcriptions).class("number"),
    ColumnHeader::new(common::created),
    ColumnHeader::new(settings::last_used),
    ColumnHeader::new(common::actions).hidden(),
];

#[derive(Clone, Debug, PartialEq)]
enum TokenAction {
    Rotate(SpeechToken),
    Revoke(SpeechToken),
}

impl TokenAction {
    fn question(&self) -> Question {
        match self {
            Self::Rotate(token) => {
                Question::new(settings::rotate_title(&token.name), settings::rotate_hint(), settings::rotate())
            }
            Self::Revoke(token) => {
                Question::new(settings::revoke_title(&token.name), settings::revoke_token_hint(), settings::revoke())
            }
        }
    }
}

#[component]
pub fn SpeechTokens() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let toasts = use_toasts();
    let (tokens, load) = ApiResource::loaded(move || api.speech_tokens());
    let is_create_dialog_open = RwSignal::new(false);
    let confirmation = PendingConfirmation::<TokenAction>::new();
    let rotated_secret = RwSignal::new(None::<String>);
    let is_secret_dialog_open = RwSignal::new(false);

    let on_confirmed = Callback::new(move |action: TokenAction| match action {
        TokenAction::Rotate(token) => confirmation.run(api.rotate_speech_token(token.id), move |response| {
            rotated_secret.set(Some(response.secret));
            is_secret_dialog_open.set(true);
            load.run(());
        }),
        TokenAction::Revoke(token) => confirmation.run(api.revoke_speech_token(token.id), move |()| {
            toasts.show_success(settings::is_revoked(&token.name));
            load.run(());
        }),
    });
    let is_admin = Signal::derive(move || session.is_admin());
    let (is_signing_dialog_open, signing_token) = (RwSignal::new(false), RwSignal::new(None::<SpeechToken>));
    let on_signing = Callback::new(move |token| {
        signing_token.set(Some(token));
        is_signing_dialog_open.set(true);
    });
    let row =
        Callback::new(move |token| view! { <TokenRow token can_act=is_admin confirmation on_signing /> }.into_any());
    view! {
        <SettingsList
            description=settings::tokens_hint()
            caption=settings::speech_tokens()
            columns=&COLUMNS
            resource=tokens
            on_retry=load
            can_add=is_admin
            on_add=Callback::new(move |()| is_create_dialog_open.set(true))
            add=(settings::new_token(), "new-token")
            empty=(settings::no_tokens(), settings::no_tokens_hint())
            row
        />
        <CreateToken open=is_create_dialog_open on_created=load />
        <SigningSecret open=is_signing_dialog_open token=signing_token />
        <ConfirmDialog confirmation question=TokenAction::question on_confirm=on_confirmed />
        <SecretDialog open=is_secret_dialog_open title=settings::new_token() test_id="secret-dialog" secret=rotated_secret usage=settings::token_usage() />
    }
}

#[component]
fn TokenRow(
    token: SpeechToken,
    can_act: Signal<bool>,
    confirmation: PendingConfirmation<TokenAction>,
    on_signing: Callback<SpeechToken>,
) -> impl IntoView {
    let stored_token = StoredValue::new(token.clone());
    let rotation_note = token.rotated_at.map(|at| {
        view! { <div class="cell-detail">{settings::rotated()} <LocalTime at relative=true /></div> }
    });
    view! {
        <tr data-row="" data-test="token-row" data-id=token.id.to_string()>
            <td class="lead-cell strong">{token.name}</td>
            <td data-label=settings::key_prefix()>
                <code>{token.prefix} "…"</code>
            </td>
            <td data-label=settings::transcriptions() class="number">
                {format_count(token.transcriptions)}
            </td>
            <td data-label=common::created()>
                <LocalTime at=token.created_at />
                {rotation_note}
            </td>
            <td data-label=settings::last_used()>
                <OptionalLocalTime at=token.last_used_at relative=true placeholder=common::never() />
            </td>
            <td class="fit">
                <RowActions revoked_at=token.revoked_at can_act>
                    <RowAction
                        glyph=Glyph::Key
                        label=settings::signing()
                        test_id="signing"
                        on_press=move || on_signing.run(stored_token.get_value())
                    />
                    <RowAction
                        glyph=Glyph::Rotate
                        label=settings::rotate()
                        test_id="rotate"
                        on_press=move || confirmation.request(TokenAction::Rotate(stored_token.get_value()))
                    />
                    <RowAction
                        glyph=Glyph::Trash
                        label=settings::revoke()
                        test_id="revoke"
                        on_press=move || confirmation.request(TokenAction::Revoke(stored_token.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}

#[component]
fn CreateToken(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
    let api = use_api();
    let mutation = Mutation::new();
    let secret = RwSignal::new(None::<String>);
    let submit = Callback::new(move |name: String| {
        mutation.start(api.create_speech_token(NewSpeechTokenRequest { name }), move |response| {
            secret.set(Some(response.secret));
            on_created.run(());
        });
    });
    view! {
        <SecretDialog open title=settings::new_token() test_id="token-dialog" secret usage=settings::token_usage()>
            <NameForm open hint=settings::token_hint() action=settings::create_token() mutation on_submit=submit />
        </SecretDialog>
    }
}

/// Dialog with the signing secret of a token.
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
