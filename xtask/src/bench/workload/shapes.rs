//! Shapes, and the generation of their variants.

use super::{Condition, Query, VARIANTS};
use crate::bench::data::{Data, SOURCES, STATUSES};

const DAY_SECONDS: u32 = 86_400;

// The first second of these months, in seconds since 1970.
const JANUARY_2024: u32 = 1_704_067_200;
const JUNE_2024: u32 = 1_717_200_000;
const JANUARY_2025: u32 = 1_735_689_600;
const MAY_2025: u32 = 1_746_057_600;

/// Knuth's MMIX generator. It is separate from the data set's, so that the data may change independently.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn random_day(&mut self, start: u32, days: u64) -> u32 {
        start + self.below(days) as u32 * DAY_SECONDS
    }
}

/// Returns all queries by shape. The order of the draws defines the workload, so new shapes are added at the end.
pub fn queries(data: &Data) -> Vec<Query> {
    let lead_count = data.leads.len() as u64;
    let names = &data.first_names;
    let mut random = Random(12_345);
    let mut queries = Vec::new();
    let mut add_shape = |name: &'static str, limit, make_conditions: &mut dyn FnMut(usize) -> Vec<Condition>| {
        queries.extend((0..VARIANTS).map(|variant| Query { shape: name, conditions: make_conditions(variant), limit }));
    };
    // Both bounds are exclusive.
    let day_range = |start: u32, day_count: u32| start + 1..=start + day_count * DAY_SECONDS - 1;
    let campaign_condition = |variant: usize| Condition::Campaign(3 + (variant % 10) as u8);
    let status_index = |name| STATUSES.iter().position(|status| *status == name).expect("the data set has it") as u8;

    add_shape("01_ids100", None, &mut |_| {
        let mut ids: Vec<_> = (0..100).map(|_| 1 + random.below(lead_count)).collect();
        ids.sort_unstable();
        ids.dedup();
        vec![Condition::Ids(ids)]
    });
    add_shape("02_names3", None, &mut |_| {
        let ranks = [8 + random.below(8), 80 + random.below(70), 400 + random.below(200)];
        vec![Condition::FirstNames(ranks.map(|rank| names[rank as usize].clone()).to_vec())]
    });
    add_shape("03_campaign", None, &mut |variant| vec![campaign_condition(variant)]);
    add_shape("04_campaign_status", None, &mut |variant| {
        let status_index = ["callback", "busy", "refused", "converted"].map(status_index)[variant % 4];
        vec![campaign_condition(variant), Condition::Status(status_index)]
    });
    add_shape("05_updated_1d", None, &mut |_| {
        vec![Condition::Updated(day_range(random.random_day(JANUARY_2025, 360), 1))]
    });
    add_shape("06_updated_1y", None, &mut |_| {
        vec![Condition::Updated(day_range(random.random_day(JUNE_2024, 200), 365))]
    });
    add_shape("07_camp_upd_7d", None, &mut |_| {
        vec![Condition::CampaignUpdated(day_range(random.random_day(JANUARY_2025, 350), 7))]
    });
    add_shape("08_global_1d", None, &mut |_| {
        vec![Condition::GlobalUpdated(day_range(random.random_day(JANUARY_2025, 360), 1))]
    });
    add_shape("09_global_1y", None, &mut |_| {
        vec![Condition::GlobalUpdated(day_range(random.random_day(JUNE_2024, 200), 365))]
    });
    add_shape("10_camp_global", Some((500, 1000)), &mut |variant| {
        vec![campaign_condition(variant), Condition::GlobalUpdated(day_range(random.random_day(MAY_2025, 120), 90))]
    });
    add_shape("11_deep", Some((200, (lead_count / 2) as usize)), &mut |_| {
        vec![Condition::Updated(random.random_day(JANUARY_2024, 120) + 1..=u32::MAX)]
    });
    add_shape("12_no_match", None, &mut |variant| {
        vec![Condition::FirstNames(vec![format!("Nobody{variant}")]), campaign_condition(variant)]
    });

    // No store of the comparison has an index for these.
    add_shape("13_city", None, &mut |_| vec![Condition::City(random.below(800) as u16)]);
    add_shape("14_zip", None, &mut |_| vec![Condition::Zip(random.below(100_000) as u32)]);
    add_shape("15_email_contains", None, &mut |_| {
        let name = names[20 + random.below(200) as usize].to_lowercase();
        vec![Condition::EmailContains(format!("{}.", &name[1..]))]
    });
    add_shape("16_custom_source", None, &mut |variant| vec![Condition::Source((variant % SOURCES.len()) as u8)]);
    add_shape("17_or", None, &mut |_| {
        let name = names[100 + random.below(100) as usize].clone();
        vec![Condition::Any(vec![Condition::City(random.below(800) as u16), Condition::FirstNames(vec![name])])]
    });
    queries
}
