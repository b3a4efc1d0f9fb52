//! Builds a request from the input for an operation.

use leadscribe_engine::diagnostic::{self, Diagnostic};

use super::{Operation, Parameter, Place};
use crate::request::{Body, Content, Request, Secrets, encoded};

/// Input for an operation, as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// One value for each parameter, in the order of the document; empty if not set. A repeated parameter has one value per line.
    pub values: Vec<String>,
    pub body: Option<Content>,
    /// Media type of a file body, if known.
    pub media_type: Option<String>,
}

/// Returns the request and the faults of missing input. A request with faults can be shown but not sent.
pub fn fill(operation: &Operation, filled: &Filled) -> (Request, Vec<Diagnostic>) {
    let mut faults = Vec::new();
    let mut target = operation.entry.path.clone();
    let mut query = String::new();
    let mut headers = Vec::new();
    for (parameter, value) in operation.parameters.iter().zip(&filled.values) {
        if value.is_empty() {
            if parameter.required {
                let place = diagnostic::Place::Parameter(parameter.name.clone());
                faults.push(Diagnostic::new(place, "missing", "expected a value, found none"));
            }
            continue;
        }
        match parameter.place {
            Place::Path => {
                target = target.replace(&format!("{{{}}}", parameter.name), &segment(parameter, value));
            }
            Place::Query => {
                let lines = value.lines().filter(|line| !line.is_empty());
                let values: Vec<_> = if parameter.repeats { lines.collect() } else { vec![value.as_str()] };
                for value in values {
                    query.push(if query.is_empty() { '?' } else { '&' });
                    query.push_str(&format!("{}={}", encoded(&parameter.name), encoded(value)));
                }
            }
            Place::Header => headers.push((parameter.name.clone(), value.clone())),
        }
    }
    let body = operation.body.as_ref().zip(filled.body.clone()).map(|(form, content)| Body {
        media_type: filled.media_type.clone().unwrap_or_else(|| form.media_type.clone()),
        content,
    });
    let access = &operation.access;
    let request = Request {
        method: operation.entry.method.clone(),
        target: target + &query,
        headers,
        body,
        secrets: Secrets { key: access.key && !access.open, token: access.token },
    };
    (request, faults)
}

/// Encodes a path segment. If the document's example contains slashes, the value may contain them too.
fn segment(parameter: &Parameter, value: &str) -> String {
    match &parameter.example {
        Some(example) if example.contains('/') => value.split('/').map(encoded).collect::<Vec<_>>().join("/"),
        _ => encoded(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::document;
    use super::*;

    fn filled(operation: &Operation, given: &[(&str, &str)]) -> Filled {
        let value = |name: &str| given.iter().find(|(one, _)| *one == name).map_or("", |(_, value)| value).to_owned();
        let values = operation.parameters.iter().map(|parameter| value(&parameter.name)).collect();
        Filled { values, ..Filled::default() }
    }

    #[test]
    fn puts_values_into_path_and_query() {
        let document = document();
        let target = |id: &str, given: &[(&str, &str)]| {
            let operation = document.operation(id).unwrap();
            let (request, faults) = fill(&operation, &filled(&operation, given));
            assert_eq!(faults, []);
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
        let (request, faults) = fill(&operation, &filled(&operation, &[]));
        assert_eq!(request.target, "/api/leads/{lead_id}");
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].place, diagnostic::Place::Parameter("lead_id".into()));
    }

    #[test]
    fn includes_headers_body_and_secrets() {
        let operation = document().operation("post_speech_recognition").unwrap();
        let mut given = filled(&operation, &[("Idempotency-Key", "a b"), ("dry_run", "true")]);
        given.body = Some(Content::Text("{}".into()));
        let (request, _) = fill(&operation, &given);
        assert_eq!(request.target, "/api/speech-recognition?dry_run=true");
        assert_eq!(request.headers, [("Idempotency-Key".to_owned(), "a b".to_owned())]);
        let body = Body { media_type: "application/json".into(), content: Content::Text("{}".into()) };
        assert_eq!(request.body, Some(body));
        // The token in the body is sufficient.
        assert_eq!(request.secrets, Secrets { key: false, token: false });
        let operation = document().operation("get_speech_recognition").unwrap();
        let (request, _) = fill(&operation, &filled(&operation, &[]));
        assert_eq!(request.secrets, Secrets { key: false, token: true });
    }
}
