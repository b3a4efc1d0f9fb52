//! Frame around all pages: navigation and user menu.

pub mod palette;
pub mod shortcuts;

use leptos::prelude::*;
use leptos::{ev, html};
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::use_location;

use self::palette::PaletteButton;
use crate::api::{use_session, user_activity};
use crate::browser::dom::listen_on_window;
use crate::browser::focus;
use crate::i18n::texts::{settings, shell};
use crate::navigation::guard::Navigation;
use crate::navigation::navigator::Navigator;
use crate::ui::list::{row_navigation, scroll_restoration};
use crate::ui::{Glyph, Icon, LanguageSwitch, Logo, ThemeSwitch};

/// First key of the shortcuts that open a main page.
const GO_PREFIX: &str = "g";

/// A main page in the navigation.
#[derive(Clone, Copy)]
pub struct NavigationEntry {
    pub path: &'static str,
    pub label: fn() -> &'static str,
    pub icon: Glyph,
    /// Key that opens the page after [`GO_PREFIX`].
    pub shortcut: &'static str,
    /// True if the page is in the tab bar of a small screen. The last button of the bar opens a menu of the other
    /// pages.
    pub is_in_tab_bar: bool,
}

impl NavigationEntry {
    /// The keys that open the page, as shown to the user.
    pub fn shortcut_label(&self) -> String {
        format!("{GO_PREFIX} {}", self.shortcut).to_ascii_uppercase()
    }
}

/// Returns the main pages.
pub fn use_navigation_entries() -> Vec<NavigationEntry> {
    expect_context()
}

/// The frame; its [`Outlet`] contains the page.
#[component]
pub fn Shell() -> impl IntoView {
    user_activity::listen();
    focus::track_focus();
    row_navigation::listen();
    scroll_restoration::restore_on_navigation();
    // The browser would open files that are dropped outside of a drop area in place of the panel.
    listen_on_window(ev::dragover, |event| event.prevent_default());
    listen_on_window(ev::drop, |event| event.prevent_default());
    view! {
        <a class="skip-link" href="#main" rel="external">
            {shell::skip_to_content()}
        </a>
        <div class="shell">
            <aside class="sidebar">
                <A href="/" attr:class="brand">
                    <Logo />
                    "Leadscribe"
                </A>
                <PaletteButton />
                <nav class="nav" aria-label=shell::main_navigation()>
                    {use_navigation_entries().into_iter().map(|page| view! { <MainPageLink page /> }).collect_view()}
                </nav>
                <div class="sidebar-footer">
                    <UserButton />
                </div>
            </aside>
            <header class="topbar">
                <A href="/" attr:class="brand">
                    <Logo />
                    "Leadscribe"
                </A>
                <PaletteButton />
                <UserButton />
            </header>
            <main class="page" id=focus::CONTENT_ID tabindex="-1">
                <Outlet />
            </main>
            <TabBar />
        </div>
        <UserMenu />
    }
}

#[component]
fn MainPageLink(page: NavigationEntry) -> impl IntoView {
    let href = page.path;
    let pathname = use_location().pathname;
    let current = move || pathname.with(|path| is_below(path, href)).then_some("page");
    view! {
        <a href=href aria-current=current>
            <Icon glyph=page.icon />
            {(page.label)()}
            <kbd aria-hidden="true">{page.shortcut_label()}</kbd>
        </a>
    }
}

/// Tab bar of a small screen, with a native popover for the remaining pages. A click outside and any navigation close
/// it.
#[component]
fn TabBar() -> impl IntoView {
    let pathname = use_location().pathname;
    let (bar_pages, other_pages): (Vec<_>, Vec<_>) =
        use_navigation_entries().into_iter().partition(|page| page.is_in_tab_bar);
    let hrefs: Vec<_> = other_pages.iter().map(|page| page.path).collect();
    let is_current = move || pathname.with(|path| hrefs.iter().any(|href| is_below(path, href))).then_some("true");
    let popover = NodeRef::<html::Div>::new();
    let close_popover = move || {
        if let Some(popover) = popover.get_untracked() {
            // Fails only if the popover is already closed.
            let _ = popover.hide_popover();
        }
    };
    Effect::new(move |_| {
        pathname.track();
        close_popover();
    });
    view! {
        <nav class="tabbar" aria-label=shell::compact_navigation()>
            {bar_pages.into_iter().map(|page| view! { <MainPageLink page /> }).collect_view()}
            <button type="button" popovertarget="more-pages" aria-current=is_current data-test="more-pages">
                <Icon glyph=Glyph::More />
                {shell::more()}
            </button>
            <div node_ref=popover id="more-pages" class="menu more-pages" popover="auto" on:click=move |_| close_popover()>
                {other_pages.into_iter().map(|page| view! { <MainPageLink page /> }).collect_view()}
            </div>
        </nav>
    }
}

/// True if a path belongs to a main page. The path of the first page is a prefix of all others.
fn is_below(path: &str, page: &str) -> bool {
    if page == "/" { path == page } else { path.starts_with(page) }
}

const ACCOUNT_PATH: &str = "/settings?tab=account";

/// Button that opens the user menu.
#[component]
pub fn UserButton() -> impl IntoView {
    let session = use_session();
    let email = move || session.user().map(|user| user.email).unwrap_or_default();
    let role = move || session.user().map(|user| settings::role_name(user.role)).unwrap_or_default();
    view! {
        <button type="button" class="line user-button" popovertarget="user-menu" data-test="user-menu">
            <span class="visually-hidden">{shell::account_and_theme()}</span>
            <span class="avatar" aria-hidden="true">
                {move || email().chars().take(1).collect::<String>()}
            </span>
            <span class="user-identity">
                <span class="small strong">{email}</span>
                <span class="small muted">{role}</span>
            </span>
        </button>
    }
}

/// User menu, a native popover: Escape and a click outside close it.
#[component]
pub fn UserMenu() -> impl IntoView {
    let session = use_session();
    let email = move || session.user().map(|user| user.email).unwrap_or_default();
    let role = move || session.user().map(|user| settings::role_name(user.role)).unwrap_or_default();
    let navigator = Navigator::new();
    view! {
        <div id="user-menu" class="menu" popover="auto">
            <div class="user-identity menu-header">
                <span class="strong" title=email>{email}</span>
                <span class="small muted">{role}</span>
            </div>
            <ThemeSwitch />
            <LanguageSwitch />
            <button
                type="button"
                class="button"
                popovertarget="user-menu"
                popovertargetaction="hide"
                data-test="account"
                on:click=move |_| navigator.go(Navigation::ToPath(ACCOUNT_PATH.to_owned()))
            >
                <Icon glyph=Glyph::Key />
                {settings::your_account()}
            </button>
            <button type="button" class="button" data-test="log-out" on:click=move |_| navigator.go(Navigation::LogOut)>
                <Icon glyph=Glyph::LogOut />
                {shell::log_out()}
            </button>
        </div>
    }
}
