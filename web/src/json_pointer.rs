//! Maps the JSON Pointers of the server's diagnostics to positions in the JSON text.

use leadscribe_engine::diagnostic::{Diagnostic, Place, Span};
use leadscribe_engine::json::{self, Node, Value};

/// Returns the diagnostics in the body `text` with the positions of their characters.
pub fn locate_diagnostics(text: &str, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let root = json::parse(text).root;
    let locate = |diagnostic: &Diagnostic| match &diagnostic.place {
        Place::Pointer(pointer) => {
            let span = root.as_ref().map_or(Span::default(), |root| resolve_span(text, root, pointer, diagnostic));
            Some(diagnostic.clone().at(span))
        }
        _ => None,
    };
    diagnostics.iter().filter_map(locate).collect()
}

/// Returns the span that a pointer refers to; the enclosing value if the pointer leads nowhere.
fn resolve_span(text: &str, root: &Node, pointer: &str, diagnostic: &Diagnostic) -> Span {
    let (mut node, mut key) = (root, None);
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let child = match &node.value {
            Value::Object(members) => members.iter().rev().find(|member| member.key == segment).map(|member| {
                key = Some(member.key_span);
                &member.value
            }),
            Value::Array(items) => segment.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        };
        match child {
            Some(child) => node = child,
            None => return node.span,
        }
    }
    match (key, diagnostic.span) {
        (Some(key), _) if diagnostic.code == "unknown_key" => key,
        (_, Some(range)) => json::substring_span(text, node.span, range),
        _ => node.span,
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::CharRange;

    use super::*;

    fn located_text<'a>(text: &'a str, pointer: &str, code: &str, range: Option<CharRange>) -> &'a str {
        let mut diagnostic = Diagnostic::new(Place::Pointer(pointer.into()), code, "wrong");
        diagnostic.span = range;
        let [diagnostic] = &locate_diagnostics(text, &[diagnostic])[..] else { panic!("expected one diagnostic") };
        &text[diagnostic.at.start..diagnostic.at.end]
    }

    #[test]
    fn maps_pointers_to_text_positions() {
        let text = r#"{"a/b": [1, {"name": "Zoë;x"}], "ctiy": 2}"#;
        assert_eq!(located_text(text, "/a~1b/0", "wrong", None), "1");
        assert_eq!(located_text(text, "/a~1b/1/name", "wrong", None), "\"Zoë;x\"");
        assert_eq!(located_text(text, "/a~1b/1/name", "wrong", Some(CharRange { start: 2, end: 4 })), "ë;");
        assert_eq!(located_text(text, "/ctiy", "unknown_key", None), "\"ctiy\"");
        assert_eq!(located_text(text, "/a~1b/1/missing", "missing", None), r#"{"name": "Zoë;x"}"#);
        assert_eq!(located_text(text, "", "wrong", None), text);
    }

    #[test]
    fn ignores_parameter_diagnostics() {
        assert_eq!(
            locate_diagnostics("{}", &[Diagnostic::new(Place::Parameter("limit".into()), "wrong", "wrong")]),
            []
        );
    }
}
