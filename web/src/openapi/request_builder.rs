//! Builds a request from the input for an operation.

use leadscribe_engine::diagnostic::{self, Diagnostic};

use super::{Operation, Parameter, ParameterLocation};
use crate::request::{Body, Content, Request, RequiredSecrets, percent_encode};

/// Input for an operation, as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperationInput {
    /// One value for each parameter, in the order of the document; empty if not set. A repeated parameter has one value per line.
    pub values: Vec<String>,
    pub body: Option<Content>,
    /// Media type of a file body, if known.
    pub media_type: Option<String>,
}

/// Returns the request and the diagnostics of missing input. A request with errors can be shown but not sent.
pub fn build_request(operation: &Operation, input: &OperationInput) -> (Request, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut target = operation.summary.path.clone();
    let mut query = String::new();
    let mut headers = Vec::new();
    for (parameter, value) in operation.parameters.iter().zip(&input.values) {
        if value.is_empty() {
            if parameter.is_required {
                let location = diagnostic::Place::Parameter(parameter.name.clone());
                diagnostics.push(Diagnostic::new(location, "missing", "expected a value, found none"));
            }
            continue;
        }
        match parameter.location {
            ParameterLocation::Path => {
                target = target.replace(&format!("{{{}}}", parameter.name), &segment(parameter, value));
            }
            ParameterLocation::Query => {
                let lines = value.lines().filter(|line| !line.is_empty());
                let values: Vec<_> = if parameter.is_repeatable { lines.collect() } else { vec![value.as_str()] };
                for value in values {
                    query.push(if query.is_empty() { '?' } else { '&' });
                    query.push_str(&format!("{}={}", percent_encode(&parameter.name), percent_encode(value)));
                }
            }
            ParameterLocation::Header => headers.push((parameter.name.clone(), value.clone())),
        }
    }
    let body = operation.body.as_ref().zip(input.body.clone()).map(|(body_spec, content)| Body {
        media_type: input.media_type.clone().unwrap_or_else(|| body_spec.media_type.clone()),
        content,
    });
    let access = &operation.access;
    let request = Request {
        method: operation.summary.method.clone(),
        target: target + &query,
        headers,
        body,
        secrets: RequiredSecrets {
            needs_api_key: access.accepts_key && !access.is_open,
            needs_speech_token: access.accepts_speech_token,
        },
    };
    (request, diagnostics)
}

/// Encodes a path segment. If the document's example contains slashes, the value may contain them too.
fn segment(parameter: &Parameter, value: &str) -> String {
    match &parameter.example {
        Some(example) if example.contains('/') => value.split('/').map(percent_encode).collect::<Vec<_>>().join("/"),
        _ => percent_encode(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::document;
    use super::*;

    fn input(operation: &Operation, values_by_name: &[(&str, &str)]) -> OperationInput {
        let value = |name: &str| {
            values_by_name
                .iter()
                .find(|(parameter_name, _)| *parameter_name == name)
                .map_or("", |(_, value)| value)
                .to_owned()
        };
        let values = operation.parameters.iter().map(|parameter| value(&parameter.name)).collect();
        OperationInput { values, ..OperationInput::default() }
    }

    #[test]
    fn puts_values_into_path_and_query() {
        let document = document();
        let target = |id: &str, values_by_name: &[(&str, &str)]| {
            let operation = document.operation(id).unwrap();
            let (request, diagnostics) = build_request(&operation, &input(&operation, values_by_name));
            assert_eq!(diagnostics, []);
            request.target
        };
        assert_eq!(target("get_leads_lead_id", &[("lead_id", "17")]), "/api/leads/17");
        assert_eq!(target("get_leads_lead_id", &[("lead_id", "a/b?c")]), "/api/leads/a%2Fb%3Fc");
        assert_eq!(
            target("get_leads", &[("limit", "5;0"), ("city", "Köln\n\nBonn & Bad Godesberg")]),
            "/api/leads?limit=5;0&city=K%C3%B6ln&city=Bonn%20%26%20Bad%20Godesberg"
        );
        assert_eq!(
            target("get_leads_key_rest", &[("key", "limit"), ("rest", "5;0/created_at/2025-12-21 13:15:11;>")]),
            "/api/leads/limit/5;0/created_at/2025-12-21%2013:15:11;%3E"
        );
    }

    #[test]
    fn reports_missing_parameters() {
        let operation = document().operation("get_leads_lead_id").unwrap();
        let (request, diagnostics) = build_request(&operation, &input(&operation, &[]));
        assert_eq!(request.target, "/api/leads/{lead_id}");
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].place, diagnostic::Place::Parameter("lead_id".into()));
    }

    #[test]
    fn includes_headers_body_and_secrets() {
        let operation = document().operation("post_speech_recognition").unwrap();
        let mut operation_input = input(&operation, &[("Idempotency-Key", "a b"), ("dry_run", "true")]);
        operation_input.body = Some(Content::Text("{}".into()));
        let (request, _) = build_request(&operation, &operation_input);
        assert_eq!(request.target, "/api/speech-recognition?dry_run=true");
        assert_eq!(request.headers, [("Idempotency-Key".to_owned(), "a b".to_owned())]);
        let body = Body { media_type: "application/json".into(), content: Content::Text("{}".into()) };
        assert_eq!(request.body, Some(body));
        // The token in the body is sufficient.
        assert_eq!(request.secrets, RequiredSecrets { needs_api_key: false, needs_speech_token: false });
        let operation = document().operation("get_speech_recognition").unwrap();
        let (request, _) = build_request(&operation, &input(&operation, &[]));
        assert_eq!(request.secrets, RequiredSecrets { needs_api_key: false, needs_speech_token: true });
    }
}
