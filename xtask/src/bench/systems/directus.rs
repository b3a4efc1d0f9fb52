//! Directus with its own PostgreSQL database. It can't compute why a lead isn't callable, and returns the campaign's
//! name and state instead.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use super::http_system::{HttpSystem, START_TIMEOUT, accepts_connections};
use super::response::{ResponseLayout, ReturnedCampaigns};
use super::{Stores, System, packages};
use crate::bench::data::{SOURCES, STATUSES};
use crate::bench::http::{self, Connection};
use crate::bench::process::{self, Process};
use crate::bench::time::UnixTime;
use crate::bench::workload::{Condition, Query};

const LAYOUT: ResponseLayout = ResponseLayout {
    leads_pointer: "/data",
    total_pointer: "/meta/filter_count",
    returned_campaigns: ReturnedCampaigns::Names,
};

/// Native modules that `npm install` doesn't build.
const NATIVE_MODULES: [&str; 3] = ["isolated-vm", "argon2", "sharp"];

/// Token of a server that only this machine can reach, for the duration of the benchmark.
const TOKEN: &str = "for-the-benchmark-only";

/// Installs, configures and starts Directus.
pub fn start(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let folder = packages::install_node(stores.project(), "directus", &NATIVE_MODULES)?;
    let url = stores.directus_database_url()?;
    let address = process::free_address()?;
    let cli = folder.join("node_modules/directus/cli.js");
    let bootstrap = configured_command(&cli, &folder, &url, address, "bootstrap").output()?;
    ensure!(bootstrap.status.success(), "bootstrap failed: {}", String::from_utf8_lossy(&bootstrap.stderr));
    let mut process =
        Process::start(&mut configured_command(&cli, &folder, &url, address, "start"), &stores.log_file("directus"))?;
    process.wait_until(START_TIMEOUT, || accepts_connections(address))?;
    create_relations(address)?;
    let request =
        Box::new(|query: &Query| http::request("SEARCH", "/items/leads", &authorization(), &body(query).to_string()));
    Ok(vec![Box::new(HttpSystem::new("directus", Some(process), address, Some(LAYOUT), request))])
}

fn configured_command(cli: &Path, folder: &Path, url: &str, address: SocketAddr, subcommand: &str) -> Command {
    let mut command = process::command("node");
    command.arg(cli).arg(subcommand).current_dir(folder);
    command.envs([
        ("DB_CLIENT", "pg"),
        ("DB_CONNECTION_STRING", url),
        ("HOST", "127.0.0.1"),
        ("PORT", &address.port().to_string()),
        ("SECRET", TOKEN),
        ("ADMIN_EMAIL", "admin@example.com"),
        ("ADMIN_PASSWORD", TOKEN),
        ("ADMIN_TOKEN", TOKEN),
        ("CACHE_ENABLED", "false"),
        ("RATE_LIMITER_ENABLED", "false"),
        ("PRESSURE_LIMITER_ENABLED", "false"),
        ("TELEMETRY", "false"),
        ("LOG_LEVEL", "warn"),
        ("NODE_ENV", "production"),
    ]);
    command
}

fn authorization() -> String {
    format!("Authorization: Bearer {TOKEN}\r\n")
}

/// Registers the tables and their relations.
fn create_relations(address: SocketAddr) -> Result<()> {
    let mut connection = Connection::open(address)?;
    let mut send_request = |method: &str, path: &str, body: Value| {
        let request = http::request(method, path, &authorization(), &body.to_string());
        connection.send(&request).with_context(|| format!("{method} {path}"))
    };
    for table in ["campaigns", "leads", "campaign_leads"] {
        send_request("PATCH", &format!("/collections/{table}"), json!({ "meta": {} }))?;
    }
    let field = json!({
        "field": "campaigns", "type": "alias", "schema": null,
        "meta": { "special": ["o2m"], "interface": "list-o2m" }
    });
    send_request("POST", "/fields/leads", field)?;
    for (field, table, meta) in
        [("lead_id", "leads", json!({ "one_field": "campaigns" })), ("campaign_id", "campaigns", json!({}))]
    {
        let relation =
            json!({ "collection": "campaign_leads", "field": field, "related_collection": table, "meta": meta });
        send_request("PATCH", &format!("/relations/campaign_leads/{field}"), relation)?;
    }
    Ok(())
}

fn body(query: &Query) -> Value {
    let (count, offset) = query.page();
    let rules_for = |on_campaign_leads: bool| {
        let conditions =
            query.conditions.iter().filter(move |condition| condition.is_about_campaign_leads() == on_campaign_leads);
        conditions.flat_map(condition_rules).collect::<Vec<_>>()
    };
    let mut filter = rules_for(false);
    let campaign_lead_rules = rules_for(true);
    if !campaign_lead_rules.is_empty() {
        filter.push(json!({ "campaigns": { "_some": { "_and": campaign_lead_rules } } }));
    }
    json!({ "query": {
        "filter": { "_and": filter },
        "fields": ["*", "campaigns.*", "campaigns.campaign_id.name", "campaigns.campaign_id.status"],
        "limit": count,
        "offset": offset,
        "sort": ["id"],
        "meta": "filter_count",
    } })
}

fn condition_rules(condition: &Condition) -> Vec<Value> {
    let rule = |field: &str, operator: &str, value: Value| {
        let operator = Map::from_iter([(operator.to_owned(), value)]);
        Value::from(Map::from_iter([(field.to_owned(), operator.into())]))
    };
    let range = |field: &str, range: &std::ops::RangeInclusive<u32>| {
        let format_time = |seconds: u64| Value::from(UnixTime(seconds).to_string().replace(' ', "T"));
        let mut rules = vec![rule(field, "_gt", format_time(u64::from(range.start() - 1)))];
        if *range.end() < u32::MAX {
            rules.push(rule(field, "_lt", format_time(u64::from(range.end() + 1))));
        }
        rules
    };
    match condition {
        Condition::Ids(ids) => vec![rule("id", "_in", json!(ids))],
        Condition::FirstNames(names) => vec![rule("first_name", "_in", json!(names))],
        Condition::Updated(seconds) => range("updated_at", seconds),
        Condition::GlobalUpdated(seconds) => range("global_updated_at", seconds),
        Condition::City(number) => vec![rule("city", "_eq", format!("City{number}").into())],
        Condition::Zip(zip) => vec![rule("postal_code", "_eq", format!("{zip:05}").into())],
        Condition::EmailContains(part) => vec![rule("email", "_contains", part.clone().into())],
        Condition::Source(index) => vec![rule("source", "_eq", SOURCES[usize::from(*index)].into())],
        Condition::Campaign(id) => vec![rule("campaign_id", "_eq", json!(id))],
        Condition::Status(index) => vec![rule("status", "_eq", STATUSES[usize::from(*index)].into())],
        Condition::CampaignUpdated(seconds) => range("updated_at", seconds),
        Condition::Any(branches) => {
            vec![json!({ "_or": branches.iter().flat_map(condition_rules).collect::<Vec<_>>() })]
        }
    }
}
