//! Finds the permitted name that is most similar to an unknown one.

use crate::host;

/// Returns the maximum distance of a useful suggestion: a third of the letters, but at least two.
fn max_distance(name: &str) -> usize {
    (name.chars().count() / 3).max(2)
}

/// Returns the permitted name with the smallest Damerau-Levenshtein distance to `input`, if it is similar enough.
///
/// Case and surrounding blanks are ignored. Of equally similar names, the first one is returned.
pub fn nearest<'a>(input: &str, permitted: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let input = host::to_lower(input.trim());
    // A name with a very different length can't be similar. Without this filter, the cost would be quadratic in the input length.
    let input_len = input.chars().count();
    permitted
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(input_len) <= max_distance(&input))
        .map(|name| (strsim::damerau_levenshtein(&input, &host::to_lower(name)), name))
        // At a distance of the whole length, no letter matches.
        .filter(|(distance, name)| *distance <= max_distance(&input) && *distance < name.chars().count().max(input_len))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_most_similar_name() {
        assert_eq!(nearest("frist_name", ["last_name", "first_name"]), Some("first_name"));
        assert_eq!(nearest("ID", ["id", "zip"]), Some("id"));
        assert_eq!(nearest("colour", ["id", "zip"]), None);
        assert_eq!(nearest("nn", ["id", "zip"]), None);
        assert_eq!(nearest("", ["id", "zip"]), None);
    }
}
