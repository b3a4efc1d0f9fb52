//! Root of the panel: the login page, or the lazy-loaded pages of a logged-in user.

use leadscribe_engine::api::UserId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{ApiError, Connection, Session, SessionState, use_api};
use crate::browser::scheduler::{allows_prefetch, wait_until_idle};
use crate::features::login;
use crate::features::shell::palette::Palette;
use crate::i18n::texts::{common, shell};
use crate::navigation::guard::NavigationGuard;
use crate::routes::lazy::Chunk;
use crate::state::{ThemeChoice, Toasts};
use crate::ui::ShortErrorNotice;
use crate::ui::lazy_view::suspend_until_loaded;
use crate::ui::list::{CallSelection, LeadSelection};

/// Screen that the panel shows.
#[derive(Clone, Copy, PartialEq)]
enum Screen {
    /// The session or the first page is loading.
    Loading,
    Unreachable,
    Login,
    /// The pages, rebuilt if a different user logs in.
    Pages(UserId),
}

/// Root component of the panel. It is the only code that the login page loads, so everything else belongs in
/// [`crate::routes`].
#[component]
pub fn App() -> impl IntoView {
    let (session, connection) = (Session::default(), Connection::start());
    provide_context(session);
    provide_context(connection);
    provide_context(Toasts::default());
    provide_context(NavigationGuard::install());
    provide_context(LeadSelection::new());
    provide_context(CallSelection::new());
    provide_context(Palette::default());
    provide_context(ThemeChoice::new());
    spawn_local(use_api().load_session());
    let are_pages_loaded = RwSignal::new(false);
    let is_logged_in = Memo::new(move |_| matches!(session.state(), SessionState::LoggedIn(_)));
    Effect::new(move |_| {
        if is_logged_in.get() && !are_pages_loaded.get_untracked() {
            spawn_local(async move {
                // If this fails, showing the page tries again and shows the error.
                Chunk::of(&login::target_location()).load().await.ok();
                are_pages_loaded.set(true);
            });
        }
    });
    let screen = Memo::new(move |previous: Option<&Screen>| match session.state() {
        SessionState::LoggedIn(session) if are_pages_loaded.get() => Screen::Pages(session.user.id),
        // The login form stays until the page is loaded.
        SessionState::LoggedIn(_) if previous == Some(&Screen::Login) => Screen::Login,
        SessionState::LoggedIn(_) => Screen::Loading,
        SessionState::LoggedOut => Screen::Login,
        SessionState::Unknown | SessionState::Unreachable(_) if login::is_open() => Screen::Login,
        SessionState::Unknown => Screen::Loading,
        SessionState::Unreachable(_) => Screen::Unreachable,
    });
    let view = move || match (screen.get(), session.state_untracked()) {
        (Screen::Unreachable, SessionState::Unreachable(error)) => view! { <ServerUnreachable error /> }.into_any(),
        (Screen::Login, _) => {
            login::open();
            spawn_local(prefetch_first_chunk());
            view! { <login::LoginPage /> }.into_any()
        }
        (Screen::Pages(_), _) => {
            login::close();
            suspend_until_loaded(Chunk::of(&login::target_location()).pages())
        }
        (Screen::Loading | Screen::Unreachable, _) => view! { <LoadingScreen /> }.into_any(),
    };
    view! {
        {view}
        <ConnectionNotice is_lost=Signal::derive(move || connection.is_lost()) />
    }
}

/// Loads the page that follows the login, while the user types.
async fn prefetch_first_chunk() {
    wait_until_idle().await;
    if allows_prefetch() {
        // If this fails, the page is loaded after login.
        Chunk::of(&login::target_location()).load().await.ok();
    }
}

/// Shown while the session or the first page is loading.
#[component]
fn LoadingScreen() -> impl IntoView {
    view! {
        <div class="loading-screen" role="status">
            <p class="loading-screen-name">"Leadscribe"</p>
            <p class="loading-screen-message secondary">{common::loading()}</p>
        </div>
    }
}

#[component]
fn ServerUnreachable(error: ApiError) -> impl IntoView {
    let api = use_api();
    view! {
        <main class="login">
            <div class="login-card">
                <ShortErrorNotice error on_retry=Callback::new(move |()| spawn_local(api.load_session())) />
            </div>
        </main>
    }
}

#[component]
fn ConnectionNotice(is_lost: Signal<bool>) -> impl IntoView {
    view! {
        <div class="connection" role="status" data-test="connection">
            <Show when=move || is_lost.get()>
                <p class="line connection-lost">
                    <span class="spinner" aria-hidden="true"></span>
                    {shell::no_connection()}
                </p>
            </Show>
        </div>
    }
}
