//! The commands, one per file. Here and in `main.rs` alone concrete adapters are named.

mod api_key;
mod documents;
mod import;
mod migrate;
mod model;
pub mod parts;
mod serve;
mod token;
mod transcribe;
mod user;

use std::time::Duration;

use clap::{Parser, Subcommand};

/// How long a command that has ended waits for work on threads that nobody waits for any more, such as the decoding of
/// a recording whose transcription was given back. A write of the store takes less.
const LAST_WORK: Duration = Duration::from_secs(5);

/// Keeps calls, recordings, leads and campaigns; says which leads can be called now, and sends recordings to speech
/// recognition.
///
/// Every option is also an environment variable, and a key of a TOML file; a flag wins over the environment, and the
/// environment over the file.
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
    /// Keep staff
    #[command(subcommand)]
    User(user::User),
    /// Keep API keys
    #[command(subcommand)]
    ApiKey(api_key::ApiKey),
    /// Keep speech recognition tokens
    #[command(subcommand)]
    Token(token::Token),
    /// Bring the database to the schema of this program, or move it to PostgreSQL
    Migrate(Box<migrate::Migrate>),
    /// Keep the models of the embedded recogniser
    #[command(subcommand)]
    Model(Box<model::Model>),
    /// Print what the recogniser makes of recordings, without storing anything
    #[command(hide = true)]
    Transcribe(Box<transcribe::Transcribe>),
    /// Print the OpenAPI document
    Openapi,
    /// Print the reference of the filter fields
    #[command(hide = true)]
    FilterReference,
    /// Print the reference of the options
    #[command(hide = true)]
    ConfigReference,
}

/// Carries out a command.
///
/// # Errors
/// Why it could not be carried out.
pub fn run(cli: Cli) -> anyhow::Result<std::process::ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        match cli.command {
            Command::Serve(serve) => serve.run().await?,
            Command::Import(import) => return import.run().await,
            Command::User(user) => user.run().await?,
            Command::ApiKey(api_key) => api_key.run().await?,
            Command::Token(token) => token.run().await?,
            Command::Migrate(migrate) => migrate.run().await?,
            Command::Model(model) => model.run().await?,
            Command::Transcribe(transcribe) => transcribe.run().await?,
            Command::Openapi => documents::openapi()?,
            Command::FilterReference => documents::filter_reference()?,
            Command::ConfigReference => documents::config_reference()?,
        }
        Ok(std::process::ExitCode::SUCCESS)
    });
    runtime.shutdown_timeout(LAST_WORK);
    done
}
