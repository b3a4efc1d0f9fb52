//! Users: add, change, deactivate and remove. For administrators.

use leadscribe_engine::api::{NewUserRequest, Role, UpdateUserRequest, User};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::{ApiResult, use_api, use_session};
use crate::i18n::texts::{common, settings};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::dialog::{ConfirmDialog, Dialog, DialogForm, Dismissal, PendingConfirmation, Question};
use crate::ui::input::{Button, Field, FieldDiagnostics, PasswordField};
use crate::ui::list::{ColumnHeader, RowAction, RowActions, SettingsList};
use crate::ui::{Badge, Glyph, LocalTime, OptionalLocalTime, Tone};

static COLUMNS: [ColumnHeader; 5] = [
    ColumnHeader::new(settings::email),
    ColumnHeader::new(settings::role),
    ColumnHeader::new(settings::last_login),
    ColumnHeader::new(common::created),
    ColumnHeader::new(common::actions).hidden(),
];

#[derive(Clone)]
enum UserAction {
    Deactivate(User),
    Remove(User),
}

#[component]
pub fn Users() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let toasts = use_toasts();
    let (users, load) = ApiResource::loaded(move || api.users());
    let is_create_dialog_open = RwSignal::new(false);
    let changed_user = RwSignal::new(None::<User>);
    let is_change_dialog_open = RwSignal::new(false);
    let confirmation = PendingConfirmation::<UserAction>::new();
    let question = |action: &UserAction| match action {
        UserAction::Deactivate(user) => {
            Question::new(settings::deactivate_title(&user.email), settings::deactivate_hint(), settings::deactivate())
        }
        UserAction::Remove(user) => {
            Question::new(settings::remove_user_title(&user.email), settings::remove_user_hint(), common::remove())
        }
    };
    let on_confirmed = Callback::new(move |action: UserAction| {
        let on_success = move |text: String| {
            toasts.show_success(text);
            load.run(());
        };
        match action {
            UserAction::Deactivate(user) => {
                let change = api.update_user(user.id, activation_request(false));
                confirmation.run(change, move |user| on_success(settings::user_deactivated(&user.email)));
            }
            UserAction::Remove(user) => {
                confirmation.run(api.delete_user(user.id), move |()| on_success(settings::user_removed(&user.email)));
            }
        }
    });
    let activate = Callback::new(move |user: User| {
        let (id, on_success) = (user.id, settings::user_activated(&user.email));
        let update_user = move |users: &mut Vec<User>, change: &dyn Fn(&mut User)| {
            users.iter_mut().filter(|user| user.id == id).for_each(change);
        };
        let change = move |users: &mut Vec<User>| update_user(users, &|user| user.deactivated_at = None);
        let updated_user =
            move |users: &mut Vec<User>, updated_user: User| update_user(users, &|user| *user = updated_user.clone());
        let on_settled = move |outcome: ApiResult<()>| match outcome {
            Ok(()) => toasts.show_success(on_success),
            Err(error) => toasts.show_error(&error),
        };
        users.update_optimistically(change, api.update_user(id, activation_request(true)), updated_user, on_settled);
    });
    let change = Callback::new(move |user: User| {
        changed_user.set(Some(user));
        is_change_dialog_open.set(true);
    });
    let own_id = Memo::new(move |_| session.user().map(|user| user.id));
    let row = Callback::new(move |user: User| {
        let is_own = own_id.get() == Some(user.id);
        view! { <UserRow user is_own confirmation change activate /> }.into_any()
    });
    view! {
        <SettingsList
            description=settings::users_hint()
            caption=settings::staff()
            columns=&COLUMNS
            resource=users
            on_retry=load
            can_add=true
            on_add=Callback::new(move |()| is_create_dialog_open.set(true))
            add=(settings::new_user(), "new-user")
            empty=(settings::no_users(), settings::no_users_hint())
            row
        />
        <Dialog open=is_create_dialog_open title=settings::new_user() dismissal=Dismissal::ConfirmIfFilled test_id="user-dialog">
            <NewUserForm open=is_create_dialog_open on_created=load />
        </Dialog>
        <Dialog
            open=is_change_dialog_open
            title=Signal::derive(move || changed_user.get().map(|user| user.email).unwrap_or_default())
            dismissal=Dismissal::ConfirmIfFilled
            test_id="change-user"
        >
            {move || changed_user.get().map(|user| view! { <ChangeUserForm user open=is_change_dialog_open on_changed=load /> })}
        </Dialog>
        <ConfirmDialog confirmation question on_confirm=on_confirmed />
    }
}

fn activation_request(active: bool) -> UpdateUserRequest {
    UpdateUserRequest { active: Some(active), ..UpdateUserRequest::default() }
}

