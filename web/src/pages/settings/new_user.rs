//! Form for a new user.

use leadscribe_engine::api::{NewUserRequest, Role};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::dialog::CancelButton;
use crate::components::error_notice::ErrorNotice;
use crate::components::input::field::Field;
use crate::components::input::password_field::PasswordField;
use crate::components::input::role_choice::RoleChoice;
use crate::components::input::submit_button::SubmitButton;
use crate::components::shell::toast::use_toasts;
use crate::texts::settings;

#[component]
pub fn NewUser(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
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
            toasts.done(settings::can_log_in(&user.email));
            open.set(false);
            on_created.run(());
        });
    };
    let refusal = move || attempt.refusal_beside(&["/email", "/password", "/role"]);
    view! {
        <form class="dialog-form" novalidate on:input=move |_| attempt.clear() on:submit=submit>
            <div class="dialog-body">
                {move || refusal().map(|error| view! { <ErrorNotice error /> })}
                <Field id="user-email" label=settings::email() faults=attempt.faults_at("/email")>
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
                    attempt
                    pointer="/password"
                    value=password
                />
                <RoleChoice role faults=attempt.faults_at("/role") />
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton busy=attempt.is_busy() test="create">
                    {settings::add()}
                </SubmitButton>
            </footer>
        </form>
    }
}
