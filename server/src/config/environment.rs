//! Finds environment variables that look like options but aren't.

use std::ffi::OsString;
use std::fmt;

use leadscribe_engine::suggest;

use super::rows;

/// Prefix of all variables.
const PREFIX: &str = "LEADSCRIBE_";

/// The variable for the options file. It isn't in the tables.
const FILE: &str = "CONFIG";

/// Variables of API clients, as documented in the panel. They may be set in the same environment.
const OF_CLIENTS: [&str; 2] = ["API_KEY", "SPEECH_TOKEN"];

/// A variable that looks like an option but isn't: it may be misspelled, so that the intended option keeps its default. The value is
/// ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    /// Name of the variable.
    pub name: String,
    /// The most similar option, if there is one.
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown environment variable {} is ignored", self.name)?;
        self.nearest.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
    }
}

/// Returns the unknown variables, ordered by name. Empty variables count as unset.
pub fn unknown_variables(set: impl Iterator<Item = (OsString, OsString)>) -> Vec<UnknownVariable> {
    let given = set.filter(|(_, value)| !value.is_empty()).filter_map(|(name, _)| name.into_string().ok());
    let mut unknown: Vec<_> = given.filter_map(judged).collect();
    unknown.sort_by(|one, other| one.name.cmp(&other.name));
    unknown
}

fn judged(name: String) -> Option<UnknownVariable> {
    let (prefix, rest) = name.split_at_checked(PREFIX.len())?;
    let known = || rows().filter_map(|row| row.env.strip_prefix(PREFIX)).chain([FILE]);
    let is_known = || prefix == PREFIX && known().chain(OF_CLIENTS).any(|known| known == rest);
    if !prefix.eq_ignore_ascii_case(PREFIX) || is_known() {
        return None;
    }
    // Compares without the prefix; with it, all names would be similar.
    let nearest = suggest::nearest(rest, known()).map(|near| format!("{PREFIX}{near}"));
    Some(UnknownVariable { name, nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(set: &[(&str, &str)]) -> Vec<String> {
        let set = set.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        unknown_variables(set).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn reports_unknown_variables_with_a_suggestion() {
        let ignored = |name: &str| format!("unknown environment variable {name} is ignored");
        assert_eq!(
            told(&[
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
        let all: Vec<_> = rows().map(|row| (row.env, "x")).collect();
        assert_eq!(told(&all), [""; 0]);
        assert_eq!(
            told(&[
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
