//! Builds an index of generated leads and reports the cost of each query shape: `shapes [LEADS [SHAPE]]`. Defaults to a million leads and
//! all shapes; SHAPE selects shapes by a part of their name.
//!
//! The leads are like those of the benchmark's generator: 2.0 campaign leads each, 50 campaigns, and names whose frequency falls with their
//! rank.

use std::collections::BTreeMap;
use std::time::Instant;

use chrono::{DateTime, TimeDelta};
use leadscribe_engine::api::*;
use leadscribe_engine::filter::{CheckedFilter, Limits, parse_and_check};
use leadscribe_lead_index::{Builder, LeadIndex, Members};

const START_SECONDS: i64 = 1_704_067_200;
const SPAN_SECONDS: u64 = 2 * 365 * 86_400;
const STATUSES: [&str; 10] =
    ["new", "queued", "in_progress", "callback", "no_answer", "busy", "converted", "refused", "invalid", "dnc"];
const COUNTRIES: [&str; 20] = [
    "PL", "UA", "DE", "CZ", "RO", "ES", "IT", "FR", "GB", "US", "KZ", "LT", "LV", "EE", "BG", "PT", "TR", "GE", "MD",
    "NL",
];
const SOURCES: [&str; 6] = ["web", "import", "api", "referral", "event", "partner"];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * u128::from(limit)) >> 64) as u64
    }

    /// Random rank below `limit`; small ranks are more frequent.
    fn rank(&mut self, limit: u64) -> u64 {
        let exponent = self.below(1 << 20) as f64 / (1 << 20) as f64;
        ((limit as f64).powf(exponent) - 1.0) as u64
    }
}

fn word(mut number: u64, syllables: usize) -> String {
    const CONSONANTS: [&str; 16] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "sh", "j"];
    let mut word = String::new();
    for _ in 0..syllables {
        word += CONSONANTS[(number % 16) as usize];
        word.push(char::from(b"aeiou"[(number / 16 % 5) as usize]));
        number /= 80;
    }
    word[..1].to_uppercase() + &word[1..]
}

fn timestamp(seconds: u64) -> Timestamp {
    DateTime::from_timestamp(START_SECONDS + seconds as i64, 0).expect("a time of these years")
}

fn lead(id: i64, random: &mut Random) -> (Lead, Vec<CampaignLead>) {
    let (first, last) = (word(random.rank(2_000) * 3 + 7, 3), word(random.rank(20_000) * 311 + 1_000, 3) + "ov");
    let country = random.rank(20);
    let created = random.below(SPAN_SECONDS);
    let updated = created + random.below(SPAN_SECONDS - created);
    let text = |text: String| Some(text);
    let phone = format!("+{:011}", 30_000_000_000 + random.below(10_000_000_000));
    let email = format!("{}.{}{id}@mail{}.example", first.to_lowercase(), last.to_lowercase(), random.below(20));
    let custom = [
        ("language", COUNTRIES[country as usize].to_lowercase()),
        ("status", STATUSES[random.below(6) as usize].to_owned()),
        ("source", SOURCES[random.below(6) as usize].to_owned()),
        ("owner_id", (1 + random.below(200)).to_string()),
        ("score", random.below(101).to_string()),
    ];
    let mut campaign_leads: Vec<CampaignLead> = Vec::new();
    let mut latest_update = updated;
    for index in 0..[0, 1, 1, 1, 2, 2, 2, 3, 3, 5][random.below(10) as usize] {
        let campaign_id = CampaignId(1 + random.rank(50) as i64);
        if campaign_leads.iter().any(|campaign_lead| campaign_lead.campaign_id == campaign_id) {
            continue;
        }
        let changed_at = created + random.below(SPAN_SECONDS - created);
        latest_update = latest_update.max(changed_at);
        let status = STATUSES[random.below(10) as usize];
        let calls = if status == "new" { 0 } else { 1 + random.below(12) as u32 };
        campaign_leads.push(CampaignLead {
            id: CampaignLeadId(id * 5 + index),
            lead_id: LeadId(id),
            campaign_id,
            status: status.to_owned(),
            weight: random.below(10) as i64,
            calls_count: calls,
            calls_today: 0,
            last_call_at: (calls > 0).then(|| timestamp(created + random.below(changed_at - created + 1))),
            last_call_status: None,
            freeze_until: (random.below(100) < 8).then(|| timestamp(changed_at + 3_600)),
            callback_at: None,
            assigned_user_id: None,
            created_at: timestamp(created),
            updated_at: timestamp(changed_at),
        });
    }
    let lead = Lead {
        id: LeadId(id),
        first_name: text(first),
        last_name: text(last),
        phone_normalized: text(phone.clone()),
        phone: text(phone),
        email: text(email),
        city: text(format!("City{}", random.below(40) + 40 * country)),
        zip: text(format!("{:05}", random.below(100_000))),
        country: text(COUNTRIES[country as usize].to_owned()),
        do_not_call: random.below(50) == 0,
        custom_fields: custom.into_iter().map(|(name, text)| (name.to_owned(), CustomValue::Text(text))).collect(),
        created_at: timestamp(created),
        updated_at: timestamp(updated),
        global_updated_at: timestamp(latest_update),
        ..Lead::default()
    };
    (lead, campaign_leads)
}

