//! The fields that a change was about, as people call them.

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, find};

use crate::language::language;

/// Their labels, separated by commas; a field without one keeps its name, and a custom field is what its name is.
pub fn changed_fields(names: &[String]) -> String {
    let label = |name: &String| match (find(name), name.strip_prefix(CUSTOM_PREFIX)) {
        (Some(field), _) => field.label(language()).to_owned(),
        (None, Some(custom)) => custom.to_owned(),
        (None, None) => name.replace('_', " "),
    };
    names.iter().map(label).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::changed_fields;

    #[test]
    fn fields_are_called_as_on_the_screen() {
        let names = ["last_name", "custom.source", "max_attempts"].map(str::to_owned);
        assert_eq!(changed_fields(&names), "Last name, source, max attempts");
    }
}
