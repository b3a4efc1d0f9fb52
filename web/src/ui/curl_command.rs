//! A search for leads as a curl command to copy.

use leptos::prelude::*;

use crate::api::EXTENDED_DATA;
use crate::i18n::texts::{api_page as texts, common};
use crate::ui::CopyButton;

#[component]
pub fn CurlCommand(
    /// Filter in canonical form.
    #[prop(into)]
    filter: Signal<String>,
) -> impl IntoView {
    let origin = window().location().origin().unwrap_or_default();
    let command = Signal::derive(move || filter.with(|filter| search_command(&origin, filter)));
    view! {
        <section class="card curl" aria-label=common::api_request()>
            <div class="card-header">
                <h2>{common::api_request()}</h2>
                <CopyButton text=command label=texts::copy_as_curl() />
            </div>
            <pre tabindex="0" role="region" aria-label="curl" data-test="curl">
                {command}
            </pre>
        </section>
    }
}

/// Returns the command for a POSIX shell. It has a variable instead of the API key.
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
    use crate::ui::curl_command::*;

    #[test]
    fn command_has_one_argument_per_line() {
        let expected = r#"curl -X PUT 'http://host/api/leads/extended-data' \
  -H "Authorization: Bearer $LEADSCRIBE_API_KEY" \
  -H 'Content-Type: application/json' \
  --data-raw '{"last_name": "O'\''Brien"}'"#;
        assert_eq!(search_command("http://host", r#"{"last_name": "O'Brien"}"#), expected);
    }
}
