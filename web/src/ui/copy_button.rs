//! Button that copies a text to the clipboard.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use crate::i18n::texts::common;
use crate::ui::{Glyph, Icon};

/// Copies `text` and confirms it for two seconds.
#[component]
pub fn CopyButton(
    #[prop(into)] text: Signal<String>,
    #[prop(default = common::copy())] label: &'static str,
    /// Called after the text was copied.
    #[prop(optional, into)]
    on_copied: Option<Callback<()>>,
) -> impl IntoView {
    let was_copied = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let text = text.get_untracked();
        spawn_local(async move {
            let copied = match clipboard() {
                Some(clipboard) => JsFuture::from(clipboard.write_text(&text)).await.is_ok(),
                None => false,
            };
            was_copied.set(Some(copied));
            if let Some(on_copied) = on_copied.filter(|_| copied) {
                // The page may be unmounted.
                on_copied.try_run(());
            }
            set_timeout(move || _ = was_copied.try_set(None), Duration::from_secs(2));
        });
    };
    view! {
        <button type="button" class="button button-small" data-test="copy" on:click=copy>
            {move || view! { <Icon glyph=if was_copied.get() == Some(true) { Glyph::Check } else { Glyph::Copy } /> }}
            <span aria-live="polite">
                {move || match was_copied.get() {
                    None => label,
                    Some(true) => common::copied(),
                    Some(false) => common::copy_failed(),
                }}
            </span>
        </button>
    }
}

/// Returns `None` if the page isn't served over a secure connection: browsers then hide the clipboard.
fn clipboard() -> Option<web_sys::Clipboard> {
    let navigator = web_sys::window()?.navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into()).ok()?;
    (!clipboard.is_undefined()).then(|| navigator.clipboard())
}
