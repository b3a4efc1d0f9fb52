//! Variables of the environment that look like options and are none.

use std::ffi::OsString;
use std::fmt;

use leadscribe_engine::suggest;

use super::rows;

/// What the names of all variables begin with.
const PREFIX: &str = "LEADSCRIBE_";

/// The one that is no row of the tables: it names the file.
const FILE: &str = "CONFIG";

/// Those that programs read which call the API, as the panel writes them: they may be set where commands are run.
const OF_CLIENTS: [&str; 2] = ["API_KEY", "SPEECH_TOKEN"];

/// A variable that looks like an option and is none: perhaps misspelled, so that the option it was meant for has its default. Its
/// value is no concern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    /// Its name.
    pub name: String,
    /// The option that was meant, if one is near.
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in the environment is no option, and is ignored", self.name)?;
        self.nearest.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean {near}?"))
    }
}

/// Those among some variables, by name. One that is set to nothing counts as not set.
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
    // By what comes behind the prefix: with it, any name would be near to any other.
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
    fn what_is_no_option_is_told_with_the_nearest() {
        let ignored = |name: &str| format!("{name} in the environment is no option, and is ignored");
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
    fn options_and_what_is_of_others_are_not_told() {
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
