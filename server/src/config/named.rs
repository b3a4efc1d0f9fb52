//! Names of options in messages: flag, environment variable and key, because the user may have set any of them.

use clap::{Args, Command};

use super::{Flags, Row, ServerFlags, rows};

/// Returns all names of the option with this key: `--recordings-url (LEADSCRIBE_RECORDINGS_URL, recordings.url)`.
pub fn named(path: &str) -> String {
    let is_meant = |row: &&Row| path.split_once('.') == Some((row.section, row.key));
    let Some(Row { env, .. }) = rows().find(is_meant) else { return path.to_owned() };
    match flag_of(env) {
        Some(flag) => format!("{flag} ({env}, {path})"),
        None => format!("{env} ({path})"),
    }
}

/// Returns the flag of the option with this environment variable: `--recordings-url`.
pub fn flag_of(env: &str) -> Option<String> {
    let flags = ServerFlags::augment_args(Flags::augment_args(Command::new("leadscribe")));
    let flag = flags.get_arguments().find(|flag| flag.get_env() == Some(env.as_ref()))?.get_long()?;
    Some(format!("--{flag}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_three_names() {
        for Row { section, key, env, .. } in rows() {
            let path = format!("{section}.{key}");
            let name = named(&path);
            assert!(name.starts_with("--") && name.ends_with(&format!(" ({env}, {path})")), "{name}");
        }
        assert_eq!(named("recordings.url"), "--recordings-url (LEADSCRIBE_RECORDINGS_URL, recordings.url)");
        assert_eq!(named("log.filter"), "--log (LEADSCRIBE_LOG, log.filter)");
    }
}
