//! Loads the peers' tables into an SQLite file: `plain` with indexes for the shapes, `tuned` with summary tables in
//! addition.

use std::fs;
use std::time::Instant;

use anyhow::Result;
use direct::steps;
use direct::tables::{self, Leads};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

fn main() -> Result<()> {
    let [dir, plain, tuned] = steps::arguments(["DIR", "PLAIN", "TUNED"])?;
    let started = Instant::now();
    load(&dir, &plain)?;
    let loaded = started.elapsed();
    fs::copy(&plain, &tuned)?;
    let connection = open(&tuned)?;
    connection.execute_batch(include_str!("../../sql/sqlite_tuned.sql"))?;
    close(connection)?;
    println!(
        "SQLite {}: loaded in {:.1} s, {} MB; tuned in {:.1} s, {} MB",
        rusqlite::version(),
        loaded.as_secs_f64(),
        fs::metadata(&plain)?.len() / 1_000_000,
        (started.elapsed() - loaded).as_secs_f64(),
        fs::metadata(&tuned)?.len() / 1_000_000
    );
    Ok(())
}

/// Opens the file without durability, because the load can be repeated.
fn open(path: &str) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
         PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

/// Leaves a single file without a log.
fn close(connection: Connection) -> Result<()> {
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    connection.close().map_err(|(_, error)| error.into())
}

fn load(dir: &str, path: &str) -> Result<()> {
    let connection = open(path)?;
    connection.execute_batch(include_str!("../../sql/sqlite_schema.sql"))?;
    connection.execute_batch("BEGIN")?;
    for table in ["campaigns", "campaign_leads"] {
        let columns = tables::columns(dir, table)?;
        let mut insert = connection.prepare(&insert_sql(table, columns.len()))?;
        for line in tables::rows(dir, table)? {
            insert.execute(params_from_iter(cells(&columns, &line?)?))?;
        }
    }
    let columns = tables::columns(dir, "leads")?;
    let mut insert_lead = connection.prepare(&insert_sql("leads", columns.len() + 1))?;
    for lead in Leads::open(dir)? {
        let (line, global) = lead?;
        let mut values = cells(&columns, &line)?;
        values.push(Value::Integer(global.into()));
        insert_lead.execute(params_from_iter(values))?;
    }
    drop(insert_lead);
    connection.execute_batch("COMMIT")?;
    connection.execute_batch(include_str!("../../sql/sqlite_index.sql"))?;
    close(connection)
}

fn insert_sql(table: &str, columns: usize) -> String {
    format!("INSERT INTO {table} VALUES ({})", vec!["?"; columns].join(","))
}

fn cells(columns: &[String], line: &str) -> Result<Vec<Value>> {
    columns.iter().zip(line.split(',')).map(|(column, cell)| value(column, cell)).collect()
}

fn value(column: &str, cell: &str) -> Result<Value> {
    Ok(match column {
        _ if cell.is_empty() => Value::Null,
        "frozen_until" => Value::Integer(tables::timestamp(cell)?.into()),
        _ if column.ends_with("_at") => Value::Integer(tables::timestamp(cell)?.into()),
        "id" | "score" | "calls_count" | "priority" | "max_calls" => Value::Integer(cell.parse()?),
        _ if column.ends_with("_id") => Value::Integer(cell.parse()?),
        _ => Value::Text(cell.into()),
    })
}
