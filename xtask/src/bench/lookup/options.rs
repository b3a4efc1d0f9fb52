//! Options of the comparison.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use crate::bench::systems::{PEERS, ProductVariant};

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
pub enum LeadIndexSwitch {
    /// Enabled, the default.
    On,
    /// Disabled: searches use SQL.
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
    /// Number of measurements; the median is reported.
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,
    /// Peers to compare with: all, none, or names. Peers that can't be installed here are skipped.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    peers: Vec<String>,
    /// Databases to measure the product with.
    #[arg(long, value_delimiter = ',', default_values_t = [Database::Sqlite, Database::Postgres], value_enum)]
    database: Vec<Database>,
    /// Lead index settings to measure: on, off, or both.
    #[arg(long, value_delimiter = ',', default_values_t = [LeadIndexSwitch::On, LeadIndexSwitch::Off], value_enum)]
    lead_index: Vec<LeadIndexSwitch>,
    /// Measure this program instead of building the workspace's.
    #[arg(long)]
    pub program: Option<PathBuf>,
    /// Reuse the data set and the SQLite files of the last run with this number of leads, if they exist.
    #[arg(long)]
    pub reuse: bool,
}

impl Options {
    /// Rejects invalid options.
    pub fn validate(&self) -> Result<()> {
        let peer_names: Vec<_> = PEERS.iter().map(|(name, _)| *name).collect();
        for name in &self.peers {
            let is_known = ["all", "none"].contains(&name.as_str()) || peer_names.contains(&name.as_str());
            ensure!(is_known, "expected all, none or {}, found {name:?}", peer_names.join(", "));
        }
        ensure!(!self.clients.contains(&0) && !self.clients.is_empty(), "expected 1 client or more");
        // The workload uses campaigns, names and days that a small data set lacks.
        ensure!(self.leads >= 1_000, "expected 1,000 leads or more, found {}", self.leads);
        ensure!(self.rounds > 0, "expected 1 round or more");
        Ok(())
    }

    pub fn is_shape_selected(&self, name: &str) -> bool {
        self.shape.as_ref().is_none_or(|part| name.contains(part.as_str()))
    }

    pub fn is_peer_selected(&self, name: &str) -> bool {
        self.peers.iter().any(|selected| selected == "all" || selected == name)
    }

    pub fn has_selected_peers(&self) -> bool {
        PEERS.iter().any(|(name, _)| self.is_peer_selected(name))
    }

    pub fn is_variant_selected(&self, variant: &ProductVariant) -> bool {
        let database = if variant.postgres { Database::Postgres } else { Database::Sqlite };
        let switch = if variant.lead_index { LeadIndexSwitch::On } else { LeadIndexSwitch::Off };
        self.database.contains(&database) && self.lead_index.contains(&switch)
    }
}
