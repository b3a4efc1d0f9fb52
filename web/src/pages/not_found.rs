//! A place that doesn't exist.

use leptos::prelude::*;

use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::page_head::name_tab;

#[component]
pub fn NotFoundPage() -> impl IntoView {
    name_tab("No such page");
    view! {
        <main class="login">
            <Empty
                glyph=Glyph::Compass
                title="There is no such page"
                text="The address may be mistyped, or what stood here is gone."
                alone=true
            >
                <a class="button button-primary" href="/">
                    "Go to the first page"
                </a>
            </Empty>
        </main>
    }
    .into_any()
}
