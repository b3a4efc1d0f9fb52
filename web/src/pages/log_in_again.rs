//! Dialog over any page when the session has expired. After entering the password, the user continues on the same page.

use leadscribe_engine::api::LoginRequest;
use leptos::prelude::*;

use super::login::Refusal;
use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::dialog::{Dialog, Dismissal};
use crate::components::input::field::Field;
use crate::components::input::submit_button::SubmitButton;
use crate::components::input::work_button::WorkButton;
use crate::focus::focus_soon;
use crate::session::use_session;
use crate::texts::login;

#[component]
pub fn LogInAgain() -> impl IntoView {
    let session = use_session();
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(session.is_over()));
    view! {
        <Dialog open title=login::log_in_again() dismissal=Dismissal::Never test="log-in-again">
            <Password />
        </Dialog>
    }
}

#[component]
fn Password() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let email = untrack(|| session.user()).map(|user| user.email).unwrap_or_default();
    let (who, password) = (StoredValue::new(email.clone()), RwSignal::new(String::new()));
    let attempt = Attempt::new();
    let go_on = move |with: Option<LoginRequest>| {
        let go = async move {
            match with {
                Some(request) => api.log_in(&request).await,
                None => api.log_out().await,
            }
        };
        attempt.start(go, |()| {});
    };
    let log_in = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        go_on(Some(LoginRequest { email: who.get_value(), password: password.get_untracked() }));
    };
    focus_soon("password-again".to_owned());
    view! {
        <form class="dialog-form" on:submit=log_in>
            <div class="dialog-body">
                <p class="secondary">{login::page_stays()}</p>
                {move || attempt.refusal().map(|error| view! { <Refusal error /> })}
                <Field id="email-again" label=login::email()>
                    <input id="email-again" class="input" type="email" autocomplete="username" readonly value=email />
                </Field>
                <Field id="password-again" label=login::password()>
                    <input
                        id="password-again"
                        class="input"
                        type="password"
                        autocomplete="current-password"
                        required
                        data-test="password-again"
                        bind:value=password
                    />
                </Field>
            </div>
            <footer class="dialog-foot">
                <WorkButton
                    class="button start"
                    held=attempt.is_busy()
                    test="log-out-instead"
                    on_press=Callback::new(move |()| go_on(None))
                >
                    {login::log_out_instead()}
                </WorkButton>
                <SubmitButton busy=attempt.is_busy() test="log-in-again-submit">
                    {login::log_in()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}
