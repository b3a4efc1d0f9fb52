//! Commands, one per file. Only these modules name concrete adapters.

mod api_key;
mod backup;
pub mod bootstrap;
mod doctor;
mod documents;
mod import;
mod migrate;
mod model;
mod moved_marker;
mod restore;
mod serve;
mod token;
mod transcribe;
mod user;

use std::time::Duration;

use clap::builder::{PossibleValuesParser, Resettable, TypedValueParser};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

/// Maximum time that a command waits at its end for blocking threads whose results are no longer needed, such as one that decodes the
/// recording of a released transcription. Writes to the store take less time.
const BLOCKING_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Manages leads, campaigns, calls and recordings, shows which leads can be called now, and sends recordings to speech recognition.
///
/// Options of the server can also be set by environment variables and in a TOML file. Flags take precedence over the environment, and the
/// environment over the file. Options of a single command are flags only. An empty variable counts as not set.
#[derive(Debug, Parser)]
#[command(name = "leadscribe", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the panel
    Serve(Box<serve::Serve>),
    /// Import a CSV file
    Import(Box<import::Import>),
    /// Manage staff
    #[command(subcommand)]
    User(user::User),
    /// Manage API keys
    #[command(subcommand)]
    ApiKey(api_key::ApiKey),
    /// Manage speech tokens
    #[command(subcommand)]
    Token(token::Token),
    /// Upgrade the database to this version's schema, or move it to PostgreSQL
    Migrate(Box<migrate::Migrate>),
    /// Back up the embedded database, recordings and options into one file, even while the server is running
    Backup(Box<backup::Backup>),
    /// Restore a backup into a new data folder, or verify it
    Restore(Box<restore::Restore>),
    /// Check the installation without changing it, and explain how to fix problems
    Doctor(Box<doctor::Doctor>),
    /// Manage the models of the embedded recognizer
    #[command(subcommand)]
    Model(Box<model::Model>),
    /// Transcribe recordings and print the result without storing it
    #[command(hide = true)]
    Transcribe(Box<transcribe::Transcribe>),
    /// Print the OpenAPI document
    Openapi,
    /// Print the reference of the filter fields
    #[command(hide = true)]
    FilterReference,
    /// Print the reference of the CSV columns
    #[command(hide = true)]
    ColumnReference,
    /// Print the reference of the options
    #[command(hide = true)]
    ConfigReference,
    /// Print the reference of the problem codes
    #[command(hide = true)]
    ProblemReference,
}

impl Cli {
    /// Parses the command line. Errors and help end the process.
    pub fn parse_args() -> Self {
        let matches = without_empty_variables(Self::command()).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// Makes the command ignore empty environment variables, which container files and systemd units often set.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        let is_empty = arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
        if is_empty { arg.env(Resettable::Reset) } else { arg }
    });
    command.mut_subcommands(without_empty_variables)
}

/// Parses a name from a closed list, which the help then shows.
fn name_parser<T: Clone + Send + Sync + 'static>(
    names: impl Iterator<Item = &'static str>,
    from_name: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).map(move |name| from_name(&name).expect("the parser only accepts these names"))
}

/// Template part for a progress bar that counts bytes and shows a message.
const BYTES_AND_MESSAGE: &str = "{bytes} of {total_bytes}  {msg}";

/// Creates a progress bar on standard error, where all messages go.
fn progress_bar(length: u64, amounts: &str) -> ProgressBar {
    let bar = ProgressBar::new(length).with_style(bar_style(amounts));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Returns the style of a progress bar; `amounts` is the part of its template after the percentage.
fn bar_style(amounts: &str) -> ProgressStyle {
    let template = format!("{{bar:40}} {{percent:>3}} %  {amounts}  {{eta}} left");
    ProgressStyle::with_template(&template).expect("the template is well formed")
}

/// Runs a command.
///
/// # Errors
/// The command failed.
pub fn run(cli: Cli) -> anyhow::Result<std::process::ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut shutdown_timeout = BLOCKING_SHUTDOWN_TIMEOUT;
    let result = runtime.block_on(async {
        match cli.command {
            // Don't wait for work that is still blocked at the deadline, for example on an unresponsive database.
            Command::Serve(serve) => shutdown_timeout = shutdown_timeout.min(serve.run().await?),
            Command::Import(import) => return import.run().await,
            Command::User(user) => user.run().await?,
            Command::ApiKey(api_key) => api_key.run().await?,
            Command::Token(token) => token.run().await?,
            Command::Migrate(migrate) => migrate.run().await?,
            Command::Backup(backup) => backup.run().await?,
            Command::Restore(restore) => restore.run().await?,
            Command::Doctor(doctor) => return doctor.run().await,
            Command::Model(model) => model.run().await?,
            Command::Transcribe(transcribe) => transcribe.run().await?,
            Command::Openapi => documents::openapi()?,
            Command::FilterReference => documents::filter_reference()?,
            Command::ColumnReference => documents::column_reference()?,
            Command::ConfigReference => documents::config_reference()?,
            Command::ProblemReference => documents::problem_reference()?,
        }
        Ok(std::process::ExitCode::SUCCESS)
    });
    runtime.shutdown_timeout(shutdown_timeout);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Permitted placeholders for values in the help: one word, the same for the same kind of value in all commands.
    const PLACEHOLDERS: &str = "ADDRESS BOOL BYTES COUNT COUNTRY DAYS DIR EMAIL FILE FILTER FORMAT HOURS ID KIND LANGUAGES \
        MINUTES MODE MODEL NAME NETWORKS ORIGINS PATTERNS RECOGNIZER REGION ROLE SCOPE SECONDS SECRET SIDE SOURCE STYLE SWITCH \
        TIME URL ZONE";

    fn visit(command: &clap::Command, visitor: &mut impl FnMut(&clap::Command)) {
        visitor(command);
        command.get_subcommands().for_each(|command| visit(command, visitor));
    }

    #[test]
    fn commands_are_valid_and_placeholders_consistent() {
        Cli::command().debug_assert();
        visit(&Cli::command(), &mut |command| {
            for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let value_names =
                    arg.get_value_names().map(|names| names.iter().map(|name| name.as_str()).collect::<Vec<_>>());
                let [name] = value_names.as_deref().unwrap_or_default() else { panic!("{arg:?}") };
                let (id, has_suffix) = (arg.get_id().as_str(), |suffix: &str| arg.get_id().as_str().ends_with(suffix));
                assert!(
                    PLACEHOLDERS.split(' ').any(|placeholder| placeholder == *name),
                    "{}: {id}: {name}",
                    command.get_name()
                );
                let expected = ["url", "seconds", "days", "bytes"].into_iter().find(|suffix| has_suffix(suffix));
                assert!(expected.is_none_or(|suffix| *name == suffix.to_uppercase()), "{id}: {name}");
                assert!(!has_suffix("_dir") || *name == "DIR", "{id}: {name}");
            }
        });
    }

    #[test]
    fn help_lists_possible_values() {
        let mut cli = Cli::command();
        let import = cli.find_subcommand_mut("import").expect("a command").render_long_help().to_string();
        assert!(import.contains("[possible values: campaigns, leads, campaign-leads, calls]"), "{import}");
        assert!(import.contains("<KIND> <FILE>"), "{import}");
    }
}
