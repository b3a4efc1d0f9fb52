//! Data set of the benchmarks: seeded, and identical byte for byte on every machine.
//!
//! No value depends on other crates or on floating point, so the data can't drift. [`generate`] passes each row to the
//! files as it is made, and keeps only the columns that [`super::reference`] needs: 40 bytes per lead.

mod files;
mod random;
mod words;

use std::io::{Result, Write};

pub use files::{Files, Format};

use random::{Random, Weights};
use words::{first_names, last_names, word};

/// 2024-01-01 00:00:00, the earliest time in the data, in seconds since 1970.
const START: u64 = 1_704_067_200;
/// 2026-01-01 00:00:00, the day of the queries, in seconds since 1970.
const END: u64 = 1_767_225_600;

const SEED: u64 = 42;
/// Number of campaigns.
pub const CAMPAIGNS: u64 = 50;
const DAY: u64 = 86_400;
/// Cities per country.
const CITIES: u64 = 40;

const COUNTRIES: [&str; 20] = [
    "PL", "UA", "DE", "CZ", "RO", "ES", "IT", "FR", "GB", "US", "KZ", "LT", "LV", "EE", "BG", "PT", "TR", "GE", "MD",
    "NL",
];
const LANGUAGES: [&str; 20] = [
    "pl", "uk", "de", "cs", "ro", "es", "it", "fr", "en", "en", "kk", "lt", "lv", "et", "bg", "pt", "tr", "ka", "ro",
    "nl",
];
const LEAD_STATUSES: [&str; 6] = ["new", "active", "qualified", "converted", "lost", "blocked"];
/// Sources of leads.
pub const SOURCES: [&str; 6] = ["web", "import", "api", "referral", "event", "partner"];
/// Statuses of a lead in a campaign.
pub const STATUSES: [&str; 10] =
    ["new", "queued", "in_progress", "callback", "no_answer", "busy", "converted", "refused", "invalid", "dnc"];

/// Searchable columns of a lead. Times are seconds since 1970.
pub struct Lead {
    /// `updated_at`.
    pub updated: u32,
    /// `global_updated_at`.
    pub global_updated: u32,
    /// Postal code as a number of five digits.
    pub zip: u32,
    /// Index of its first campaign lead in [`Data::campaign_leads`].
    first_row: u32,
    /// Index of the first name in [`Data::first_names`].
    pub first_name: u16,
    last_name: u16,
    /// Number of the city.
    pub city: u16,
    mail_host: u8,
    /// Index of the source in [`SOURCES`].
    pub source: u8,
}

/// Searchable columns of a campaign lead.
pub struct CampaignLead {
    /// `updated_at` in seconds since 1970.
    pub updated: u32,
    /// Id of the campaign.
    pub campaign: u8,
    /// Index of the status in [`STATUSES`].
    pub status: u8,
}

/// Columns of the data set that the workload needs.
pub struct Data {
    /// By rank: the first is the most frequent.
    pub first_names: Vec<String>,
    last_names: Vec<String>,
    /// By id, from 1.
    pub leads: Vec<Lead>,
    /// Grouped by lead.
    pub campaign_leads: Vec<CampaignLead>,
}

impl Data {
    /// Returns the campaign leads of the lead at index `place`.
    pub fn rows_of(&self, place: usize) -> &[CampaignLead] {
        let till = self.leads.get(place + 1).map_or(self.campaign_leads.len(), |next| next.first_row as usize);
        &self.campaign_leads[self.leads[place].first_row as usize..till]
    }

    /// Writes the e-mail address of the lead at index `place` into `out`, which is cleared first.
    pub fn email(&self, place: usize, out: &mut Vec<u8>) {
        let lead = &self.leads[place];
        let names = [&self.first_names[usize::from(lead.first_name)], &self.last_names[usize::from(lead.last_name)]];
        out.clear();
        let written = write!(out, "{}.{}{}@mail{}.example", names[0], names[1], place + 1, lead.mail_host);
        written.expect("memory takes what is written");
        out.make_ascii_lowercase();
    }
}

/// Generates `leads` leads in 50 campaigns, each in two on average, and writes them into `files`.
pub fn generate(leads: u64, files: &mut [Files]) -> Result<Data> {
    let mut random = Random(SEED);
    let mut data = Data {
        first_names: first_names(),
        last_names: last_names(),
        leads: Vec::with_capacity(leads as usize),
        // 2.0 per lead, with a small reserve.
        campaign_leads: Vec::with_capacity(leads as usize * 21 / 10),
    };
    make_campaigns(&mut random, files)?;
    make_leads(&mut random, leads, &mut data, files)?;
    files.iter_mut().try_for_each(Files::finish)?;
    Ok(data)
}

