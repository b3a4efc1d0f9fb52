//! The data set of the benchmarks: seeded, and the same byte for byte everywhere.
//!
//! No dependencies and no floating point decide on a value, so nothing can drift. Written as the CSV files that
//! `leadscribe import` reads, and kept in memory in the few columns that [`super::reference`] answers from.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Seconds since 1970 of 2024-01-01 00:00:00, before which nothing happened.
pub const START: u64 = 1_704_067_200;
/// Seconds since 1970 of 2026-01-01 00:00:00, the day on which the data set is looked at.
pub const END: u64 = 1_767_225_600;

const SEED: u64 = 42;
const CAMPAIGNS: u64 = 50;
const DAY: u64 = 86_400;

/// What a lead is found by.
pub struct Lead {
    /// Place of the first name in [`Data::first_names`].
    pub first_name: usize,
    /// `updated_at`, in seconds since 1970.
    pub updated: u64,
    /// `global_updated_at`, in seconds since 1970.
    pub global_updated: u64,
}

/// What a campaign lead is found by.
pub struct CampaignLead {
    /// The lead's id.
    pub lead: u64,
    /// The campaign's id.
    pub campaign: u64,
    /// Its status.
    pub status: &'static str,
    /// `updated_at`, in seconds since 1970.
    pub updated: u64,
}

/// The data set, as far as the workload asks about it.
pub struct Data {
    /// By rank: the first is the most frequent.
    pub first_names: Vec<String>,
    /// By id, from 1.
    pub leads: Vec<Lead>,
    /// By id, from 1; those of one lead stand together.
    pub campaign_leads: Vec<CampaignLead>,
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to before `n`.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Integer weights, picked by binary search on the running sum.
struct Weights(Vec<u64>);

impl Weights {
    fn new(weights: impl IntoIterator<Item = u64>) -> Self {
        let running_sum = |sum: &mut u64, weight| {
            *sum += weight;
            Some(*sum)
        };
        Self(weights.into_iter().scan(0, running_sum).collect())
    }

    /// The k-th of `n` is picked in proportion to 1 / (k + shift).
    fn zipf(n: u64, shift: u64) -> Self {
        Self::new((1..=n).map(|k| 1_000_000_000 / (k + shift)))
    }

    fn pick(&self, random: &mut Random) -> usize {
        let sum = *self.0.last().expect("there are weights");
        let at = random.below(sum);
        self.0.partition_point(|&upto| upto <= at)
    }
}

/// A pronounceable word of `syllables`, another for each `k`.
fn word(mut k: u64, syllables: usize) -> String {
    const CONSONANTS: &[&str] = &["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "sh", "j"];
    const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];
    let mut word = String::new();
    for _ in 0..syllables {
        word += CONSONANTS[(k % 16) as usize];
        k /= 16;
        word += VOWELS[(k % 5) as usize];
        k /= 5;
    }
    word[..1].to_uppercase() + &word[1..]
}

/// `YYYY-MM-DD hh:mm:ss` of seconds since 1970.
pub fn stamp(seconds: u64) -> String {
    // Days to a civil date, after Howard Hinnant's "chrono-compatible low-level date algorithms".
    let z = (seconds / DAY) as i64 + 719_468;
    let era = z / 146_097;
    let day_of_era = z - era * 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let second = seconds % DAY;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// 2,000 first names, all distinct.
fn first_names() -> Vec<String> {
    let mut seen = HashSet::new();
    (0..2_000)
        .map(|k| {
            let name = word(k * 3 + 7, 2 + (k % 2) as usize);
            if seen.insert(name.clone()) { name } else { name + &word(k, 3).to_lowercase() }
        })
        .collect()
}

/// Makes `leads` leads in 50 campaigns, writes `campaigns.csv`, `leads.csv` and `campaign-leads.csv` into `dir`.
pub fn generate(leads: u64, dir: &Path) -> Result<Data> {
    fs::create_dir_all(dir)?;
    let mut random = Random(SEED);
    let mut data = Data { first_names: first_names(), leads: Vec::new(), campaign_leads: Vec::new() };
    write_campaigns(&mut random, dir)?;
    write_leads(&mut random, leads, &mut data, dir)?;
    Ok(data)
}

fn create(dir: &Path, name: &str) -> Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(1 << 20, File::create(dir.join(name))?))
}

fn write_campaigns(random: &mut Random, dir: &Path) -> Result<()> {
    let mut file = create(dir, "campaigns.csv")?;
    writeln!(file, "id,name,active,max_attempts,created_at,updated_at")?;
    for id in 1..=CAMPAIGNS {
        let created = START + random.below((END - START) / 4);
        let updated = created + random.below(END - created);
        // Four of six are active, one is paused, one archived.
        let active = random.below(6) < 4;
        let name = word(id * 97, 3);
        let most = 5 + random.below(10);
        writeln!(file, "{id},Campaign {name} {id},{active},{most},{},{}", stamp(created), stamp(updated))?;
    }
    file.flush()
}

