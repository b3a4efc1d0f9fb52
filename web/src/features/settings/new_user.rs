//! Form for a new user.

use leadscribe_engine::api::{NewUserRequest, Role};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::settings;
use crate::state::mutation::Mutation;
use crate::state::toasts::use_toasts;
use crate::ui::dialog::CancelButton;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::input::field::Field;
use crate::ui::input::password_field::PasswordField;
use crate::ui::input::role_choice::RoleChoice;
use crate::ui::input::submit_button::SubmitButton;

#[component]
pub fn NewUserForm(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (email, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let role = RwSignal::new(Role::Viewer);
    let mutation = Mutation::new();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let request = NewUserRequest {
            email: email.get_untracked().trim().to_owned(),
            password: password.get_untracked(),
            role: role.get_untracked(),
        };
        mutation.start(api.create_user(request), move |user| {
            toasts.show_success(settings::user_added(&user.email));
            open.set(false);
            on_created.run(());
        });
    };
    let form_error = move || mutation.form_error(&["/email", "/password", "/role"]);
    view! {
        <form class="dialog-form" novalidate on:input=move |_| mutation.clear_error() on:submit=submit>
            <div class="dialog-body">
                {move || form_error().map(|error| view! { <ErrorNotice error /> })}
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
            </div>
            <footer class="dialog-footer">
                <CancelButton open busy=mutation.is_busy() />
                <SubmitButton is_busy=mutation.is_busy() test_id="create">
                    {settings::add()}
                </SubmitButton>
            </footer>
        </form>
    }
}
