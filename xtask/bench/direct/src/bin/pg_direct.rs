//! Hand-written search on PostgreSQL, without HTTP: total and ids by statements planned for their values, then leads
//! and campaign leads by `= ANY($1)`. Four round trips.

use anyhow::Result;
use direct::response::{Campaign, CampaignLead, Lead, Writer};
use direct::sql::{self, Dialect};
use direct::steps::{self, System};
use direct::workload::{self, Query};
use postgres::{Client, NoTls, Row, Statement};

const LEADS: &str =
    "SELECT id, first_name, last_name, phone, email, country, city, postal_code, language, status, source,
    owner_id, score, extract(epoch FROM created_at)::int8, extract(epoch FROM updated_at)::int8,
    extract(epoch FROM global_updated_at)::int8
    FROM leads WHERE id = ANY($1) ORDER BY id";
const CAMPAIGN_LEADS: &str = "SELECT lead_id, campaign_id, status, calls_count, extract(epoch FROM last_call_at)::int8,
    extract(epoch FROM frozen_until)::int8, priority, extract(epoch FROM updated_at)::int8
    FROM campaign_leads WHERE lead_id = ANY($1) ORDER BY lead_id, campaign_id";

fn main() -> Result<()> {
    let [url, workload] = steps::arguments(["URL", "WORKLOAD"])?;
    steps::serve(&Postgres { url }, &workload::read(&workload)?)
}

struct Postgres {
    url: String,
}

/// Connection with its prepared statements.
struct Connection {
    client: Client,
    campaigns: Vec<Campaign>,
    /// Statements for total and ids, by index of the query.
    queries: Vec<[Statement; 2]>,
    leads: Statement,
    campaign_leads: Statement,
}

impl System for Postgres {
    type Client = Connection;

    fn connect(&self, queries: &[&Query]) -> Result<Connection> {
        let mut client = Client::connect(&self.url, NoTls)?;
        let campaigns = client.query("SELECT name, status = 'active', max_calls FROM campaigns ORDER BY id", &[])?;
        let campaigns = campaigns.iter().map(|row| Campaign {
            name: row.get(0),
            active: row.get(1),
            max_calls: row.get::<_, i32>(2).into(),
        });
        let prepared = queries.iter().map(|query| {
            let made = sql::statements(query, Dialect::Postgres);
            Ok([client.prepare(&made.count.text)?, client.prepare(&made.narrow.text)?])
        });
        let queries = prepared.collect::<Result<_>>()?;
        let (leads, campaign_leads) = (client.prepare(LEADS)?, client.prepare(CAMPAIGN_LEADS)?);
        Ok(Connection { campaigns: campaigns.collect(), queries, leads, campaign_leads, client })
    }

    fn respond(&self, on: &mut Connection, place: usize, _: &Query, out: &mut Vec<u8>) -> Result<()> {
        let [count, ids] = &on.queries[place];
        let total: i64 = on.client.query_one(count, &[])?.get(0);
        let ids: Vec<i64> = on.client.query(ids, &[])?.iter().map(|row| row.get(0)).collect();
        let mut writer = Writer::new(out, &on.campaigns);
        if !ids.is_empty() {
            let leads = on.client.query(&on.leads, &[&ids])?;
            let rows = on.client.query(&on.campaign_leads, &[&ids])?;
            let mut rows = rows.iter().peekable();
            for row in &leads {
                let lead = lead(row);
                writer.open_lead(&lead);
                while let Some(row) = rows.next_if(|row| row.get::<_, i64>(0) == lead.id) {
                    writer.campaign_lead(&campaign_lead(row));
                }
                writer.close_lead();
            }
        }
        writer.finish(total);
        Ok(())
    }
}

fn lead(row: &Row) -> Lead<'_> {
    Lead {
        id: row.get(0),
        texts: std::array::from_fn(|place| row.get(place + 1)),
        owner_id: row.get::<_, i32>(11).into(),
        score: row.get::<_, i32>(12).into(),
        times: [13, 14, 15].map(|place| row.get::<_, i64>(place) as u32),
    }
}

fn campaign_lead(row: &Row) -> CampaignLead<'_> {
    let timestamp = |place| row.get::<_, Option<i64>>(place).map(|seconds| seconds as u32);
    CampaignLead {
        campaign_id: row.get::<_, i32>(1).into(),
        status: row.get(2),
        calls_count: row.get::<_, i32>(3).into(),
        last_call_at: timestamp(4),
        frozen_until: timestamp(5),
        priority: row.get::<_, i32>(6).into(),
        updated_at: row.get::<_, i64>(7) as u32,
    }
}
