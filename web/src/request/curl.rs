//! Code for curl in a POSIX shell.

use super::{Content, KEY_VARIABLE, Request, TOKEN_HEADER, TOKEN_VARIABLE};

pub(super) fn code(request: &Request, url: &str) -> String {
    let mut arguments = match request.method.as_str() {
        "GET" => vec![format!("curl {}", shell_quote(url))],
        method => vec![format!("curl -X {method} {}", shell_quote(url))],
    };
    if request.secrets.needs_api_key {
        arguments.push(format!("-H \"Authorization: Bearer ${KEY_VARIABLE}\""));
    }
    if request.secrets.needs_speech_token {
        arguments.push(format!("-H \"{TOKEN_HEADER}: ${TOKEN_VARIABLE}\""));
    }
    for (name, value) in &request.headers {
        arguments.push(format!("-H {}", shell_quote(&format!("{name}: {value}"))));
    }
    if let Some(body) = &request.body {
        arguments.push(format!("-H {}", shell_quote(&format!("Content-Type: {}", body.media_type))));
        arguments.push(match &body.content {
            Content::Text(text) => format!("--data-raw {}", shell_quote(text)),
            Content::File(name) => format!("--data-binary {}", shell_quote(&format!("@{name}"))),
        });
    }
    arguments.join(" \\\n  ")
}

/// Quotes text for a shell. In single quotes only the quote itself has to be escaped.
fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::request_with_special_characters;
    use super::super::{CodeLanguage, RequiredSecrets};
    use super::*;

    #[test]
    fn writes_one_argument_per_line() {
        let expected = r#"curl -X PUT 'http://host/api/leads/extended-data' \
  -H "Authorization: Bearer $LEADSCRIBE_API_KEY" \
  -H 'Idempotency-Key: it'\''s "mine" $HOME `id`' \
  -H 'Content-Type: application/json' \
  --data-raw '{"last_name": "O'\''Brien"}'"#;
        assert_eq!(
            request_with_special_characters(r#"{"last_name": "O'Brien"}"#).code(CodeLanguage::Curl, "http://host"),
            expected
        );
    }

    #[test]
    fn writes_a_request_without_body() {
        let mut request = request_with_special_characters("");
        request = Request { method: "GET".into(), body: None, headers: Vec::new(), ..request };
        request.secrets = RequiredSecrets { needs_api_key: false, needs_speech_token: true };
        let expected = "curl 'http://host/api/leads/extended-data' \\\n  \
                        -H \"X-Speech-Token: $LEADSCRIBE_SPEECH_TOKEN\"";
        assert_eq!(request.code(CodeLanguage::Curl, "http://host"), expected);
        request.secrets = RequiredSecrets::default();
        assert_eq!(request.code(CodeLanguage::Curl, "http://host"), "curl 'http://host/api/leads/extended-data'");
    }
}
