//! Dialogs based on the browser's `<dialog>`: focus is trapped inside, Escape closes it, and focus returns afterwards. A form in a dialog
//! doesn't lose its values by a key press or navigation. A dialog can't be left while its request is running.

pub mod confirm;
pub mod secret;
pub mod secret_box;

use leptos::context::Provider;
use leptos::html;
use leptos::prelude::*;
use web_sys::{Event, HtmlElement, KeyboardEvent};

use crate::components::icon::{Glyph, Icon};
use crate::components::input::work_button::WorkButton;
use crate::crossroads::{Crossroads, Leaving};
use crate::focus;
use crate::onward::{Onward, Way};
use crate::texts::{common, forms};

/// Reaction of a dialog to Escape, the close button, or navigation.
#[derive(Clone, Copy, Default)]
pub enum Dismissal {
    #[default]
    Closes,
    /// Closes, but asks for confirmation if the form has values.
    AsksIfFilled,
    /// Stays open and runs this callback, which asks for confirmation.
    Asks(Callback<()>),
    /// Stays open and has no close button.
    Never,
}

/// State that the content reports to its dialog.
#[derive(Clone, Copy)]
pub struct Contents {
    /// True if the user has filled in something since the dialog opened.
    is_filled: StoredValue<bool>,
    /// True while the content's request is running.
    is_busy: StoredValue<Signal<bool>>,
}

impl Contents {
    /// Initial state: nothing filled in, no request.
    fn new() -> Self {
        Self { is_filled: StoredValue::new(false), is_busy: StoredValue::new(Signal::default()) }
    }

    /// Marks the form as filled in, for values that weren't typed: set by a button or restored.
    pub fn fill(self) {
        self.is_filled.set_value(true);
    }

    /// Marks the values as no longer needed: closing loses nothing.
    pub fn forget(self) {
        self.is_filled.set_value(false);
    }

    /// True while the request is running. False if the signal is disposed.
    fn is_busy(self) -> bool {
        self.is_busy.get_value().try_get() == Some(true)
    }
}

/// Returns a function that marks the surrounding dialog, if any, as filled in. For values that weren't typed.
pub fn filling() -> impl Fn() + Copy {
    let contents = use_context::<Contents>();
    move || contents.into_iter().for_each(Contents::fill)
}

/// Keeps the surrounding dialog open while a request is running, so that the user sees its result.
pub fn stay_while(is_busy: Signal<bool>) {
    expect_context::<Contents>().is_busy.set_value(is_busy);
}

/// True if the dialog is still closed. Browsers report `close` with a delay, in which the dialog may have been opened again.
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
    stay_while(busy);
    view! {
        <WorkButton held=busy test="cancel" on_press=Callback::new(move |()| open.set(false))>
            {label.unwrap_or_else(common::cancel)}
        </WorkButton>
    }
}

