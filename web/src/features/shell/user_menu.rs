//! User menu: the current user, theme, language and logout.

use leptos::prelude::*;

use crate::api::use_session;
use crate::i18n::texts::{settings, shell};
use crate::navigation::guard::Navigation;
use crate::navigation::navigator::Navigator;
use crate::ui::{Glyph, Icon, LanguageSwitch, ThemeSwitch};

const ACCOUNT_PATH: &str = "/settings?tab=account";

/// Button that opens the menu.
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

/// The menu, a native popover: Escape and a click outside close it.
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