fn campaign(id: i64) -> Campaign {
    let (created_at, updated_at) = (timestamp(0), timestamp(0));
    Campaign {
        id: CampaignId(id),
        name: format!("Campaign {id}"),
        active: true,
        calling_hours: None,
        max_attempts: None,
        daily_attempts: None,
        freeze_minutes: 0,
        created_at,
        updated_at,
    }
}

fn shapes(leads: u64, random: &mut Random) -> Vec<(&'static str, String)> {
    let mut day_range = |start_day: u64, days: u64| {
        let start_day = timestamp((start_day + random.below(120)) * 86_400);
        let [start_day, end] = [start_day, start_day + TimeDelta::days(days as i64)]
            .map(|time| time.format("%Y-%m-%d %H:%M:%S").to_string());
        format!("\"{start_day};>|{end};<\"")
    };
    let ids: Vec<String> = (0..100).map(|n| (1 + n * leads / 101).to_string()).collect();
    let names: Vec<String> = [9, 90, 500].iter().map(|rank| format!("\"{}\"", word(rank * 3 + 7, 3))).collect();
    let deep_offset = leads / 2;
    vec![
        ("01 ids100", format!(r#"{{"id": [{}]}}"#, ids.join(","))),
        ("02 names3", format!(r#"{{"first_name": [{}]}}"#, names.join(","))),
        ("03 campaign", r#"{"campaign_id": 5}"#.to_owned()),
        ("04 campaign + status", r#"{"campaign_id": 5, "campaign_status": "busy"}"#.to_owned()),
        ("05 updated 1 d", format!(r#"{{"updated_at": {}}}"#, day_range(400, 1))),
        ("06 updated 1 y", format!(r#"{{"updated_at": {}}}"#, day_range(200, 365))),
        ("07 campaign_updated 7 d", format!(r#"{{"campaign_updated_at": {}}}"#, day_range(500, 7))),
        ("08 global 1 d", format!(r#"{{"global_updated_at": {}}}"#, day_range(500, 1))),
        ("09 global 1 y", format!(r#"{{"global_updated_at": {}}}"#, day_range(200, 365))),
        (
            "10 campaign + global",
            format!(r#"{{"campaign_id": 5, "global_updated_at": {}, "limit": "500;1000"}}"#, day_range(500, 90)),
        ),
        ("11 deep", format!(r#"{{"updated_at": "2024-03-01 00:00:00;>", "limit": "200;{deep_offset}"}}"#)),
        ("12 no match", r#"{"first_name": "Nobody", "campaign_id": 5}"#.to_owned()),
        ("email contains, rare", r#"{"email": {"contains": "zuzu"}}"#.to_owned()),
        ("email contains, all", r#"{"email": {"contains": "mail"}}"#.to_owned()),
        ("email contains, 5 %", r#"{"email": {"contains": "@MAIL7."}}"#.to_owned()),
        ("email starts with", r#"{"email": {"starts_with": "da"}}"#.to_owned()),
        ("email equal", format!(r#"{{"email": "nobody{leads}@mail1.example"}}"#)),
        ("last_name contains", r#"{"last_name": {"contains": "ash"}}"#.to_owned()),
        ("city", r#"{"city": "City42"}"#.to_owned()),
        ("zip", r#"{"zip": "01234"}"#.to_owned()),
        ("zip below", r#"{"zip": {"lt": "5"}}"#.to_owned()),
        ("custom.source", r#"{"custom.source": "event"}"#.to_owned()),
        ("_or of two", r#"{"_or": [{"city": "City42"}, {"status": "busy"}]}"#.to_owned()),
        ("status, any campaign", r#"{"status": "busy"}"#.to_owned()),
        ("status not, calls", r#"{"status": {"not": ["busy"]}, "calls_count": {"gte": 3}}"#.to_owned()),
        ("calls_today 0", r#"{"campaign_id": 5, "calls_today": 0}"#.to_owned()),
        ("campaign_updated 1 y", format!(r#"{{"campaign_updated_at": {}}}"#, day_range(200, 365))),
        ("all, first page", r#"{"limit": "200;0"}"#.to_owned()),
        ("all, order last_name", r#"{"limit": "200;0", "_order": ["last_name"]}"#.to_owned()),
        ("all, order -updated_at", r#"{"limit": "200;0", "_order": ["-updated_at"]}"#.to_owned()),
        ("all, order country, email", r#"{"limit": "200;0", "_order": ["country", "email"]}"#.to_owned()),
        ("all, order email, deep", format!(r#"{{"limit": "200;{deep_offset}", "_order": ["email"]}}"#)),
        ("campaign, order -email", r#"{"campaign_id": 5, "_order": ["-email"]}"#.to_owned()),
        ("city, order phone", r#"{"city": "City42", "_order": ["phone"]}"#.to_owned()),
    ]
}

/// Number of leads generated at a time, like the chunks of a program that reads them.
const CHUNK_LEADS: i64 = 4_096;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let leads: i64 = arguments.next().map_or(1_000_000, |leads| leads.parse().expect("expected a number of leads"));
    let name_filter = arguments.next().unwrap_or_default();
    let mut random = Random(42);
    let mut index = build(leads, &mut random);
    let now = timestamp(SPAN_SECONDS);
    for (shape, text) in shapes(leads as u64, &mut random).into_iter().filter(|(shape, _)| shape.contains(&name_filter))
    {
        let filter =
            parse_and_check(&text, &Limits::default()).unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}"));
        measure_query(&index, shape, &filter, now);
    }
    if name_filter.is_empty() {
        measure_changes(&mut index, leads, &mut random, now);
    }
}

fn build(leads: i64, random: &mut Random) -> LeadIndex {
    let mut builder = Builder::new((1..=50).map(campaign), []);
    let mut push_seconds = 0.0;
    for first in (1..=leads).step_by(CHUNK_LEADS as usize) {
        let chunk: Vec<_> = (first..=leads.min(first + CHUNK_LEADS - 1)).map(|id| lead(id, random)).collect();
        let start = thread_cpu_seconds();
        builder.extend(chunk.iter().map(|(lead, campaign_leads)| (lead, &campaign_leads[..])));
        push_seconds += thread_cpu_seconds() - start;
    }
    let (start_seconds, started) = (process_cpu_seconds(), Instant::now());
    let index = builder.finish();
    let (finish_seconds, elapsed_seconds) = (process_cpu_seconds() - start_seconds, started.elapsed().as_secs_f64());
    let micros_per_lead = |seconds: f64| seconds * 1e6 / leads as f64;
    println!(
        "{leads} leads: pushed in {:.2} µs each, finished in {:.2} µs each, of processor time; finished in {elapsed_seconds:.2} s",
        micros_per_lead(push_seconds),
        micros_per_lead(finish_seconds),
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident: Vec<&str> =
        status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS")).collect();
    println!("{} bytes a lead; {}", index.bytes() / leads as usize, resident.join(", "));
    index
        .memory_by_part()
        .iter()
        .for_each(|(part, bytes)| println!("  {part:<22} {:>5} a lead", bytes / leads as usize));
    index
}

fn thread_cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|stat| stat.parse::<f64>().ok()).unwrap_or_default() / 1e9
}

/// CPU seconds of all threads; Linux counts them in hundredths of a second.
fn process_cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default().split(' ');
    after_name.skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn measure_query(index: &LeadIndex, shape: &str, filter: &CheckedFilter, now: Timestamp) {
    let (mut lookup_times, mut json_times) = (Vec::new(), Vec::new());
    let (mut total, mut json_bytes) = (0, 0);
    let started = Instant::now();
    while lookup_times.len() < 5 || (lookup_times.len() < 201 && started.elapsed().as_millis() < 300) {
        let start = Instant::now();
        let page = index.look_up(filter, now);
        lookup_times.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        let mut json = Vec::with_capacity(1 << 18);
        page.leads.iter().for_each(|lead| lead.row.to_packed().write_json(Members::ALL, &mut json));
        json_times.push(start.elapsed().as_nanos() as u64);
        (total, json_bytes) = (page.total, json.len());
    }
    let median = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[times.len() / 2] as f64 / 1_000.0
    };
    println!(
        "{shape:<26} {:>9.1} µs, JSON {:>6.1} µs of {json_bytes:>7} bytes, total {total}",
        median(lookup_times),
        median(json_times)
    );
}

fn measure_changes(index: &mut LeadIndex, leads: i64, random: &mut Random, now: Timestamp) {
    const CHANGE_COUNT: u32 = 20_000;
    let mut seconds_by_change = BTreeMap::new();
    for iteration in 0..CHANGE_COUNT {
        let id = LeadId(1 + random.below(leads as u64) as i64);
        let row = index.lead(id).expect("no lead was deleted");
        let (mut lead, mut campaign_leads) =
            (row.to_lead(), row.campaign_leads().map(|campaign_lead| campaign_lead.to_stored()).collect::<Vec<_>>());
        let changed_at = now + TimeDelta::seconds(iteration.into());
        let change_kind = if iteration % 2 == 0 { "a lead's email" } else { "a campaign lead's status" };
        match campaign_leads.first_mut().filter(|_| iteration % 2 == 1) {
            Some(campaign_lead) => {
                (campaign_lead.status, campaign_lead.updated_at) = ("converted".to_owned(), changed_at)
            }
            None => (lead.email, lead.updated_at) = (Some(format!("changed{iteration}@mail1.example")), changed_at),
        }
        lead.global_updated_at = changed_at;
        let start = Instant::now();
        index.apply(id, Some((&lead, &campaign_leads)));
        *seconds_by_change.entry(change_kind).or_insert(0.0) += start.elapsed().as_secs_f64();
    }
    for (change_kind, seconds) in seconds_by_change {
        println!("changing {change_kind}: {:.1} µs", seconds * 2e6 / f64::from(CHANGE_COUNT));
    }
}