/// A dialog. Its content is rebuilt each time it opens.
#[component]
pub fn Dialog(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    #[prop(optional)] wide: bool,
    #[prop(optional, into)] dismissal: Signal<Dismissal>,
    #[prop(optional)] test: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    let heading = format!("dialog-{}", if test.is_empty() { "title" } else { test });
    let labelled_by = heading.clone();
    // State of the content, and whether the discard question is shown.
    let (contents, is_asking) = (Contents::new(), RwSignal::new(false));
    let dismissal = Signal::derive(move || if contents.is_busy() { Dismissal::Never } else { dismissal.get() });
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                // Fails only if the dialog is already open or not in the document.
                let _ = dialog.show_modal();
                focus::into_dialog_soon();
            }
            (true, true) => {}
            // Not when it opens: the content may already have restored values.
            (false, is_shown) => {
                contents.forget();
                is_asking.set(false);
                if is_shown {
                    dialog.close();
                }
            }
        }
    });
    // Pending navigation, resumed after the answer.
    let way = StoredValue::new(None::<Way>);
    // Element that had the focus before the question.
    let before = StoredValue::new_local(None::<HtmlElement>);
    let keep = Callback::new(move |()| {
        is_asking.set(false);
        match before.get_value().filter(|field| field.is_connected()) {
            // The element is focusable, as before.
            Some(field) => _ = field.focus(),
            // The focus was in the palette, which is closed.
            None => focus::into_dialog_soon(),
        }
    });
    let dismiss = move || match dismissal.get_untracked() {
        Dismissal::AsksIfFilled if is_asking.get_untracked() => keep.run(()),
        Dismissal::AsksIfFilled if contents.is_filled.get_value() => {
            before.set_value(focus::now());
            way.set_value(None);
            is_asking.set(true);
        }
        Dismissal::Closes | Dismissal::AsksIfFilled => open.set(false),
        Dismissal::Asks(ask) => ask.run(()),
        Dismissal::Never => {}
    };
    let crossroads = expect_context::<Crossroads>();
    let hold = move |leaving: Leaving<'_>| {
        let is_busy = untrack(|| contents.is_busy());
        let holds = is_busy
            || match dismissal.get_untracked() {
                Dismissal::AsksIfFilled => contents.is_filled.get_value(),
                Dismissal::Asks(_) => true,
                Dismissal::Closes | Dismissal::Never => false,
            };
        if let Some(theirs) = Way::of(leaving).filter(|_| holds) {
            if !is_asking.get_untracked() {
                dismiss();
            }
            if is_asking.get_untracked() {
                way.set_value(Some(theirs));
            }
        }
        holds
    };
    let is_held = move || !matches!(dismissal.get_untracked(), Dismissal::Closes);
    // The dismissal may have changed while the user reads the question.
    let is_asked = move || is_asking.get() && matches!(dismissal.get(), Dismissal::AsksIfFilled);
    // Browsers close a dialog at the second Escape even if the `cancel` event was prevented; preventing the key itself is reliable.
    let hold_key = move |event: KeyboardEvent| {
        if is_held() && event.key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            dismiss();
        }
    };
    let closed = move |event: Event| {
        // Events of nested elements bubble up to here.
        if event.target() != event.current_target() || !is_closed(node) {
            return;
        }
        match node.get_untracked().filter(|_| is_held() && open.get_untracked()) {
            // Escape isn't the only way to close: phones have a gesture.
            Some(dialog) => {
                // Can't fail: the dialog was just closed and is in the document.
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
            on:input=move |_| contents.fill()
            on:close=closed
        >
            <Provider value=contents>
                <Show when=move || open.get()>
                    {crossroads.hear(hold)}
                    <header class="dialog-head">
                        <h2 id=heading.clone()>{title}</h2>
                        {(!matches!(dismissal.get_untracked(), Dismissal::Never))
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
                    <Show when=is_asked>
                        <DiscardQuestion open contents way on_keep=keep />
                    </Show>
                    {children()}
                </Show>
            </Provider>
        </dialog>
    }
}

/// Asks for confirmation to discard the form values.
#[component]
fn DiscardQuestion(
    open: RwSignal<bool>,
    contents: Contents,
    /// Navigation that triggered the question, if any.
    way: StoredValue<Option<Way>>,
    on_keep: Callback<()>,
) -> impl IntoView {
    let onward = Onward::new();
    let discard = move |_| {
        contents.forget();
        open.set(false);
        if let Some(way) = way.get_value() {
            onward.ask(way);
        }
    };
    let keep = NodeRef::<html::Button>::new();
    Effect::new(move |_| {
        if let Some(keep) = keep.get() {
            // Can't fail: the button is in the document and enabled.
            let _ = keep.focus();
        }
    });
    view! {
        <div class="notice tone-warning dialog-question" role="alertdialog" aria-label=forms::discard_filled() data-test="discard-question">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{forms::discard_filled()}</strong>
            </div>
            <button node_ref=keep type="button" class="button button-small" data-test="keep-filled" on:click=move |_| on_keep.run(())>
                {forms::go_on_filling()}
            </button>
            <button type="button" class="button button-small button-danger" data-test="discard-filled" on:click=discard>
                {forms::discard()}
            </button>
        </div>
    }
}
