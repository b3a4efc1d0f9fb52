//! Account of the logged-in user: profile, password and sessions.

use leadscribe_engine::api::OwnPasswordRequest;
use leptos::prelude::*;

use super::own_sessions::OwnSessions;
use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::error_notice::ErrorNotice;
use crate::components::fact_list::{Fact, FactList};
use crate::components::input::password_field::PasswordField;
use crate::components::input::submit_button::SubmitButton;
use crate::components::moment::MaybeMoment;
use crate::components::shell::toast::use_toasts;
use crate::session::use_session;
use crate::texts::settings;

#[component]
pub fn Account() -> impl IntoView {
    let session = use_session();
    let facts = move || {
        session.user().map(|user| {
            view! {
                <FactList>
                    <Fact label=settings::email()>{user.email}</Fact>
                    <Fact label=settings::role()>{settings::role_name(user.role)}</Fact>
                    <Fact label=settings::logged_in()>
                        <MaybeMoment at=user.last_login_at />
                    </Fact>
                </FactList>
            }
        })
    };
    view! {
        <div class="settings-cards">
            <section class="card" aria-labelledby="account-who">
                <div class="card-head">
                    <h2 id="account-who">{settings::you()}</h2>
                </div>
                <div class="card-body">{facts}</div>
            </section>
            <section class="card" aria-labelledby="account-password">
                <div class="card-head">
                    <h2 id="account-password">{settings::password()}</h2>
                </div>
                <OwnPassword />
            </section>
        </div>
        <h2>{settings::sessions()}</h2>
        <OwnSessions />
    }
    .into_any()
}

#[component]
fn OwnPassword() -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (current, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let attempt = Attempt::new();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let request =
            OwnPasswordRequest { current_password: current.get_untracked(), password: password.get_untracked() };
        attempt.start(api.change_password(request), move |()| {
            toasts.done(settings::password_changed());
            current.set(String::new());
            password.set(String::new());
        });
    };
    let refusal = move || attempt.refusal_beside(&["/current_password", "/password"]);
    view! {
        <form class="card-body stack" on:input=move |_| attempt.clear() on:submit=submit>
            {move || refusal().map(|error| view! { <ErrorNotice error /> })}
            <PasswordField
                id="current-password"
                label=settings::current_password()
                current=true
                attempt
                pointer="/current_password"
                value=current
            />
            <PasswordField
                id="new-password"
                label=settings::new_password()
                hint=settings::own_password_hint()
                attempt
                pointer="/password"
                value=password
            />
            <div class="row">
                <SubmitButton busy=attempt.is_busy() test="change-password">
                    {settings::change_password()}
                </SubmitButton>
            </div>
        </form>
    }
    .into_any()
}
