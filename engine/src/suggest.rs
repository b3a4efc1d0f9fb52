//! Finds the permitted name that is most similar to an unknown one.

use crate::host;

/// Returns the maximum distance of a useful suggestion: a third of the letters, but at least two.
fn reach(name: &str) -> usize {
    (name.chars().count() / 3).max(2)
}

/// Returns the permitted name with the smallest Damerau-Levenshtein distance to `given`, if it is similar enough.
///
/// Case and surrounding blanks are ignored. Of equally similar names, the first one is returned.
pub fn nearest<'a>(given: &str, permitted: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = host::lower(given.trim());
    // A name with a very different length can't be similar. Without this filter, the cost would be quadratic in the input length.
    let length = given.chars().count();
    permitted
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(length) <= reach(&given))
        .map(|name| (strsim::damerau_levenshtein(&given, &host::lower(name)), name))
        // At a distance of the whole length, no letter matches.
        .filter(|(distance, name)| *distance <= reach(&given) && *distance < name.chars().count().max(length))
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
