//! API keys: create with scopes and expiry, revoke.

use std::collections::BTreeSet;

use chrono::Duration;
use leadscribe_engine::api::{ApiKey, NewApiKeyRequest, Scope};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::datetime;
use crate::i18n::texts::{common, settings};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::dialog::{ConfirmDialog, NameForm, PendingConfirmation, Question, SecretDialog};
use crate::ui::input::{Field, FieldDiagnostics};
use crate::ui::list::{ColumnHeader, RowAction, RowActions, SettingsList};
use crate::ui::{Glyph, OptionalLocalTime};

static COLUMNS: [ColumnHeader; 6] = [
    ColumnHeader::new(common::name),
    ColumnHeader::new(settings::key_prefix),
    ColumnHeader::new(settings::scopes),
    ColumnHeader::new(settings::expires),
    ColumnHeader::new(settings::last_used),
    ColumnHeader::new(common::actions).hidden(),
];

/// Lifetime of a key in days, and its label.
type Lifetime = (&'static str, fn() -> &'static str);

/// Lifetimes to choose from. A key with an empty lifetime never expires.
const LIFETIMES: [Lifetime; 4] =
    [("30", settings::days_30), ("90", settings::days_90), ("365", settings::one_year), ("", settings::never_expires)];

#[component]
pub fn ApiKeys() -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (keys, load) = ApiResource::loaded(move || api.api_keys());
    let is_create_dialog_open = RwSignal::new(false);
    let confirmation = PendingConfirmation::<ApiKey>::new();
    let question = |key: &ApiKey| {
        Question::new(settings::revoke_title(&key.name), settings::revoke_key_hint(), settings::revoke())
    };
    let on_confirmed = Callback::new(move |key: ApiKey| {
        confirmation.run(api.revoke_api_key(key.id), move |()| {
            toasts.show_success(settings::is_revoked(&key.name));
            load.run(());
        });
    });
    let row = Callback::new(move |api_key| view! { <KeyRow api_key confirmation /> }.into_any());
    view! {
        <SettingsList
            description=settings::keys_hint()
            caption=settings::api_keys()
            columns=&COLUMNS
            resource=keys
            on_retry=load
            can_add=true
            on_add=Callback::new(move |()| is_create_dialog_open.set(true))
            add=(settings::new_key(), "new-key")
            empty=(settings::no_keys(), settings::no_keys_hint())
            row
        />
        <CreateKey open=is_create_dialog_open on_created=load />
        <ConfirmDialog confirmation question on_confirm=on_confirmed />
    }
}

#[component]
fn KeyRow(api_key: ApiKey, confirmation: PendingConfirmation<ApiKey>) -> impl IntoView {
    let stored_key = StoredValue::new(api_key.clone());
    let scopes = api_key.scopes.iter().map(|scope| {
        view! {
            <li class="chip mono" title=settings::scope_description(*scope)>
                {scope.as_str()}
            </li>
        }
    });
    view! {
        <tr data-row="" data-test="key-row" data-id=api_key.id.to_string()>
            <td class="lead-cell strong">{api_key.name}</td>
            <td data-label=settings::key_prefix()>
                <code>{api_key.prefix} "…"</code>
            </td>
            <td data-label=settings::scopes()>
                <ul class="chips">{scopes.collect_view()}</ul>
            </td>
            <td data-label=settings::expires()>
                <OptionalLocalTime at=api_key.expires_at relative=true placeholder=common::never() />
            </td>
            <td data-label=settings::last_used()>
                <OptionalLocalTime at=api_key.last_used_at relative=true placeholder=common::never() />
            </td>
            <td class="fit">
                <RowActions revoked_at=api_key.revoked_at can_act=true>
                    <RowAction
                        glyph=Glyph::Trash
                        label=settings::revoke()
                        test_id="revoke"
                        on_press=move || confirmation.request(stored_key.get_value())
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
    let mutation = Mutation::new();
    let secret = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        if open.get() {
            scopes.set(BTreeSet::from([Scope::LeadsRead]));
            lifetime.set(LIFETIMES[1].0.to_owned());
        }
    });
    let submit = Callback::new(move |name: String| {
        let days = lifetime.with_untracked(|days| days.parse().ok());
        let request = NewApiKeyRequest {
            name,
            scopes: scopes.with_untracked(|scopes| scopes.iter().copied().collect()),
            expires_at: days.map(|days| datetime::now() + Duration::days(days)),
        };
        mutation.start(api.create_api_key(request), move |response| {
            secret.set(Some(response.secret));
            on_created.run(());
        });
    });
    let no_scope = Signal::derive(move || scopes.with(BTreeSet::is_empty));
    view! {
        <SecretDialog open title=settings::new_key() test_id="key-dialog" secret usage=settings::key_usage()>
            <NameForm
                open
                hint=settings::key_hint()
                action=settings::create_key()
                mutation
                disabled=no_scope
                on_submit=submit
                extra_pointers=&["/scopes", "/expires_at"]
            >
                <ScopeBoxes scopes />
                <FieldDiagnostics diagnostics=mutation.diagnostics_at("/scopes") />
                <Field id="key-expiry" label=settings::expires_after() diagnostics=mutation.diagnostics_at("/expires_at")>
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
        let on_toggle = move |is_checked: bool| {
            scopes.update(|scopes| {
                if is_checked {
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
                    on:change:target=move |event| on_toggle(event.target().checked())
                />
                <span>
                    <code>{scope.as_str()}</code>
                    <span class="small secondary">" " {settings::scope_description(scope)}</span>
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
