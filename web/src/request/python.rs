//! Code for Python with the Requests library, with secrets from environment variables.

use leadscribe_engine::json::quote;

use super::{Content, KEY_VARIABLE, Request, TOKEN_HEADER, TOKEN_VARIABLE};
use crate::json_print::{Style, print};

const PYTHON: Style = Style { true_literal: "True", false_literal: "False", null_literal: "None", indent_width: 4 };

pub(super) fn code(request: &Request, url: &str) -> String {
    let mut headers = Vec::new();
    if request.secrets.needs_api_key {
        headers.push(format!("\"Authorization\": f\"Bearer {{os.environ['{KEY_VARIABLE}']}}\""));
    }
    if request.secrets.needs_speech_token {
        headers.push(format!("{}: os.environ[\"{TOKEN_VARIABLE}\"]", quote(TOKEN_HEADER)));
    }
    headers.extend(request.headers.iter().map(|(name, value)| format!("{}: {}", quote(name), quote(value))));
    let mut content = None;
    if let Some(body) = &request.body {
        let value = body.value();
        if value.is_none() {
            headers.push(format!("\"Content-Type\": {}", quote(&body.media_type)));
        }
        content = Some(match (&body.content, value) {
            // Requests sets the content type itself.
            (_, Some(value)) => format!("json={}", print(&value, &PYTHON, 4)),
            (Content::Text(text), None) => format!("data={}.encode()", quote(text)),
            (Content::File(name), None) => format!("data=open({}, \"rb\")", quote(name)),
        });
    }
    let mut arguments = vec![quote(url)];
    if !headers.is_empty() {
        arguments.push(format!("headers={{\n        {},\n    }}", headers.join(",\n        ")));
    }
    arguments.extend(content);
    let imports =
        if request.secrets.needs_api_key || request.secrets.needs_speech_token { "import os\n\n" } else { "" };
    format!(
        "{imports}import requests\n\nresponse = requests.{}(\n    {},\n)\nprint(response.status_code, response.text)",
        request.method.to_ascii_lowercase(),
        arguments.join(",\n    ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::request_with_special_characters;
    use super::super::{CodeLanguage, RequiredSecrets};
    use super::*;

    #[test]
    fn writes_the_body_as_a_value() {
        let expected = r#"import os

import requests

response = requests.put(
    "http://host/api/leads/extended-data",
    headers={
        "Authorization": f"Bearer {os.environ['LEADSCRIBE_API_KEY']}",
        "Idempotency-Key": "it's \"mine\" $HOME `id`",
    },
    json={
        "last_name": "O'Brien",
        "do_not_call": False,
        "email": None,
        "city": "😀"
    },
)
print(response.status_code, response.text)"#;
        let request = request_with_special_characters(
            r#"{"last_name": "O'Brien", "do_not_call": false, "email": null, "city": "\ud83d\ude00"}"#,
        );
        assert_eq!(request.code(CodeLanguage::Python, "http://host"), expected);
    }

    #[test]
    fn sends_invalid_json_as_typed() {
        let code = request_with_special_characters("{\"a\": \"\n").code(CodeLanguage::Python, "");
        assert!(
            code.contains(
                "\"Content-Type\": \"application/json\",\n    },\n    data=\"{\\\"a\\\": \\\"\\n\".encode(),\n)"
            ),
            "{code}"
        );
    }

    #[test]
    fn omits_unused_imports() {
        let request = Request {
            method: "GET".into(),
            body: None,
            headers: Vec::new(),
            secrets: RequiredSecrets::default(),
            ..request_with_special_characters("")
        };
        let expected = "import requests\n\nresponse = requests.get(\n    \"/api/leads/extended-data\",\n)\n\
                        print(response.status_code, response.text)";
        assert_eq!(request.code(CodeLanguage::Python, ""), expected);
    }
}
