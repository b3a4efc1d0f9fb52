//! An operation in the OpenAPI document.

use serde_json::Value;

use super::{Document, OperationSummary, example, string_list, string_member, to_plain_text};

/// An operation with all details.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    pub summary: OperationSummary,
    /// Description in paragraphs, with code in backticks.
    pub description: String,
    pub parameters: Vec<Parameter>,
    pub body: Option<BodySpec>,
    pub responses: Vec<ResponseSpec>,
    pub access: Access,
}

/// Location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterLocation {
    Path,
    Query,
    Header,
}

/// A parameter of the request.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub location: ParameterLocation,
    pub is_required: bool,
    pub description: String,
    pub schema: Value,
    /// Example in the form in which it is typed.
    pub example: Option<String>,
    /// True if the parameter can be repeated.
    pub is_repeatable: bool,
}

/// Request body of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    pub media_type: String,
    pub description: String,
    pub schema: Value,
    /// Initial text of the input; `None` if the body is a file.
    pub example: Option<String>,
}

/// A possible response.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseSpec {
    pub status: String,
    pub description: String,
    /// Problem codes of the status, if the response is a problem.
    pub codes: Vec<String>,
    /// Headers that not every response has, each with its description.
    pub headers: Vec<(String, String)>,
    /// Media types, each with its schema and an example.
    pub contents: Vec<(String, Value, Option<Value>)>,
}

impl ResponseSpec {
    /// True if the response is an error.
    pub fn is_error(&self) -> bool {
        self.status.starts_with(['4', '5'])
    }
}

/// Credentials and permissions that an operation accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// True if no credentials are needed.
    pub is_open: bool,
    pub accepts_key: bool,
    pub accepts_session: bool,
    /// True if a speech recognition token is accepted.
    pub accepts_speech_token: bool,
    /// Scopes; an API key needs one of them.
    pub scopes: Vec<String>,
    /// Roles of users that may call the operation.
    pub roles: Vec<String>,
}

impl Operation {
    /// True if the operation changes data. Queries with a body need read permission only.
    pub fn changes_data(&self) -> bool {
        let needs_read_scope_only = self.access.scopes.iter().any(|scope| scope.ends_with(":read"));
        self.summary.method != "GET" && !needs_read_scope_only
    }
}

pub(super) fn parse_operation(document: &Document, summary: OperationSummary, spec: &Value) -> Operation {
    let parameters = spec["parameters"].as_array().into_iter().flatten();
    let responses = spec["responses"].as_object().into_iter().flatten();
    Operation {
        description: string_member(spec, "description").to_owned(),
        parameters: parameters.filter_map(|parameter| parse_parameter(document, parameter)).collect(),
        body: parse_body(document, &spec["requestBody"]),
        responses: responses.map(|(status, response)| parse_response(document, status, response)).collect(),
        access: parse_access(spec),
        summary,
    }
}

fn parse_parameter(document: &Document, spec: &Value) -> Option<Parameter> {
    let location = match spec["in"].as_str()? {
        "path" => ParameterLocation::Path,
        "query" => ParameterLocation::Query,
        "header" => ParameterLocation::Header,
        _ => return None,
    };
    let schema = spec["schema"].clone();
    let (_, resolved) = document.resolve(&schema);
    let example = [&spec["example"], &schema["example"], &schema["examples"][0]]
        .into_iter()
        .find(|candidate| !candidate.is_null());
    Some(Parameter {
        name: spec["name"].as_str()?.to_owned(),
        location,
        is_required: spec["required"] == true,
        description: string_member(spec, "description").to_owned(),
        is_repeatable: resolved["type"] == "array",
        example: example.map(to_plain_text),
        schema,
    })
}

fn parse_body(document: &Document, spec: &Value) -> Option<BodySpec> {
    let (media_type, content) = spec["content"].as_object()?.iter().next()?;
    let schema = content["schema"].clone();
    let is_text = media_type.contains("json") || media_type.starts_with("text/");
    let example = is_text.then(|| match &content["example"] {
        Value::Null => example_body(&example(document, &schema)),
        example => example_body(example),
    });
    Some(BodySpec {
        media_type: media_type.clone(),
        description: string_member(spec, "description").to_owned(),
        schema,
        example,
    })
}

/// A text is a body in another format than JSON and is used as it is.
fn example_body(example: &Value) -> String {
    match example {
        Value::String(text) => text.clone(),
        value => format!("{value:#}"),
    }
}

