//! Makes a secret, then shows it this once.

use leptos::prelude::*;

use super::dialog::Dialog;
use super::secret_box::SecretBox;
use crate::texts::settings;

/// A dialog with the form given as children until there is a secret, then with the secret.
#[component]
pub fn SecretDialog(
    open: RwSignal<bool>,
    title: &'static str,
    test: &'static str,
    #[prop(into)] secret: Signal<Option<String>>,
    /// Where the secret goes.
    usage: &'static str,
    #[prop(optional)] children: Option<ChildrenFn>,
) -> impl IntoView {
    let children = StoredValue::new(children);
    let form = move || children.with_value(|form| form.as_ref().map(|form| form()));
    view! {
        <Dialog open title=title test>
            {move || match secret.get() {
                None => form().into_any(),
                Some(secret) => {
                    view! {
                        <div class="dialog-body">
                            <SecretBox secret usage />
                        </div>
                        <footer class="dialog-foot">
                            <button type="button" class="button button-primary" on:click=move |_| open.set(false)>
                                {settings::i_have_copied()}
                            </button>
                        </footer>
                    }
                        .into_any()
                }
            }}
        </Dialog>
    }
}
