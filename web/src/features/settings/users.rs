//! Users: add, change, deactivate and remove. For administrators.

use leadscribe_engine::api::{Role, UpdateUserRequest, User};
use leptos::prelude::*;

use super::change_user::ChangeUserForm;
use super::new_user::NewUserForm;
use crate::api::{ApiResult, use_api, use_session};
use crate::i18n::texts::{common, settings};
use crate::state::{ApiResource, use_toasts};
use crate::ui::dialog::{ConfirmDialog, Dialog, Dismissal, PendingConfirmation, Question};
use crate::ui::list::{ColumnHeader, RowAction, RowActions, SettingsList};
use crate::ui::{Badge, Glyph, LocalTime, OptionalLocalTime, Tone};

static COLUMNS: [ColumnHeader; 5] = [
    ColumnHeader::new(settings::email),
    ColumnHeader::new(settings::role),
    ColumnHeader::new(settings::last_login),
    ColumnHeader::new(settings::added),
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
            add=(settings::add_user(), "new-user")
            empty=(settings::no_users(), settings::no_users_hint())
            row
        />
        <Dialog open=is_create_dialog_open title=settings::add_user() dismissal=Dismissal::ConfirmIfFilled test_id="user-dialog">
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
            <td data-label=settings::added()>
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
