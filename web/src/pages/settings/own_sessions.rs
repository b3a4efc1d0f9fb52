//! Sessions of the logged-in user. Each can be ended, or all except the current one.

use leadscribe_engine::api::OwnSession;
use leptos::prelude::*;

use crate::api::use_api;
use crate::components::badge::{Badge, Tone};
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::icon::Glyph;
use crate::components::list::managed::{Column, ManagedList, RowAction, RowActions, Wording};
use crate::components::moment::Moment;
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::texts::settings;

fn wording() -> Wording {
    Wording {
        about: settings::sessions_about(),
        caption: settings::sessions(),
        columns: vec![
            Column::Text(settings::browser()),
            Column::Text(settings::address()),
            Column::Text(settings::logged_in()),
            Column::Text(settings::last_used()),
        ],
        add: (settings::end_others(), "end-others"),
        empty: (settings::no_sessions(), settings::sessions_about()),
    }
}

/// Action to confirm.
#[derive(Clone)]
enum Ending {
    One(OwnSession),
    Others,
}

#[component]
pub fn OwnSessions() -> impl IntoView {
    let api = use_api();
    let toasts = use_toasts();
    let sessions = Remote::<Vec<OwnSession>>::new();
    let load = Callback::new(move |()| sessions.load(api.own_sessions()));
    load.run(());
    let doubt = Doubt::<Ending>::new();
    let question = |ending: &Ending| match ending {
        Ending::One(session) => Question {
            title: settings::end_session_title(name(session)),
            text: settings::end_session_about().to_owned(),
            action: settings::end_session(),
        },
        Ending::Others => Question {
            title: settings::end_others_title().to_owned(),
            text: settings::end_session_about().to_owned(),
            action: settings::end_others(),
        },
    };
    let confirmed = Callback::new(move |ending: Ending| {
        let done = move |text: &'static str| {
            doubt.close();
            toasts.done(text);
            load.run(());
        };
        match ending {
            Ending::One(session) => {
                doubt.attempt().start(api.end_session(session.id), move |()| done(settings::session_ended()));
            }
            Ending::Others => {
                doubt.attempt().start(api.end_other_sessions(), move |()| done(settings::others_ended()));
            }
        }
    });
    let has_others = Memo::new(move |_| sessions.with(|all| all.is_some_and(|all| all.iter().any(|one| !one.current))));
    let row = Callback::new(move |session: OwnSession| view! { <SessionRow session doubt /> }.into_any());
    view! {
        <ManagedList
            wording=wording()
            items=Signal::derive(move || sessions.get())
            error=Signal::derive(move || sessions.error())
            on_retry=load
            may_add=has_others
            add_glyph=Glyph::LogOut
            on_add=Callback::new(move |()| doubt.ask(Ending::Others))
            row
        />
        <ConfirmDialog doubt question on_confirm=confirmed />
    }
    .into_any()
}

/// Browser and system of a session.
fn name(session: &OwnSession) -> String {
    match (&session.browser, &session.system) {
        (Some(browser), Some(system)) => settings::browser_on(browser, system),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => settings::unknown_browser().to_owned(),
    }
}

#[component]
fn SessionRow(session: OwnSession, doubt: Doubt<Ending>) -> impl IntoView {
    let shown = StoredValue::new(session.clone());
    let is_current = session.current;
    view! {
        <tr data-test="session-row" data-current=is_current.to_string()>
            <td class="lead-cell strong">
                <span class="row">
                    <span data-test="session-name">{name(&session)}</span>
                    {is_current.then(|| view! { <Badge tone=Tone::Accent text=settings::this_session() /> })}
                </span>
            </td>
            <td data-label=settings::address()>{session.address.unwrap_or_else(|| "–".to_owned())}</td>
            <td data-label=settings::logged_in()>
                <Moment at=session.created_at />
            </td>
            <td data-label=settings::last_used()>
                <Moment at=session.last_used_at relative=true />
            </td>
            <td class="fit">
                <RowActions may_act=!is_current>
                    <RowAction
                        glyph=Glyph::LogOut
                        label=settings::end_session()
                        test="end-session"
                        on_press=move || doubt.ask(Ending::One(shown.get_value()))
                    />
                </RowActions>
            </td>
        </tr>
    }
}
