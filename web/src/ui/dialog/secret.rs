//! Dialog that creates a secret and shows it once.

use leptos::prelude::*;

use crate::i18n::texts::settings;
use crate::ui::dialog::{Dialog, Dismissal};
use crate::ui::input::Button;
use crate::ui::{CopyButton, Glyph, Icon};

/// Shows the form given as children until there is a secret, then the secret. Escape and navigation ask for
/// confirmation before they discard form values or a secret that isn't copied.
#[component]
pub fn SecretDialog(
    open: RwSignal<bool>,
    title: &'static str,
    test_id: &'static str,
    secret: RwSignal<Option<String>>,
    usage: &'static str,
    #[prop(optional)] children: Option<ChildrenFn>,
) -> impl IntoView {
    let has_form = children.is_some();
    let children = StoredValue::new(children);
    let form = move || children.with_value(|form| form.as_ref().map(|form| form()));
    let (is_copied, is_warning_shown) = (RwSignal::new(false), RwSignal::new(false));
    Effect::new(move |_| {
        if open.get() {
            if has_form {
                secret.set(None);
            }
            is_copied.set(false);
            is_warning_shown.set(false);
        }
    });
    let show_warning = Callback::new(move |()| is_warning_shown.set(true));
    let dismissal = Signal::derive(move || match (secret.with(Option::is_none), is_copied.get()) {
        (true, _) => Dismissal::ConfirmIfFilled,
        (false, true) => Dismissal::Close,
        (false, false) => Dismissal::Confirm(show_warning),
    });
    let on_copied = Callback::new(move |()| is_copied.set(true));
    let secret_view = move |secret: String| {
        view! {
            <div class="dialog-body">
                <div class="stack">
                    <div class="notice tone-warning">
                        <Icon glyph=Glyph::Alert />
                        <div class="notice-body">
                            <strong>{settings::copy_now()}</strong>
                            <p>{settings::stored_as_hash()}</p>
                        </div>
                    </div>
                    <div class="space-between secret">
                        <code data-test="new-key-secret">{secret.clone()}</code>
                        <CopyButton text=Signal::stored(secret) on_copied />
                    </div>
                    <p class="small secondary">{usage}</p>
                </div>
                <Show when=move || is_warning_shown.get() && !is_copied.get()>
                    <div class="notice tone-danger" role="alert" data-test="secret-warning">
                        <Icon glyph=Glyph::Alert />
                        <div class="notice-body">
                            <strong>{settings::close_without_copy()}</strong>
                            <p>{settings::never_shown_again()}</p>
                        </div>
                        <Button
                            class="button-small"
                            label=settings::close_anyway()
                            test_id="close-anyway"
                            on_press=move |()| open.set(false)
                        />
                    </div>
                </Show>
            </div>
            <footer class="dialog-footer">
                <Button class="button-primary" label=settings::confirm_copied() on_press=move |()| open.set(false) />
            </footer>
        }
    };
    view! {
        <Dialog open title dismissal test_id>
            {move || match secret.get() {
                None => form().into_any(),
                Some(secret) => secret_view(secret).into_any(),
            }}
        </Dialog>
    }
}
