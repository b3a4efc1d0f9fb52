//! Page for unknown addresses.

use leptos::prelude::*;

use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::shell::page_head::name_tab;
use crate::texts::login;

#[component]
pub fn NotFoundPage() -> impl IntoView {
    name_tab(login::no_page());
    view! {
        <main class="login">
            <Empty
                glyph=Glyph::Compass
                title=login::no_page_title()
                text=login::no_page_text()
                alone=true
            >
                <a class="button button-primary" href="/">
                    {login::first_page()}
                </a>
            </Empty>
        </main>
    }
    .into_any()
}
