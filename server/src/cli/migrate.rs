//! `leadscribe migrate`.

use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::ProgressBar;

use super::{bar_style, bootstrap, moved_marker};
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Flags};
use crate::storage::copy::{self, CopiedTable};
use crate::storage::postgres;
use crate::telemetry;

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Migrate {
    /// Copy everything from the database in the data folder to the empty PostgreSQL database of --database-url, and compare every row; stop
    /// the server first
    #[arg(long = "move")]
    is_move: bool,
    #[command(flatten)]
    flags: Flags,
}

impl Migrate {
    /// Upgrades the database to this version's schema, or moves it to PostgreSQL.
    pub async fn run(self) -> anyhow::Result<()> {
        if self.is_move {
            return move_to_postgres(&self.flags).await;
        }
        let app = bootstrap::open(&self.flags).await?;
        app.store.ping().await?;
        match app.config.storage.database_url.reveal() {
            None => eprintln!("{} has the current schema", app.config.database_file().display()),
            Some(_) => eprintln!("the PostgreSQL database has the current schema"),
        }
        Ok(())
    }
}

async fn move_to_postgres(flags: &Flags) -> anyhow::Result<()> {
    let config = Config::load(flags)?;
    telemetry::init(&config.log)?;
    let Some(url) = config.storage.database_url.reveal() else {
        bail!("--move requires --database-url, the PostgreSQL database to move to");
    };
    moved_marker::ensure_not_moved(&config)?;
    let database = postgres::location(url)?;
    let file = config.database_file();
    let bar = progress_bar();
    let shared_bar = bar.clone();
    let copied = copy::copy(&file, url, move |progress| {
        if shared_bar.length() != Some(progress.total) {
            // Until now the length was unknown, so the elapsed time must not count for the estimate.
            shared_bar.set_length(progress.total);
            shared_bar.set_style(bar_style("{msg}"));
            shared_bar.reset_eta();
        }
        shared_bar.set_position(progress.done);
        shared_bar.set_message(progress.step.clone());
    });
    let copied = copied.await;
    bar.finish_and_clear();
    let copied = copied.context("the move was not completed")?;
    print_summary(&config, &copied);
    match moved_marker::write_marker(&config, &database, SystemClock.now()) {
        Ok(marker) => eprintln!("{} prevents commands from using the old database by mistake", marker.display()),
        // The move itself is complete.
        Err(error) => eprintln!("can't mark the old database as moved; move it aside yourself: {error}"),
    }
    Ok(())
}

/// Prints the result and the next steps.
fn print_summary(config: &Config, copied: &[CopiedTable]) {
    let non_empty_tables: Vec<_> = copied.iter().filter(|table| table.rows > 0).collect();
    for CopiedTable { table, rows } in &non_empty_tables {
        eprintln!("{rows:>12} {table}");
    }
    let rows: u64 = non_empty_tables.iter().map(|table| table.rows).sum();
    eprintln!("moved {rows} rows; all of them are identical in both databases");
    let folder = config.storage.data_dir.display();
    eprintln!(
        "next: run `leadscribe serve --data-dir {folder}` with the same --database-url or LEADSCRIBE_DATABASE_URL in \
         every process; recordings stay where they are"
    );
    eprintln!("{} is unchanged and doesn't receive new data", config.database_file().display());
}

/// Starts as a spinner, because the amount of data is known only after both databases were examined.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message("examining both databases");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
