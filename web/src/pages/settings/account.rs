//! One's own account: who one is here, and one's password.

use leadscribe_engine::api::OwnPasswordRequest;
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::badge::spelled;
use crate::components::error_notice::ErrorNotice;
use crate::components::fact_list::{Fact, FactList};
use crate::components::moment::MaybeMoment;
use crate::components::password_field::PasswordField;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::session::use_session;

#[component]
pub fn Account() -> impl IntoView {
    let session = use_session();
    let facts = move || {
        session.user().map(|user| {
            view! {
                <FactList>
                    <Fact label="E-mail">{user.email}</Fact>
                    <Fact label="Role">{spelled(user.role.as_str())}</Fact>
                    <Fact label="Logged in">
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
                    <h2 id="account-who">"You"</h2>
                </div>
                <div class="card-body">{facts}</div>
            </section>
            <section class="card" aria-labelledby="account-password">
                <div class="card-head">
                    <h2 id="account-password">"Password"</h2>
                </div>
                <OwnPassword />
            </section>
        </div>
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
            toasts.done("Your password was changed. Your other sessions have ended.");
            current.set(String::new());
            password.set(String::new());
        });
    };
    let refusal = move || attempt.refusal_beside(&["/current_password", "/password"]);
    view! {
        <form class="card-body stack" on:submit=submit>
            {move || refusal().map(|error| view! { <ErrorNotice error /> })}
            <PasswordField
                id="current-password"
                label="Current password"
                current=true
                attempt
                pointer="/current_password"
                value=current
            />
            <PasswordField
                id="new-password"
                label="New password"
                hint="At least 12 characters. Your other sessions end."
                attempt
                pointer="/password"
                value=password
            />
            <div class="row">
                <SubmitButton busy=attempt.is_busy() test="change-password">
                    "Change password"
                </SubmitButton>
            </div>
        </form>
    }
    .into_any()
}