fn write_leads(random: &mut Random, leads: u64, data: &mut Data, dir: &Path) -> Result<()> {
    const COUNTRIES: [&str; 20] = [
        "PL", "UA", "DE", "CZ", "RO", "ES", "IT", "FR", "GB", "US", "KZ", "LT", "LV", "EE", "BG", "PT", "TR", "GE",
        "MD", "NL",
    ];
    const LANGUAGES: [&str; 20] = [
        "pl", "uk", "de", "cs", "ro", "es", "it", "fr", "en", "en", "kk", "lt", "lv", "et", "bg", "pt", "tr", "ka",
        "ro", "nl",
    ];
    const LEAD_STATUSES: [&str; 6] = ["new", "active", "qualified", "converted", "lost", "blocked"];
    const SOURCES: [&str; 6] = ["web", "import", "api", "referral", "event", "partner"];
    const STATUSES: [&str; 10] =
        ["new", "queued", "in_progress", "callback", "no_answer", "busy", "converted", "refused", "invalid", "dnc"];

    let last_names: Vec<_> = (0..20_000).map(|k| word(k * 311 + 1_000, 3) + "ov").collect();
    let by_first_name = Weights::zipf(2_000, 0);
    let by_last_name = Weights::zipf(20_000, 20);
    let by_campaign = Weights::zipf(CAMPAIGNS, 3);
    let by_country = Weights::zipf(20, 1);
    let by_lead_status = Weights::new([25, 40, 15, 8, 10, 2]);
    let by_status = Weights::new([22, 18, 4, 9, 20, 7, 6, 9, 4, 1]);
    // 0 to 5 campaigns, 2.0 on average.
    let by_campaigns_of_a_lead = Weights::new([10, 30, 30, 15, 10, 5]);

    let mut lead_file = create(dir, "leads.csv")?;
    let mut row_file = create(dir, "campaign-leads.csv")?;
    writeln!(
        lead_file,
        "id,first_name,last_name,phone,email,country,city,created_at,updated_at,zip,\
         custom.language,custom.status,custom.source,custom.owner_id,custom.score"
    )?;
    writeln!(row_file, "id,lead_id,campaign_id,status,weight,calls_count,last_call_at,freeze_until,updated_at")?;
    for id in 1..=leads {
        // The order of the draws is the data set: each one moves all that follow.
        let first = by_first_name.pick(random);
        let last = by_last_name.pick(random);
        let country = by_country.pick(random);
        let created = START + random.below(END - START);
        let updated = created + random.below(END - created);
        let first_name = &data.first_names[first];
        let last_name = &last_names[last];
        let phone = 30_000_000_000 + random.below(10_000_000_000);
        let mail_host = random.below(20);
        let city = random.below(40) + 40 * country as u64;
        let zip = random.below(100_000);
        let status = LEAD_STATUSES[by_lead_status.pick(random)];
        let source = random.one_of(&SOURCES);
        let owner = 1 + random.below(200);
        let score = random.below(101);
        writeln!(
            lead_file,
            "{id},{first_name},{last_name},+{phone:011},{}.{}{id}@mail{mail_host}.example,{},City{city},{},{},{zip:05},\
             {},{status},{source},{owner},{score}",
            first_name.to_lowercase(),
            last_name.to_lowercase(),
            COUNTRIES[country],
            stamp(created),
            stamp(updated),
            LANGUAGES[country],
        )?;

        let mut campaigns = Vec::new();
        let wanted = by_campaigns_of_a_lead.pick(random);
        while campaigns.len() < wanted {
            let campaign = by_campaign.pick(random) as u64 + 1;
            if !campaigns.contains(&campaign) {
                campaigns.push(campaign);
            }
        }
        campaigns.sort_unstable();
        let mut global_updated = updated;
        for campaign in campaigns {
            let updated = created + random.below(END - created);
            let status = by_status.pick(random);
            let calls = if status < 2 { 0 } else { 1 + random.below(12) };
            let last_call =
                if calls > 0 { stamp(created + random.below(updated - created + 1)) } else { String::new() };
            // Some are still frozen at the end.
            let frozen =
                if random.below(100) < 8 { stamp(updated + 3600 + random.below(60 * DAY)) } else { String::new() };
            let weight = random.below(10);
            let status = STATUSES[status];
            data.campaign_leads.push(CampaignLead { lead: id, campaign, status, updated });
            let row = data.campaign_leads.len();
            writeln!(
                row_file,
                "{row},{id},{campaign},{status},{weight},{calls},{last_call},{frozen},{}",
                stamp(updated)
            )?;
            global_updated = global_updated.max(updated);
        }
        data.leads.push(Lead { first_name: first, updated, global_updated });
    }
    lead_file.flush()?;
    row_file.flush()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    #[test]
    fn the_data_set_is_the_same_everywhere() {
        let dir = tempfile::tempdir().unwrap();
        super::generate(1_000, dir.path()).unwrap();
        let hash = |name| {
            let bytes = std::fs::read(dir.path().join(name)).unwrap();
            Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        assert_eq!(hash("campaigns.csv"), "70e09783814dfbf2d9a1cda8d1e468a43e5e3f6bf3489408584db381545bcdd9");
        assert_eq!(hash("leads.csv"), "64334c1028eae3db3e94efdce9217f6a2b3f1bb83842e64c06453e4923b4c1dd");
        assert_eq!(hash("campaign-leads.csv"), "198cf24dbab3e2fd0e0d055594d5244969cf3eb1ec70343f2ac3a4d326b151f1");
    }
}
