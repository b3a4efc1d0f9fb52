//! Datasette on the SQLite file: a canned query per shape, which returns total and page in one row.

use std::fs;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::http_system::{HttpSystem, START_TIMEOUT, accepts_connections};
use super::response::{ResponseLayout, ReturnedCampaigns};
use super::{Stores, System, packages};
use crate::bench::data::{SOURCES, STATUSES};
use crate::bench::http;
use crate::bench::process::{self, Process};
use crate::bench::workload::{Condition, Query};

const LAYOUT: ResponseLayout = ResponseLayout {
    leads_pointer: "/rows/0/leads",
    total_pointer: "/rows/0/total_leads",
    returned_campaigns: ReturnedCampaigns::All,
};

/// By default, Datasette ends a query after a second.
const TIME_LIMIT_ARGS: [&str; 3] = ["--setting", "sql_time_limit_ms", "60000"];

const VALUE_LIST_SQL: &str = "(SELECT value FROM json_each(:v))";
const RANGE_SQL: &str = "> :lo AND {} < :hi";

/// Returns FROM clause and condition of each shape, with another condition for the page if it is better found in id
/// order. `+` keeps SQLite from using an index and removes the column's type affinity, because Datasette binds strings.
fn shape_sql() -> Vec<(&'static str, String, Option<String>)> {
    let range_condition = |column: &str| format!("{column} {}", RANGE_SQL.replace("{}", column));
    let unindexed_range = |column: &str| format!("+{column} > CAST(:lo AS INT) AND +{column} < CAST(:hi AS INT)");
    let from_leads = |condition: &str| format!("leads l WHERE {condition}");
    let from_campaign_leads = |condition: &str| format!("campaign_leads c WHERE {condition}");
    let from_join = |condition: &str| {
        format!("campaign_leads c JOIN leads l ON l.id = c.lead_id WHERE c.campaign_id = :c AND {condition}")
    };
    let from_covering_index =
        |column: &str| Some(format!("leads l INDEXED BY leads_cover WHERE {}", unindexed_range(column)));
    let (updated_column, global_column) = ("l.updated_at", "l.global_updated_at");
    vec![
        ("01_ids100", from_leads(&format!("l.id IN {VALUE_LIST_SQL}")), None),
        ("02_names3", from_leads(&format!("l.first_name IN {VALUE_LIST_SQL}")), None),
        ("03_campaign", from_campaign_leads("c.campaign_id = :c"), None),
        ("04_campaign_status", from_campaign_leads("c.campaign_id = :c AND c.status = :s"), None),
        ("05_updated_1d", from_leads(&range_condition(updated_column)), None),
        ("06_updated_1y", from_leads(&range_condition(updated_column)), from_covering_index(updated_column)),
        ("07_camp_upd_7d", from_campaign_leads(&range_condition("c.updated_at")), None),
        ("08_global_1d", from_leads(&range_condition(global_column)), None),
        ("09_global_1y", from_leads(&range_condition(global_column)), from_covering_index(global_column)),
        ("10_camp_global", from_join(&range_condition(global_column)), None),
        ("11_deep", from_leads(&range_condition(updated_column)), from_covering_index(updated_column)),
        ("12_no_match", from_join(&format!("l.first_name IN {VALUE_LIST_SQL}")), None),
        ("13_city", from_leads("l.city = :city"), None),
        ("14_zip", from_leads("l.postal_code = :zip"), None),
        ("15_email_contains", from_leads("l.email LIKE '%' || :part || '%'"), None),
        ("16_custom_source", from_leads("l.source = :source"), None),
        ("17_or", from_leads(&format!("(l.city = :city OR l.first_name IN {VALUE_LIST_SQL})")), None),
    ]
}

