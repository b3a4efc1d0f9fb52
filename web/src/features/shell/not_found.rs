//! Page for unknown URLs.

use leptos::prelude::*;

use crate::i18n::texts::login;
use crate::ui::{EmptyState, Glyph, set_tab_title};

#[component]
pub fn NotFoundPage() -> impl IntoView {
    set_tab_title(login::page_not_found());
    view! {
        <main class="login">
            <EmptyState
                glyph=Glyph::Compass
                title=login::page_not_found()
                text=login::page_not_found_text()
                as_heading=true
                link=("/", login::go_to_home_page())
                is_primary=true
            />
        </main>
    }
}
