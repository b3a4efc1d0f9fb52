//! API keys: create with scopes and expiry, revoke.

use std::collections::BTreeSet;

use chrono::Duration;
use leadscribe_engine::api::{ApiKey, NewApiKeyRequest, Scope};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::secret::SecretDialog;
use crate::components::icon::Glyph;
use crate::components::input::field::{Field, FieldFaults};
use crate::components::input::name_form::NameForm;
use crate::components::list::managed::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::MaybeMoment;
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::texts::settings;
use crate::when;

fn wording() -> Wording {
    Wording {
        about: settings::keys_about(),
        caption: settings::api_keys(),
        columns: vec![
            Column::Text(settings::name()),
            Column::Text(settings::begins_with()),
            Column::Text(settings::scopes()),
            Column::Text(settings::expires()),
            Column::Text(settings::last_used()),
        ],
        add: (settings::new_key(), "new-key"),
        empty: (settings::no_keys(), settings::no_keys_about()),
    }
}

/// Lifetime of a key in days, and its label.
type Lifetime = (&'static str, fn() -> &'static str);

/// Lifetimes to choose from; an empty one never expires.
const LIFETIMES: [Lifetime; 4] =
    [("30", settings::days_30), ("90", settings::days_90), ("365", settings::one_year), ("", settings::never_expires)];

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
        title: settings::revoke_title(&key.name),
        text: settings::revoke_key_about().to_owned(),
        action: settings::revoke(),
    };
    let confirmed = Callback::new(move |key: ApiKey| {
        doubt.attempt().start(api.revoke_api_key(key.id), move |()| {
            doubt.close();
            toasts.done(settings::is_revoked(&key.name));
            load.run(());
        });
    });
    let row = Callback::new(move |one| view! { <KeyRow one doubt /> }.into_any());
    view! {
        <ManagedList
            wording=wording()
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
            <li class="chip mono" title=settings::scope_about(*scope)>
                {scope.as_str()}
            </li>
        }
    });
    view! {
        <tr data-row="" data-test="key-row" data-id=one.id.to_string()>
            <td class="lead-cell strong">{one.name}</td>
            <td data-label=settings::begins_with()>
                <code>{one.prefix} "…"</code>
            </td>
            <td data-label=settings::scopes()>
                <ul class="chips">{scopes.collect_view()}</ul>
            </td>
            <td data-label=settings::expires()>
                <MaybeMoment at=one.expires_at relative=true none=settings::never() />
            </td>
            <td data-label=settings::last_used()>
                <MaybeMoment at=one.last_used_at relative=true none=settings::never() />
            </td>
            <td class="fit">
                <RowActions revoked_at=one.revoked_at may_act=true>
                    <RowAction
                        glyph=Glyph::Trash
                        label=settings::revoke()
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
        <SecretDialog open title=settings::new_key() test="key-dialog" secret usage=settings::key_usage()>
            <NameForm
                open
                hint=settings::key_hint()
                action=settings::create_key()
                attempt
                disabled=no_scope
                on_submit=submit
                more=&["/scopes", "/expires_at"]
            >
                <ScopeBoxes scopes />
                <FieldFaults faults=attempt.faults_at("/scopes") />
                <Field id="key-expiry" label=settings::expires_after() faults=attempt.faults_at("/expires_at")>
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
                                        {label()}
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
                    <span class="small secondary">" " {settings::scope_about(scope)}</span>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="scopes">
            <legend class="label">{settings::scopes()}</legend>
            {boxes.collect_view()}
            {move || {
                scopes
                    .with(BTreeSet::is_empty)
                    .then(|| view! { <p class="field-hint" role="status">{settings::choose_one()}</p> })
            }}
        </fieldset>
    }
}
