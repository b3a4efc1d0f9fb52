//! Builds an index of generated leads and reports the cost of each query shape: `shapes [LEADS [SHAPE]]`. Defaults to a million leads and
//! all shapes; SHAPE selects shapes by a part of their name.
//!
//! The leads are like those of the benchmark's generator: 2.0 campaign leads each, 50 campaigns, names by rank.

use std::collections::BTreeMap;
use std::time::Instant;

use chrono::{DateTime, TimeDelta};
use leadscribe_engine::api::*;
use leadscribe_engine::filter::{CheckedFilter, Limits, read};
use leadscribe_lead_index::{Builder, LeadIndex, Members};

const START: i64 = 1_704_067_200;
const SPAN: u64 = 2 * 365 * 86_400;
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
        let share = self.below(1 << 20) as f64 / (1 << 20) as f64;
        ((limit as f64).powf(share) - 1.0) as u64
    }
}

fn word(mut number: u64, syllables: usize) -> String {
    const FIRST: [&str; 16] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "sh", "j"];
    let mut word = String::new();
    for _ in 0..syllables {
        word += FIRST[(number % 16) as usize];
        word.push(char::from(b"aeiou"[(number / 16 % 5) as usize]));
        number /= 80;
    }
    word[..1].to_uppercase() + &word[1..]
}

fn at(seconds: u64) -> Timestamp {
    DateTime::from_timestamp(START + seconds as i64, 0).expect("a moment of these years")
}

fn lead(id: i64, random: &mut Random) -> (Lead, Vec<CampaignLead>) {
    let (first, last) = (word(random.rank(2_000) * 3 + 7, 3), word(random.rank(20_000) * 311 + 1_000, 3) + "ov");
    let country = random.rank(20);
    let created = random.below(SPAN);
    let updated = created + random.below(SPAN - created);
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
    let mut latest = updated;
    for number in 0..[0, 1, 1, 1, 2, 2, 2, 3, 3, 5][random.below(10) as usize] {
        let campaign_id = CampaignId(1 + random.rank(50) as i64);
        if campaign_leads.iter().any(|one| one.campaign_id == campaign_id) {
            continue;
        }
        let changed = created + random.below(SPAN - created);
        latest = latest.max(changed);
        let status = STATUSES[random.below(10) as usize];
        let calls = if status == "new" { 0 } else { 1 + random.below(12) as u32 };
        campaign_leads.push(CampaignLead {
            id: CampaignLeadId(id * 5 + number),
            lead_id: LeadId(id),
            campaign_id,
            status: status.to_owned(),
            weight: random.below(10) as i64,
            calls_count: calls,
            calls_today: 0,
            last_call_at: (calls > 0).then(|| at(created + random.below(changed - created + 1))),
            last_call_status: None,
            freeze_until: (random.below(100) < 8).then(|| at(changed + 3_600)),
            callback_at: None,
            assigned_user_id: None,
            created_at: at(created),
            updated_at: at(changed),
        });
    }
    let lead = Lead {
        id: LeadId(id),
        first_name: text(first),
        last_name: text(last),
        phone_normalized: text(phone.clone()),
        phone: text(phone),
        phone2: None,
        phone_normalized2: None,
        email: text(email),
        address1: None,
        address2: None,
        city: text(format!("City{}", random.below(40) + 40 * country)),
        state: None,
        zip: text(format!("{:05}", random.below(100_000))),
        country: text(COUNTRIES[country as usize].to_owned()),
        timezone: None,
        lat: None,
        lng: None,
        original_identifier: None,
        support_site: None,
        purchase_site: None,
        purchase_date: None,
        purchase_amount: None,
        purchase_product_name: None,
        birthdate: None,
        do_not_call: random.below(50) == 0,
        blacklisted: false,
        import_id: None,
        custom_fields: custom.into_iter().map(|(name, text)| (name.to_owned(), CustomValue::Text(text))).collect(),
        created_at: at(created),
        updated_at: at(updated),
        global_updated_at: at(latest),
    };
    (lead, campaign_leads)
}

