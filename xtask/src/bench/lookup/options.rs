//! Options of the comparison.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use crate::bench::systems::{Ours, PEERS};

/// Database of the product.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Database {
    /// Embedded, the default.
    Sqlite,
    /// A server that is started for the run.
    Postgres,
}

/// Setting of the lead index.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Enabled, the default.
    On,
    /// Disabled: SQL answers.
    Off,
}

/// Arguments of `cargo xtask bench lookup`.
#[derive(Args)]
pub struct Options {
    /// Number of leads; the number of campaign leads is twice that.
    #[arg(long, default_value_t = 1_000_000)]
    pub leads: u64,
    /// Run only the shapes whose names contain this, such as 07 or campaign.
    #[arg(long)]
    shape: Option<String>,
    /// Seconds of load for each system and shape.
    #[arg(long, default_value_t = 2.0)]
    pub seconds: f64,
    /// Numbers of concurrent clients.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16])]
    pub clients: Vec<usize>,
    /// Number of measurements; the median counts.
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,
    /// Peers to compare with: all, none, or names. Peers that can't be installed here are skipped.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    peers: Vec<String>,
    /// Databases to measure the product with.
    #[arg(long, value_delimiter = ',', default_values_t = [Database::Sqlite, Database::Postgres], value_enum)]
    database: Vec<Database>,
    /// Lead index settings to measure: on, off, or both.
    #[arg(long, value_delimiter = ',', default_values_t = [Switch::On, Switch::Off], value_enum)]
    lead_index: Vec<Switch>,
    /// Measure this program instead of building the workspace's.
    #[arg(long)]
    pub program: Option<PathBuf>,
    /// Reuse the data set and the SQLite files of the last run with this number of leads, if they exist.
    #[arg(long)]
    pub reuse: bool,
}

impl Options {
    /// Rejects invalid options.
    pub fn check(&self) -> Result<()> {
        let all: Vec<_> = PEERS.iter().map(|(name, _)| *name).collect();
        for name in &self.peers {
            let known = ["all", "none"].contains(&name.as_str()) || all.contains(&name.as_str());
            ensure!(known, "expected all, none or {}, found {name:?}", all.join(", "));
        }
        ensure!(!self.clients.contains(&0) && !self.clients.is_empty(), "expected 1 client or more");
        // The workload uses campaigns, names and days that a small data set lacks.
        ensure!(self.leads >= 1_000, "expected 1,000 leads or more, found {}", self.leads);
        ensure!(self.rounds > 0, "expected 1 round or more");
        Ok(())
    }

    /// True if a shape is selected.
    pub fn wants_shape(&self, name: &str) -> bool {
        self.shape.as_ref().is_none_or(|part| name.contains(part.as_str()))
    }

    /// True if a peer is selected.
    pub fn wants_peer(&self, name: &str) -> bool {
        self.peers.iter().any(|wanted| wanted == "all" || wanted == name)
    }

    /// True if any peer is selected.
    pub fn has_peers(&self) -> bool {
        PEERS.iter().any(|(name, _)| self.wants_peer(name))
    }

    /// True if a variant of the product is selected.
    pub fn wants(&self, ours: &Ours) -> bool {
        let database = if ours.postgres { Database::Postgres } else { Database::Sqlite };
        let switch = if ours.lead_index { Switch::On } else { Switch::Off };
        self.database.contains(&database) && self.lead_index.contains(&switch)
    }
}
