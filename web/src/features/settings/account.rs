//! Account of the logged-in user: profile, password and sessions.

use leadscribe_engine::api::ChangePasswordRequest;
use leptos::prelude::*;

use super::own_sessions::OwnSessions;
use crate::api::{use_api, use_session};
use crate::i18n::texts::{common, settings};
use crate::state::{Mutation, use_toasts};
use crate::ui::input::{PasswordField, SubmitButton};
use crate::ui::{Card, DescriptionItem, DescriptionList, ErrorNotice, OptionalLocalTime};

#[component]
pub fn Account() -> impl IntoView {
    let session = use_session();
    let details = move || {
        session.user().map(|user| {
            view! {
                <DescriptionList>
                    <DescriptionItem label=settings::email()>{user.email}</DescriptionItem>
                    <DescriptionItem label=settings::role()>{settings::role_name(user.role)}</DescriptionItem>
                    <DescriptionItem label=settings::logged_in()>
                        <OptionalLocalTime at=user.last_login_at.and_then(|at| at.parse().ok()) />
                    </DescriptionItem>
                </DescriptionList>
            }
        })
    };
    view! {
        <div class="settings-cards">
            <Card title=common::you()>{details}</Card>
            <Card title=settings::password()>
                <OwnPassword />
            </Card>
        </div>
        <h2>{settings::sessions()}</h2>
        <OwnSessions />
    }
}

#[component]
fn OwnPassword() -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (current, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let mutation = Mutation::new();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let request =
            ChangePasswordRequest { current_password: current.get_untracked(), password: password.get_untracked() };
        mutation.start(api.change_password(request), move |()| {
            toasts.show_success(settings::password_changed());
            current.set(String::new());
            password.set(String::new());
        });
    };
    let form_error = move || mutation.form_error(&["/current_password", "/password"]);
    view! {
        <form class="stack" on:input=move |_| mutation.clear_error() on:submit=submit>
            {move || form_error().map(|error| view! { <ErrorNotice error /> })}
            <PasswordField
                id="current-password"
                label=settings::current_password()
                is_current=true
                mutation
                pointer="/current_password"
                value=current
            />
            <PasswordField
                id="new-password"
                label=settings::new_password()
                hint=settings::own_password_hint()
                mutation
                pointer="/password"
                value=password
            />
            <div class="row">
                <SubmitButton label=settings::change_password() is_busy=mutation.is_busy() test_id="change-password" />
            </div>
        </form>
    }
}
