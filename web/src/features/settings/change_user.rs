//! Form to change the role or the password of a user.

use leadscribe_engine::api::{UpdateUserRequest, User};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::{common, settings};
use crate::state::mutation::Mutation;
use crate::state::toasts::use_toasts;
use crate::ui::dialog::CancelButton;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::input::async_button::AsyncButton;
use crate::ui::input::password_field::PasswordField;
use crate::ui::input::role_choice::RoleChoice;
use crate::ui::input::submit_button::SubmitButton;

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
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
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
    let form_error = move || mutation.form_error(&["/password", "/role"]);
    view! {
        <form class="dialog-form" on:input=move |_| mutation.clear_error() on:submit=submit>
            <div class="dialog-body">
                {move || form_error().map(|error| view! { <ErrorNotice error /> })}
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
            </div>
            <footer class="dialog-footer">
                <AsyncButton class="button footer-start" is_blocked=mutation.is_busy() test_id="end-sessions" on_press=end_sessions>
                    {settings::end_their_sessions()}
                </AsyncButton>
                <CancelButton open busy=mutation.is_busy() />
                <SubmitButton is_busy=mutation.is_busy() disabled=is_unchanged test_id="save">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
    }
}
