//! Names of options in messages: flag, environment variable and key, because the user may have set any of them.

use clap::{Args, Command};

use super::{Flags, OptionSpec, ServerFlags, all_options};

/// Returns all names of the option with this key: `--recordings-url (LEADSCRIBE_RECORDINGS_URL, recordings.url)`.
pub fn option_names(path: &str) -> String {
    let is_match = |row: &&OptionSpec| path.split_once('.') == Some((row.section, row.key));
    let Some(OptionSpec { env, .. }) = all_options().find(is_match) else { return path.to_owned() };
    match flag_name(env) {
        Some(flag) => format!("{flag} ({env}, {path})"),
        None => format!("{env} ({path})"),
    }
}

/// Returns the flag of the option with this environment variable: `--recordings-url`.
pub fn flag_name(env: &str) -> Option<String> {
    let flags = ServerFlags::augment_args(Flags::augment_args(Command::new("leadscribe")));
    let flag = flags.get_arguments().find(|flag| flag.get_env() == Some(env.as_ref()))?.get_long()?;
    Some(format!("--{flag}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_three_names() {
        for OptionSpec { section, key, env, .. } in all_options() {
            let path = format!("{section}.{key}");
            let name = option_names(&path);
            assert!(name.starts_with("--") && name.ends_with(&format!(" ({env}, {path})")), "{name}");
        }
        assert_eq!(option_names("recordings.url"), "--recordings-url (LEADSCRIBE_RECORDINGS_URL, recordings.url)");
        assert_eq!(option_names("log.filter"), "--log (LEADSCRIBE_LOG, log.filter)");
    }
}
