//! Finds environment variables that look like options but aren't.

use std::ffi::OsString;
use std::fmt;

use leadscribe_engine::suggest;

use super::all_options;

/// Prefix of all variables.
const PREFIX: &str = "LEADSCRIBE_";

/// The variable for the path of the options file, which isn't in the option tables.
const OPTIONS_FILE_VARIABLE: &str = "CONFIG";

/// Variables of API clients, as documented in the panel. They may be set in the same environment.
const CLIENT_VARIABLES: [&str; 2] = ["API_KEY", "SPEECH_TOKEN"];

/// A variable that looks like an option but isn't: it may be misspelled, so that the intended option keeps its default. The value is
/// ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    /// Name of the variable.
    pub name: String,
    /// The most similar option, if there is one.
    pub suggestion: Option<String>,
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown environment variable {} is ignored", self.name)?;
        self.suggestion.as_ref().map_or(Ok(()), |suggestion| write!(f, "; did you mean {suggestion}?"))
    }
}

/// Returns the unknown variables, ordered by name. Empty variables count as unset.
pub fn unknown_variables(variables: impl Iterator<Item = (OsString, OsString)>) -> Vec<UnknownVariable> {
    let names = variables.filter(|(_, value)| !value.is_empty()).filter_map(|(name, _)| name.into_string().ok());
    let mut unknown: Vec<_> = names.filter_map(find_unknown).collect();
    unknown.sort_by(|left, right| left.name.cmp(&right.name));
    unknown
}

fn find_unknown(name: String) -> Option<UnknownVariable> {
    let (prefix, suffix) = name.split_at_checked(PREFIX.len())?;
    let known = || all_options().filter_map(|row| row.env.strip_prefix(PREFIX)).chain([OPTIONS_FILE_VARIABLE]);
    let is_known = || prefix == PREFIX && known().chain(CLIENT_VARIABLES).any(|known| known == suffix);
    if !prefix.eq_ignore_ascii_case(PREFIX) || is_known() {
        return None;
    }
    // Compares without the prefix; with it, all names would be similar.
    let suggestion = suggest::nearest(suffix, known()).map(|similar| format!("{PREFIX}{similar}"));
    Some(UnknownVariable { name, suggestion })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(variables: &[(&str, &str)]) -> Vec<String> {
        let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        unknown_variables(variables).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn reports_unknown_variables_with_a_suggestion() {
        let ignored = |name: &str| format!("unknown environment variable {name} is ignored");
        assert_eq!(
            messages(&[
                ("LEADSCRIBE_TRANSCRIPTS_DAYS", "30"),
                ("LEADSCRIBE_BOGUS", "hidden"),
                ("leadscribe_listen", "127.0.0.1:1"),
                ("LEADSCRIBE_CONFIGS", "x.toml"),
            ]),
            [
                ignored("LEADSCRIBE_BOGUS"),
                ignored("LEADSCRIBE_CONFIGS") + "; did you mean LEADSCRIBE_CONFIG?",
                ignored("LEADSCRIBE_TRANSCRIPTS_DAYS") + "; did you mean LEADSCRIBE_TRANSCRIPT_DAYS?",
                ignored("leadscribe_listen") + "; did you mean LEADSCRIBE_LISTEN?",
            ]
        );
    }

    #[test]
    fn ignores_options_and_foreign_variables() {
        let all_options: Vec<_> = all_options().map(|row| (row.env, "x")).collect();
        assert_eq!(messages(&all_options), [""; 0]);
        assert_eq!(
            messages(&[
                ("LEADSCRIBE_CONFIG", "x.toml"),
                ("LEADSCRIBE_API_KEY", "x"),
                ("LEADSCRIBE_SPEECH_TOKEN", "x"),
                ("LEADSCRIBE_BOGUS", ""),
                ("LEADSCRIBE", "x"),
                ("LEADS", "x"),
                ("PATH", "x"),
            ]),
            [""; 0]
        );
    }
}
