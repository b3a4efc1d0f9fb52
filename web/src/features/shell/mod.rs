//! Frame around all pages: navigation and user menu.

pub mod connection_notice;
pub mod history_sync;
pub mod not_found;
pub mod palette;
pub mod shortcuts;
pub mod user_menu;

use leptos::prelude::*;
use leptos::{ev, html};
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::use_location;

use self::palette::PaletteButton;
use self::user_menu::{UserButton, UserMenu};
use crate::api::user_activity;
use crate::browser::focus;
use crate::i18n::keyboard::shortcut_label;
use crate::i18n::texts::{common, shell};
use crate::ui::icon::{Glyph, Icon, Logo};
use crate::ui::list::{row_navigation, scroll_restoration};

/// Main page: path, name and icon.
type MainPage = (&'static str, fn() -> &'static str, Glyph);

/// All main pages.
pub const MAIN_PAGES: [MainPage; 9] = [
    ("/", shell::today, Glyph::Today),
    ("/leads", shell::leads, Glyph::Leads),
    ("/campaigns", shell::campaigns, Glyph::Campaigns),
    ("/calls", shell::calls, Glyph::Calls),
    ("/transcripts", common::transcripts, Glyph::Transcripts),
    ("/deliveries", shell::deliveries, Glyph::Deliveries),
    ("/imports", shell::imports, Glyph::Imports),
    ("/api-reference", shell::api, Glyph::Code),
    ("/settings", shell::settings, Glyph::Access),
];

/// Pages in the tab bar of a small screen; the others are behind its last button.
const TAB_BAR_PAGES: [&str; 4] = ["/", "/leads", "/calls", "/transcripts"];

/// The frame; its [`Outlet`] contains the page.
#[component]
pub fn Shell() -> impl IntoView {
    user_activity::listen();
    focus::track_focus();
    row_navigation::listen();
    scroll_restoration::restore_on_navigation();
    ignore_dropped_files();
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
                    {MAIN_PAGES.map(|page| view! { <MainPageLink page /> }).collect_view()}
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

/// Ignores files dropped outside of a drop area. The browser would open them in place of the panel.
fn ignore_dropped_files() {
    let dragover_listener = window_event_listener(ev::dragover, |event| event.prevent_default());
    let drop_listener = window_event_listener(ev::drop, |event| event.prevent_default());
    on_cleanup(move || {
        dragover_listener.remove();
        drop_listener.remove();
    });
}

#[component]
fn MainPageLink(page: MainPage) -> impl IntoView {
    let (href, name, glyph) = page;
    let pathname = use_location().pathname;
    let current = move || pathname.with(|path| is_below(path, href)).then_some("page");
    view! {
        <a href=href aria-current=current>
            <Icon glyph />
            {name()}
            <kbd aria-hidden="true">{shortcut_label(href)}</kbd>
        </a>
    }
}

/// Tab bar of a small screen, with a native popover for the remaining pages. A click outside and any navigation close it.
#[component]
fn TabBar() -> impl IntoView {
    let pathname = use_location().pathname;
    let (bar_pages, other_pages): (Vec<_>, Vec<_>) =
        MAIN_PAGES.into_iter().partition(|(href, ..)| TAB_BAR_PAGES.contains(href));
    let hrefs: Vec<_> = other_pages.iter().map(|(href, ..)| *href).collect();
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
