//! Dialog that creates a secret and shows it once.

use leptos::prelude::*;

use super::secret_box::SecretBox;
use crate::components::dialog::{Dialog, Dismissal};
use crate::components::icon::{Glyph, Icon};
use crate::texts::settings;

/// Shows the form given as children until there is a secret, then the secret. Escape and navigation ask for confirmation before they
/// discard form values or a secret that isn't copied.
#[component]
pub fn SecretDialog(
    open: RwSignal<bool>,
    title: &'static str,
    test: &'static str,
    #[prop(into)] secret: Signal<Option<String>>,
    /// Instructions for using the secret.
    usage: &'static str,
    #[prop(optional)] children: Option<ChildrenFn>,
) -> impl IntoView {
    let children = StoredValue::new(children);
    let form = move || children.with_value(|form| form.as_ref().map(|form| form()));
    let (is_copied, is_asked) = (RwSignal::new(false), RwSignal::new(false));
    Effect::new(move |_| {
        if open.get() {
            is_copied.set(false);
            is_asked.set(false);
        }
    });
    let ask = Callback::new(move |()| is_asked.set(true));
    let dismissal = Signal::derive(move || match (secret.with(Option::is_none), is_copied.get()) {
        (true, _) => Dismissal::AsksIfFilled,
        (false, true) => Dismissal::Closes,
        (false, false) => Dismissal::Asks(ask),
    });
    let on_copied = Callback::new(move |()| {
        is_copied.set(true);
        is_asked.set(false);
    });
    view! {
        <Dialog open title=title dismissal test>
            {move || match secret.get() {
                None => form().into_any(),
                Some(secret) => view! { <Secret secret usage open is_asked on_copied /> }.into_any(),
            }}
        </Dialog>
    }
}

/// The secret, and the confirmation if the user closes the dialog without copying it.
#[component]
fn Secret(
    secret: String,
    usage: &'static str,
    open: RwSignal<bool>,
    is_asked: RwSignal<bool>,
    on_copied: Callback<()>,
) -> impl IntoView {
    let asked = move || {
        is_asked.get().then(|| {
            view! {
                <div class="notice tone-danger" role="alert" data-test="secret-asked">
                    <Icon glyph=Glyph::Alert />
                    <div class="notice-body">
                        <strong>{settings::close_without_copy()}</strong>
                        <p>{settings::never_shown_again()}</p>
                    </div>
                    <button
                        type="button"
                        class="button button-small"
                        data-test="close-uncopied"
                        on:click=move |_| open.set(false)
                    >
                        {settings::close_anyway()}
                    </button>
                </div>
            }
        })
    };
    view! {
        <div class="dialog-body">
            <SecretBox secret usage on_copied />
            {asked}
        </div>
        <footer class="dialog-foot">
            <button type="button" class="button button-primary" on:click=move |_| open.set(false)>
                {settings::i_have_copied()}
            </button>
        </footer>
    }
}
