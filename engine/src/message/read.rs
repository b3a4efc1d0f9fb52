//! Parses the English text of a message, so that it can be translated.

use super::{Given, Message, Piece, Text, pieces, texts};

/// Maximum nesting of messages, such as a list of permitted values within an expected value.
const DEPTH: usize = 4;

/// Returns the message with this text; `None` if the text isn't a known message.
pub(super) fn message(words: &str) -> Option<Message> {
    read(words, DEPTH)
}

fn read(words: &str, depth: usize) -> Option<Message> {
    let depth = depth.checked_sub(1)?;
    texts::all().find_map(|text| Some(Message::new(text, given(text, words, depth)?)))
}

/// Returns the arguments of a text that produce these words.
fn given(text: &Text, words: &str, depth: usize) -> Option<Vec<Given>> {
    let mut found = vec![None; text.names.len()];
    let fits = fit(&pieces(text.english, text.names), false, words, depth, &mut found);
    fits.then_some(found)?.into_iter().collect()
}

/// Returns true if the words match the pieces, and stores the arguments in `found`. `open` is true after a backtick: text between backticks
/// is always a name or a value.
fn fit(pieces: &[Piece], open: bool, words: &str, depth: usize, found: &mut [Option<Given>]) -> bool {
    let (place, rest) = match pieces {
        [] => return words.is_empty(),
        [Piece::Words(fixed), rest @ ..] => {
            let open = fixed.ends_with('`');
            return words.strip_prefix(fixed).is_some_and(|words| fit(rest, open, words, depth, found));
        }
        [Piece::Given(place), rest @ ..] => (*place, rest),
    };
    let Some(Piece::Words(next)) = rest.first() else {
        found[place] = one(words, depth);
        return found[place].is_some();
    };
    let is_between = open && next.starts_with('`');
    words.match_indices(next).any(|(end, _)| {
        // The rest is checked first, because that is cheaper than parsing the argument.
        fit(rest, false, &words[end..], depth, found) && {
            let given = &words[..end];
            let is_plain = is_between && !given.is_empty() && !given.contains('`');
            found[place] = if is_plain { Some(given.into()) } else { one(given, depth) };
            found[place].is_some()
        }
    })
}

/// Parses an argument: a name or value as it is, or a nested message.
fn one(words: &str, depth: usize) -> Option<Given> {
    if is_quoted(words, '"') || is_quoted(words, '`') {
        return Some(words.into());
    }
    read(words, depth).map(Given::Said).or_else(|| is_list(words).then(|| words.into()))
}

/// Returns true if the text is enclosed in these quotes and has none inside.
fn is_quoted(words: &str, quote: char) -> bool {
    let inside = words.strip_prefix(quote).and_then(|words| words.strip_suffix(quote));
    inside.is_some_and(|inside| {
        let mut escaped = false;
        inside.chars().all(|c| {
            let ends = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            !ends
        })
    })
}

/// Returns true for a name or value, or a list of them.
fn is_list(words: &str) -> bool {
    words.split(", ").all(|one| !one.is_empty() && !one.contains(' '))
}
