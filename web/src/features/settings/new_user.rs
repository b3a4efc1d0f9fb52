//! Form for a new user.

use leadscribe_engine::api::{NewUserRequest, Role};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::{common, settings};
use crate::state::{Mutation, use_toasts};
use crate::ui::dialog::DialogForm;
use crate::ui::input::{Field, PasswordField, RoleChoice};

#[component]
pub fn NewUserForm(open: RwSignal<bool>, on_created: Callback<()>) -> impl IntoView {
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
            toasts.show_success(settings::user_added(&user.email));
            open.set(false);
            on_created.run(());
        });
    };
    let on_input = move |()| mutation.clear_error();
    let error = move || mutation.form_error(&["/email", "/password", "/role"]);
    view! {
        <DialogForm open is_busy=mutation.is_busy() error on_submit on_input label=common::add() test_id="create">
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
