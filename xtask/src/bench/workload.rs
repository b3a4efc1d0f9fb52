//! The queries of the benchmarks: twelve shapes of filter, 32 variants each, the same everywhere.

use std::ops::RangeInclusive;

use super::data::{Data, stamp};

/// Variants of each shape.
pub const VARIANTS: u64 = 32;

const DAY: u64 = 86_400;

/// A query and what it means, for [`super::reference`].
#[derive(Default)]
pub struct Query {
    /// Which shape it is of.
    pub shape: &'static str,
    /// The filter, as it is sent.
    pub body: String,
    /// Ids of leads, if asked for.
    pub ids: Option<Vec<u64>>,
    /// First names, if asked for.
    pub first_names: Option<Vec<String>>,
    /// The campaign, if asked for.
    pub campaign: Option<u64>,
    /// The campaign lead's status, if asked for.
    pub status: Option<&'static str>,
    /// Seconds of the lead's `updated_at`.
    pub updated: Option<RangeInclusive<u64>>,
    /// Seconds of the campaign lead's `updated_at`.
    pub campaign_updated: Option<RangeInclusive<u64>>,
    /// Seconds of `global_updated_at`.
    pub global_updated: Option<RangeInclusive<u64>>,
    /// The page, if asked for.
    pub limit: Option<(usize, usize)>,
}

/// Knuth's MMIX generator; the workload's own, so that the data may change without it.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Seconds since 1970 of 2024-01-01, 2024-06-01, 2025-01-01 and 2025-05-01.
const JANUARY_2024: u64 = 1_704_067_200;
const JUNE_2024: u64 = 1_717_200_000;
const JANUARY_2025: u64 = 1_735_689_600;
const MAY_2025: u64 = 1_746_057_600;

/// All queries, shape by shape.
pub fn queries(data: &Data) -> Vec<Query> {
    let leads = data.leads.len() as u64;
    let names = &data.first_names;
    let mut random = Random(12_345);
    let mut queries = Vec::new();
    let mut shape = |name: &'static str, make: &mut dyn FnMut(u64) -> Query| {
        for variant in 0..VARIANTS {
            let mut query = make(variant);
            query.shape = name;
            query.body = query.to_body();
            queries.push(query);
        }
    };
    let days = |from: u64, start: u64, length: u64| {
        // The bounds themselves are outside: "after" and "before".
        let start = from + start * DAY;
        start + 1..=start + length * DAY - 1
    };

    shape("01 ids, 100", &mut |_| {
        let mut ids: Vec<_> = (0..100).map(|_| 1 + random.below(leads)).collect();
        ids.sort_unstable();
        ids.dedup();
        Query { ids: Some(ids), ..Query::default() }
    });
    shape("02 names, 3", &mut |_| {
        let ranks = [8 + random.below(8), 80 + random.below(70), 400 + random.below(200)];
        let first_names = ranks.map(|rank| names[rank as usize].clone()).to_vec();
        Query { first_names: Some(first_names), ..Query::default() }
    });
    shape("03 campaign", &mut |variant| Query { campaign: Some(3 + variant % 10), ..Query::default() });
    shape("04 campaign, status", &mut |variant| Query {
        campaign: Some(3 + variant % 10),
        status: Some(["callback", "busy", "refused", "converted"][(variant % 4) as usize]),
        ..Query::default()
    });
    shape("05 updated, day", &mut |_| Query {
        updated: Some(days(JANUARY_2025, random.below(360), 1)),
        ..Query::default()
    });
    shape("06 updated, year", &mut |_| Query {
        updated: Some(days(JUNE_2024, random.below(200), 365)),
        ..Query::default()
    });
    shape("07 campaign updated, week", &mut |_| Query {
        campaign_updated: Some(days(JANUARY_2025, random.below(350), 7)),
        ..Query::default()
    });
    shape("08 global, day", &mut |_| Query {
        global_updated: Some(days(JANUARY_2025, random.below(360), 1)),
        ..Query::default()
    });
    shape("09 global, year", &mut |_| Query {
        global_updated: Some(days(JUNE_2024, random.below(200), 365)),
        ..Query::default()
    });
    shape("10 campaign, global", &mut |variant| Query {
        campaign: Some(3 + variant % 10),
        global_updated: Some(days(MAY_2025, random.below(120), 90)),
        limit: Some((500, 1000)),
        ..Query::default()
    });
    shape("11 deep offset", &mut |_| Query {
        updated: Some(JANUARY_2024 + random.below(120) * DAY + 1..=u64::MAX),
        limit: Some((200, (leads / 2) as usize)),
        ..Query::default()
    });
    shape("12 no match", &mut |variant| Query {
        first_names: Some(vec![format!("Nobody{variant}")]),
        campaign: Some(3 + variant % 10),
        ..Query::default()
    });
    queries
}

impl Query {
    fn to_body(&self) -> String {
        let mut body = serde_json::Map::new();
        if let Some(ids) = &self.ids {
            body.insert("id".into(), ids.clone().into());
        }
        if let Some(names) = &self.first_names {
            body.insert("first_name".into(), names.clone().into());
        }
        if let Some(campaign) = self.campaign {
            body.insert("campaign_id".into(), campaign.into());
        }
        if let Some(status) = self.status {
            body.insert("campaign_status".into(), status.into());
        }
        for (key, range) in [
            ("updated_at", &self.updated),
            ("campaign_updated_at", &self.campaign_updated),
            ("global_updated_at", &self.global_updated),
        ] {
            if let Some(range) = range {
                body.insert(key.into(), date_expression(range).into());
            }
        }
        if let Some((count, offset)) = self.limit {
            body.insert("limit".into(), format!("{count};{offset}").into());
        }
        serde_json::Value::Object(body).to_string()
    }
}

/// `<value>;>` or `<value>;>|<value>;<`.
fn date_expression(range: &RangeInclusive<u64>) -> String {
    let after = format!("{};>", stamp(range.start() - 1));
    if *range.end() == u64::MAX { after } else { format!("{after}|{};<", stamp(range.end() + 1)) }
}
