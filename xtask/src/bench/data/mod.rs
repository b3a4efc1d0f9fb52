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
const EARLIEST_TIME: u64 = 1_704_067_200;
/// 2026-01-01 00:00:00, the day of the queries, in seconds since 1970.
const REFERENCE_TIME: u64 = 1_767_225_600;

const SEED: u64 = 42;
pub const CAMPAIGN_COUNT: u64 = 50;
const DAY_SECONDS: u64 = 86_400;
const CITIES_PER_COUNTRY: u64 = 40;

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
    /// First names by rank: the first is the most frequent.
    pub first_names: Vec<String>,
    last_names: Vec<String>,
    /// Leads by id, from 1.
    pub leads: Vec<Lead>,
    /// Campaign leads, grouped by lead.
    pub campaign_leads: Vec<CampaignLead>,
}

impl Data {
    /// Returns the campaign leads of the lead at index `index`.
    pub fn campaign_leads_of(&self, index: usize) -> &[CampaignLead] {
        let end = self.leads.get(index + 1).map_or(self.campaign_leads.len(), |next| next.first_row as usize);
        &self.campaign_leads[self.leads[index].first_row as usize..end]
    }

    /// Writes the email address of the lead at index `index` into `out`, which is cleared first.
    pub fn write_email(&self, index: usize, out: &mut Vec<u8>) {
        let lead = &self.leads[index];
        let names = [&self.first_names[usize::from(lead.first_name)], &self.last_names[usize::from(lead.last_name)]];
        out.clear();
        let result = write!(out, "{}.{}{}@mail{}.example", names[0], names[1], index + 1, lead.mail_host);
        result.expect("writing to memory can't fail");
        out.make_ascii_lowercase();
    }
}

/// Generates `lead_count` leads in 50 campaigns, each in two on average, and writes them into `files`.
pub fn generate(lead_count: u64, files: &mut [Files]) -> Result<Data> {
    let mut random = Random(SEED);
    let mut data = Data {
        first_names: first_names(),
        last_names: last_names(),
        leads: Vec::with_capacity(lead_count as usize),
        // 2.0 per lead, with a small reserve.
        campaign_leads: Vec::with_capacity(lead_count as usize * 21 / 10),
    };
    generate_campaigns(&mut random, files)?;
    generate_leads(&mut random, lead_count, &mut data, files)?;
    files.iter_mut().try_for_each(Files::flush)?;
    Ok(data)
}

fn generate_campaigns(random: &mut Random, files: &mut [Files]) -> Result<()> {
    const STATES: [&str; 6] = ["active", "active", "active", "active", "paused", "archived"];
    for id in 1..=CAMPAIGN_COUNT {
        let created = EARLIEST_TIME + random.below((REFERENCE_TIME - EARLIEST_TIME) / 4);
        let updated = created + random.below(REFERENCE_TIME - created);
        let status = random.choose(&STATES);
        let name = format!("Campaign {} {id}", word(id * 97, 3));
        let max_calls = 5 + random.below(10);
        let row = files::CampaignRow { id, name, status, max_calls, created, updated };
        files.iter_mut().try_for_each(|files| files.write_campaign(&row))?;
    }
    Ok(())
}

fn generate_leads(random: &mut Random, lead_count: u64, data: &mut Data, files: &mut [Files]) -> Result<()> {
    let first_name_weights = Weights::zipf(2_000, 0);
    let last_name_weights = Weights::zipf(20_000, 20);
    let campaign_weights = Weights::zipf(CAMPAIGN_COUNT, 3);
    let country_weights = Weights::zipf(20, 1);
    let lead_status_weights = Weights::new([25, 40, 15, 8, 10, 2]);
    let status_weights = Weights::new([22, 18, 4, 9, 20, 7, 6, 9, 4, 1]);
    // 0 to 5 campaigns, 2.0 on average.
    let campaign_count_weights = Weights::new([10, 30, 30, 15, 10, 5]);

    let mut email = Vec::new();
    for id in 1..=lead_count {
        // The order of the draws defines the data set: each draw changes all later ones.
        let first_name = first_name_weights.pick(random);
        let last_name = last_name_weights.pick(random);
        let country = country_weights.pick(random);
        let created = EARLIEST_TIME + random.below(REFERENCE_TIME - EARLIEST_TIME);
        let updated = created + random.below(REFERENCE_TIME - created);
        let phone = 30_000_000_000 + random.below(10_000_000_000);
        let mail_host = random.below(20) as u8;
        let city = (random.below(CITIES_PER_COUNTRY) + CITIES_PER_COUNTRY * country as u64) as u16;
        let zip = random.below(100_000) as u32;
        let status = LEAD_STATUSES[lead_status_weights.pick(random)];
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
        data.write_email(id as usize - 1, &mut email);
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
        files.iter_mut().try_for_each(|files| files.write_lead(&row))?;

        let mut campaigns = Vec::new();
        let campaign_count = campaign_count_weights.pick(random);
        while campaigns.len() < campaign_count {
            let campaign = campaign_weights.pick(random) as u8 + 1;
            if !campaigns.contains(&campaign) {
                campaigns.push(campaign);
            }
        }
        campaigns.sort_unstable();
        for campaign in campaigns {
            let updated = created + random.below(REFERENCE_TIME - created);
            let status = status_weights.pick(random);
            let calls = if status < 2 { 0 } else { 1 + random.below(12) };
            let last_call = (calls > 0).then(|| created + random.below(updated - created + 1));
            // Some leads are still frozen at the end.
            let frozen = (random.below(100) < 8).then(|| updated + 3600 + random.below(60 * DAY_SECONDS));
            let weight = random.below(10);
            let number = data.campaign_leads.len() as u64 + 1;
            data.campaign_leads.push(CampaignLead { updated: updated as u32, campaign, status: status as u8 });
            let lead = data.leads.last_mut().expect("a lead was pushed above");
            lead.global_updated = lead.global_updated.max(updated as u32);
            let status = STATUSES[status];
            let row = files::CampaignLeadRow {
                number,
                lead: id,
                campaign,
                status,
                calls,
                last_call,
                frozen_until: frozen,
                weight,
                updated,
            };
            files.iter_mut().try_for_each(|files| files.write_campaign_lead(&row))?;
        }
    }
    Ok(())
}
