//! What recognisers write where they hear sounds but no words.

/// What stands around a remark, by its first and last character.
const AROUND: [(char, char); 9] =
    [('[', ']'), ('(', ')'), ('{', '}'), ('<', '>'), ('*', '*'), ('♪', '♪'), ('♫', '♫'), ('（', '）'), ('【', '】')];

/// Whether a text is no speech but remarks about sounds, such as `[BLANK_AUDIO]`, `(music)`, `*laughs*` and `♪ ♪`, or
/// holds no letter and no digit at all.
pub fn is_tag(text: &str) -> bool {
    let mut rest = text;
    while let Some(begin) = rest.find(char::is_alphanumeric) {
        let Some((at, close)) = opening(&rest[..begin]) else { return false };
        let inside = &rest[at..];
        let Some(end) = inside.find(close) else { return false };
        rest = &inside[end + close.len_utf8()..];
    }
    true
}

/// The remark that is opened in some signs: where what it says begins, and what closes it.
fn opening(signs: &str) -> Option<(usize, char)> {
    signs.char_indices().find_map(|(at, sign)| {
        let (_, close) = AROUND.iter().find(|(open, _)| *open == sign)?;
        // Two notes or stars beside each other are one sign.
        let run = signs[at..].chars().take_while(|next| *next == sign).count();
        Some((at + run * sign.len_utf8(), *close))
    })
}

#[cfg(test)]
mod tests {
    use super::is_tag;

    #[test]
    fn remarks_and_signs_are_no_speech() {
        for tag in [
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
            assert!(is_tag(tag), "{tag:?}");
        }
    }

    #[test]
    fn speech_is_speech_also_beside_a_remark() {
        for speech in ["Hello.", "5", "[Music] Hello.", "Hello (laughs)", "(yes) or (no)", "(not closed", "да", "¿Qué?"]
        {
            assert!(!is_tag(speech), "{speech:?}");
        }
    }
}
