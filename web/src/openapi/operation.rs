//! An operation in the OpenAPI document.

use serde_json::Value;

use super::{Document, Entry, example, plain, text, texts};

/// An operation with all details.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    pub entry: Entry,
    /// Description in paragraphs, with code in backticks.
    pub about: String,
    pub parameters: Vec<Parameter>,
    pub body: Option<BodyForm>,
    pub answers: Vec<Answer>,
    pub access: Access,
}

/// Location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Header,
}

/// A parameter of the request.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub place: Place,
    pub required: bool,
    pub about: String,
    pub schema: Value,
    /// Example in the form in which it is typed.
    pub example: Option<String>,
    /// True if the parameter can be repeated.
    pub repeats: bool,
}

/// Request body of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyForm {
    pub media_type: String,
    pub about: String,
    pub schema: Value,
    /// Initial text of the input; `None` if the body is a file.
    pub example: Option<String>,
}

/// A possible response.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: String,
    pub about: String,
    /// Problem codes of the status, if the response is a problem.
    pub codes: Vec<String>,
    /// Headers that not every response has, each with its description.
    pub headers: Vec<(String, String)>,
    /// Media types, each with its schema and an example.
    pub forms: Vec<(String, Value, Option<Value>)>,
}

impl Answer {
    /// True if the response is an error.
    pub fn is_refusal(&self) -> bool {
        self.status.starts_with(['4', '5'])
    }
}

/// Credentials and permissions that an operation accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// True if no credentials are needed.
    pub open: bool,
    pub key: bool,
    pub session: bool,
    /// True if a speech recognition token is accepted.
    pub token: bool,
    /// Scopes; an API key needs one of them.
    pub scopes: Vec<String>,
    /// Roles of users that may call the operation.
    pub roles: Vec<String>,
}

impl Operation {
    /// True if the operation changes data. Queries with a body need read permission only.
    pub fn changes(&self) -> bool {
        let reads = self.access.scopes.iter().any(|scope| scope.ends_with(":read"));
        self.entry.method != "GET" && !reads
    }
}

pub(super) fn read(document: &Document, entry: Entry, said: &Value) -> Operation {
    let parameters = said["parameters"].as_array().into_iter().flatten();
    let answers = said["responses"].as_object().into_iter().flatten();
    Operation {
        about: text(said, "description").to_owned(),
        parameters: parameters.filter_map(|parameter| self::parameter(document, parameter)).collect(),
        body: body(document, &said["requestBody"]),
        answers: answers.map(|(status, answer)| self::answer(document, status, answer)).collect(),
        access: access(said),
        entry,
    }
}

fn parameter(document: &Document, said: &Value) -> Option<Parameter> {
    let place = match said["in"].as_str()? {
        "path" => Place::Path,
        "query" => Place::Query,
        "header" => Place::Header,
        _ => return None,
    };
    let schema = said["schema"].clone();
    let (_, resolved) = document.resolve(&schema);
    let example = [&said["example"], &schema["example"], &schema["examples"][0]].into_iter().find(|one| !one.is_null());
    Some(Parameter {
        name: said["name"].as_str()?.to_owned(),
        place,
        required: said["required"] == true,
        about: text(said, "description").to_owned(),
        repeats: resolved["type"] == "array",
        example: example.map(plain),
        schema,
    })
}

fn body(document: &Document, said: &Value) -> Option<BodyForm> {
    let (media_type, form) = said["content"].as_object()?.iter().next()?;
    let schema = form["schema"].clone();
    let is_text = media_type.contains("json") || media_type.starts_with("text/");
    let example = is_text.then(|| match &form["example"] {
        Value::Null => written(&example(document, &schema)),
        example => written(example),
    });
    Some(BodyForm { media_type: media_type.clone(), about: text(said, "description").to_owned(), schema, example })
}

/// A text is a body in another format than JSON and is used as it is.
fn written(example: &Value) -> String {
    match example {
        Value::String(text) => text.clone(),
        value => format!("{value:#}"),
    }
}

fn answer(document: &Document, status: &str, said: &Value) -> Answer {
    let forms = said["content"].as_object().into_iter().flatten().map(|(media_type, form)| {
        let example = (!form["example"].is_null()).then(|| form["example"].clone());
        (media_type.clone(), form["schema"].clone(), example)
    });
    let headers = said["headers"].as_object().into_iter().flatten();
    let is_problem = said["content"]["application/problem+json"].is_object();
    Answer {
        status: status.to_owned(),
        about: text(said, "description").to_owned(),
        codes: if is_problem { document.codes(status) } else { Vec::new() },
        headers: headers.map(|(name, header)| (name.clone(), text(header, "description").to_owned())).collect(),
        forms: forms.collect(),
    }
}

fn access(said: &Value) -> Access {
    let ways = said["security"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has = |name: &str| ways.iter().any(|way| way.get(name).is_some());
    Access {
        open: ways.is_empty() || ways.iter().any(|way| way.as_object().is_some_and(serde_json::Map::is_empty)),
        key: has("api_key"),
        session: has("session"),
        token: has("speech_token"),
        scopes: match &said["x-required-scope"] {
            Value::String(scope) => vec![scope.clone()],
            one_of => texts(one_of),
        },
        roles: texts(&said["x-permitted-roles"]),
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
        assert_eq!((id.name.as_str(), id.place, id.required, id.repeats), ("lead_id", Place::Path, true, false));
        assert!(operation.body.is_none());
        assert!(!operation.changes());

        let operation = document().operation("get_leads").unwrap();
        let repeats = |name: &str| operation.parameters.iter().find(|one| one.name == name).map(|one| one.repeats);
        assert_eq!((repeats("city"), repeats("limit")), (Some(true), Some(false)));
    }

    #[test]
    fn every_body_has_an_example() {
        let document = document();
        for group in document.groups() {
            for entry in &group.entries {
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
        assert!(operation.access.key && operation.access.session && !operation.access.open);
        assert_eq!(operation.access.scopes, ["leads:read"]);
        assert!(!operation.changes());
        let operation = document.operation("get_imports_import_id_rejected").unwrap();
        assert_eq!(operation.access.scopes, ["leads:read", "calls:read"]);
        assert!(document.operation("delete_leads_lead_id").unwrap().changes());
        let operation = document.operation("get_speech_recognition").unwrap();
        assert!(operation.access.token && !operation.access.key);
        assert!(document.operation("get_healthz").unwrap().access.open);
    }

    #[test]
    fn error_responses_have_problem_codes() {
        let operation = document().operation("put_leads_extended_data").unwrap();
        let answer = operation.answers.iter().find(|answer| answer.status == "400").unwrap();
        assert!(answer.is_refusal() && answer.codes.iter().any(|code| code == "invalid_filter"), "{:?}", answer.codes);
        let good = operation.answers.iter().find(|answer| answer.status == "200").unwrap();
        assert!(good.codes.is_empty() && !good.is_refusal());
    }
}
