//! What is measured side by side: the product in its variants, and its peers.

mod datasette;
mod direct;
mod directus;
mod given;
mod hand;
mod ours;
mod over_http;
mod packages;
mod stores;

use std::time::Duration;

use anyhow::Result;

use super::load::Sample;
use super::reference::Answer;
use super::workload::Query;

pub use given::Given;
pub use ours::{Ours, measure_import};
pub use stores::{Stores, build_programs, remove};

/// The queries of a shape, with their right answers.
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// Its variants.
    pub queries: Vec<Query>,
    /// By variant.
    pub answers: Vec<Answer>,
}

/// Something that answers queries.
pub trait System {
    /// Under which it stands in the table.
    fn name(&self) -> &str;

    /// Whether it speaks HTTP, as the product does.
    fn is_http(&self) -> bool;

    /// What it answers to each query of a shape. None if it has the same answer for all.
    fn answers(&mut self, shape: &Shape) -> Result<Option<Vec<Given>>>;

    /// Lets `clients` ask for `length`.
    fn run(&mut self, shape: &Shape, clients: usize, length: Duration) -> Result<Sample>;

    /// Memory that its processes hold now.
    fn resident_bytes(&mut self) -> Option<u64>;
}

/// Starts a system on the data in the stores.
pub type Start = fn(&mut Stores) -> Result<Vec<Box<dyn System>>>;

/// The peers, by name.
pub const PEERS: [(&str, Start); 9] = [
    ("fastapi", hand::fastapi),
    ("fastify", hand::fastify),
    ("directus", directus::start),
    ("datasette", datasette::start),
    ("pg_direct", direct::pg_direct),
    ("sqlite_direct", direct::sqlite_direct),
    ("sqlite_tuned", direct::sqlite_tuned),
    ("mem_limit", direct::mem_limit),
    ("http_ceiling", over_http::ceiling),
];
