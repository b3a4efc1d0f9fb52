//! Cost estimate of a filter, from its shape alone. Callers evaluate cheap filters inline and others on another thread.
//!
//! The estimate is a worst case: the number of leads that pass a test isn't known in advance.

use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::fields::{FieldId, Kind, Owner};
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};

use crate::LeadIndex;

/// Maximum cost of a quick filter, in nanoseconds like all constants below. A thread hop and back takes some ten thousand.
const MAX_QUICK_COST: usize = 1_000_000;

/// Cost of finding a value in its column and the leads that have it.
const VALUE_COST: usize = 1_000;

/// Cost per thousand leads of building and combining sets.
const SET_COST: usize = 50;

/// Cost per thousand leads of building the set for a wide range of times or numbers.
const RANGE_COST: usize = 200;

/// Cost per thousand leads of scanning or comparing distinct texts, as for a needle of one letter.
const TEXT_SCAN_COST: usize = 10_000;

/// Cost of building the sets for a test on campaign leads: per campaign, and per thousand leads in it.
const CAMPAIGN_COST: (usize, usize) = (1_000, 10);

/// Cost per entry of the sort column: of times and numbers, and of texts.
const ENTRY_COST: (usize, usize) = (12, 48);

/// Cost per lead whose row is looked up and compared.
const COMPARISON_COST: usize = 200;

impl LeadIndex {
    /// True if [`Self::look_up`] takes at most about a millisecond, estimated from the shape of the filter.
    pub fn is_quick(&self, filter: &CheckedFilter) -> bool {
        IndexSize { leads: self.slots.len(), campaigns: self.campaigns.len() }.is_quick(filter)
    }
}

/// Size of the data.
#[derive(Clone, Copy, Debug)]
struct IndexSize {
    leads: usize,
    campaigns: usize,
}

impl IndexSize {
    fn is_quick(self, filter: &CheckedFilter) -> bool {
        // Resolving a callability condition produces conditions for all campaigns and time zones.
        if filter.predicate.has_verdict_condition() {
            return false;
        }
        let narrowed = Self { campaigns: self.max_campaigns(&filter.predicate), ..self };
        narrowed.tests_cost(&filter.predicate).saturating_add(self.order_cost(filter)) <= MAX_QUICK_COST
    }

    /// Number of campaigns that the matching leads can be in.
    fn max_campaigns(self, predicate: &Predicate) -> usize {
        match predicate {
            Predicate::All(parts) => parts.iter().map(|part| self.max_campaigns(part)).min().unwrap_or(self.campaigns),
            Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), Test::In { values, includes_null: false }) => {
                values.len().min(self.campaigns)
            }
            _ => self.campaigns,
        }
    }

    fn tests_cost(self, predicate: &Predicate) -> usize {
        match predicate {
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().map(|part| self.tests_cost(part)).fold(0, usize::saturating_add)
            }
            Predicate::Verdict(condition) => self.tests_cost(condition),
            Predicate::Field(field, test) => {
                let lead_cost = self.test_cost(field, test);
                match field.owner() {
                    Owner::Lead => lead_cost,
                    _ => lead_cost + self.campaigns * (CAMPAIGN_COST.0 + self.leads / 1_000 * CAMPAIGN_COST.1),
                }
            }
        }
    }

    fn test_cost(self, field: &FieldRef, test: &Test) -> usize {
        let (values, cost_per_thousand) = match (field, test) {
            (_, Test::In { values, .. } | Test::NotIn { values, .. }) => (values.len(), SET_COST),
            (_, Test::IsNull(_)) => (0, SET_COST),
            (FieldRef::Builtin(_), Test::Compare(_, value)) if !matches!(value, Value::Text(_)) => (0, RANGE_COST),
            _ => (0, TEXT_SCAN_COST),
        };
        values * VALUE_COST + self.leads / 1_000 * cost_per_thousand
    }

    /// Cost of sorting the page. Either a column is walked until the page is full or all matches are compared, whichever is cheaper. The
    /// worst case is where both cost the same.
    fn order_cost(self, filter: &CheckedFilter) -> usize {
        let skipped = usize::try_from(filter.limit.offset).unwrap_or(usize::MAX);
        let rows = skipped.saturating_add(filter.limit.count as usize).min(self.leads);
        let key_cost = |field: FieldId| match field.field().kind {
            _ if field == FieldId::Id => 0,
            Kind::Text => rows.saturating_mul(self.leads).saturating_mul(ENTRY_COST.1 * COMPARISON_COST).isqrt(),
            _ => rows.saturating_mul(self.leads).saturating_mul(ENTRY_COST.0 * COMPARISON_COST).isqrt(),
        };
        filter.order.iter().map(|key| key_cost(key.field)).sum()
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::{Limits, parse_and_check};

    use super::*;

    const MILLION_LEADS: IndexSize = IndexSize { leads: 1_000_000, campaigns: 50 };

    fn is_quick(size: IndexSize, filter: &str) -> bool {
        size.is_quick(&parse_and_check(filter, &Limits::default()).unwrap())
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
            assert!(is_quick(MILLION_LEADS, filter), "{filter}");
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
            assert!(!is_quick(MILLION_LEADS, filter), "{filter}");
        }
        let many_campaigns = IndexSize { campaigns: 5_000, ..MILLION_LEADS };
        assert!(!is_quick(many_campaigns, r#"{"status": "busy"}"#));
        assert!(is_quick(many_campaigns, r#"{"status": "busy", "campaign_id": [1, 2]}"#));
        let small = IndexSize { leads: 10_000, campaigns: 5 };
        assert!(is_quick(small, r#"{"email": {"contains": "a"}, "_order": "last_name"}"#));
        assert!(!is_quick(small, &many));
    }
}
