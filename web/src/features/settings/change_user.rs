//! Form to change the role or the password of a user.

use leadscribe_engine::api::{UpdateUserRequest, User};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::{common, settings};
use crate::state::{Mutation, use_toasts};
use crate::ui::dialog::DialogForm;
use crate::ui::input::{Button, PasswordField, RoleChoice};

#[component]
pub fn ChangeUserForm(user: User, open: RwSignal<bool>, on_changed: Callback<()>) -> impl IntoView {
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
