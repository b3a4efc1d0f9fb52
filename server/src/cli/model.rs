//! `leadscribe model`.

use std::path::Path;

use anyhow::Context;
use serde_json::json;

use super::progress_bar;
use crate::config::{Config, Flags, ServerFlags, SpeechFlags};
use crate::speech::model::{self, CATALOG, FetchOutcome, FileState, Languages, Origin};

/// Command-line arguments.
#[derive(Debug, clap::Subcommand)]
pub enum Model {
    /// List the models of the embedded recognizer and whether they are installed
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        flags: Box<Flags>,
        #[command(flatten)]
        speech: Box<SpeechFlags>,
    },
    /// Download a model and verify its checksum
    Get {
        /// Name of the model, as in the list
        name: String,
        #[command(flatten)]
        flags: Box<Flags>,
        #[command(flatten)]
        speech: Box<SpeechFlags>,
    },
}

impl Model {
    /// Lists or downloads models. Doesn't open the database.
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List { json, flags, speech } => {
                let config = load_config(*flags, *speech)?;
                if json { list_json(&config) } else { list(&config) }
            }
            Self::Get { name, flags, speech } => download(&load_config(*flags, *speech)?, &name).await,
        }
    }
}

fn load_config(flags: Flags, speech: SpeechFlags) -> anyhow::Result<Config> {
    Config::load(&Flags { server: ServerFlags { speech, ..flags.server }, ..flags })
}

fn list(config: &Config) -> anyhow::Result<()> {
    let folder = config.models_dir();
    println!("{:10} {:10} {:>8} {:>9}  {:36} for", "model", "languages", "size", "memory", "installed");
    for model in CATALOG {
        let contents = verify(model, &folder)?;
        println!(
            "{:10} {:10} {:>8} {:>9}  {:36} {}",
            model.name,
            language_text(model),
            format!("{} MB", model.bytes / 1_000_000),
            format!("{} MB", model.memory_mb),
            status_text(contents),
            model.purpose
        );
    }
    println!("\nfolder:  {}\nsource:  {}\nlicense: {}", folder.display(), config.speech.model_source, model::LICENSE);
    Ok(())
}

fn list_json(config: &Config) -> anyhow::Result<()> {
    let folder = config.models_dir();
    let models = CATALOG.iter().map(|model| {
        Ok(json!({
            "name": model.name,
            "file": folder.join(model.file),
            "bytes": model.bytes,
            "languages": language_text(model),
            "memory_mb": model.memory_mb,
            "purpose": model.purpose,
            "license": model::LICENSE,
            "is_present": matches!(verify(model, &folder)?, FileState::Valid(_)),
        }))
    });
    println!("{}", serde_json::to_string_pretty(&models.collect::<anyhow::Result<Vec<_>>>()?)?);
    Ok(())
}

fn verify(model: &model::Model, folder: &Path) -> anyhow::Result<FileState> {
    model::verify(model, folder).with_context(|| format!("can't read {}", folder.join(model.file).display()))
}

/// Returns the number of languages, or the only one.
fn language_text(model: &model::Model) -> &'static str {
    match model.languages {
        Languages::Multilingual => "99",
        Languages::English => "English",
    }
}

/// Returns the text for the table.
fn status_text(state: FileState) -> &'static str {
    match state {
        FileState::Missing => "no",
        FileState::Valid(Origin::Published) => "yes",
        FileState::Valid(Origin::Rebuilt) => "yes, rebuilt (not the publisher's)",
        FileState::Damaged => "damaged",
    }
}

async fn download(config: &Config, name: &str) -> anyhow::Result<()> {
    let model = model::find_by_name(name)?;
    let folder = config.models_dir();
    let bar = progress_bar(model.bytes, "{bytes} of {total_bytes}");
    let result = model::fetch(model, &config.speech.model_source, &folder, |bytes| bar.set_position(bytes)).await;
    bar.finish_and_clear();
    let path = folder.join(model.file);
    match result? {
        FetchOutcome::AlreadyPresent(origin) => eprintln!("{} is already installed: {}", name, describe(&path, origin)),
        FetchOutcome::Fetched(origin) => eprintln!("downloaded {}: {}", name, describe(&path, origin)),
    }
    Ok(())
}

fn describe(path: &Path, origin: Origin) -> String {
    match origin {
        Origin::Published => path.display().to_string(),
        Origin::Rebuilt => format!("{} (rebuilt from other weights; not the publisher's file)", path.display()),
    }
}
