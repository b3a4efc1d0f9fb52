//! Systems to compare: the variants of the product, and its peers.

mod datasette;
mod direct;
mod directus;
mod handwritten;
mod http_system;
mod leadscribe;
mod packages;
mod response;
mod stores;

use std::time::Duration;

use anyhow::Result;

use super::load::Sample;
use super::reference::ExpectedResult;
use super::workload::Query;

pub use leadscribe::{ProductVariant, measure_import};
pub use response::ParsedResponse;
pub use stores::{Stores, build_programs, remove_database};

/// Queries of a shape, with their expected results.
pub struct Shape {
    /// Name of the shape.
    pub name: &'static str,
    /// Queries, one per variant.
    pub queries: Vec<Query>,
    /// Expected results by variant.
    pub expected: Vec<ExpectedResult>,
}

/// System that answers queries.
pub trait System {
    /// Returns the name in the table.
    fn name(&self) -> &str;

    /// True if it speaks HTTP, as the product does.
    fn is_http(&self) -> bool;

    /// Returns the results of each query of a shape, or `None` if it always returns the same response.
    fn responses(&mut self, shape: &Shape) -> Result<Option<Vec<ParsedResponse>>>;

    /// Sends requests from `clients` concurrent clients for `duration`.
    fn run(&mut self, shape: &Shape, clients: usize, duration: Duration) -> Result<Sample>;

    /// Returns the current memory of its processes.
    fn resident_bytes(&mut self) -> Option<u64>;
}

/// Starts a system on the data in the stores.
pub type StartSystem = fn(&mut Stores) -> Result<Vec<Box<dyn System>>>;

pub const PEERS: [(&str, StartSystem); 6] = [
    ("fastapi", handwritten::fastapi),
    ("fastify", handwritten::fastify),
    ("directus", directus::start),
    ("datasette", datasette::start),
    ("sqlite_tuned", direct::sqlite_tuned),
    ("http_ceiling", http_system::http_ceiling),
];