fn campaign(id: i64) -> Campaign {
    let (created_at, updated_at) = (at(0), at(0));
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
    let mut day = |from: u64, days: u64| {
        let from = at((from + random.below(120)) * 86_400);
        let [from, till] =
            [from, from + TimeDelta::days(days as i64)].map(|time| time.format("%Y-%m-%d %H:%M:%S").to_string());
        format!("\"{from};>|{till};<\"")
    };
    let ids: Vec<String> = (0..100).map(|n| (1 + n * leads / 101).to_string()).collect();
    let names: Vec<String> = [9, 90, 500].iter().map(|rank| format!("\"{}\"", word(rank * 3 + 7, 3))).collect();
    let deep = leads / 2;
    vec![
        ("01 ids100", format!(r#"{{"id": [{}]}}"#, ids.join(","))),
        ("02 names3", format!(r#"{{"first_name": [{}]}}"#, names.join(","))),
        ("03 campaign", r#"{"campaign_id": 5}"#.to_owned()),
        ("04 campaign + status", r#"{"campaign_id": 5, "campaign_status": "busy"}"#.to_owned()),
        ("05 updated 1 d", format!(r#"{{"updated_at": {}}}"#, day(400, 1))),
        ("06 updated 1 y", format!(r#"{{"updated_at": {}}}"#, day(200, 365))),
        ("07 campaign_updated 7 d", format!(r#"{{"campaign_updated_at": {}}}"#, day(500, 7))),
        ("08 global 1 d", format!(r#"{{"global_updated_at": {}}}"#, day(500, 1))),
        ("09 global 1 y", format!(r#"{{"global_updated_at": {}}}"#, day(200, 365))),
        (
            "10 campaign + global",
            format!(r#"{{"campaign_id": 5, "global_updated_at": {}, "limit": "500;1000"}}"#, day(500, 90)),
        ),
        ("11 deep", format!(r#"{{"updated_at": "2024-03-01 00:00:00;>", "limit": "200;{deep}"}}"#)),
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
        ("campaign_updated 1 y", format!(r#"{{"campaign_updated_at": {}}}"#, day(200, 365))),
        ("all, first page", r#"{"limit": "200;0"}"#.to_owned()),
        ("all, order last_name", r#"{"limit": "200;0", "_order": ["last_name"]}"#.to_owned()),
        ("all, order -updated_at", r#"{"limit": "200;0", "_order": ["-updated_at"]}"#.to_owned()),
        ("all, order country, email", r#"{"limit": "200;0", "_order": ["country", "email"]}"#.to_owned()),
        ("all, order email, deep", format!(r#"{{"limit": "200;{deep}", "_order": ["email"]}}"#)),
        ("campaign, order -email", r#"{"campaign_id": 5, "_order": ["-email"]}"#.to_owned()),
        ("city, order phone", r#"{"city": "City42", "_order": ["phone"]}"#.to_owned()),
    ]
}

/// Number of leads generated at a time, like the chunks of a program that reads them.
const CHUNK: i64 = 4_096;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let leads: i64 = arguments.next().map_or(1_000_000, |leads| leads.parse().expect("expected a number of leads"));
    let named = arguments.next().unwrap_or_default();
    let mut random = Random(42);
    let mut index = build(leads, &mut random);
    let now = at(SPAN);
    for (shape, text) in shapes(leads as u64, &mut random).into_iter().filter(|(shape, _)| shape.contains(&named)) {
        let filter = read(&text, &Limits::default()).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
        ask(&index, shape, &filter, now);
    }
    if named.is_empty() {
        change(&mut index, leads, &mut random, now);
    }
}

fn build(leads: i64, random: &mut Random) -> LeadIndex {
    let mut builder = Builder::new((1..=50).map(campaign), []);
    let mut pushing = 0.0;
    for first in (1..=leads).step_by(CHUNK as usize) {
        let chunk: Vec<_> = (first..=leads.min(first + CHUNK - 1)).map(|id| lead(id, random)).collect();
        let start = processor_seconds();
        builder.extend(chunk.iter().map(|(lead, campaign_leads)| (lead, &campaign_leads[..])));
        pushing += processor_seconds() - start;
    }
    let (start, finishing) = (process_seconds(), Instant::now());
    let index = builder.finish();
    let (finishing, finished) = (process_seconds() - start, finishing.elapsed().as_secs_f64());
    let each = |seconds: f64| seconds * 1e6 / leads as f64;
    println!(
        "{leads} leads: pushed in {:.2} µs each, finished in {:.2} µs each, of processor time; finished in {finished:.2} s",
        each(pushing),
        each(finishing),
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident: Vec<&str> =
        status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS")).collect();
    println!("{} bytes a lead; {}", index.bytes() / leads as usize, resident.join(", "));
    index.memory().iter().for_each(|(what, bytes)| println!("  {what:<22} {:>5} a lead", bytes / leads as usize));
    index
}

/// CPU seconds of this thread.
fn processor_seconds() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    spent.split(' ').next().and_then(|spent| spent.parse::<f64>().ok()).unwrap_or_default() / 1e9
}

/// CPU seconds of all threads; Linux counts them in hundredths of a second.
fn process_seconds() -> f64 {
    let spent = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = spent.rsplit(')').next().unwrap_or_default().split(' ');
    after_name.skip(12).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn ask(index: &LeadIndex, shape: &str, filter: &CheckedFilter, now: Timestamp) {
    let (mut looking, mut writing) = (Vec::new(), Vec::new());
    let (mut total, mut size) = (0, 0);
    let until = Instant::now();
    while looking.len() < 5 || (looking.len() < 201 && until.elapsed().as_millis() < 300) {
        let start = Instant::now();
        let page = index.look_up(filter, now);
        looking.push(start.elapsed().as_nanos() as u64);
        let start = Instant::now();
        let mut json = Vec::with_capacity(1 << 18);
        page.leads.iter().for_each(|found| found.row.to_packed().write_json(Members::ALL, &mut json));
        writing.push(start.elapsed().as_nanos() as u64);
        (total, size) = (page.total, json.len());
    }
    let median = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[times.len() / 2] as f64 / 1_000.0
    };
    println!(
        "{shape:<26} {:>9.1} µs, JSON {:>6.1} µs of {size:>7} bytes, total {total}",
        median(looking),
        median(writing)
    );
}

fn change(index: &mut LeadIndex, leads: i64, random: &mut Random, now: Timestamp) {
    const CHANGES: u32 = 20_000;
    let mut spent = BTreeMap::new();
    for turn in 0..CHANGES {
        let id = LeadId(1 + random.below(leads as u64) as i64);
        let row = index.lead(id).expect("no lead was deleted");
        let (mut lead, mut campaign_leads) =
            (row.to_lead(), row.campaign_leads().map(|one| one.as_stored()).collect::<Vec<_>>());
        let at = now + TimeDelta::seconds(turn.into());
        let what = if turn % 2 == 0 { "a lead's e-mail" } else { "a campaign lead's status" };
        match campaign_leads.first_mut().filter(|_| turn % 2 == 1) {
            Some(one) => (one.status, one.updated_at) = ("converted".to_owned(), at),
            None => (lead.email, lead.updated_at) = (Some(format!("changed{turn}@mail1.example")), at),
        }
        lead.global_updated_at = at;
        let start = Instant::now();
        index.apply(id, Some((&lead, &campaign_leads)));
        *spent.entry(what).or_insert(0.0) += start.elapsed().as_secs_f64();
    }
    for (what, spent) in spent {
        println!("changing {what}: {:.1} µs", spent * 2e6 / f64::from(CHANGES));
    }
}
