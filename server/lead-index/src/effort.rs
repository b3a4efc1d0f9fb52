//! Cost estimate of a filter, from its shape alone. Callers evaluate cheap filters inline and others on another thread.
//!
//! The estimate is a worst case: the number of leads that pass a test isn't known in advance.

use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::fields::{FieldId, Kind, Owner};
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};

use crate::LeadIndex;

/// Maximum cost of a quick filter, in nanoseconds like all constants below. A thread hop and back takes some ten thousand.
const QUICK: usize = 1_000_000;

/// Cost of finding a value in its column and the leads that have it.
const VALUE: usize = 1_000;

/// Cost per thousand leads of building and combining sets.
const SETS: usize = 50;

/// Cost per thousand leads of the set of a wide range of times or numbers.
const RANGE: usize = 200;

/// Cost per thousand leads of scanning or comparing distinct texts, as for a needle of one letter.
const TEXTS: usize = 10_000;

/// Cost per campaign, and per thousand leads in each, of the sets of a test on campaign leads.
const CAMPAIGN: (usize, usize) = (1_000, 10);

/// Cost per entry of the sort column, of times and numbers or of texts; and per lead that is looked up and compared.
const ENTRY: (usize, usize) = (12, 48);
const COMPARED: usize = 200;

impl LeadIndex {
    /// True if [`Self::look_up`] takes at most about a millisecond, estimated from the shape of the filter.
    pub fn is_quick(&self, filter: &CheckedFilter) -> bool {
        Extent { leads: self.slots.len(), campaigns: self.campaigns.len() }.is_quick(filter)
    }
}

/// Size of the data.
#[derive(Clone, Copy, Debug)]
struct Extent {
    leads: usize,
    campaigns: usize,
}

impl Extent {
    fn is_quick(self, filter: &CheckedFilter) -> bool {
        // Resolving a callability condition produces conditions for all campaigns and time zones.
        if filter.predicate.asks_for_verdict() {
            return false;
        }
        let asked = Self { campaigns: self.campaigns_asked(&filter.predicate), ..self };
        asked.tests(&filter.predicate).saturating_add(self.order(filter)) <= QUICK
    }

    /// Number of campaigns that the matching leads can be in.
    fn campaigns_asked(self, predicate: &Predicate) -> usize {
        match predicate {
            Predicate::All(parts) => {
                parts.iter().map(|part| self.campaigns_asked(part)).min().unwrap_or(self.campaigns)
            }
            Predicate::Field(FieldRef::Known(FieldId::CampaignId), Test::In { values, null: false }) => {
                values.len().min(self.campaigns)
            }
            _ => self.campaigns,
        }
    }

    fn tests(self, predicate: &Predicate) -> usize {
        match predicate {
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().map(|part| self.tests(part)).fold(0, usize::saturating_add)
            }
            Predicate::Verdict(stored) => self.tests(stored),
            Predicate::Field(field, test) => {
                let once = self.test(field, test);
                match field.owner() {
                    Owner::Lead => once,
                    _ => once + self.campaigns * (CAMPAIGN.0 + self.leads / 1_000 * CAMPAIGN.1),
                }
            }
        }
    }

    fn test(self, field: &FieldRef, test: &Test) -> usize {
        let (values, of_thousand) = match (field, test) {
            (_, Test::In { values, .. } | Test::NotIn { values, .. }) => (values.len(), SETS),
            (_, Test::IsNull(_)) => (0, SETS),
            (_, Test::Text(..) | Test::Compare(_, Value::Text(_))) | (FieldRef::Custom(_), _) => (0, TEXTS),
            (FieldRef::Known(_), Test::Compare(..)) => (0, RANGE),
        };
        values * VALUE + self.leads / 1_000 * of_thousand
    }

    /// Cost of sorting the page. Either a column is walked until the page is full or all matches are compared, whichever is cheaper. The
    /// worst case is where both cost the same.
    fn order(self, filter: &CheckedFilter) -> usize {
        let skipped = usize::try_from(filter.limit.offset).unwrap_or(usize::MAX);
        let places = skipped.saturating_add(filter.limit.count as usize).min(self.leads);
        let of_key = |field: FieldId| match field.field().kind {
            _ if field == FieldId::Id => 0,
            Kind::Text => places.saturating_mul(self.leads).saturating_mul(ENTRY.1 * COMPARED).isqrt(),
            _ => places.saturating_mul(self.leads).saturating_mul(ENTRY.0 * COMPARED).isqrt(),
        };
        filter.order.iter().map(|key| of_key(key.field)).sum()
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{Limits, read};

    use super::*;

    const LARGE: Extent = Extent { leads: 1_000_000, campaigns: 50 };

    fn is_quick(extent: Extent, filter: &str) -> bool {
        extent.is_quick(&read(filter, &Limits::default()).unwrap())
    }

    #[test]
    fn common_filters_are_quick_with_a_million_leads() {
        let ids = format!(r#"{{"id": {:?}}}"#, (1..=100).collect::<Vec<_>>());
        for filter in [
            ids.as_str(),
            r#"{"limit": "200;500000"}"#,
            r#"{"first_name": ["Ada", "Bob", "Eve"]}"#,
            r#"{"campaign_id": 7, "status": "busy"}"#,
            r#"{"campaign_id": 7, "campaign_updated_at": {"gte": "2026-05-01 00:00:00"}}"#,
            r#"{"campaign_id": 7, "global_updated_at": "2026-05-01 00:00:00;>=|2026-06-01 00:00:00;<"}"#,
            r#"{"updated_at": {"gte": "2026-05-01 00:00:00"}}"#,
            r#"{"custom.source": "web"}"#,
            r#"{"_or": [{"city": "Bonn"}, {"zip": "53111"}]}"#,
            r#"{"city": null, "_order": "-updated_at"}"#,
        ] {
            assert!(is_quick(LARGE, filter), "{filter}");
        }
    }

    #[test]
    fn full_scans_are_not_quick() {
        let many: Vec<_> = (0..100).map(|_| r#"{"email": {"contains": "a"}}"#).collect();
        let many = format!(r#"{{"_or": [{}]}}"#, many.join(","));
        for filter in [
            many.as_str(),
            r#"{"email": {"contains": "a"}}"#,
            r#"{"last_name": {"gt": "m"}}"#,
            r#"{"custom.score": {"gt": 50}}"#,
            r#"{"callable": true}"#,
            r#"{"city": "Bonn", "_order": "last_name"}"#,
            r#"{"limit": "200;500000", "_order": "-updated_at"}"#,
        ] {
            assert!(!is_quick(LARGE, filter), "{filter}");
        }
        let many_campaigns = Extent { campaigns: 5_000, ..LARGE };
        assert!(!is_quick(many_campaigns, r#"{"status": "busy"}"#));
        assert!(is_quick(many_campaigns, r#"{"status": "busy", "campaign_id": [1, 2]}"#));
        let small = Extent { leads: 10_000, campaigns: 5 };
        assert!(is_quick(small, r#"{"email": {"contains": "a"}, "_order": "last_name"}"#));
        assert!(!is_quick(small, &many));
    }
}