fn make_campaigns(random: &mut Random, files: &mut [Files]) -> Result<()> {
    const STATES: [&str; 6] = ["active", "active", "active", "active", "paused", "archived"];
    for id in 1..=CAMPAIGNS {
        let created = START + random.below((END - START) / 4);
        let updated = created + random.below(END - created);
        let status = random.one_of(&STATES);
        let name = format!("Campaign {} {id}", word(id * 97, 3));
        let max_calls = 5 + random.below(10);
        let row = files::CampaignRow { id, name, status, max_calls, created, updated };
        files.iter_mut().try_for_each(|files| files.campaign(&row))?;
    }
    Ok(())
}

fn make_leads(random: &mut Random, leads: u64, data: &mut Data, files: &mut [Files]) -> Result<()> {
    let by_first_name = Weights::zipf(2_000, 0);
    let by_last_name = Weights::zipf(20_000, 20);
    let by_campaign = Weights::zipf(CAMPAIGNS, 3);
    let by_country = Weights::zipf(20, 1);
    let by_lead_status = Weights::new([25, 40, 15, 8, 10, 2]);
    let by_status = Weights::new([22, 18, 4, 9, 20, 7, 6, 9, 4, 1]);
    // 0 to 5 campaigns, 2.0 on average.
    let by_campaigns_of_a_lead = Weights::new([10, 30, 30, 15, 10, 5]);

    let mut email = Vec::new();
    for id in 1..=leads {
        // The order of the draws defines the data set: each draw changes all later ones.
        let first_name = by_first_name.pick(random);
        let last_name = by_last_name.pick(random);
        let country = by_country.pick(random);
        let created = START + random.below(END - START);
        let updated = created + random.below(END - created);
        let phone = 30_000_000_000 + random.below(10_000_000_000);
        let mail_host = random.below(20) as u8;
        let city = (random.below(CITIES) + CITIES * country as u64) as u16;
        let zip = random.below(100_000) as u32;
        let status = LEAD_STATUSES[by_lead_status.pick(random)];
        let source = random.below(SOURCES.len() as u64) as u8;
        let owner = 1 + random.below(200);
        let score = random.below(101);
        data.leads.push(Lead {
            updated: updated as u32,
            global_updated: updated as u32,
            zip,
            first_row: data.campaign_leads.len() as u32,
            first_name: first_name as u16,
            last_name: last_name as u16,
            city,
            mail_host,
            source,
        });
        data.email(id as usize - 1, &mut email);
        let row = files::LeadRow {
            id,
            first_name: &data.first_names[first_name],
            last_name: &data.last_names[last_name],
            phone,
            email: &email,
            country: COUNTRIES[country],
            city,
            zip,
            language: LANGUAGES[country],
            status,
            source: SOURCES[usize::from(source)],
            owner,
            score,
            created,
            updated,
        };
        files.iter_mut().try_for_each(|files| files.lead(&row))?;

        let mut campaigns = Vec::new();
        let wanted = by_campaigns_of_a_lead.pick(random);
        while campaigns.len() < wanted {
            let campaign = by_campaign.pick(random) as u8 + 1;
            if !campaigns.contains(&campaign) {
                campaigns.push(campaign);
            }
        }
        campaigns.sort_unstable();
        for campaign in campaigns {
            let updated = created + random.below(END - created);
            let status = by_status.pick(random);
            let calls = if status < 2 { 0 } else { 1 + random.below(12) };
            let last_call = (calls > 0).then(|| created + random.below(updated - created + 1));
            // Some leads are still frozen at the end.
            let frozen = (random.below(100) < 8).then(|| updated + 3600 + random.below(60 * DAY));
            let weight = random.below(10);
            let number = data.campaign_leads.len() as u64 + 1;
            data.campaign_leads.push(CampaignLead { updated: updated as u32, campaign, status: status as u8 });
            let lead = data.leads.last_mut().expect("it was put there");
            lead.global_updated = lead.global_updated.max(updated as u32);
            let status = STATUSES[status];
            let row = files::CampaignLeadRow {
                number,
                lead: id,
                campaign,
                status,
                calls,
                last_call,
                frozen,
                weight,
                updated,
            };
            files.iter_mut().try_for_each(|files| files.campaign_lead(&row))?;
        }
    }
    Ok(())
}
