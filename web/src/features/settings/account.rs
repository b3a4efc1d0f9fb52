//! Account of the logged-in user: profile, password and sessions.

use leadscribe_engine::api::{ChangePasswordRequest, SessionInfo};
use leptos::prelude::*;

use crate::api::{use_api, use_session};
use crate::i18n::texts::{common, settings};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation, Question};
use crate::ui::input::{PasswordField, SubmitButton};
use crate::ui::list::{ColumnHeader, RowAction, RowActions, SettingsList};
use crate::ui::{
    Badge, Card, DescriptionItem, DescriptionList, ErrorNotice, Glyph, LocalTime, OptionalLocalTime, Tone,
};

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
        <SessionList />
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

static COLUMNS: [ColumnHeader; 5] = [
    ColumnHeader::new(settings::browser),
    ColumnHeader::new(settings::ip_address),
    ColumnHeader::new(settings::logged_in),
    ColumnHeader::new(settings::last_used),
    ColumnHeader::new(common::actions).hidden(),
];

#[derive(Clone)]
enum EndSessions {
    One(SessionInfo),
    Others,
}

#[component]
fn SessionList() -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let (sessions, load) = ApiResource::loaded(move || api.own_sessions());
    let confirmation = PendingConfirmation::<EndSessions>::new();
    let question = |to_end: &EndSessions| match to_end {
        EndSessions::One(session) => Question::new(
            settings::end_session_title(session_name(session)),
            settings::end_session_hint(),
            settings::end_session(),
        ),
        EndSessions::Others => {
            Question::new(settings::end_others_title(), settings::end_session_hint(), settings::end_others())
        }
    };
    let on_confirmed = Callback::new(move |to_end: EndSessions| {
        let on_ended = move |text: &'static str| {
            toasts.show_success(text);
            load.run(());
        };
        match to_end {
            EndSessions::One(session) => {
                confirmation.run(api.end_session(session.id), move |()| on_ended(settings::session_ended()));
            }
            EndSessions::Others => {
                confirmation.run(api.end_other_sessions(), move |()| on_ended(settings::other_sessions_ended()));
            }
        }
    });
    let has_others = Memo::new(move |_| {
        sessions.with(|list| list.is_some_and(|list| list.iter().any(|session: &SessionInfo| !session.current)))
    });
    let row = Callback::new(move |session: SessionInfo| view! { <SessionRow session confirmation /> }.into_any());
    view! {
        <SettingsList
            description=settings::sessions_hint()
            caption=settings::sessions()
            columns=&COLUMNS
            resource=sessions
            on_retry=load
            can_add=has_others
            add_glyph=Glyph::LogOut
            on_add=Callback::new(move |()| confirmation.request(EndSessions::Others))
            add=(settings::end_others(), "end-other-sessions")
            empty=(settings::no_sessions(), settings::sessions_hint())
            row
        />
        <ConfirmDialog confirmation question on_confirm=on_confirmed />
    }
}

/// Browser and system of a session.
fn session_name(session: &SessionInfo) -> String {
    match (&session.browser, &session.system) {
        (Some(browser), Some(system)) => settings::browser_on(browser, system),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => settings::unknown_browser().to_owned(),
    }
}

#[component]
fn SessionRow(session: SessionInfo, confirmation: PendingConfirmation<EndSessions>) -> impl IntoView {
    let stored_session = StoredValue::new(session.clone());
    let is_current = session.current;
    view! {
        <tr data-test="session-row" data-current=is_current.to_string()>
            <td class="lead-cell strong">
                <span class="row">
                    <span data-test="session-name">{session_name(&session)}</span>
                    {is_current.then(|| view! { <Badge tone=Tone::Accent text=settings::this_session() /> })}
                </span>
            </td>
            <td data-label=settings::ip_address()>{session.address.unwrap_or_else(|| "–".to_owned())}</td>
            <td data-label=settings::logged_in()>
                <LocalTime at=session.created_at />
            </td>
            <td data-label=settings::last_used()>
                <LocalTime at=session.last_used_at relative=true />
            </td>
            <td class="fit">
                <RowActions can_act=!is_current>
                    <RowAction
                        glyph=Glyph::LogOut
                        label=settings::end_session()
                        test_id="end-session"
                        on_press=move || confirmation.request(EndSessions::One(stored_session.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}
