//! Dialogs, on the browser's own `<dialog>`: focus stays inside, Escape closes, focus goes back afterwards. Of a form, nothing that
//! was filled in is lost by a key or by going elsewhere; and nobody leaves one while what it sent is under way.

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

/// What becomes of a dialog when somebody presses Escape or the cross, or would go elsewhere.
#[derive(Clone, Copy, Default)]
pub enum Dismissal {
    #[default]
    Closes,
    /// It closes, but asks before once something was filled in.
    AsksIfFilled,
    /// It stays, and this asks.
    Asks(Callback<()>),
    /// It stays, and has no cross.
    Never,
}

/// What a dialog is told by what stands in it.
#[derive(Clone, Copy)]
pub struct Contents {
    /// Whether something was filled in since it opened.
    is_filled: StoredValue<bool>,
    /// Whether what it sent is under way.
    is_busy: StoredValue<Signal<bool>>,
}

impl Contents {
    /// Nothing yet.
    fn new() -> Self {
        Self { is_filled: StoredValue::new(false), is_busy: StoredValue::new(Signal::default()) }
    }

    /// Something is filled in otherwise than by typing: by a button, or from before.
    pub fn fill(self) {
        self.is_filled.set_value(true);
    }

    /// What was filled in is done with: nothing would be lost.
    pub fn forget(self) {
        self.is_filled.set_value(false);
    }

    /// Whether what it sent is under way; not once that is gone.
    fn is_busy(self) -> bool {
        self.is_busy.get_value().try_get() == Some(true)
    }
}

/// Tells the dialog around the component that calls this, where there is one, that something is filled in otherwise than by typing.
pub fn filling() -> impl Fn() + Copy {
    let contents = use_context::<Contents>();
    move || contents.into_iter().for_each(Contents::fill)
}

/// Keeps the dialog around the component that calls this while what it sends is under way: whoever left would not be told what came
/// of it.
pub fn stay_while(is_busy: Signal<bool>) {
    expect_context::<Contents>().is_busy.set_value(is_busy);
}

/// Whether it is closed still: browsers say that one was closed only after a while, in which it may have opened again.
pub fn is_closed(node: NodeRef<html::Dialog>) -> bool {
    node.get_untracked().is_none_or(|dialog| !dialog.open())
}

/// The button beside the main action that closes a dialog without it, unless that is under way.
#[component]
pub fn CancelButton(
    open: RwSignal<bool>,
    #[prop(optional)] busy: Signal<bool>,
    /// What it is called where "Cancel" would be the action itself.
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

/// A dialog. Its content is made anew each time it opens.
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
    // What stands in it, and whether it is asked what becomes of that.
    let (contents, is_asking) = (Contents::new(), RwSignal::new(false));
    let dismissal = Signal::derive(move || if contents.is_busy() { Dismissal::Never } else { dismissal.get() });
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                // Only a dialog that is open or out of the page refuses.
                let _ = dialog.show_modal();
                focus::into_dialog_soon();
            }
            (true, true) => {}
            // Not when it opens: what stands in it then may be filled in from before.
            (false, is_shown) => {
                contents.forget();
                is_asking.set(false);
                if is_shown {
                    dialog.close();
                }
            }
        }
    });
    // Where to go on once it is answered.
    let way = StoredValue::new(None::<Way>);
    // What had the focus before it was asked.
    let before = StoredValue::new_local(None::<HtmlElement>);
    let keep = Callback::new(move |()| {
        is_asking.set(false);
        match before.get_value().filter(|field| field.is_connected()) {
            // It can be focused again, as it was before.
            Some(field) => _ = field.focus(),
            // It was in the palette, which is closed by now.
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
    // What becomes of it may be another thing by the time somebody has read the question.
    let is_asked = move || is_asking.get() && matches!(dismissal.get(), Dismissal::AsksIfFilled);
    // Browsers close it at the second Escape whatever became of the first, unless the key itself is held.
    let hold_key = move |event: KeyboardEvent| {
        if is_held() && event.key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            dismiss();
        }
    };
    let closed = move |event: Event| {
        // Events of what is inside come by too.
        if event.target() != event.current_target() || !is_closed(node) {
            return;
        }
        match node.get_untracked().filter(|_| is_held() && open.get_untracked()) {
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

/// Asks whether what was filled in may be lost.
#[component]
fn DiscardQuestion(
    open: RwSignal<bool>,
    contents: Contents,
    /// Where whoever is asked was going, if anywhere.
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
            // It is in the page, and can be pressed.
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
