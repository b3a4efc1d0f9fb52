//! Dialogs based on the browser's `<dialog>`: focus is trapped inside, Escape closes it, and focus returns afterwards.
//! A key press or navigation doesn't discard the values of a form in a dialog. A dialog can't be left while its request
//! is running.

mod confirm;
mod form;
mod secret;

pub use confirm::{ConfirmDialog, PendingConfirmation, Question};
pub use form::{DialogForm, NameForm};
pub use secret::SecretDialog;

use leptos::context::Provider;
use leptos::html;
use leptos::prelude::*;
use web_sys::{Event, HtmlElement, KeyboardEvent};

use crate::browser::focus;
use crate::i18n::texts::common;
use crate::navigation::guard::{Navigation, NavigationGuard};
use crate::navigation::navigator::Navigator;
use crate::ui::input::{Button, IconButton};
use crate::ui::{Glyph, Icon};

/// Reaction of a dialog to Escape, the close button, or navigation.
#[derive(Clone, Copy, Default)]
pub enum Dismissal {
    #[default]
    Close,
    /// Closes, but asks for confirmation if the form has values.
    ConfirmIfFilled,
    /// Stays open and runs this callback, which asks for confirmation.
    Confirm(Callback<()>),
    /// Stays open and has no close button.
    Never,
}

/// State that the content reports to its dialog.
#[derive(Clone, Copy, Default)]
pub struct DialogState {
    /// True if the user has filled in something since the dialog opened.
    is_filled: StoredValue<bool>,
    /// True while the content's request is running.
    is_busy: StoredValue<Signal<bool>>,
}

impl DialogState {
    /// Marks the form as filled in, for values that weren't typed: set by a button or restored.
    pub fn mark_filled(self) {
        self.is_filled.set_value(true);
    }

    /// Marks the values as no longer needed: closing loses nothing.
    pub fn clear_filled(self) {
        self.is_filled.set_value(false);
    }

    /// True while the request is running. False if the signal is disposed.
    fn is_busy(self) -> bool {
        self.is_busy.get_value().try_get() == Some(true)
    }
}

/// Returns a function that marks the surrounding dialog, if any, as filled in. For values that weren't typed.
pub fn use_mark_filled() -> impl Fn() + Copy {
    let state = use_context::<DialogState>();
    move || state.into_iter().for_each(DialogState::mark_filled)
}

/// Keeps the surrounding dialog open while a request is running, so that the user sees its result.
pub fn prevent_close_while(is_busy: Signal<bool>) {
    expect_context::<DialogState>().is_busy.set_value(is_busy);
}

/// True if the dialog is still closed. Browsers report `close` with a delay, in which the dialog may have been opened
/// again.
pub fn is_closed(node: NodeRef<html::Dialog>) -> bool {
    node.get_untracked().is_none_or(|dialog| !dialog.open())
}

/// Cancel button next to the main action. Closes the dialog, unless the action is running.
#[component]
pub fn CancelButton(
    open: RwSignal<bool>,
    #[prop(optional)] busy: Signal<bool>,
    /// Label, for actions that are themselves called "Cancel".
    #[prop(optional_no_strip)]
    label: Option<&'static str>,
) -> impl IntoView {
    prevent_close_while(busy);
    view! {
        <Button
            label=label.unwrap_or_else(common::cancel)
            is_blocked=busy
            test_id="cancel"
            on_press=move |()| open.set(false)
        />
    }
}

