//! From the English words of a message back to the message, so that it can be said in another language.

use super::{Given, Message, Piece, Text, pieces, texts};

/// How deep messages stand within each other: a list of what is permitted, within what was expected.
const DEPTH: usize = 4;

/// The message that has these words; none if it isn't one of ours.
pub(super) fn message(words: &str) -> Option<Message> {
    read(words, DEPTH)
}

fn read(words: &str, depth: usize) -> Option<Message> {
    let depth = depth.checked_sub(1)?;
    texts::all().find_map(|text| Some(Message::new(text, given(text, words, depth)?)))
}

/// What stands in a text that has these words.
fn given(text: &Text, words: &str, depth: usize) -> Option<Vec<Given>> {
    let mut found = vec![None; text.names.len()];
    let fits = fit(&pieces(text.english, text.names), false, words, depth, &mut found);
    fits.then_some(found)?.into_iter().collect()
}

/// Whether the words are those of the pieces; what is given is put in its place. What stands between the backticks of a text, of
/// which the first is `open` here, is a name or a value, whatever its words are.
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
        // What follows costs less to look at than what stands here.
        fit(rest, false, &words[end..], depth, found) && {
            let given = &words[..end];
            let is_plain = is_between && !given.is_empty() && !given.contains('`');
            found[place] = if is_plain { Some(given.into()) } else { one(given, depth) };
            found[place].is_some()
        }
    })
}

/// What is given by these words: names and values as they are, and words that are a message themselves.
fn one(words: &str, depth: usize) -> Option<Given> {
    if is_quoted(words, '"') || is_quoted(words, '`') {
        return Some(words.into());
    }
    read(words, depth).map(Given::Said).or_else(|| is_list(words).then(|| words.into()))
}

/// Whether it stands between two of these, and none of them within.
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

/// Whether it is a name or a value, or several, as lists in messages have them.
fn is_list(words: &str) -> bool {
    words.split(", ").all(|one| !one.is_empty() && !one.contains(' '))
}