fn parse_response(document: &Document, status: &str, spec: &Value) -> ResponseSpec {
    let contents = spec["content"].as_object().into_iter().flatten().map(|(media_type, content)| {
        let example = (!content["example"].is_null()).then(|| content["example"].clone());
        (media_type.clone(), content["schema"].clone(), example)
    });
    let headers = spec["headers"].as_object().into_iter().flatten();
    let is_problem = spec["content"]["application/problem+json"].is_object();
    ResponseSpec {
        status: status.to_owned(),
        description: string_member(spec, "description").to_owned(),
        codes: if is_problem { document.problem_codes(status) } else { Vec::new() },
        headers: headers
            .map(|(name, header)| (name.clone(), string_member(header, "description").to_owned()))
            .collect(),
        contents: contents.collect(),
    }
}

fn parse_access(spec: &Value) -> Access {
    let alternatives = spec["security"].as_array().map(Vec::as_slice).unwrap_or_default();
    let accepts = |name: &str| alternatives.iter().any(|alternative| alternative.get(name).is_some());
    Access {
        is_open: alternatives.is_empty()
            || alternatives.iter().any(|alternative| alternative.as_object().is_some_and(serde_json::Map::is_empty)),
        accepts_key: accepts("api_key"),
        accepts_session: accepts("session"),
        accepts_speech_token: accepts("speech_token"),
        scopes: match &spec["x-required-scope"] {
            Value::String(scope) => vec![scope.clone()],
            scopes => string_list(scopes),
        },
        roles: string_list(&spec["x-permitted-roles"]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::document;
    use super::*;

    #[test]
    fn reads_parameters() {
        let operation = document().operation("get_leads_lead_id").unwrap();
        let [id] = &operation.parameters[..] else { panic!("{:?}", operation.parameters) };
        assert_eq!(
            (id.name.as_str(), id.location, id.is_required, id.is_repeatable),
            ("lead_id", ParameterLocation::Path, true, false)
        );
        assert!(operation.body.is_none());
        assert!(!operation.changes_data());

        let operation = document().operation("get_leads").unwrap();
        let repeats = |name: &str| {
            operation
                .parameters
                .iter()
                .find(|parameter| parameter.name == name)
                .map(|parameter| parameter.is_repeatable)
        };
        assert_eq!((repeats("city"), repeats("limit")), (Some(true), Some(false)));
    }

    #[test]
    fn every_body_has_an_example() {
        let document = document();
        for group in document.groups() {
            for entry in &group.operations {
                let Some(body) = document.operation(&entry.id).unwrap().body else { continue };
                let is_json = body.media_type.contains("json");
                match body.example {
                    Some(example) if is_json => {
                        serde_json::from_str::<Value>(&example).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
                    }
                    Some(example) => assert!(!example.starts_with('"'), "{}: {example}", entry.id),
                    None => assert!(body.media_type.starts_with("audio/"), "{}", entry.id),
                }
            }
        }
    }

    #[test]
    fn reads_access_and_whether_it_changes_data() {
        let document = document();
        let operation = document.operation("put_leads_extended_data").unwrap();
        assert!(operation.access.accepts_key && operation.access.accepts_session && !operation.access.is_open);
        assert_eq!(operation.access.scopes, ["leads:read"]);
        assert!(!operation.changes_data());
        let operation = document.operation("get_imports_import_id_rejected").unwrap();
        assert_eq!(operation.access.scopes, ["leads:read", "calls:read"]);
        assert!(document.operation("delete_leads_lead_id").unwrap().changes_data());
        let operation = document.operation("get_speech_recognition").unwrap();
        assert!(operation.access.accepts_speech_token && !operation.access.accepts_key);
        assert!(document.operation("get_healthz").unwrap().access.is_open);
    }

    #[test]
    fn error_responses_have_problem_codes() {
        let operation = document().operation("put_leads_extended_data").unwrap();
        let error_response = operation.responses.iter().find(|error_response| error_response.status == "400").unwrap();
        assert!(
            error_response.is_error() && error_response.codes.iter().any(|code| code == "invalid_filter"),
            "{:?}",
            error_response.codes
        );
        let success_response =
            operation.responses.iter().find(|error_response| error_response.status == "200").unwrap();
        assert!(success_response.codes.is_empty() && !success_response.is_error());
    }
}
