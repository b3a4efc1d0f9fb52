//! Annotations that recognizers write for sounds without words.

/// Opening and closing characters of annotations.
const ANNOTATION_DELIMITERS: [(char, char); 9] =
    [('[', ']'), ('(', ')'), ('{', '}'), ('<', '>'), ('*', '*'), ('♪', '♪'), ('♫', '♫'), ('（', '）'), ('【', '】')];

/// Returns whether a text consists only of annotations of sounds, such as `[BLANK_AUDIO]`, `(music)`, `*laughs*` and
/// `♪ ♪`, or has no letters or digits.
pub fn is_annotation(text: &str) -> bool {
    let mut rest = text;
    while let Some(first_letter) = rest.find(char::is_alphanumeric) {
        let Some((content_start, close)) = find_opening(&rest[..first_letter]) else { return false };
        let inside = &rest[content_start..];
        let Some(end) = inside.find(close) else { return false };
        rest = &inside[end + close.len_utf8()..];
    }
    true
}

/// Finds the opening of an annotation: the start of its content and its closing character.
fn find_opening(punctuation: &str) -> Option<(usize, char)> {
    punctuation.char_indices().find_map(|(at, character)| {
        let (_, close) = ANNOTATION_DELIMITERS.iter().find(|(open, _)| *open == character)?;
        // Repeated opening characters, such as two notes or stars, count as one.
        let run = punctuation[at..].chars().take_while(|next| *next == character).count();
        Some((at + run * character.len_utf8(), *close))
    })
}

#[cfg(test)]
mod tests {
    use super::is_annotation;

    #[test]
    fn annotations_and_punctuation_are_not_speech() {
        for annotation in [
            "",
            " ",
            "...",
            "[BLANK_AUDIO]",
            " [Music] (applause). ",
            "(speaking in foreign language)",
            "*laughs*",
            "**coughs**",
            "♪",
            "♪ la la la ♪",
            "♪♪ la ♪♪",
            "（音楽）",
            "[_TT_12]",
        ] {
            assert!(is_annotation(annotation), "{annotation:?}");
        }
    }

    #[test]
    fn speech_next_to_annotation_is_speech() {
        for speech in ["Hello.", "5", "[Music] Hello.", "Hello (laughs)", "(yes) or (no)", "(not closed", "да", "¿Qué?"]
        {
            assert!(!is_annotation(speech), "{speech:?}");
        }
    }
}
