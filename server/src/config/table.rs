//! Defines the options of one topic in a table, and generates the types for clap and the program.

/// Defines one topic: a struct of values for the program, and a struct of optional values for the command line and the environment. A row
/// has a name, a type with its placeholder in the help, an environment variable, a default, and a help text.
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

        #[doc = concat!("Values of [`", stringify!($name), "`] from flags and environment variables.")]
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
            /// Rows of the topic: key and type in the file, environment variable, default, and description.
            pub const OPTIONS: &'static [crate::config::OptionSpec] = &[
                $( crate::config::OptionSpec {
                    section: $section,
                    key: stringify!($field),
                    option_type: <$kind as crate::config::option_type::HasOptionType>::OPTION_TYPE,
                    env: $env,
                    default: concat!($default),
                    help: $help,
                }, )+
            ];
        }
    };
}
pub(crate) use options;
