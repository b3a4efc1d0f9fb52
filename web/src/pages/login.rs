//! `/login`: e-mail and password, then on to the requested page.

use leadscribe_engine::api::LoginRequest;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{ApiError, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon, Logo};
use crate::components::input::field::Field;
use crate::components::input::submit_button::SubmitButton;
use crate::components::shell::language_switch::LanguageSwitch;
use crate::components::shell::page_header::set_tab_title;
use crate::components::shell::theme_switch::ThemeSwitch;
use crate::mutation::Mutation;
use crate::query::use_query;
use crate::session::{SessionState, use_session};
use crate::texts::login;

#[component]
pub fn LoginPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let query = use_query();
    let navigate = use_navigate();
    let (email, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let mutation = Mutation::new();

    Effect::new(move |_| {
        if matches!(session.state(), SessionState::LoggedIn(_)) {
            let next = query.get_untracked("next").unwrap_or_default();
            navigate(safe_redirect(&next), NavigateOptions { replace: true, ..Default::default() });
        }
    });
    let log_in = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let request =
            LoginRequest { email: email.get_untracked().trim().to_owned(), password: password.get_untracked() };
        mutation.start(async move { api.log_in(&request).await }, |()| {});
    };
    set_tab_title(login::log_in());
    view! {
        <main class="login">
            <form class="login-card card" on:submit=log_in>
                <div class="login-header">
                    <Logo />
                    <h1>{login::title()}</h1>
                    <p class="secondary">{login::tagline()}</p>
                </div>
                {move || mutation.error().map(|error| view! { <LoginError error /> })}
                <Field id="email" label=login::email()>
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
                </Field>
                <Field id="password" label=login::password()>
                    <input
                        id="password"
                        class="input"
                        type="password"
                        autocomplete="current-password"
                        required
                        data-test="login-password"
                        bind:value=password
                    />
                </Field>
                <SubmitButton is_busy=mutation.is_busy() test_id="login-submit">
                    {login::log_in()}
                </SubmitButton>
            </form>
            <div class="row">
                <ThemeSwitch />
                <LanguageSwitch />
            </div>
        </main>
    }
    .into_any()
}

/// Distinguishes a wrong password and too many attempts. Other errors are shown as they are.
#[component]
pub fn LoginError(error: ApiError) -> impl IntoView {
    let (title, text) = match error.status() {
        Some(401) => (login::invalid_credentials(), login::invalid_credentials_hint().to_owned()),
        Some(429) => (login::too_many_attempts(), error.advice()),
        _ => return view! { <ErrorNotice error /> }.into_any(),
    };
    view! {
        <div class="notice tone-danger" role="alert" data-test="error">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{title}</strong>
                <p>{text}</p>
            </div>
        </div>
    }
    .into_any()
}

/// Accepts only paths of this panel, so that a login link can't redirect elsewhere.
fn safe_redirect(next: &str) -> &str {
    let is_own_path =
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.starts_with("/login");
    if is_own_path { next } else { "/" }
}
