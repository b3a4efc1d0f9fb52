//! Writes the options of one concern once, as a table, and makes of it what clap and the program need.

/// Defines one concern: a struct of values for the program, and a struct of optional values for the command line and
/// the environment. A row is a name, a type and what stands for a value in the help, its environment variable, its default,
/// and its help text.
macro_rules! options {
    (
        $(#[$meta:meta])* $name:ident, $flags:ident, section $section:literal, heading $heading:literal {
            $( #[doc = $help:literal] $(#[arg($($arg:tt)*)])* $field:ident: $kind:ty as $placeholder:literal, $env:literal, default $default:literal; )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $( #[doc = $help] #[doc = concat!("\n\nDefault: `", $default, "`.")] pub $field: $kind, )+
        }

        #[doc = concat!("What flags and environment say about [`", stringify!($name), "`].")]
        #[derive(Clone, Debug, Default, clap::Args, serde::Serialize)]
        #[command(next_help_heading = $heading)]
        pub struct $flags {
            $(
                #[doc = $help]
                #[arg(
                    long,
                    env = $env,
                    value_name = $placeholder,
                    hide_env_values = true,
                    help = concat!($help, " [default: ", $default, "]")
                    $(, $($arg)*)*
                )]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$kind>,
            )+
        }

        impl $name {
            /// Its rows: key of the file and form of its values there, environment variable, default, and what it does.
            pub const ROWS: &'static [crate::config::Row] = &[
                $( crate::config::Row {
                    section: $section,
                    key: stringify!($field),
                    form: <$kind as crate::config::form::Formed>::FORM,
                    env: $env,
                    default: concat!($default),
                    help: $help,
                }, )+
            ];
        }
    };
}
pub(crate) use options;
