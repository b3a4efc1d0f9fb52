//! Speech tokens: issue, rotate, revoke.

use leadscribe_engine::api::{NewSpeechTokenRequest, SpeechToken};
use leptos::prelude::*;

use super::signing_secret::SigningSecret;
use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::secret::SecretDialog;
use crate::components::icon::Glyph;
use crate::components::input::name_form::NameForm;
use crate::components::list::managed::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::settings;
use crate::when::count;

fn wording() -> Wording {
    Wording {
        about: settings::tokens_about(),
        caption: settings::speech_tokens(),
        columns: vec![
            Column::Text(settings::name()),
            Column::Text(settings::begins_with()),
            Column::Number(settings::transcriptions()),
            Column::Text(settings::created()),
            Column::Text(settings::last_used()),
        ],
        add: (settings::new_token(), "new-token"),
        empty: (settings::no_tokens(), settings::no_tokens_about()),
    }
}

/// Action to confirm.
#[derive(Clone, Debug, PartialEq)]
enum Deed {
    Rotate(SpeechToken),
    Revoke(SpeechToken),
}

impl Deed {
    fn question(&self) -> Question {
        match self {
            Self::Rotate(token) => Question {
                title: settings::rotate_title(&token.name),
                text: settings::rotate_about(token.transcriptions),
                action: settings::rotate(),
            },
            Self::Revoke(token) => Question {
                title: settings::revoke_title(&token.name),
                text: settings::revoke_token_about(token.transcriptions),
                action: settings::revoke(),
            },
        }
    }
}

#[component]
pub fn SpeechTokens() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let toasts = use_toasts();
    let tokens = Remote::<Vec<SpeechToken>>::new();
    let load = Callback::new(move |()| tokens.load(api.speech_tokens()));
    load.run(());
    let creating = RwSignal::new(false);
    let doubt = Doubt::<Deed>::new();
    let rotated = RwSignal::new(None::<String>);
    let showing = RwSignal::new(false);

    let confirmed = Callback::new(move |deed: Deed| match deed {
        Deed::Rotate(token) => doubt.attempt().start(api.rotate_speech_token(token.id), move |answer| {
            doubt.close();
            rotated.set(Some(answer.secret));
            showing.set(true);
            load.run(());
        }),
        Deed::Revoke(token) => doubt.attempt().start(api.revoke_speech_token(token.id), move |()| {
            doubt.close();
            toasts.done(settings::is_revoked(&token.name));
            load.run(());
        }),
    });
    let is_admin = Signal::derive(move || session.is_admin());
    let (signing, signed) = (RwSignal::new(false), RwSignal::new(None::<SpeechToken>));
    let on_signing = Callback::new(move |token| {
        signed.set(Some(token));
        signing.set(true);
    });
    let row = Callback::new(move |token| view! { <TokenRow token may_act=is_admin doubt on_signing /> }.into_any());
    view! {
        <ManagedList
            wording=wording()
            items=Signal::derive(move || tokens.get())
            error=Signal::derive(move || tokens.error())
            on_retry=load
            may_add=is_admin
            on_add=Callback::new(move |()| creating.set(true))
            row
        />
        <CreateToken open=creating on_created=load />
        <SigningSecret open=signing token=signed />
        <ConfirmDialog doubt question=Deed::question on_confirm=confirmed />
        <SecretDialog open=showing title=settings::new_secret() test="secret-dialog" secret=rotated usage=settings::token_usage() />
    }
}

#[component]
fn TokenRow(
    token: SpeechToken,
    may_act: Signal<bool>,
    doubt: Doubt<Deed>,
    on_signing: Callback<SpeechToken>,
) -> impl IntoView {
    let shown = StoredValue::new(token.clone());
    let rotated = token.rotated_at.map(|at| {
        view! { <div class="cell-sub">{settings::rotated()} <Moment at relative=true /></div> }
    });
    view! {
        <tr data-row="" data-test="token-row" data-id=token.id.to_string()>
            <td class="lead-cell strong">{token.name}</td>
            <td data-label=settings::begins_with()>
                <code>{token.prefix} "…"</code>
            </td>
            <td data-label=settings::transcriptions() class="number">
                {count(token.transcriptions)}
            </td>
            <td data-label=settings::created()>
                <Moment at=token.created_at />
                {rotated}
            </td>
            <td data-label=settings::last_used()>
                <MaybeMoment at=token.last_used_at relative=true none=settings::never() />
            </td>
            <td class="fit">
                <RowActions revoked_at=token.revoked_at may_act>
                    <RowAction
                        glyph=Glyph::Key
                        label=settings::signing()
                        test="signing"
                        on_press=move || on_signing.run(shown.get_value())
                    />
                    <RowAction
                        glyph=Glyph::Rotate
                        label=settings::rotate()
                        test="rotate"
                        on_press=move || doubt.ask(Deed::Rotate(shown.get_value()))
                    />
                    <RowAction
                        glyph=Glyph::Trash
                        label=settings::revoke()
                        test="revoke"
                        on_press=move || doubt.ask(Deed::Revoke(shown.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}

#[component]
fn CreateToken(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
    let api = use_api();
    let attempt = Attempt::new();
    let secret = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        if open.get() {
            secret.set(None);
            attempt.clear();
        }
    });
    let submit = Callback::new(move |name: String| {
        attempt.start(api.create_speech_token(NewSpeechTokenRequest { name }), move |answer| {
            secret.set(Some(answer.secret));
            on_created.run(());
        });
    });
    view! {
        <SecretDialog open title=settings::new_speech_token() test="token-dialog" secret usage=settings::token_usage()>
            <NameForm open hint=settings::token_hint() action=settings::create_token() attempt on_submit=submit />
        </SecretDialog>
    }
}
