//! Users: add, change, deactivate and remove. For administrators.

use leadscribe_engine::api::{Role, UpdateUserRequest, User};
use leptos::prelude::*;

use super::change_user::ChangeUser;
use super::new_user::NewUser;
use crate::api::use_api;
use crate::components::badge::{Badge, Tone};
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::{Dialog, Dismissal};
use crate::components::icon::Glyph;
use crate::components::list::managed::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::settings;

fn wording() -> Wording {
    Wording {
        about: settings::users_about(),
        caption: settings::staff(),
        columns: vec![
            Column::Text(settings::email()),
            Column::Text(settings::role()),
            Column::Text(settings::last_login()),
            Column::Text(settings::added()),
        ],
        add: (settings::add_user(), "new-user"),
        empty: (settings::no_users(), settings::no_users_about()),
    }
}

/// Action to confirm.
#[derive(Clone)]
enum Deed {
    Deactivate(User),
    Remove(User),
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
    let changed = RwSignal::new(None::<User>);
    let changing = RwSignal::new(false);
    let doubt = Doubt::<Deed>::new();
    let question = |deed: &Deed| match deed {
        Deed::Deactivate(user) => Question {
            title: settings::deactivate_title(&user.email),
            text: settings::deactivate_about().to_owned(),
            action: settings::deactivate(),
        },
        Deed::Remove(user) => Question {
            title: settings::remove_user_title(&user.email),
            text: settings::remove_user_about().to_owned(),
            action: settings::remove(),
        },
    };
    let confirmed = Callback::new(move |deed: Deed| {
        let done = move |text: String| {
            doubt.close();
            toasts.done(text);
            load.run(());
        };
        match deed {
            Deed::Deactivate(user) => {
                let change = api.update_user(user.id, activity(false));
                doubt.attempt().start(change, move |user| done(settings::was_deactivated(&user.email)));
            }
            Deed::Remove(user) => {
                let removed = settings::user_removed(&user.email);
                doubt.attempt().start(api.delete_user(user.id), move |()| done(removed));
            }
        }
    });
    let activate = Callback::new(move |user: User| {
        let (id, done) = (user.id, settings::can_log_in_again(&user.email));
        let put = move |users: &mut Vec<User>, change: &dyn Fn(&mut User)| {
            users.iter_mut().filter(|user| user.id == id).for_each(change);
        };
        let change = move |users: &mut Vec<User>| put(users, &|user| user.deactivated_at = None);
        let made = move |users: &mut Vec<User>, made: User| put(users, &|user| *user = made.clone());
        let settled = move |is_made: bool| {
            if is_made {
                toasts.done(done);
            }
        };
        let refused = move |error: &_| toasts.failed(error);
        users.assume(change, api.update_user(id, activity(true)), made, refused, settled);
    });
    let change = Callback::new(move |user: User| {
        changed.set(Some(user));
        changing.set(true);
    });
    let own = Memo::new(move |_| session.user().map(|user| user.id));
    let row = Callback::new(move |user: User| {
        let is_own = own.get() == Some(user.id);
        view! { <UserRow user is_own doubt change activate /> }.into_any()
    });
    view! {
        <ManagedList
            wording=wording()
            items=Signal::derive(move || users.get())
            error=Signal::derive(move || users.error())
            on_retry=load
            may_add=true
            on_add=Callback::new(move |()| creating.set(true))
            row
        />
        <Dialog open=creating title=settings::add_user() dismissal=Dismissal::AsksIfFilled test="user-dialog">
            <NewUser open=creating on_created=load />
        </Dialog>
        <Dialog
            open=changing
            title=Signal::derive(move || changed.get().map(|user| user.email).unwrap_or_default())
            dismissal=Dismissal::AsksIfFilled
            test="change-user"
        >
            {move || changed.get().map(|user| view! { <ChangeUser user open=changing on_changed=load /> })}
        </Dialog>
        <ConfirmDialog doubt question on_confirm=confirmed />
    }
}

fn activity(active: bool) -> UpdateUserRequest {
    UpdateUserRequest { active: Some(active), ..UpdateUserRequest::default() }
}

#[component]
fn UserRow(
    user: User,
    is_own: bool,
    doubt: Doubt<Deed>,
    change: Callback<User>,
    activate: Callback<User>,
) -> impl IntoView {
    let shown = StoredValue::new(user.clone());
    let tone = if user.role == Role::Admin { Tone::Accent } else { Tone::Neutral };
    let is_active = user.deactivated_at.is_none();
    let switch = move || {
        if is_active {
            let press = move || doubt.ask(Deed::Deactivate(shown.get_value()));
            view! { <RowAction glyph=Glyph::Pause label=settings::deactivate() test="deactivate" on_press=press /> }
                .into_any()
        } else {
            let press = move || activate.run(shown.get_value());
            view! { <RowAction glyph=Glyph::Play label=settings::activate() test="activate" on_press=press /> }
                .into_any()
        }
    };
    view! {
        <tr data-row="" data-test="user-row" data-id=user.id.to_string()>
            <td class="lead-cell strong">
                {user.email} {is_own.then(|| view! { <span class="muted small">{settings::is_you()}</span> })}
            </td>
            <td data-label=settings::role()>
                <span class="row">
                    <Badge tone text=settings::role_name(user.role) />
                    {(!is_active).then(|| view! { <Badge tone=Tone::Warning text=settings::deactivated() /> })}
                </span>
            </td>
            <td data-label=settings::last_login()>
                <MaybeMoment at=user.last_login_at relative=true none=settings::never() />
            </td>
            <td data-label=settings::added()>
                <Moment at=user.created_at />
            </td>
            <td class="fit">
                <RowActions may_act=!is_own>
                    <RowAction
                        glyph=Glyph::Key
                        label=settings::change()
                        test="change"
                        opens=true
                        on_press=move || change.run(shown.get_value())
                    />
                    {switch()}
                    <RowAction
                        glyph=Glyph::Trash
                        label=settings::remove()
                        test="remove"
                        on_press=move || doubt.ask(Deed::Remove(shown.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}
