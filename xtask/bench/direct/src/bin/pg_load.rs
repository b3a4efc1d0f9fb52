//! Loads the peers' tables into a PostgreSQL database: `hand` for hand-written programs, or `directus`.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use direct::tables::{self, Leads};
use direct::{steps, time};
use postgres::{Client, NoTls};

fn main() -> Result<()> {
    let [url, dir, variant] = steps::arguments(["URL", "DIR", "VARIANT"])?;
    let extra_sql = match variant.as_str() {
        "hand" => include_str!("../../sql/postgres_by_hand.sql"),
        "directus" => include_str!("../../sql/postgres_directus.sql"),
        _ => bail!("expected hand or directus, found {variant:?}"),
    };
    let mut client = Client::connect(&url, NoTls)?;
    let started = Instant::now();
    client.batch_execute(include_str!("../../sql/postgres_schema.sql"))?;
    for table in ["campaigns", "campaign_leads"] {
        let mut copy = client.copy_in(&format!("COPY {table} FROM STDIN (FORMAT csv)"))?;
        for line in tables::rows(&dir, table)? {
            writeln!(copy, "{}", line?)?;
        }
        copy.finish()?;
    }
    let mut copy = client.copy_in("COPY leads FROM STDIN (FORMAT csv)")?;
    let mut row = Vec::new();
    for lead in Leads::open(&dir)? {
        let (line, global) = lead?;
        row.clear();
        row.extend(line.as_bytes());
        row.push(b',');
        time::put(&mut row, global);
        row.push(b'\n');
        copy.write_all(&row)?;
    }
    copy.finish()?;
    let loaded = started.elapsed();
    client.batch_execute(include_str!("../../sql/postgres_index.sql"))?;
    client.batch_execute(extra_sql)?;
    // A separate statement, because VACUUM can't run in a transaction.
    client.batch_execute("VACUUM (ANALYZE, FREEZE)")?;
    let bytes: i64 = client.query_one("SELECT pg_database_size(current_database())", &[])?.get(0);
    println!(
        "PostgreSQL for {variant}: loaded in {:.1} s, indexed in {:.1} s, {} MB",
        loaded.as_secs_f64(),
        (started.elapsed() - loaded).as_secs_f64(),
        bytes / 1_000_000
    );
    Ok(())
}
