//! Measurements, kept in memory and written to a CSV file as they arrive.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Result;

use crate::bench::load::Sample;
use crate::bench::systems::{ProductVariant, System};

/// System in the table.
pub struct Column {
    /// Name of the system.
    pub name: String,
    pub is_product: bool,
    /// True for peers with an HTTP API that search leads, unlike [`IDLE_SYSTEMS`].
    pub is_http_peer: bool,
}

struct Row {
    system: String,
    shape: &'static str,
    clients: usize,
    sample: Sample,
}

/// All samples.
pub struct Results {
    /// Columns in the order of the table.
    pub columns: Vec<Column>,
    /// Numbers of clients, in the order of measurement.
    pub clients: Vec<usize>,
    rows: Vec<Row>,
    csv: File,
}

/// Systems that return a constant response.
const IDLE_SYSTEMS: [&str; 2] = ["null_165k", "hello"];

impl Results {
    /// Creates the file.
    pub fn create(csv: &Path, systems: &[Box<dyn System>]) -> Result<Self> {
        let column = |system: &dyn System| {
            let name = system.name().to_owned();
            let is_product = ProductVariant::ALL.iter().any(|variant| variant.name == name);
            let is_http_peer = system.is_http() && !is_product && !IDLE_SYSTEMS.contains(&name.as_str());
            Column { name, is_product, is_http_peer }
        };
        let columns = systems.iter().map(|system| column(system.as_ref())).collect();
        let mut csv = File::create(csv)?;
        writeln!(csv, "system,shape,clients,round,p50_ms,p99_ms,per_second,bytes")?;
        Ok(Self { columns, clients: Vec::new(), rows: Vec::new(), csv })
    }

    /// Adds a sample.
    pub fn add(
        &mut self,
        system: &str,
        shape: &'static str,
        clients: usize,
        round: usize,
        sample: Sample,
    ) -> Result<()> {
        let Sample { p50, p99, per_second, bytes } = sample;
        writeln!(self.csv, "{system},{shape},{clients},{round},{p50:.4},{p99:.4},{per_second:.1},{bytes:.0}")?;
        if !self.clients.contains(&clients) {
            self.clients.push(clients);
        }
        self.rows.push(Row { system: system.into(), shape, clients, sample });
        Ok(())
    }

    /// Returns the median over the rounds, if measured.
    pub fn median(&self, system: &str, shape: &str, clients: usize, metric: fn(&Sample) -> f64) -> Option<f64> {
        let is_selected = |row: &&Row| row.system == system && row.shape == shape && row.clients == clients;
        let mut values: Vec<_> = self.rows.iter().filter(is_selected).map(|row| metric(&row.sample)).collect();
        values.sort_unstable_by(f64::total_cmp);
        let middle = values.len() / 2;
        match values.len() {
            0 => None,
            count if count % 2 == 1 => Some(values[middle]),
            _ => Some(f64::midpoint(values[middle - 1], values[middle])),
        }
    }
}
