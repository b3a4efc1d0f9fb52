//! Frame around all pages of logged-in users: navigation, user menu, and the redirect to the login page.

pub mod address;
pub mod connection_notice;
pub mod language_switch;
pub mod leave_guard;
pub mod page_head;
pub mod palette;
pub mod part_missing;
pub mod shortcuts;
pub mod theme_switch;
pub mod toast;
pub mod user_menu;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::{ev, html};
use leptos_router::NavigateOptions;
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::{use_location, use_navigate};

use self::palette::PaletteButton;
use self::user_menu::{UserButton, UserMenu};
use super::list::{row_keys, way_back};
use crate::api::use_api;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon, Mark};
use crate::keys::way_to;
use crate::session::{SessionState, use_session};
use crate::texts::{common, shell};
use crate::{acts, focus, place};

/// Main page: path, name and icon.
type Place = (&'static str, fn() -> &'static str, Glyph);

/// All main pages.
pub const PLACES: [Place; 9] = [
    ("/", shell::today, Glyph::Today),
    ("/leads", shell::leads, Glyph::Leads),
    ("/campaigns", shell::campaigns, Glyph::Campaigns),
    ("/calls", shell::calls, Glyph::Calls),
    ("/transcripts", shell::transcripts, Glyph::Transcripts),
    ("/deliveries", shell::deliveries, Glyph::Deliveries),
    ("/imports", shell::imports, Glyph::Imports),
    ("/api-reference", shell::api, Glyph::Code),
    ("/settings", shell::settings, Glyph::Access),
];

/// Pages in the tab bar of a small screen; the others are behind its last button.
const ON_BAR: [&str; 4] = ["/", "/leads", "/calls", "/transcripts"];

/// The frame; its [`Outlet`] contains the page.
#[component]
pub fn Shell() -> impl IntoView {
    let session = use_session();
    // Rebuilds the frame if a different user logs in.
    let known = Memo::new(move |_| (std::mem::discriminant(&session.state()), session.user().map(|user| user.id)));
    move || {
        // Read instead of tracked: a memo that is never read doesn't update.
        known.get();
        match session.state_untracked() {
            SessionState::Unknown => view! { <Waiting /> }.into_any(),
            SessionState::Unreachable(error) => view! { <Unreachable error /> }.into_any(),
            SessionState::Nobody => view! { <ToLogin /> }.into_any(),
            SessionState::Staff(_) => view! { <Frame /> }.into_any(),
        }
    }
}

#[component]
fn Frame() -> impl IntoView {
    acts::listen();
    focus::listen();
    row_keys::listen();
    way_back::follow();
    refuse_files();
    view! {
        <a class="skip-link" href="#main" rel="external">
            {shell::skip()}
        </a>
        <div class="shell">
            <aside class="sidebar">
                <A href="/" attr:class="brand">
                    <Mark />
                    "Leadscribe"
                </A>
                <PaletteButton />
                <nav class="nav" aria-label=shell::main_navigation()>
                    {PLACES.map(|place| view! { <PlaceLink place /> }).collect_view()}
                </nav>
                <div class="sidebar-foot">
                    <UserButton />
                </div>
            </aside>
            <header class="topbar">
                <A href="/" attr:class="brand">
                    <Mark />
                    "Leadscribe"
                </A>
                <PaletteButton />
                <UserButton />
            </header>
            <main class="page" id=focus::CONTENT tabindex="-1">
                <Outlet />
            </main>
            <TabBar />
        </div>
        <UserMenu />
    }
}

/// Ignores files dropped outside of a drop area. The browser would open them in place of the panel.
fn refuse_files() {
    let over = window_event_listener(ev::dragover, |event| event.prevent_default());
    let dropped = window_event_listener(ev::drop, |event| event.prevent_default());
    on_cleanup(move || {
        over.remove();
        dropped.remove();
    });
}

#[component]
fn PlaceLink(place: Place) -> impl IntoView {
    let (href, name, glyph) = place;
    let pathname = use_location().pathname;
    let current = move || pathname.with(|path| is_in(path, href)).then_some("page");
    view! {
        <a href=href aria-current=current>
            <Icon glyph />
            {name()}
            <kbd aria-hidden="true">{way_to(href)}</kbd>
        </a>
    }
}

/// Tab bar of a small screen, with a native popover for the remaining pages. A click outside and any navigation close it.
#[component]
fn TabBar() -> impl IntoView {
    let pathname = use_location().pathname;
    let (on_bar, others): (Vec<_>, Vec<_>) = PLACES.into_iter().partition(|(href, ..)| ON_BAR.contains(href));
    let hrefs: Vec<_> = others.iter().map(|(href, ..)| *href).collect();
    let is_current = move || pathname.with(|path| hrefs.iter().any(|href| is_in(path, href))).then_some("true");
    let more = NodeRef::<html::Div>::new();
    let close = move || {
        if let Some(more) = more.get_untracked() {
            // Fails only if the popover is already closed.
            let _ = more.hide_popover();
        }
    };
    Effect::new(move |_| {
        pathname.track();
        close();
    });
    view! {
        <nav class="tabbar" aria-label=shell::short_navigation()>
            {on_bar.into_iter().map(|place| view! { <PlaceLink place /> }).collect_view()}
            <button type="button" popovertarget="more-places" aria-current=is_current data-test="more-places">
                <Icon glyph=Glyph::More />
                {shell::more()}
            </button>
            <div node_ref=more id="more-places" class="menu more-places" popover="auto" on:click=move |_| close()>
                {others.into_iter().map(|place| view! { <PlaceLink place /> }).collect_view()}
            </div>
        </nav>
    }
}

/// True if a path belongs to a main page. The path of the first page is a prefix of all others.
fn is_in(path: &str, place: &str) -> bool {
    if place == "/" { path == place } else { path.starts_with(place) }
}

/// Shown while the current user is loading.
#[component]
fn Waiting() -> impl IntoView {
    view! {
        <div class="boot" role="status">
            <p class="boot-name">"Leadscribe"</p>
            <p class="boot-message">{common::loading()}</p>
        </div>
    }
}

#[component]
fn Unreachable(error: crate::api::ApiError) -> impl IntoView {
    let api = use_api();
    view! {
        <main class="login">
            <div class="login-card">
                <ErrorNotice error on_retry=Callback::new(move |()| spawn_local(api.find_session())) />
            </div>
        </main>
    }
}

/// Redirects to the login page and remembers the current location.
#[component]
fn ToLogin() -> impl IntoView {
    let next = String::from(js_sys::encode_uri_component(&place::routed(&use_location())));
    let navigate = use_navigate();
    // Runs after rendering, because the router must not be changed while it renders.
    Effect::new(move |_| {
        navigate(&format!("/login?next={next}"), NavigateOptions { replace: true, ..Default::default() });
    });
}
