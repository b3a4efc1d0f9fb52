//! API keys: create with scopes and expiry, revoke.

use std::collections::BTreeSet;

use chrono::Duration;
use leadscribe_engine::api::{ApiKey, NewApiKeyRequest, Scope};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::confirm_dialog::{ConfirmDialog, Doubt, Question};
use crate::components::field::{Field, FieldFaults};
use crate::components::icon::Glyph;
use crate::components::managed_list::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::MaybeMoment;
use crate::components::name_form::NameForm;
use crate::components::secret_dialog::SecretDialog;
use crate::components::toast::use_toasts;
use crate::remote::Remote;
use crate::when;

const USAGE: &str = "It goes into the header Authorization: Bearer, or into HTTP Basic as the password.";

const WORDING: Wording = Wording {
    about: "For programs that use the HTTP API. Each has its own scopes and its own end.",
    caption: "API keys",
    columns: &[
        Column::Text("Name"),
        Column::Text("Begins with"),
        Column::Text("Scopes"),
        Column::Text("Expires"),
        Column::Text("Last used"),
    ],
    add: ("New API key", "new-key"),
    empty: ("No API keys yet", "Create one for each program, so that one can be revoked without the others."),
};

/// Days a key works, and how that reads.
const LIFETIMES: [(&str, &str); 4] = [("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("", "Never expires")];

/// What a scope permits, in the words of those who grant it.
const fn explanation(scope: Scope) -> &'static str {
    match scope {
        Scope::LeadsRead => "Read leads and campaigns.",
        Scope::LeadsWrite => "Write leads and campaigns, and import them.",
        Scope::CallsRead => "Read calls and play recordings.",
        Scope::CallsWrite => "Write calls, upload recordings, and import calls.",
        Scope::SpeechSubmit => "Submit calls for speech recognition, with a speech token.",
        Scope::SpeechRead => "Read transcripts, with the speech token that owns them.",
        Scope::Admin => "Everything, including users, keys and tokens.",
    }
}

#[component]
pub fn ApiKeys() -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let keys = Remote::<Vec<ApiKey>>::new();
    let load = Callback::new(move |()| keys.load(api.api_keys()));
    load.run(());
    let creating = RwSignal::new(false);
    let doubt = Doubt::<ApiKey>::new();
    let question = |key: &ApiKey| Question {
        title: format!("Revoke “{}”?", key.name),
        text: "Programs that use it are refused at once and for good.".to_owned(),
        action: "Revoke",
    };
    let confirmed = Callback::new(move |key: ApiKey| {
        doubt.attempt().start(api.revoke_api_key(key.id), move |()| {
            doubt.close();
            toasts.done(format!("“{}” is revoked.", key.name));
            load.run(());
        });
    });
    let row = Callback::new(move |one| view! { <KeyRow one doubt /> }.into_any());
    view! {
        <ManagedList
            wording=WORDING
            items=Signal::derive(move || keys.get())
            error=Signal::derive(move || keys.error())
            on_retry=load
            may_add=true
            on_add=Callback::new(move |()| creating.set(true))
            row
        />
        <CreateKey open=creating on_created=load />
        <ConfirmDialog doubt question on_confirm=confirmed />
    }
}

#[component]
fn KeyRow(one: ApiKey, doubt: Doubt<ApiKey>) -> impl IntoView {
    let shown = StoredValue::new(one.clone());
    let scopes = one.scopes.iter().map(|scope| {
        view! {
            <li class="chip mono" title=explanation(*scope)>
                {scope.as_str()}
            </li>
        }
    });
    view! {
        <tr data-test="key-row" data-id=one.id.to_string()>
            <td class="lead-cell strong">{one.name}</td>
            <td data-label="Begins with">
                <code>{one.prefix} "…"</code>
            </td>
            <td data-label="Scopes">
                <ul class="chips">{scopes.collect_view()}</ul>
            </td>
            <td data-label="Expires">
                <MaybeMoment at=one.expires_at relative=true none="never" />
            </td>
            <td data-label="Last used">
                <MaybeMoment at=one.last_used_at relative=true none="never" />
            </td>
            <td class="fit">
                <RowActions revoked_at=one.revoked_at may_act=true>
                    <RowAction
                        glyph=Glyph::Trash
                        label="Revoke"
                        test="revoke"
                        on_press=move || doubt.ask(shown.get_value())
                    />
                </RowActions>
            </td>
        </tr>
    }
}

#[component]
fn CreateKey(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
    let api = use_api();
    let scopes = RwSignal::new(BTreeSet::<Scope>::new());
    let lifetime = RwSignal::new(String::new());
    let attempt = Attempt::new();
    let secret = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        if open.get() {
            secret.set(None);
            attempt.clear();
            scopes.set(BTreeSet::from([Scope::LeadsRead]));
            lifetime.set(LIFETIMES[1].0.to_owned());
        }
    });
    let submit = Callback::new(move |name: String| {
        let days = lifetime.with_untracked(|days| days.parse().ok());
        let request = NewApiKeyRequest {
            name,
            scopes: scopes.with_untracked(|scopes| scopes.iter().copied().collect()),
            expires_at: days.map(|days| when::now() + Duration::days(days)),
        };
        attempt.start(api.create_api_key(request), move |answer| {
            secret.set(Some(answer.secret));
            on_created.run(());
        });
    });
    let no_scope = Signal::derive(move || scopes.with(BTreeSet::is_empty));
    view! {
        <SecretDialog open title="New API key" test="key-dialog" secret usage=USAGE>
            <NameForm
                hint="What it is for, such as “Reporting, nightly”."
                action="Create key"
                attempt
                disabled=no_scope
                on_submit=submit
                more=&["/scopes", "/expires_at"]
            >
                <ScopeBoxes scopes />
                <FieldFaults faults=attempt.faults_at("/scopes") />
                <Field id="key-expiry" label="Expires after" faults=attempt.faults_at("/expires_at")>
                    <select
                        id="key-expiry"
                        class="select"
                        aria-describedby="key-expiry-note"
                        on:change:target=move |event| lifetime.set(event.target().value())
                    >
                        {LIFETIMES
                            .map(|(value, label)| {
                                view! {
                                    <option value=value selected=move || lifetime.get() == value>
                                        {label}
                                    </option>
                                }
                            })
                            .collect_view()}
                    </select>
                </Field>
            </NameForm>
        </SecretDialog>
    }
}

#[component]
fn ScopeBoxes(scopes: RwSignal<BTreeSet<Scope>>) -> impl IntoView {
    let boxes = Scope::ALL.iter().map(|scope| {
        let scope = *scope;
        let pressed = move |chosen: bool| {
            scopes.update(|scopes| {
                if chosen {
                    scopes.insert(scope);
                } else {
                    scopes.remove(&scope);
                }
            });
        };
        view! {
            <label class="check">
                <input
                    class="checkbox"
                    type="checkbox"
                    data-test=format!("scope-{scope}")
                    prop:checked=move || scopes.with(|scopes| scopes.contains(&scope))
                    on:change:target=move |event| pressed(event.target().checked())
                />
                <span>
                    <code>{scope.as_str()}</code>
                    <span class="small secondary">" " {explanation(scope)}</span>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="scopes">
            <legend class="label">"Scopes"</legend>
            {boxes.collect_view()}
            {move || {
                scopes
                    .with(BTreeSet::is_empty)
                    .then(|| view! { <p class="field-hint" role="status">"Choose at least one."</p> })
            }}
        </fieldset>
    }
}
