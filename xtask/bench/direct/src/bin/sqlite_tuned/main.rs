//! Hand-written search on SQLite, without HTTP: the lower bound for anything on SQLite. Each client has its own
//! connection.
//!
//! It uses summary tables for totals, removes duplicates itself, and stores a lead's latest time on its campaign leads.
//! It counts first: the page is read in id order if that visits fewer rows than sorting all matches.

mod tuned;

use anyhow::Result;
use direct::response::{Campaign, CampaignLead, Lead, Writer};
use direct::sql::{self, Statement};
use direct::steps::{self, System};
use direct::workload::{self, Query};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

const LEAD: &str =
    "SELECT id, first_name, last_name, phone, email, country, city, postal_code, language, status, source,
    owner_id, score, created_at, updated_at, global_updated_at FROM leads WHERE id = ?1";
const CAMPAIGN_LEADS: &str = "SELECT campaign_id, status, calls_count, last_call_at, frozen_until, priority, updated_at
    FROM campaign_leads WHERE lead_id = ?1 ORDER BY campaign_id";

fn main() -> Result<()> {
    let [path, workload] = steps::arguments(["DATABASE", "WORKLOAD"])?;
    // SAFETY: SQLite isn't in use yet. Its memory statistics are behind a lock that all threads would share.
    unsafe { rusqlite::ffi::sqlite3_config(rusqlite::ffi::SQLITE_CONFIG_MEMSTATUS, 0_i32) };
    steps::serve(&Sqlite { path }, &workload::read(&workload)?)
}

struct Sqlite {
    path: String,
}

/// Connection, with data that is read once.
struct Database {
    connection: Connection,
    campaigns: Vec<Campaign>,
    /// Number of leads.
    leads: usize,
}

/// Result of a query: the total number of matches, and the ids of the page.
type QueryResult = (i64, Vec<i64>);

impl System for Sqlite {
    type Client = Database;

    fn connect(&self) -> Result<Database> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection
            .execute_batch("PRAGMA mmap_size = 8000000000; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;")?;
        // The bundled SQLite has STAT4: without this option it would prepare a statement again for each new value, and
        // be 2.5 times slower.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(256);
        let campaigns = connection
            .prepare("SELECT name, status = 'active', max_calls FROM campaigns ORDER BY id")?
            .query_map([], |row| Ok(Campaign { name: row.get(0)?, active: row.get(1)?, max_calls: row.get(2)? }))?
            .collect::<rusqlite::Result<_>>()?;
        let leads = connection.query_row("SELECT count(*) FROM leads", [], |row| row.get(0))?;
        Ok(Database { connection, campaigns, leads })
    }

    fn respond(&self, database: &mut Database, query: &Query, out: &mut Vec<u8>) -> Result<()> {
        // One snapshot, and one read lock instead of one per statement.
        let snapshot = database.connection.unchecked_transaction()?;
        let (total, ids) = match tuned::find(database, query)? {
            Some(found) => found,
            None => find(database, query)?,
        };
        write(database, total, &ids, out)?;
        Ok(snapshot.commit()?)
    }
}

fn find(database: &Database, query: &Query) -> Result<QueryResult> {
    let statements = sql::statements(query);
    let run =
        |statement: &Statement| ids(&database.connection, &statement.text, params_from_iter(bound_values(statement)));
    let total = run(&statements.count)?[0];
    let matches = total as usize;
    if matches <= query.offset {
        return Ok((total, Vec::new()));
    }
    let statement = match &statements.wide {
        Some(wide) if is_id_scan_cheaper(database, query, matches) => wide,
        _ => &statements.narrow,
    };
    Ok((total, run(statement)?))
}

/// True if filling the page in id order visits fewer rows than the number of matches to sort.
fn is_id_scan_cheaper(database: &Database, query: &Query, matches: usize) -> bool {
    let wanted = (query.count + query.offset).min(matches);
    wanted as f64 * database.leads as f64 / (matches as f64) < matches as f64 * 2.0
}

fn bound_values(statement: &Statement) -> impl Iterator<Item = Value> {
    statement.values.iter().map(|value| match value {
        serde_json::Value::String(text) => Value::Text(text.clone()),
        number => Value::Integer(workload::integer(number)),
    })
}

/// Returns the first column of all rows.
fn ids(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        ids.push(row.get(0)?);
    }
    Ok(ids)
}

fn write(database: &Database, total: i64, ids: &[i64], out: &mut Vec<u8>) -> Result<()> {
    let mut lead = database.connection.prepare_cached(LEAD)?;
    let mut campaign_leads = database.connection.prepare_cached(CAMPAIGN_LEADS)?;
    let mut writer = Writer::new(out, &database.campaigns);
    for id in ids {
        let mut rows = lead.query([id])?;
        let row = rows.next()?.expect("a matching lead exists");
        let mut texts = [""; 10];
        for (index, text) in texts.iter_mut().enumerate() {
            *text = row.get_ref(index + 1)?.as_str()?;
        }
        let times = [row.get(13)?, row.get(14)?, row.get(15)?];
        writer.open_lead(&Lead { id: *id, texts, owner_id: row.get(11)?, score: row.get(12)?, times });
        let mut rows = campaign_leads.query([id])?;
        while let Some(row) = rows.next()? {
            writer.campaign_lead(&CampaignLead {
                campaign_id: row.get(0)?,
                status: row.get_ref(1)?.as_str()?,
                calls_count: row.get(2)?,
                last_call_at: row.get(3)?,
                frozen_until: row.get(4)?,
                priority: row.get(5)?,
                updated_at: row.get(6)?,
            });
        }
        writer.close_lead();
    }
    writer.finish(total);
    Ok(())
}
