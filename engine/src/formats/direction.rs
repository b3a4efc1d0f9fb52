//! Balances directional formatting characters (Unicode Standard Annex #9) within a line.
//!
//! An unclosed embedding, override or isolate would change the direction of the text that a player shows after the line. Marks can be
//! unbalanced if a longer text was divided or a part of it was removed.

/// End of an embedding or override.
const POP_DIRECTION: char = '\u{202c}';
/// End of an isolate.
const POP_ISOLATE: char = '\u{2069}';

/// Returns the line with all embeddings, overrides and isolates closed, and without stray ends. Empty if nothing in it is visible.
pub(super) fn balance(line: &str) -> String {
    let mut balanced = String::with_capacity(line.len());
    // Characters that close the open embeddings, overrides and isolates, the innermost last.
    let mut pending_ends: Vec<char> = Vec::new();
    for character in line.chars() {
        match character {
            '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' => pending_ends.push(POP_DIRECTION),
            '\u{2066}' | '\u{2067}' | '\u{2068}' => pending_ends.push(POP_ISOLATE),
            // Only closes the innermost: an embedding around an isolate can't end within the isolate.
            POP_DIRECTION if pending_ends.last() != Some(&POP_DIRECTION) => continue,
            POP_DIRECTION => {
                pending_ends.pop();
            }
            POP_ISOLATE => {
                let Some(isolate) = pending_ends.iter().rposition(|closing_mark| *closing_mark == POP_ISOLATE) else {
                    continue;
                };
                // Embeddings inside the isolate end with it.
                balanced.extend(pending_ends.drain(isolate + 1..).rev());
                pending_ends.pop();
            }
            _ => {}
        }
        balanced.push(character);
    }
    balanced.extend(pending_ends.into_iter().rev());
    if balanced.chars().all(|character| character.is_whitespace() || is_direction_mark(character)) {
        balanced.clear();
    }
    balanced
}

/// Returns true for characters that only change the direction of others.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closes_direction_marks_in_order() {
        for (line, expected) in [
            ("plain", "plain"),
            ("\u{200f}a\u{200e}", "\u{200f}a\u{200e}"),
            ("\u{202b}a\u{202c}", "\u{202b}a\u{202c}"),
            ("\u{202b}a", "\u{202b}a\u{202c}"),
            ("\u{202e}a \u{2066}b", "\u{202e}a \u{2066}b\u{2069}\u{202c}"),
            ("\u{2068}a \u{202a}b\u{2069} c", "\u{2068}a \u{202a}b\u{202c}\u{2069} c"),
            ("\u{202b}a \u{2067}b\u{202c} c\u{2069}", "\u{202b}a \u{2067}b c\u{2069}\u{202c}"),
        ] {
            assert_eq!(balance(line), expected, "{line:?}");
        }
    }

    #[test]
    fn removes_unmatched_closing_marks() {
        assert_eq!(balance("a\u{202c} b\u{2069}"), "a b");
        assert_eq!(balance("\u{202b}a\u{202c}\u{202c}"), "\u{202b}a\u{202c}");
        assert_eq!(balance("\u{202b} \u{2069}\u{202c}\u{200f}"), "");
        assert_eq!(balance(""), "");
    }
}