#[component]
fn UserRow(
    user: User,
    is_own: bool,
    confirmation: PendingConfirmation<UserAction>,
    change: Callback<User>,
    activate: Callback<User>,
) -> impl IntoView {
    let stored_user = StoredValue::new(user.clone());
    let tone = if user.role == Role::Admin { Tone::Accent } else { Tone::Neutral };
    let is_active = user.deactivated_at.is_none();
    let switch = move || {
        if is_active {
            let press = move || confirmation.request(UserAction::Deactivate(stored_user.get_value()));
            view! { <RowAction glyph=Glyph::Pause label=settings::deactivate() test_id="deactivate" on_press=press /> }
                .into_any()
        } else {
            let press = move || activate.run(stored_user.get_value());
            view! { <RowAction glyph=Glyph::Play label=settings::activate() test_id="activate" on_press=press /> }
                .into_any()
        }
    };
    view! {
        <tr data-row="" data-test="user-row" data-id=user.id.to_string()>
            <td class="lead-cell strong">
                {user.email} {is_own.then(|| view! { <span class="muted small">{settings::you_suffix()}</span> })}
            </td>
            <td data-label=settings::role()>
                <span class="row">
                    <Badge tone text=settings::role_name(user.role) />
                    {(!is_active).then(|| view! { <Badge tone=Tone::Warning text=settings::deactivated() /> })}
                </span>
            </td>
            <td data-label=settings::last_login()>
                <OptionalLocalTime at=user.last_login_at relative=true placeholder=common::never() />
            </td>
            <td data-label=common::created()>
                <LocalTime at=user.created_at />
            </td>
            <td class="fit">
                <RowActions can_act=!is_own>
                    <RowAction
                        glyph=Glyph::Key
                        label=settings::change()
                        test_id="change"
                        opens_row=true
                        on_press=move || change.run(stored_user.get_value())
                    />
                    {switch()}
                    <RowAction
                        glyph=Glyph::Trash
                        label=common::remove()
                        test_id="remove"
                        on_press=move || confirmation.request(UserAction::Remove(stored_user.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}

#[component]
fn NewUserForm(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (email, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let role = RwSignal::new(Role::Viewer);
    let mutation = Mutation::new();
    let on_submit = move |()| {
        let request = NewUserRequest {
            email: email.get_untracked().trim().to_owned(),
            password: password.get_untracked(),
            role: role.get_untracked(),
        };
        mutation.start(api.create_user(request), move |user| {
            toasts.show_success(settings::user_created(&user.email));
            open.set(false);
            on_created.run(());
        });
    };
    let on_input = move |()| mutation.clear_error();
    let error = move || mutation.form_error(&["/email", "/password", "/role"]);
    view! {
        <DialogForm open is_busy=mutation.is_busy() error on_submit on_input label=settings::create_user() test_id="create">
            <Field id="user-email" label=settings::email() diagnostics=mutation.diagnostics_at("/email")>
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
            <PasswordField
                id="user-password"
                label=settings::password()
                hint=settings::new_user_password_hint()
                mutation
                pointer="/password"
                value=password
            />
            <RoleChoice role diagnostics=mutation.diagnostics_at("/role") />
        </DialogForm>
    }
}

#[component]
fn ChangeUserForm(user: User, open: RwSignal<bool>, on_changed: Callback<()>) -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let User { id, role: old_role, .. } = user;
    let (role, password) = (RwSignal::new(old_role), RwSignal::new(String::new()));
    let mutation = Mutation::new();
    let change = move || UpdateUserRequest {
        role: Some(role.get()).filter(|role| *role != old_role),
        password: Some(password.get()).filter(|password| !password.is_empty()),
        active: None,
    };
    let is_unchanged = Signal::derive(move || role.get() == old_role && password.with(String::is_empty));
    let on_submit = move |()| {
        mutation.start(api.update_user(id, untrack(change)), move |user| {
            toasts.show_success(settings::user_changed(&user.email));
            open.set(false);
            on_changed.run(());
        });
    };
    let end_sessions = Callback::new(move |()| {
        mutation.start(api.end_user_sessions(id), move |()| {
            toasts.show_success(settings::their_sessions_ended());
            open.set(false);
        });
    });
    let is_busy = mutation.is_busy();
    let other_actions = view! {
        <Button
            class="footer-start"
            label=settings::end_their_sessions()
            is_blocked=is_busy
            test_id="end-sessions"
            on_press=end_sessions
        />
    };
    view! {
        <DialogForm
            open
            is_busy
            error=move || mutation.form_error(&["/password", "/role"])
            on_submit
            on_input=move |()| mutation.clear_error()
            disabled=is_unchanged
            label=common::save()
            test_id="save"
            has_required_fields=true
            other_actions=other_actions.into_any()
        >
            <RoleChoice role diagnostics=mutation.diagnostics_at("/role") />
            <PasswordField
                id="user-password"
                label=settings::new_password()
                hint=settings::other_password_hint()
                is_optional=true
                mutation
                pointer="/password"
                value=password
            />
            <p class="small secondary">{settings::their_sessions_end()}</p>
        </DialogForm>
    }
}

#[component]
fn RoleChoice(role: RwSignal<Role>, diagnostics: Signal<Vec<Diagnostic>>) -> impl IntoView {
    let roles = Role::ALL.iter().map(|option| {
        let option = *option;
        view! {
            <label class="check">
                <input
                    class="checkbox"
                    type="radio"
                    name="role"
                    data-test=format!("role-{option}")
                    prop:checked=move || role.get() == option
                    on:change=move |_| role.set(option)
                />
                <span>
                    <span class="strong">{settings::role_name(option)}</span>
                    <span class="small secondary">" " {settings::role_description(option)}</span>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="scopes">
            <legend class="label">{settings::role()}</legend>
            {roles.collect_view()}
            <FieldDiagnostics diagnostics />
        </fieldset>
    }
}
