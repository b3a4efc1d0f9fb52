//! Form to change the role or the password of a user.

use leadscribe_engine::api::{UpdateUserRequest, User};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::dialog::CancelButton;
use crate::components::error_notice::ErrorNotice;
use crate::components::input::password_field::PasswordField;
use crate::components::input::role_choice::RoleChoice;
use crate::components::input::submit_button::SubmitButton;
use crate::components::input::work_button::WorkButton;
use crate::components::shell::toast::use_toasts;
use crate::texts::{common, settings};

#[component]
pub fn ChangeUser(user: User, open: RwSignal<bool>, on_changed: Callback<()>) -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let User { id, role: old_role, .. } = user;
    let (role, password) = (RwSignal::new(old_role), RwSignal::new(String::new()));
    let attempt = Attempt::new();
    let change = move || UpdateUserRequest {
        role: Some(role.get()).filter(|role| *role != old_role),
        password: Some(password.get()).filter(|password| !password.is_empty()),
        active: None,
    };
    let is_same = Signal::derive(move || role.get() == old_role && password.with(String::is_empty));
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        attempt.start(api.update_user(id, untrack(change)), move |user| {
            toasts.done(settings::user_changed(&user.email));
            open.set(false);
            on_changed.run(());
        });
    };
    let end_sessions = Callback::new(move |()| {
        attempt.start(api.end_sessions_of(id), move |()| {
            toasts.done(settings::their_sessions_ended());
            open.set(false);
        });
    });
    let refusal = move || attempt.refusal_beside(&["/password", "/role"]);
    view! {
        <form class="dialog-form" on:input=move |_| attempt.clear() on:submit=submit>
            <div class="dialog-body">
                {move || refusal().map(|error| view! { <ErrorNotice error /> })}
                <RoleChoice role faults=attempt.faults_at("/role") />
                <PasswordField
                    id="user-password"
                    label=settings::new_password()
                    hint=settings::other_password_hint()
                    optional=true
                    attempt
                    pointer="/password"
                    value=password
                />
                <p class="small secondary">{settings::their_sessions_end()}</p>
            </div>
            <footer class="dialog-foot">
                <WorkButton class="button start" held=attempt.is_busy() test="end-sessions" on_press=end_sessions>
                    {settings::end_their_sessions()}
                </WorkButton>
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton busy=attempt.is_busy() disabled=is_same test="save">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}
