//! `/login`: asks for email and password, then shows the requested page.

use leadscribe_engine::api::LoginRequest;
use leptos::prelude::*;

use crate::api::{ApiError, SessionState, use_api, use_session};
use crate::browser::focus::focus_after_render;
use crate::browser::query::first_value;
use crate::i18n::texts::{settings, shell};
use crate::navigation::location;
use crate::state::Mutation;
use crate::ui::dialog::{Dialog, Dismissal};
use crate::ui::input::{Button, Field, PasswordField, SubmitButton};
use crate::ui::{LanguageSwitch, Logo, ShortErrorNotice, ThemeSwitch, set_tab_title};

const PATH: &str = "/login";

#[component]
pub fn LoginPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let (email, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let mutation = Mutation::new();

    // Busy until the next page replaces this one.
    let is_busy =
        Signal::derive(move || mutation.is_busy().get() || matches!(session.state(), SessionState::LoggedIn(_)));
    let log_in = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let request =
            LoginRequest { email: email.get_untracked().trim().to_owned(), password: password.get_untracked() };
        mutation.start(async move { api.log_in(&request).await }, |()| {});
    };
    set_tab_title(shell::log_in());
    view! {
        <main class="login">
            <form class="login-card card" on:submit=log_in>
                <div class="login-header">
                    <Logo />
                    <h1>{shell::title()}</h1>
                    <p class="secondary">{shell::tagline()}</p>
                </div>
                {move || mutation.error().map(|error| view! { <LoginError error /> })}
                <div class="field">
                    <label for="email">{settings::email()}</label>
                    <input
                        id="email"
                        class="input"
                        type="email"
                        autocomplete="username"
                        autofocus
                        required
                        data-test="login-email"
                        bind:value=email
                    />
                </div>
                <div class="field">
                    <label for="password">{settings::password()}</label>
                    <input
                        id="password"
                        class="input"
                        type="password"
                        autocomplete="current-password"
                        required
                        data-test="login-password"
                        bind:value=password
                    />
                </div>
                <SubmitButton label=shell::log_in() is_busy test_id="login-submit" />
            </form>
            <div class="row">
                <ThemeSwitch />
                <LanguageSwitch />
            </div>
        </main>
    }
}

/// Distinguishes a wrong password and too many attempts. Other errors are shown as they are.
#[component]
pub fn LoginError(error: ApiError) -> impl IntoView {
    let (title, advice) = match error.status() {
        Some(401) => (Some(shell::invalid_credentials()), Some(shell::invalid_credentials_hint())),
        Some(429) => (Some(shell::too_many_attempts()), None),
        _ => (None, None),
    };
    view! { <ShortErrorNotice error title advice /> }
}

/// True if the URL is the login page's.
pub fn is_open() -> bool {
    location::browser_location().split('?').next() == Some(PATH)
}

/// Changes the URL to the login page's, with the current location as a parameter for [`target_location`].
pub fn open() {
    if !is_open() {
        let next = String::from(js_sys::encode_uri_component(&location::browser_location()));
        location::replace_history(&format!("{PATH}?next={next}"));
    }
}

/// Changes the URL from the login page's to the requested one.
pub fn close() {
    if is_open() {
        location::replace_history(&target_location());
    }
}

/// Location that is shown after login, or now if a user is logged in.
pub fn target_location() -> String {
    let current = location::browser_location();
    if !is_open() {
        return current;
    }
    let search = current.split_once('?').map(|(_, search)| search).unwrap_or_default();
    safe_redirect(&first_value(search, "next").unwrap_or_default()).to_owned()
}

/// Accepts only paths of this panel, so that a login link can't redirect elsewhere.
fn safe_redirect(next: &str) -> &str {
    let is_own_path =
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.starts_with("/login");
    if is_own_path { next } else { "/" }
}

#[component]
pub fn SessionExpiredDialog() -> impl IntoView {
    let session = use_session();
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(session.is_expired()));
    view! {
        <Dialog open title=shell::log_in_again() dismissal=Dismissal::Never test_id="log-in-again">
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
                <p class="secondary">{shell::session_expired_text()}</p>
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
                    label=shell::log_out_instead()
                    is_blocked=mutation.is_busy()
                    test_id="log-out-instead"
                    on_press=move |()| submit(None)
                />
                <SubmitButton label=shell::log_in() is_busy=mutation.is_busy() test_id="log-in-again-submit" />
            </footer>
        </form>
    }
}
