//! User menu: the current user, theme, language and logout.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::session::use_session;
use crate::i18n::texts::{settings, shell};
use crate::navigation::guard::NavigationGuard;
use crate::navigation::log_out::LogOut;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::language_switch::LanguageSwitch;
use crate::ui::theme_switch::ThemeSwitch;

const ACCOUNT_PATH: &str = "/settings?tab=account";

/// Button that opens the menu.
#[component]
pub fn UserButton() -> impl IntoView {
    let session = use_session();
    let email = move || session.user().map(|user| user.email).unwrap_or_default();
    let role = move || session.user().map(|user| settings::role_name(user.role)).unwrap_or_default();
    view! {
        <button type="button" class="user-button" popovertarget="user-menu" data-test="user-menu">
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

/// The menu, a native popover: Escape and a click outside close it.
#[component]
pub fn UserMenu() -> impl IntoView {
    let session = use_session();
    let email = move || session.user().map(|user| user.email).unwrap_or_default();
    let role = move || session.user().map(|user| settings::role_name(user.role)).unwrap_or_default();
    let navigate = use_navigate();
    let navigation_guard = expect_context::<NavigationGuard>();
    let go_to_account = move |_| {
        if !navigation_guard.blocks_path(ACCOUNT_PATH) {
            navigate(ACCOUNT_PATH, NavigateOptions::default());
        }
    };
    let log_out = LogOut::new();
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
                on:click=go_to_account
            >
                <Icon glyph=Glyph::Key />
                {settings::your_account()}
            </button>
            <button type="button" class="button" data-test="log-out" on:click=move |_| log_out.request()>
                <Icon glyph=Glyph::LogOut />
                {shell::log_out()}
            </button>
        </div>
    }
}
