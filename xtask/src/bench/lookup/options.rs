//! What of the comparison is run.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use crate::bench::systems::{Ours, PEERS};

/// A database of the product.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Database {
    /// The embedded default.
    Sqlite,
    /// A server that is started for the run.
    Postgres,
}

/// A switch.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// As it is by default.
    On,
    /// SQL answers.
    Off,
}

/// The arguments of `cargo xtask bench lookup`.
#[derive(Args)]
pub struct Options {
    /// How many leads; there are twice as many campaign leads.
    #[arg(long, default_value_t = 1_000_000)]
    pub leads: u64,
    /// Only shapes whose names have this in them, such as 07 or campaign.
    #[arg(long)]
    shape: Option<String>,
    /// How long each system is asked one shape at a time.
    #[arg(long, default_value_t = 2.0)]
    pub seconds: f64,
    /// How many ask at once.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16])]
    pub clients: Vec<usize>,
    /// How often all is measured; the median counts.
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,
    /// What the product is compared with: all, none, or names. Those that can't be installed here are left out.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    peers: Vec<String>,
    /// What the product stores in.
    #[arg(long, value_delimiter = ',', default_values_t = [Database::Sqlite, Database::Postgres], value_enum)]
    database: Vec<Database>,
    /// With the lead index, without it, or both.
    #[arg(long, value_delimiter = ',', default_values_t = [Switch::On, Switch::Off], value_enum)]
    lead_index: Vec<Switch>,
    /// Measure this program, instead of building the one of the workspace.
    #[arg(long)]
    pub program: Option<PathBuf>,
    /// Take the data set and the SQLite files that the last run of as many leads has left, where they are there.
    #[arg(long)]
    pub reuse: bool,
}

impl Options {
    /// Refuses what can't be run.
    pub fn check(&self) -> Result<()> {
        let all: Vec<_> = PEERS.iter().map(|(name, _)| *name).collect();
        for name in &self.peers {
            let known = ["all", "none"].contains(&name.as_str()) || all.contains(&name.as_str());
            ensure!(known, "expected all, none or {}, found {name:?}", all.join(", "));
        }
        ensure!(!self.clients.contains(&0) && !self.clients.is_empty(), "expected 1 client or more");
        // The workload asks for campaigns, names and days that a handful of leads doesn't have.
        ensure!(self.leads >= 1_000, "expected 1,000 leads or more, found {}", self.leads);
        ensure!(self.rounds > 0, "expected 1 round or more");
        Ok(())
    }

    /// Whether a shape is wanted.
    pub fn wants_shape(&self, name: &str) -> bool {
        self.shape.as_ref().is_none_or(|part| name.contains(part.as_str()))
    }

    /// Whether a peer is wanted.
    pub fn wants_peer(&self, name: &str) -> bool {
        self.peers.iter().any(|wanted| wanted == "all" || wanted == name)
    }

    /// Whether any peer is wanted.
    pub fn has_peers(&self) -> bool {
        PEERS.iter().any(|(name, _)| self.wants_peer(name))
    }

    /// Whether a variant of the product is wanted.
    pub fn wants(&self, ours: &Ours) -> bool {
        let database = if ours.postgres { Database::Postgres } else { Database::Sqlite };
        let switch = if ours.lead_index { Switch::On } else { Switch::Off };
        self.database.contains(&database) && self.lead_index.contains(&switch)
    }
}
