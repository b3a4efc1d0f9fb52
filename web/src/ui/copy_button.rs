//! Button that copies a text to the clipboard, and a card with the curl command of a lead search.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use crate::api::EXTENDED_DATA;
use crate::i18n::texts::{api_page as texts, common};
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

#[component]
pub fn CurlCommand(
    /// Filter in canonical form; `None` if it is invalid.
    filter: Signal<Option<String>>,
) -> impl IntoView {
    let origin = window().location().origin().unwrap_or_default();
    let command = Memo::new(move |_| filter.with(|filter| Some(search_command(&origin, filter.as_ref()?))));
    view! {
        <section class="card curl" aria-label=common::api_request()>
            <div class="card-header">
                <h2>{common::api_request()}</h2>
                <Show when=move || command.with(Option::is_some)>
                    <CopyButton
                        text=Signal::derive(move || command.get().unwrap_or_default())
                        label=texts::copy_as_curl()
                    />
                </Show>
            </div>
            <pre tabindex="0" role="region" aria-label="curl" data-test="curl">
                {move || command.get().unwrap_or_else(|| texts::no_command().to_owned())}
            </pre>
        </section>
    }
}

/// Returns the command for a POSIX shell. The API key is a shell variable.
fn search_command(origin: &str, filter: &str) -> String {
    [
        format!("curl -X PUT {}", shell_quote(&format!("{origin}{EXTENDED_DATA}"))),
        "-H \"Authorization: Bearer $LEADSCRIBE_API_KEY\"".to_owned(),
        "-H 'Content-Type: application/json'".to_owned(),
        format!("--data-raw {}", shell_quote(filter)),
    ]
    .join(" \\\n  ")
}

/// Quotes text for a shell. In single quotes only the quote itself has to be escaped.
fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use crate::ui::copy_button::*;

    #[test]
    fn command_has_one_argument_per_line() {
        let expected = r#"curl -X PUT 'http://host/api/leads/extended-data' \
  -H "Authorization: Bearer $LEADSCRIBE_API_KEY" \
  -H 'Content-Type: application/json' \
  --data-raw '{"last_name": "O'\''Brien"}'"#;
        assert_eq!(search_command("http://host", r#"{"last_name": "O'Brien"}"#), expected);
    }
}
