//! Dialogs, on the browser's own `<dialog>`: focus stays inside, Escape closes, focus goes back afterwards.

use leptos::html;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::texts::common;

/// A dialog. Its content is made anew each time it opens.
#[component]
pub fn Dialog(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    #[prop(optional)] wide: bool,
    #[prop(optional)] test: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    let heading = format!("dialog-{}", if test.is_empty() { "title" } else { test });
    let labelled_by = heading.clone();
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        if open.get() && !dialog.open() {
            // Only a dialog that is open or out of the page refuses.
            let _ = dialog.show_modal();
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
    view! {
        <dialog
            node_ref=node
            class=if wide { "dialog dialog-wide" } else { "dialog" }
            aria-labelledby=labelled_by
            data-test=test
            on:close=move |_| open.set(false)
        >
            <Show when=move || open.get()>
                <header class="dialog-head">
                    <h2 id=heading.clone()>{title}</h2>
                    <button
                        type="button"
                        class="button button-plain button-icon button-small"
                        aria-label=common::close()
                        on:click=move |_| open.set(false)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </header>
                {children()}
            </Show>
        </dialog>
    }
}
