//! Dialogs, on the browser's own `<dialog>`: focus stays inside, Escape closes, focus goes back afterwards.

use leptos::html;
use leptos::prelude::*;
use web_sys::{Event, KeyboardEvent};

use super::icon::{Glyph, Icon};
use crate::focus;
use crate::texts::common;

/// What becomes of a dialog when somebody presses Escape or the cross.
#[derive(Clone, Copy, Default)]
pub enum Dismissal {
    #[default]
    Closes,
    /// This decides.
    Asks(Callback<()>),
    /// It stays, and has no cross.
    Never,
}

/// Whether it is closed still: browsers say that one was closed only after a while, in which it may have opened again.
pub fn is_closed(node: NodeRef<html::Dialog>) -> bool {
    node.get_untracked().is_none_or(|dialog| !dialog.open())
}

/// The button beside the main action that closes a dialog without it.
#[component]
pub fn CancelButton(open: RwSignal<bool>) -> impl IntoView {
    view! {
        <button type="button" class="button" data-test="cancel" on:click=move |_| open.set(false)>
            {common::cancel()}
        </button>
    }
}

/// A dialog. Its content is made anew each time it opens.
#[component]
pub fn Dialog(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    #[prop(optional)] wide: bool,
    #[prop(optional)] dismissal: Dismissal,
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
            focus::into_dialog_soon();
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
    let dismiss = move || match dismissal {
        Dismissal::Closes => open.set(false),
        Dismissal::Asks(ask) => ask.run(()),
        Dismissal::Never => {}
    };
    let is_held = !matches!(dismissal, Dismissal::Closes);
    // Browsers close it at the second Escape whatever became of the first, unless the key itself is held.
    let hold_key = move |event: KeyboardEvent| {
        if is_held && event.key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            dismiss();
        }
    };
    let closed = move |event: Event| {
        // Events of what is inside come by too.
        if event.target() != event.current_target() || !is_closed(node) {
            return;
        }
        match node.get_untracked().filter(|_| is_held && open.get_untracked()) {
            // The key is not the only way: phones have a gesture.
            Some(dialog) => {
                // It was closed just now, and is in the page.
                let _ = dialog.show_modal();
                dismiss();
            }
            None => {
                open.set(false);
                focus::keep_soon();
            }
        }
    };
    view! {
        <dialog
            node_ref=node
            class=if wide { "dialog dialog-wide" } else { "dialog" }
            aria-labelledby=labelled_by
            data-test=test
            on:keydown=hold_key
            on:close=closed
        >
            <Show when=move || open.get()>
                <header class="dialog-head">
                    <h2 id=heading.clone()>{title}</h2>
                    {(!matches!(dismissal, Dismissal::Never))
                        .then(|| {
                            view! {
                                <button
                                    type="button"
                                    class="button button-plain button-icon button-small"
                                    aria-label=common::close()
                                    on:click=move |_| dismiss()
                                >
                                    <Icon glyph=Glyph::Close />
                                </button>
                            }
                        })}
                </header>
                {children()}
            </Show>
        </dialog>
    }
}