fn shape_statement(shape: &str, count_from: &str, page_from: &str) -> String {
    let (id, distinct) = if count_from.starts_with("campaign_leads c WHERE") {
        // A lead is in a campaign at most once.
        ("c.lead_id", if shape == "07_camp_upd_7d" { "DISTINCT " } else { "" })
    } else {
        ("l.id", "")
    };
    let format_time = |column: &str| format!("datetime({column}, 'unixepoch')");
    let lead_members: Vec<_> = ["id", "first_name", "last_name", "phone", "email", "country", "city", "postal_code"]
        .iter()
        .chain(&["language", "status", "source", "owner_id", "score"])
        .map(|column| format!("'{column}', l.{column}"))
        .chain(
            ["created_at", "updated_at", "global_updated_at"]
                .map(|c| format!("'{c}', {}", format_time(&format!("l.{c}")))),
        )
        .collect();
    format!(
        "SELECT (SELECT json_group_array(json_object({}, 'campaigns',
           (SELECT json_group_array(json_object('campaign_id', c.campaign_id, 'campaign_name', k.name,
              'status', c.status, 'calls_count', c.calls_count, 'last_call_at', {}, 'frozen_until', {},
              'priority', c.priority, 'updated_at', {}, 'not_callable_reasons', json((SELECT json_group_array(w) FROM (
                SELECT 'campaign_inactive' w WHERE k.status <> 'active'
                UNION ALL SELECT 'frozen' WHERE c.frozen_until > 1767225600
                UNION ALL SELECT 'max_calls' WHERE c.calls_count >= k.max_calls
                UNION ALL SELECT 'final_status' WHERE c.status IN ('converted', 'refused', 'invalid', 'dnc')
                UNION ALL SELECT 'lead_blocked' WHERE l.status = 'blocked')))))
            FROM campaign_leads c JOIN campaigns k ON k.id = c.campaign_id WHERE c.lead_id = l.id)))
          FROM (SELECT {distinct}{id} AS id FROM {page_from} ORDER BY {id} LIMIT :n OFFSET :o) p
          CROSS JOIN leads l ON l.id = p.id) AS leads,
         (SELECT count({distinct}{id}) FROM {count_from}) AS total_leads",
        lead_members.join(", "),
        format_time("c.last_call_at"),
        format_time("c.frozen_until"),
        format_time("c.updated_at"),
    )
}

/// Installs and starts Datasette.
pub fn start(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let programs = packages::install_python(stores.project(), "datasette")?;
    let [plain_database, _] = stores.sqlite_files()?;
    let queries: Map<String, Value> = shape_sql()
        .into_iter()
        .map(|(shape, count_from, page_from)| {
            let sql = shape_statement(shape, &count_from, page_from.as_ref().unwrap_or(&count_from));
            (shape.to_owned(), json!({ "sql": sql }))
        })
        .collect();
    let metadata = stores.dir().join("datasette.json");
    fs::write(&metadata, json!({ "databases": { "plain": { "queries": queries } } }).to_string())?;

    let address = process::free_address()?;
    let mut command = process::command(programs.join("datasette"));
    command
        .args(["serve", &plain_database, "--port", &address.port().to_string(), "--metadata"])
        .arg(metadata)
        .args(TIME_LIMIT_ARGS);
    let mut process = Process::start(&mut command, &stores.log_file("datasette"))?;
    process.wait_until(START_TIMEOUT, || accepts_connections(address))?;
    let request = Box::new(|query: &Query| http::request("GET", &query_path(query), "", ""));
    Ok(vec![Box::new(HttpSystem::new("datasette", Some(process), address, Some(LAYOUT), request))])
}

/// Returns the path of a canned query with its parameters.
fn query_path(query: &Query) -> String {
    let (count, offset) = query.page();
    let mut parameters = vec![("n", count.to_string()), ("o", offset.to_string())];
    query.conditions.iter().for_each(|condition| add_parameters(&mut parameters, condition));
    // Values consist of digits and letters, or are JSON lists of these.
    let escape = |value: &str| value.replace('"', "%22").replace('[', "%5B").replace(']', "%5D").replace(',', "%2C");
    let parameters: Vec<_> = parameters.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect();
    format!("/plain/{}.json?{}&_shape=objects&_json=leads&_ttl=0", query.shape, parameters.join("&"))
}

fn add_parameters(parameters: &mut Vec<(&'static str, String)>, condition: &Condition) {
    match condition {
        Condition::Ids(ids) => parameters.push(("v", json!(ids).to_string())),
        Condition::FirstNames(names) => parameters.push(("v", json!(names).to_string())),
        Condition::Updated(range) | Condition::GlobalUpdated(range) | Condition::CampaignUpdated(range) => {
            parameters.push(("lo", (range.start() - 1).to_string()));
            parameters.push(("hi", (u64::from(*range.end()) + 1).to_string()));
        }
        Condition::City(number) => parameters.push(("city", format!("City{number}"))),
        Condition::Zip(zip) => parameters.push(("zip", format!("{zip:05}"))),
        Condition::EmailContains(part) => parameters.push(("part", part.clone())),
        Condition::Source(index) => parameters.push(("source", SOURCES[usize::from(*index)].into())),
        Condition::Campaign(id) => parameters.push(("c", id.to_string())),
        Condition::Status(index) => parameters.push(("s", STATUSES[usize::from(*index)].into())),
        Condition::Any(branches) => branches.iter().for_each(|branch| add_parameters(parameters, branch)),
    }
}
