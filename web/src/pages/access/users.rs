//! Staff: add and remove; for administrators.

use leadscribe_engine::api::{NewUserRequest, Role, User};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::badge::{Badge, Tone, spelled};
use crate::components::confirm_dialog::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::Dialog;
use crate::components::error_notice::ErrorNotice;
use crate::components::field::{Field, FieldFaults};
use crate::components::icon::Glyph;
use crate::components::managed_list::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::remote::Remote;
use crate::session::use_session;

const WORDING: Wording = Wording {
    about: "Who may log in to this panel.",
    caption: "Staff",
    columns: &[Column::Text("E-mail"), Column::Text("Role"), Column::Text("Last log-in"), Column::Text("Added")],
    add: ("Add a member of staff", "new-user"),
    empty: ("No staff yet", "Add those who are to work with this panel."),
};

const fn explanation(role: Role) -> &'static str {
    match role {
        Role::Admin => "Everything: staff, API keys and speech tokens too.",
        Role::Manager => "Reads, imports, writes and sends calls; keeps no staff, keys or tokens.",
        Role::Viewer => "Looks at leads, calls and imports; changes nothing.",
    }
}

#[component]
pub fn Users() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let toasts = use_toasts();
    let users = Remote::<Vec<User>>::new();
    let load = Callback::new(move |()| users.load(api.users()));
    load.run(());
    let creating = RwSignal::new(false);
    let doubt = Doubt::<User>::new();
    let question = |user: &User| Question {
        title: format!("Remove {}?", user.email),
        text: "Their sessions end at once. What they did stays in the audit log.".to_owned(),
        action: "Remove",
    };
    let confirmed = Callback::new(move |user: User| {
        doubt.attempt().start(api.delete_user(user.id), move |()| {
            doubt.close();
            toasts.done(format!("{} was removed.", user.email));
            load.run(());
        });
    });
    let own = Memo::new(move |_| session.user().map(|user| user.id));
    let row = Callback::new(move |user: User| {
        let is_own = own.get() == Some(user.id);
        view! { <UserRow user is_own doubt /> }.into_any()
    });
    view! {
        <ManagedList
            wording=WORDING
            items=Signal::derive(move || users.get())
            error=Signal::derive(move || users.error())
            on_retry=load
            may_add=true
            on_add=Callback::new(move |()| creating.set(true))
            row
        />
        <Dialog open=creating title="Add a member of staff" test="user-dialog">
            <CreateUser open=creating on_created=load />
        </Dialog>
        <ConfirmDialog doubt question on_confirm=confirmed />
    }
}

#[component]
fn UserRow(user: User, is_own: bool, doubt: Doubt<User>) -> impl IntoView {
    let shown = StoredValue::new(user.clone());
    let tone = if user.role == Role::Admin { Tone::Accent } else { Tone::Neutral };
    view! {
        <tr data-test="user-row" data-id=user.id.to_string()>
            <td class="lead-cell strong">
                {user.email} {is_own.then(|| view! { <span class="muted small">" (you)"</span> })}
            </td>
            <td data-label="Role">
                <Badge tone text=spelled(user.role.as_str()) />
            </td>
            <td data-label="Last log-in">
                <MaybeMoment at=user.last_login_at relative=true none="never" />
            </td>
            <td data-label="Added">
                <Moment at=user.created_at />
            </td>
            <td class="fit">
                <RowActions may_act=!is_own>
                    <RowAction
                        glyph=Glyph::Trash
                        label="Remove"
                        test="remove"
                        on_press=move || doubt.ask(shown.get_value())
                    />
                </RowActions>
            </td>
        </tr>
    }
}

#[component]
fn CreateUser(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (email, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let role = RwSignal::new(Role::Viewer);
    let attempt = Attempt::new();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let request = NewUserRequest {
            email: email.get_untracked().trim().to_owned(),
            password: password.get_untracked(),
            role: role.get_untracked(),
        };
        attempt.start(api.create_user(request), move |user| {
            toasts.done(format!("{} can log in now.", user.email));
            open.set(false);
            on_created.run(());
        });
    };
    let roles = Role::ALL.iter().map(|one| {
        let one = *one;
        view! {
            <label class="check">
                <input
                    class="checkbox"
                    type="radio"
                    name="role"
                    prop:checked=move || role.get() == one
                    on:change=move |_| role.set(one)
                />
                <span>
                    <span class="strong">{spelled(one.as_str())}</span>
                    <span class="small secondary">" " {explanation(one)}</span>
                </span>
            </label>
        }
    });
    let refusal = move || attempt.refusal_beside(&["/email", "/password", "/role"]);
    view! {
        <form class="dialog-form" on:submit=submit>
            <div class="dialog-body">
                {move || refusal().map(|error| view! { <ErrorNotice error /> })}
                <Field id="user-email" label="E-mail" faults=attempt.faults_at("/email")>
                    <input
                        id="user-email"
                        class="input"
                        type="email"
                        required
                        autofocus
                        autocomplete="off"
                        aria-describedby="user-email-note"
                        data-test="user-email"
                        bind:value=email
                    />
                </Field>
                <Field
                    id="user-password"
                    label="Password"
                    hint="At least 12 characters. Pass it on by a safe way."
                    faults=attempt.faults_at("/password")
                >
                    <input
                        id="user-password"
                        class="input"
                        type="password"
                        required
                        minlength="12"
                        maxlength="256"
                        autocomplete="new-password"
                        aria-describedby="user-password-note"
                        data-test="user-password"
                        bind:value=password
                    />
                </Field>
                <fieldset class="scopes">
                    <legend class="label">"Role"</legend>
                    {roles.collect_view()}
                    <FieldFaults faults=attempt.faults_at("/role") />
                </fieldset>
            </div>
            <footer class="dialog-foot">
                <SubmitButton busy=attempt.is_busy() test="create">
                    "Add"
                </SubmitButton>
            </footer>
        </form>
    }
}
