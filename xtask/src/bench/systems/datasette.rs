//! Datasette on the SQLite file: a canned query per shape, which returns total and page in one row.

use std::fs;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::given::{Layout, Shown};
use super::over_http::{OverHttp, START_LIMIT, listens};
use super::{Stores, System, packages};
use crate::bench::data::{SOURCES, STATUSES};
use crate::bench::http;
use crate::bench::process::{self, Process};
use crate::bench::workload::{Condition, Query};

const LAYOUT: Layout = Layout { leads: "/rows/0/leads", total: "/rows/0/total_leads", shown: Shown::All };

/// By default, Datasette ends a query after a second.
const TIME_LIMIT: [&str; 3] = ["--setting", "sql_time_limit_ms", "60000"];

const ANY: &str = "(SELECT value FROM json_each(:v))";
const RANGE: &str = "> :lo AND {} < :hi";

/// Returns FROM clause and condition of each shape, with another condition for the page if it is better found in id
/// order. `+` keeps SQLite from using an index and removes the column's type affinity, because Datasette binds strings.
fn shapes() -> Vec<(&'static str, String, Option<String>)> {
    let range = |column: &str| format!("{column} {}", RANGE.replace("{}", column));
    let wide = |column: &str| format!("+{column} > CAST(:lo AS INT) AND +{column} < CAST(:hi AS INT)");
    let leads = |condition: &str| format!("leads l WHERE {condition}");
    let rows = |condition: &str| format!("campaign_leads c WHERE {condition}");
    let joined = |condition: &str| {
        format!("campaign_leads c JOIN leads l ON l.id = c.lead_id WHERE c.campaign_id = :c AND {condition}")
    };
    let covered = |column: &str| Some(format!("leads l INDEXED BY leads_cover WHERE {}", wide(column)));
    let (updated, global) = ("l.updated_at", "l.global_updated_at");
    vec![
        ("01_ids100", leads(&format!("l.id IN {ANY}")), None),
        ("02_names3", leads(&format!("l.first_name IN {ANY}")), None),
        ("03_campaign", rows("c.campaign_id = :c"), None),
        ("04_campaign_status", rows("c.campaign_id = :c AND c.status = :s"), None),
        ("05_updated_1d", leads(&range(updated)), None),
        ("06_updated_1y", leads(&range(updated)), covered(updated)),
        ("07_camp_upd_7d", rows(&range("c.updated_at")), None),
        ("08_global_1d", leads(&range(global)), None),
        ("09_global_1y", leads(&range(global)), covered(global)),
        ("10_camp_global", joined(&range(global)), None),
        ("11_deep", leads(&range(updated)), covered(updated)),
        ("12_no_match", joined(&format!("l.first_name IN {ANY}")), None),
        ("13_city", leads("l.city = :city"), None),
        ("14_zip", leads("l.postal_code = :zip"), None),
        ("15_email_contains", leads("l.email LIKE '%' || :part || '%'"), None),
        ("16_custom_source", leads("l.source = :source"), None),
        ("17_or", leads(&format!("(l.city = :city OR l.first_name IN {ANY})")), None),
    ]
}

/// Returns the statement of a shape.
fn statement(shape: &str, counted: &str, paged: &str) -> String {
    let (id, distinct) = if counted.starts_with("campaign_leads c WHERE") {
        // A lead is in a campaign at most once.
        ("c.lead_id", if shape == "07_camp_upd_7d" { "DISTINCT " } else { "" })
    } else {
        ("l.id", "")
    };
    let moment = |column: &str| format!("datetime({column}, 'unixepoch')");
    let lead_members: Vec<_> = ["id", "first_name", "last_name", "phone", "email", "country", "city", "postal_code"]
        .iter()
        .chain(&["language", "status", "source", "owner_id", "score"])
        .map(|column| format!("'{column}', l.{column}"))
        .chain(
            ["created_at", "updated_at", "global_updated_at"].map(|c| format!("'{c}', {}", moment(&format!("l.{c}")))),
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
          FROM (SELECT {distinct}{id} AS id FROM {paged} ORDER BY {id} LIMIT :n OFFSET :o) p
          CROSS JOIN leads l ON l.id = p.id) AS leads,
         (SELECT count({distinct}{id}) FROM {counted}) AS total_leads",
        lead_members.join(", "),
        moment("c.last_call_at"),
        moment("c.frozen_until"),
        moment("c.updated_at"),
    )
}

/// Installs and starts Datasette.
pub fn start(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let programs = packages::python(stores.project(), "datasette")?;
    let [plain, _] = stores.sqlite()?;
    let queries: Map<String, Value> = shapes()
        .into_iter()
        .map(|(shape, counted, paged)| {
            let sql = statement(shape, &counted, paged.as_ref().unwrap_or(&counted));
            (shape.to_owned(), json!({ "sql": sql }))
        })
        .collect();
    let metadata = stores.dir().join("datasette.json");
    fs::write(&metadata, json!({ "databases": { "plain": { "queries": queries } } }).to_string())?;

    let address = process::free_address()?;
    let mut command = process::command(programs.join("datasette"));
    command.args(["serve", &plain, "--port", &address.port().to_string(), "--metadata"]).arg(metadata).args(TIME_LIMIT);
    let mut process = Process::start(&mut command, &stores.log("datasette"))?;
    process.wait_until(START_LIMIT, || listens(address))?;
    let request = Box::new(|query: &Query| http::request("GET", &path(query), "", ""));
    Ok(vec![Box::new(OverHttp::new("datasette", Some(process), address, Some(LAYOUT), request))])
}

/// Returns the path of a canned query with its parameters.
fn path(query: &Query) -> String {
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
        Condition::Source(place) => parameters.push(("source", SOURCES[usize::from(*place)].into())),
        Condition::Campaign(id) => parameters.push(("c", id.to_string())),
        Condition::Status(place) => parameters.push(("s", STATUSES[usize::from(*place)].into())),
        Condition::Any(branches) => branches.iter().for_each(|branch| add_parameters(parameters, branch)),
    }
}
