//! Changes campaign leads with a plain `UPDATE` in the product's schema without its triggers. Reads lines of `ID CALLS`
//! from standard input, and prints the duration of each change in microseconds. As durable as the product: WAL,
//! synchronous=FULL.

use std::io;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use direct::steps;
use rusqlite::{Connection, params};

/// A time later than all in the data, as the time of a change is, in microseconds since 1970.
const LATEST: i64 = 1_800_000_000_000_000;

fn main() -> Result<()> {
    let [path] = steps::arguments(["DATABASE"])?;
    let connection = Connection::open(&path)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    ensure!(mode == "wal", "expected a write-ahead log, found {mode}");
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    drop_triggers(&connection)?;
    let mut update = connection
        .prepare("UPDATE campaign_leads SET status = 'busy', calls_count = ?2, updated_at = ?3 WHERE id = ?1")?;
    println!("ready");
    for line in io::stdin().lines() {
        let line = line?;
        let (id, calls) = line.split_once(' ').with_context(|| format!("expected ID CALLS, found {line:?}"))?;
        let (id, calls): (i64, i64) = (id.parse()?, calls.parse()?);
        let started = Instant::now();
        let changed = update.execute(params![id, calls, LATEST + calls])?;
        let elapsed = started.elapsed();
        ensure!(changed == 1, "there is no campaign lead {id}");
        println!("{:.1}", elapsed.as_secs_f64() * 1_000_000.0);
    }
    Ok(())
}

fn drop_triggers(connection: &Connection) -> Result<()> {
    let mut names = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    names.iter().try_for_each(|name| Ok(connection.execute_batch(&format!("DROP TRIGGER \"{name}\""))?))
}
