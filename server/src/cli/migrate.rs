//! `leadscribe migrate`.

use super::parts;
use crate::config::Flags;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Migrate {
    #[command(flatten)]
    flags: Flags,
}

impl Migrate {
    /// Opening the database brings it to the schema of this program.
    pub async fn run(self) -> anyhow::Result<()> {
        let app = parts::open(&self.flags).await?;
        app.store.ping().await?;
        eprintln!("{} has the schema of this program", app.config.database_file().display());
        Ok(())
    }
}
