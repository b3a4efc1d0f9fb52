//! Changes campaign leads through the product's store. Reads lines of `ID CALLS` from standard input, and prints the
//! duration of each change in microseconds. `sqlite_write` accepts the same lines.

use std::io;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use leadscribe_engine::api::CampaignLeadId;
use leadscribe_engine::record::{CampaignLeadRecord, WriteMode};
use leadscribe_server::clock::{Clock, SystemClock};
use leadscribe_server::storage::sqlite::SqliteStore;
use leadscribe_server::storage::{AuditContext, LeadStore};

#[tokio::main]
async fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("expected the path of a database")?;
    let store = SqliteStore::open(Path::new(&path))?;
    println!("ready");
    for line in io::stdin().lines() {
        let line = line?;
        let (id, calls) = line.split_once(' ').with_context(|| format!("expected ID CALLS, found {line:?}"))?;
        let body = format!("{{\"status\":\"busy\",\"calls_count\":{calls}}}");
        let started = Instant::now();
        let record = CampaignLeadRecord::from_json(&body, WriteMode::Update).ok().context("the change is invalid")?;
        let audit = AuditContext::new("api_key:1", SystemClock.now());
        let updated = store.update_campaign_lead(CampaignLeadId(id.parse()?), record, None, &audit).await?;
        let duration = started.elapsed();
        updated.with_context(|| format!("there is no campaign lead {id}"))?;
        println!("{:.1}", duration.as_secs_f64() * 1_000_000.0);
    }
    Ok(())
}
