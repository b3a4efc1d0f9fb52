//! Dialog over any page when the session has expired. After entering the password, the user continues on the same page.

use leadscribe_engine::api::LoginRequest;
use leptos::prelude::*;

use crate::api::{use_api, use_session};
use crate::browser::focus::focus_after_render;
use crate::features::login::LoginError;
use crate::i18n::texts::{login, settings};
use crate::state::Mutation;
use crate::ui::dialog::{Dialog, Dismissal};
use crate::ui::input::{Button, Field, PasswordField, SubmitButton};

#[component]
pub fn SessionExpiredDialog() -> impl IntoView {
    let session = use_session();
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(session.is_expired()));
    view! {
        <Dialog open title=login::log_in_again() dismissal=Dismissal::Never test_id="log-in-again">
            <PasswordForm />
        </Dialog>
    }
}

#[component]
fn PasswordForm() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let email = untrack(|| session.user()).map(|user| user.email).unwrap_or_default();
    let (email_value, password) = (StoredValue::new(email.clone()), RwSignal::new(String::new()));
    let mutation = Mutation::new();
    let submit = move |login_request: Option<LoginRequest>| {
        let session_request = async move {
            match login_request {
                Some(request) => api.log_in(&request).await,
                None => api.log_out().await,
            }
        };
        mutation.start(session_request, |()| {});
    };
    let log_in = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        submit(Some(LoginRequest { email: email_value.get_value(), password: password.get_untracked() }));
    };
    focus_after_render("password-again".to_owned());
    view! {
        <form class="dialog-form" on:submit=log_in>
            <div class="dialog-body">
                <p class="secondary">{login::session_expired_text()}</p>
                {move || mutation.error().map(|error| view! { <LoginError error /> })}
                <Field id="email-again" label=settings::email()>
                    <input id="email-again" class="input" type="email" autocomplete="username" readonly value=email />
                </Field>
                <PasswordField
                    id="password-again"
                    label=settings::password()
                    is_current=true
                    mutation
                    pointer="/password"
                    value=password
                />
            </div>
            <footer class="dialog-footer">
                <Button
                    class="footer-start"
                    label=login::log_out_instead()
                    is_blocked=mutation.is_busy()
                    test_id="log-out-instead"
                    on_press=move |()| submit(None)
                />
                <SubmitButton label=login::log_in() is_busy=mutation.is_busy() test_id="log-in-again-submit" />
            </footer>
        </form>
    }
}