/// A dialog. Its content is rebuilt each time it opens.
#[component]
pub fn Dialog(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    #[prop(optional)] wide: bool,
    #[prop(optional, into)] dismissal: Signal<Dismissal>,
    test_id: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    let title_id = format!("dialog-{test_id}");
    let labeled_by = title_id.clone();
    // State of the content, and whether the discard question is shown.
    let (state, is_confirming) = (DialogState::default(), RwSignal::new(false));
    let dismissal = Signal::derive(move || if state.is_busy() { Dismissal::Never } else { dismissal.get() });
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                // Fails only if the dialog is already open or not in the document.
                let _ = dialog.show_modal();
                focus::focus_dialog_after_render();
            }
            (true, true) => {}
            // Reset on closing, because the content may restore values before the dialog opens.
            (false, is_shown) => {
                state.clear_filled();
                is_confirming.set(false);
                if is_shown {
                    dialog.close();
                }
            }
        }
    });
    // Pending navigation, resumed after the answer.
    let pending_navigation = StoredValue::new(None::<Navigation>);
    // Element that had the focus before the question.
    let previous_focus = StoredValue::new_local(None::<HtmlElement>);
    let keep_editing = move || {
        is_confirming.set(false);
        match previous_focus.get_value().filter(|field| field.is_connected()) {
            // The element is focusable, as before.
            Some(field) => _ = field.focus(),
            // The focus was in the palette, which is closed.
            None => focus::focus_dialog_after_render(),
        }
    };
    let dismiss = move || match dismissal.get_untracked() {
        Dismissal::ConfirmIfFilled if is_confirming.get_untracked() => keep_editing(),
        Dismissal::ConfirmIfFilled if state.is_filled.get_value() => {
            previous_focus.set_value(focus::focused_element());
            pending_navigation.set_value(None);
            is_confirming.set(true);
        }
        Dismissal::Close | Dismissal::ConfirmIfFilled => open.set(false),
        Dismissal::Confirm(confirm) => confirm.run(()),
        Dismissal::Never => {}
    };
    let navigation_guard = expect_context::<NavigationGuard>();
    let intercept = move |navigation: &Navigation| {
        let is_busy = untrack(|| state.is_busy());
        let should_block = is_busy
            || match dismissal.get_untracked() {
                Dismissal::ConfirmIfFilled => state.is_filled.get_value(),
                Dismissal::Confirm(_) => true,
                Dismissal::Close | Dismissal::Never => false,
            };
        if should_block && *navigation != Navigation::CloseTab {
            if !is_confirming.get_untracked() {
                dismiss();
            }
            if is_confirming.get_untracked() {
                pending_navigation.set_value(Some(navigation.clone()));
            }
        }
        should_block
    };
    let is_guarded = move || !matches!(dismissal.get_untracked(), Dismissal::Close);
    // The dismissal may have changed while the user reads the question.
    let shows_question = move || is_confirming.get() && matches!(dismissal.get(), Dismissal::ConfirmIfFilled);
    let navigator = Navigator::new();
    let discard = move |()| {
        state.clear_filled();
        open.set(false);
        if let Some(pending_navigation) = pending_navigation.get_value() {
            navigator.go(pending_navigation);
        }
    };
    let keep_button = NodeRef::<html::Button>::new();
    Effect::new(move |_| {
        if let Some(keep_button) = keep_button.get() {
            // Can't fail: the button is in the document and enabled.
            let _ = keep_button.focus();
        }
    });
    // Browsers close a dialog at the second Escape even if the `cancel` event was prevented; preventing the key itself
    // is reliable.
    let on_keydown = move |event: KeyboardEvent| {
        if is_guarded() && event.key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            dismiss();
        }
    };
    let on_close = move |event: Event| {
        // Events of nested elements bubble up to here.
        if event.target() != event.current_target() || !is_closed(node) {
            return;
        }
        match node.get_untracked().filter(|_| is_guarded() && open.get_untracked()) {
            // Escape isn't the only way to close: phones have a gesture.
            Some(dialog) => {
                // Can't fail: the dialog was just closed and is in the document.
                let _ = dialog.show_modal();
                dismiss();
            }
            None => {
                open.set(false);
                focus::restore_focus_after_render();
            }
        }
    };
    view! {
        <dialog
            node_ref=node
            class=if wide { "dialog dialog-wide" } else { "dialog" }
            aria-labelledby=labeled_by
            data-test=test_id
            on:keydown=on_keydown
            on:input=move |_| state.mark_filled()
            on:close=on_close
        >
            <Provider value=state>
                <Show when=move || open.get()>
                    {navigation_guard.add_blocker(intercept)}
                    <header class="dialog-header">
                        <h2 id=title_id.clone()>{title}</h2>
                        {(!matches!(dismissal.get_untracked(), Dismissal::Never))
                            .then(|| {
                                view! { <IconButton glyph=Glyph::Close label=common::close() on_press=move |()| dismiss() /> }
                            })}
                    </header>
                    <Show when=shows_question>
                        <div
                            class="notice tone-warning dialog-question"
                            role="alertdialog"
                            aria-label=common::confirm_discard()
                            data-test="discard-confirmation"
                        >
                            <Icon glyph=Glyph::Alert />
                            <div class="notice-body">
                                <strong>{common::confirm_discard()}</strong>
                            </div>
                            <button
                                node_ref=keep_button
                                type="button"
                                class="button button-small"
                                data-test="keep-editing"
                                on:click=move |_| keep_editing()
                            >
                                {common::keep_editing()}
                            </button>
                            <Button
                                class="button-small button-danger"
                                label=common::discard()
                                test_id="discard-changes"
                                on_press=discard
                            />
                        </div>
                    </Show>
                    {children()}
                </Show>
            </Provider>
        </dialog>
    }
}
