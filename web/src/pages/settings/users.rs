//! Staff: add, change, deactivate and remove; for administrators.

use leadscribe_engine::api::{Role, UpdateUserRequest, User};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::change_user::ChangeUser;
use super::new_user::NewUser;
use crate::api::use_api;
use crate::components::badge::{Badge, Tone, spelled};
use crate::components::confirm_dialog::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::Dialog;
use crate::components::icon::Glyph;
use crate::components::managed_list::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::{MaybeMoment, Moment};
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

/// What is asked about before it is done.
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
            title: format!("Deactivate {}?", user.email),
            text: "Their sessions end at once, and they can't log in until somebody activates them again.".to_owned(),
            action: "Deactivate",
        },
        Deed::Remove(user) => Question {
            title: format!("Remove {}?", user.email),
            text: "Their sessions end at once. What they did stays in the audit log.".to_owned(),
            action: "Remove",
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
                doubt.attempt().start(change, move |user| done(format!("{} was deactivated.", user.email)));
            }
            Deed::Remove(user) => {
                let removed = format!("{} was removed.", user.email);
                doubt.attempt().start(api.delete_user(user.id), move |()| done(removed));
            }
        }
    });
    let activate = Callback::new(move |user: User| {
        spawn_local(async move {
            match api.update_user(user.id, activity(true)).await {
                Ok(user) => {
                    toasts.done(format!("{} can log in again.", user.email));
                    load.run(());
                }
                Err(error) => toasts.failed(&error),
            }
        });
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
            wording=WORDING
            items=Signal::derive(move || users.get())
            error=Signal::derive(move || users.error())
            on_retry=load
            may_add=true
            on_add=Callback::new(move |()| creating.set(true))
            row
        />
        <Dialog open=creating title="Add a member of staff" test="user-dialog">
            <NewUser open=creating on_created=load />
        </Dialog>
        <Dialog
            open=changing
            title=Signal::derive(move || changed.get().map(|user| user.email).unwrap_or_default())
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
            view! { <RowAction glyph=Glyph::Pause label="Deactivate" test="deactivate" on_press=press /> }.into_any()
        } else {
            let press = move || activate.run(shown.get_value());
            view! { <RowAction glyph=Glyph::Play label="Activate" test="activate" on_press=press /> }.into_any()
        }
    };
    view! {
        <tr data-test="user-row" data-id=user.id.to_string()>
            <td class="lead-cell strong">
                {user.email} {is_own.then(|| view! { <span class="muted small">" (you)"</span> })}
            </td>
            <td data-label="Role">
                <span class="row">
                    <Badge tone text=spelled(user.role.as_str()) />
                    {(!is_active).then(|| view! { <Badge tone=Tone::Warning text="Deactivated" /> })}
                </span>
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
                        glyph=Glyph::Key
                        label="Change"
                        test="change"
                        on_press=move || change.run(shown.get_value())
                    />
                    {switch()}
                    <RowAction
                        glyph=Glyph::Trash
                        label="Remove"
                        test="remove"
                        on_press=move || doubt.ask(Deed::Remove(shown.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}
