//! Code for JavaScript: `fetch`, with secrets from Node's environment variables.

use leadscribe_engine::json::quote;

use super::{Content, KEY_VARIABLE, Request, TOKEN_HEADER, TOKEN_VARIABLE};
use crate::json_print::{JSON_STYLE, print};

pub(super) fn code(request: &Request, url: &str) -> String {
    let mut headers = Vec::new();
    if request.secrets.needs_api_key {
        headers.push(format!("Authorization: `Bearer ${{process.env.{KEY_VARIABLE}}}`"));
    }
    if request.secrets.needs_speech_token {
        headers.push(format!("{}: process.env.{TOKEN_VARIABLE}", quote(TOKEN_HEADER)));
    }
    headers.extend(request.headers.iter().map(|(name, value)| format!("{}: {}", quote(name), quote(value))));
    let mut options = Vec::new();
    if request.method != "GET" {
        options.push(format!("method: {}", quote(&request.method)));
    }
    let mut imports = "";
    if let Some(body) = &request.body {
        headers.push(format!("\"Content-Type\": {}", quote(&body.media_type)));
        let content = match (&body.content, body.value()) {
            (_, Some(value)) => format!("JSON.stringify({})", print(&value, &JSON_STYLE, 2)),
            (Content::Text(text), None) => quote(text),
            (Content::File(name), None) => {
                imports = "import { openAsBlob } from \"node:fs\";\n\n";
                format!("await openAsBlob({})", quote(name))
            }
        };
        options.push(format!("body: {content}"));
    }
    if !headers.is_empty() {
        let position = options.len().min(usize::from(request.method != "GET"));
        options.insert(position, format!("headers: {{\n    {},\n  }}", headers.join(",\n    ")));
    }
    let options = match options.is_empty() {
        true => String::new(),
        false => format!(", {{\n  {},\n}}", options.join(",\n  ")),
    };
    format!(
        "{imports}const response = await fetch({}{options});\nconsole.log(response.status, await response.text());",
        quote(url)
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::request_with_special_characters;
    use super::super::{Body, CodeLanguage, RequiredSecrets};
    use super::*;

    #[test]
    fn writes_the_body_as_a_value() {
        let expected = r#"const response = await fetch("http://host/api/leads/extended-data", {
  method: "PUT",
  headers: {
    Authorization: `Bearer ${process.env.LEADSCRIBE_API_KEY}`,
    "Idempotency-Key": "it's \"mine\" $HOME `id`",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    "last_name": "O'Brien",
    "do_not_call": false,
    "email": null
  }),
});
console.log(response.status, await response.text());"#;
        let request =
            request_with_special_characters(r#"{"last_name": "O'Brien", "do_not_call": false, "email": null}"#);
        assert_eq!(request.code(CodeLanguage::JavaScript, "http://host"), expected);
    }

    #[test]
    fn sends_invalid_json_as_typed() {
        let code = request_with_special_characters("{\"a\": \"\n").code(CodeLanguage::JavaScript, "");
        assert!(code.contains(r#"body: "{\"a\": \"\n","#), "{code}");
    }

    #[test]
    fn reads_files_and_omits_empty_options() {
        let mut request = request_with_special_characters("");
        let content = Content::File("call \"1\".wav".into());
        request.body = Some(Body { media_type: "audio/wav".into(), content });
        let code = request.code(CodeLanguage::JavaScript, "");
        assert!(code.starts_with("import { openAsBlob } from \"node:fs\";\n\nconst response"), "{code}");
        assert!(code.contains(r#"body: await openAsBlob("call \"1\".wav"),"#), "{code}");
        let request = Request {
            method: "GET".into(),
            body: None,
            headers: Vec::new(),
            secrets: RequiredSecrets::default(),
            ..request
        };
        assert!(
            request
                .code(CodeLanguage::JavaScript, "")
                .starts_with("const response = await fetch(\"/api/leads/extended-data\");\n")
        );
    }
}
