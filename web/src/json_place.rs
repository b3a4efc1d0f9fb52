//! Maps the JSON Pointers of the server's faults to positions in the JSON text.

use leadscribe_engine::diagnostic::{Diagnostic, Place, Span};
use leadscribe_engine::json::{self, Node, Value};

/// Returns the faults in the body `text` with the positions of their characters.
pub fn placed(text: &str, faults: &[Diagnostic]) -> Vec<Diagnostic> {
    let root = json::read(text).root;
    let place = |fault: &Diagnostic| match &fault.place {
        Place::Pointer(pointer) => {
            let at = root.as_ref().map_or(Span::default(), |root| find(text, root, pointer, fault));
            Some(fault.clone().at(at))
        }
        _ => None,
    };
    faults.iter().filter_map(place).collect()
}

/// Returns the span that a pointer refers to; the enclosing value if the pointer leads nowhere.
fn find(text: &str, root: &Node, pointer: &str, fault: &Diagnostic) -> Span {
    let (mut node, mut key) = (root, None);
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let next = match &node.value {
            Value::Object(members) => members.iter().rev().find(|member| member.key == step).map(|member| {
                key = Some(member.key_span);
                &member.value
            }),
            Value::Array(items) => step.parse::<usize>().ok().and_then(|place| items.get(place)),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => return node.span,
        }
    }
    match (key, fault.span) {
        (Some(key), _) if fault.code == "unknown_key" => key,
        (_, Some(part)) => json::narrow(text, node.span, part),
        _ => node.span,
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::CharRange;

    use super::*;

    fn marked<'a>(text: &'a str, pointer: &str, code: &str, part: Option<CharRange>) -> &'a str {
        let mut fault = Diagnostic::new(Place::Pointer(pointer.into()), code, "wrong");
        fault.span = part;
        let [fault] = &placed(text, &[fault])[..] else { panic!("one is expected") };
        &text[fault.at.start..fault.at.end]
    }

    #[test]
    fn maps_pointers_to_text_positions() {
        let text = r#"{"a/b": [1, {"name": "Zoë;x"}], "ctiy": 2}"#;
        assert_eq!(marked(text, "/a~1b/0", "wrong", None), "1");
        assert_eq!(marked(text, "/a~1b/1/name", "wrong", None), "\"Zoë;x\"");
        assert_eq!(marked(text, "/a~1b/1/name", "wrong", Some(CharRange { start: 2, end: 4 })), "ë;");
        assert_eq!(marked(text, "/ctiy", "unknown_key", None), "\"ctiy\"");
        assert_eq!(marked(text, "/a~1b/1/missing", "missing", None), r#"{"name": "Zoë;x"}"#);
        assert_eq!(marked(text, "", "wrong", None), text);
    }

    #[test]
    fn ignores_parameter_faults() {
        assert_eq!(placed("{}", &[Diagnostic::new(Place::Parameter("limit".into()), "wrong", "wrong")]), []);
    }
}
