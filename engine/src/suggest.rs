//! The nearest permitted name to one that isn't.

use crate::host;

/// Names further away than this are no help: a third of the letters may differ, and at least two.
fn reach(name: &str) -> usize {
    (name.chars().count() / 3).max(2)
}

/// The permitted name nearest to `given` by Damerau-Levenshtein distance, if one is near enough to be meant.
///
/// Case and surrounding blanks don't count. Of equally near names the first wins.
pub fn nearest<'a>(given: &str, permitted: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = host::lower(given.trim());
    // A name whose length differs by more can't be near; comparing with a text of any length would cost its square.
    let length = given.chars().count();
    permitted
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(length) <= reach(&given))
        .map(|name| (strsim::damerau_levenshtein(&given, &host::lower(name)), name))
        // A distance of the whole length says that nothing is alike.
        .filter(|(distance, name)| *distance <= reach(&given) && *distance < name.chars().count().max(length))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        assert_eq!(nearest("frist_name", ["last_name", "first_name"]), Some("first_name"));
        assert_eq!(nearest("ID", ["id", "zip"]), Some("id"));
        assert_eq!(nearest("colour", ["id", "zip"]), None);
        assert_eq!(nearest("nn", ["id", "zip"]), None);
        assert_eq!(nearest("", ["id", "zip"]), None);
    }
}
