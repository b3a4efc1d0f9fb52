//! The product, on either database, with and without its lead index.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::http_system::{HttpSystem, search_request};
use super::response::ResponseLayout;
use super::stores::remove_database;
use super::{Stores, System};
use crate::bench::data::{CAMPAIGN_COUNT, Data};
use crate::bench::server::Installation;
use crate::bench::workload::Dialect;

pub struct ProductVariant {
    /// Name in the table.
    pub name: &'static str,
    /// True for PostgreSQL, false for SQLite.
    pub postgres: bool,
    /// True if the lead index is enabled, the default.
    pub lead_index: bool,
}

impl ProductVariant {
    /// All variants; the first is the embedded default.
    pub const ALL: [Self; 4] = [
        Self { name: "ours", postgres: false, lead_index: true },
        Self { name: "ours_sql", postgres: false, lead_index: false },
        Self { name: "ours_pg", postgres: true, lead_index: true },
        Self { name: "ours_pg_sql", postgres: true, lead_index: false },
    ];

    /// Starts the variant on the imported data, and prints how long that took.
    pub fn start(&self, stores: &mut Stores, program: &Path) -> Result<Box<dyn System>> {
        let mut installation = installation(stores, program, self.postgres)?;
        installation.lead_index = self.lead_index;
        let server = installation.serve(&stores.log_file(self.name))?;
        let resident = server.process.resident_bytes().unwrap_or(0) / 1_000_000;
        println!("{:34} ready in {:.1} s, {resident} MB", self.name, server.startup_time.as_secs_f64());
        let request = search_request(Dialect::Leadscribe, server.headers);
        let layout = Some(ResponseLayout::LEADSCRIBE);
        Ok(Box::new(HttpSystem::new(self.name, Some(server.process), server.address, layout, request)))
    }
}

fn installation(stores: &mut Stores, program: &Path, postgres: bool) -> Result<Installation> {
    let database_url = if postgres { Some(stores.database_url("leadscribe")?.0) } else { None };
    let data_dir = stores.dir().join(if postgres { "data-postgres" } else { "data" });
    fs::create_dir_all(&data_dir)?;
    Ok(Installation { program: program.to_owned(), data_dir, database_url, lead_index: true })
}

/// Imports the files in `csv` into an empty database, and prints the rate. Does nothing if the SQLite file of an
/// earlier run is reused.
pub fn measure_import(stores: &mut Stores, program: &Path, csv: &Path, data: &Data, postgres: bool) -> Result<()> {
    let installation = installation(stores, program, postgres)?;
    let file = installation.data_dir.join("leadscribe.db");
    let import_marker = installation.data_dir.join("imported");
    if !postgres {
        if stores.reuse() && import_marker.exists() {
            return Ok(());
        }
        remove_database(&file)?;
        remove_database(&import_marker)?;
    }
    let database = if postgres { "PostgreSQL" } else { "SQLite" };
    println!("\n{:34} {:>10} {:>12} {:>10}", format!("import into {database}"), "rows", "rows/s", "peak MB");
    let (mut total_rows, mut total_seconds) = (0, 0.0);
    for (kind, rows) in [
        ("campaigns", CAMPAIGN_COUNT as usize),
        ("leads", data.leads.len()),
        ("campaign-leads", data.campaign_leads.len()),
    ] {
        let import = installation.import(kind, &csv.join(format!("{kind}.csv")))?;
        let seconds = import.elapsed.as_secs_f64();
        total_rows += rows;
        total_seconds += seconds;
        println!("{kind:34} {rows:>10} {:>12.0} {:>10}", rows as f64 / seconds, import.peak_bytes / 1_000_000);
    }
    println!("{:34} {total_rows:>10} {:>12.0} {:>9.1}s", "all", total_rows as f64 / total_seconds, total_seconds);
    if !postgres {
        fs::write(&import_marker, "")?;
    }
    Ok(())
}
