//! Formulas on a lead and one of its campaign leads, evaluated campaign by campaign.

use leadscribe_engine::api::CampaignId;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::Predicate;

use crate::column::{Cell, Values};
use crate::evaluate::{Evaluation, Node, Scope};
use crate::fields;
use crate::key::KeyRange;
use crate::ranges::Ranges;
use crate::row::CampaignLeadRow;
use crate::set::{Set, SlotCollector};

/// Campaign leads that satisfy a formula.
#[derive(Debug)]
pub(crate) struct Pairs<'a> {
    matches_by_campaign: Vec<(CampaignId, CampaignMatches<'a>)>,
    /// Leads for which the formula holds with any campaign lead. Not included in [`Pairs::leads`], because the formula also holds for them
    /// without a campaign lead.
    with_any_campaign_lead: Set<'a>,
}

/// Leads whose campaign lead in one campaign satisfies a formula.
#[derive(Debug)]
enum CampaignMatches<'a> {
    /// Set of these leads.
    Set(Set<'a>),
    /// Leads whose value is in a range, which can be tested without a set.
    Within(FieldId, KeyRange, &'a Ranges<i64>),
}

impl<'a> Pairs<'a> {
    /// Finds the campaign leads that satisfy all of these predicates together with their lead.
    pub fn find(evaluation: &Evaluation<'a>, predicates: &[Predicate]) -> Self {
        let predicates = match predicates {
            [Predicate::Verdict(condition)] => std::slice::from_ref(&**condition),
            predicates => predicates,
        };
        // Alternatives on the lead alone are evaluated once instead of in each campaign.
        let (lead_alternatives, alternatives): (Vec<_>, Vec<_>) = match predicates {
            [Predicate::Any(parts)] => parts.iter().cloned().partition(|part| !part.needs_campaign_lead()),
            _ => (Vec::new(), Vec::new()),
        };
        let with_any_campaign_lead = match lead_alternatives.is_empty() {
            true => Set::EMPTY,
            false => evaluation.evaluate_on_leads(&[Predicate::Any(lead_alternatives)]),
        };
        let narrowed = [Predicate::Any(alternatives)];
        let nodes = match &narrowed {
            [Predicate::Any(parts)] if parts.len() == 1 => evaluation.prepare(parts, true),
            [Predicate::Any(parts)] if !parts.is_empty() => evaluation.prepare(&narrowed, true),
            _ => evaluation.prepare(predicates, true),
        };
        let (campaign_nodes, rest): (Vec<_>, Vec<_>) = nodes.into_iter().partition(Node::depends_on_campaign_only);
        let campaign_nodes = Node::All(campaign_nodes);
        let slot_count = evaluation.index.slots.len();
        let mut matches_by_campaign = Vec::new();
        for (id, columns) in &evaluation.index.by_campaign {
            let scope = Scope::Campaign(*id, columns, columns.domain(slot_count));
            let members = evaluation.evaluate(&campaign_nodes, scope);
            if members.is_empty() {
                continue;
            }
            let ranges = |field| match fields::campaign_column_index(field).map(|index| columns.column(index).values())
            {
                Some(Values::Ranges(ranges)) => Some(ranges),
                _ => None,
            };
            let matches = match &rest[..] {
                [] => CampaignMatches::Set(members),
                [Node::InRange(field, range)] if let Some(ranges) = ranges(*field) => {
                    CampaignMatches::Within(*field, *range, ranges)
                }
                rest => CampaignMatches::Set(evaluation.intersection(rest, scope)),
            };
            matches_by_campaign.push((*id, matches));
        }
        Self { matches_by_campaign, with_any_campaign_lead }
    }

    /// Leads with at least one of these campaign leads; every slot is below `slot_count`.
    pub fn leads(&self, slot_count: usize) -> Set<'_> {
        match &self.matches_by_campaign[..] {
            [] => Set::EMPTY,
            [(_, CampaignMatches::Set(set))] => set.view(),
            [(_, CampaignMatches::Within(_, range, ranges))] => {
                if range.is_empty() {
                    Set::EMPTY
                } else {
                    ranges.slots_in_range(range, slot_count)
                }
            }
            campaigns => {
                let mut collector = SlotCollector::new(slot_count);
                for (_, matches) in campaigns {
                    match matches {
                        CampaignMatches::Set(set) => collector.add_set(set),
                        CampaignMatches::Within(_, range, _) if range.is_empty() => {}
                        CampaignMatches::Within(_, range, ranges) => {
                            ranges.collect_into(ranges.blocks().positions(range), slot_count, &mut collector);
                        }
                    }
                }
                collector.finish()
            }
        }
    }

    /// True if this campaign lead, whose lead has this slot, is included.
    pub fn contains(&self, row: &CampaignLeadRow<'_>, slot: u32) -> bool {
        if self.with_any_campaign_lead.contains(slot) {
            return true;
        }
        let Ok(index) = self.matches_by_campaign.binary_search_by_key(&row.campaign_id, |(id, _)| *id) else {
            return false;
        };
        match &self.matches_by_campaign[index].1 {
            CampaignMatches::Set(set) => set.contains(slot),
            CampaignMatches::Within(field, range, _) => match fields::campaign_lead_cell(*field, row) {
                Some(Cell::Key(key)) => (range.min..=range.max).contains(&key),
                _ => false,
            },
        }
    }
}
