//! Formulas on a lead and one of its campaign leads, evaluated campaign by campaign.

use leadscribe_engine::api::CampaignId;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{Comparison, Predicate, Test, TextMatch, Value};

use crate::column::{Cell, Values};
use crate::evaluate::{Evaluation, Node, Scope};
use crate::fields;
use crate::key::Span;
use crate::ranges::Ranges;
use crate::row::CampaignLeadRow;
use crate::set::{Gather, Set};

/// Campaign leads that satisfy a formula.
#[derive(Debug)]
pub(crate) struct Pairs<'a> {
    /// Matches by campaign.
    found: Vec<(CampaignId, InCampaign<'a>)>,
    /// Leads for which the formula holds with any campaign lead. Not included in [`Pairs::leads`], because the formula also holds for them
    /// without a campaign lead.
    any_of: Set<'a>,
}

/// Leads whose campaign lead in one campaign satisfies a formula.
#[derive(Debug)]
enum InCampaign<'a> {
    /// Set of these leads.
    Set(Set<'a>),
    /// Leads whose value is in a range, which can be tested without a set.
    Within(FieldId, Span, &'a Ranges<i64>),
}

impl<'a> Pairs<'a> {
    /// Finds the campaign leads that satisfy all of these predicates together with their lead.
    pub fn find(evaluation: &Evaluation<'a>, predicates: &[Predicate]) -> Self {
        let predicates = match predicates {
            [Predicate::Verdict(stored)] => std::slice::from_ref(&**stored),
            predicates => predicates,
        };
        // Alternatives on the lead alone are evaluated once instead of in each campaign.
        let (about_lead, alternatives): (Vec<_>, Vec<_>) = match predicates {
            [Predicate::Any(parts)] => parts.iter().cloned().partition(|part| !part.needs_campaign_lead()),
            _ => (Vec::new(), Vec::new()),
        };
        let any_of = match about_lead.is_empty() {
            true => Set::EMPTY,
            false => evaluation.leads(&[Predicate::Any(about_lead)]),
        };
        let narrowed = [Predicate::Any(alternatives)];
        let nodes = match &narrowed {
            [Predicate::Any(parts)] if parts.len() == 1 => evaluation.all(parts, true),
            [Predicate::Any(parts)] if !parts.is_empty() => evaluation.all(&narrowed, true),
            _ => evaluation.all(predicates, true),
        };
        let (about_campaign, rest): (Vec<_>, Vec<_>) = nodes.into_iter().partition(Node::is_about_campaign);
        let (about_campaign, rest) = (Node::All(about_campaign), rest);
        let slots = evaluation.index.slots.len();
        let mut found = Vec::new();
        for (id, columns) in &evaluation.index.by_campaign {
            let scope = Scope::Campaign(*id, columns, columns.domain(slots));
            let members = evaluation.evaluate(&about_campaign, scope);
            if members.is_empty() {
                continue;
            }
            let ranges = |field| match fields::campaign_column(field).map(|place| columns.column(place).values()) {
                Some(Values::Ranges(ranges)) => Some(ranges),
                _ => None,
            };
            let within = match &rest[..] {
                [] => InCampaign::Set(members),
                [Node::Within(field, span)] if let Some(ranges) = ranges(*field) => {
                    InCampaign::Within(*field, *span, ranges)
                }
                rest => InCampaign::Set(evaluation.intersection(rest, scope)),
            };
            found.push((*id, within));
        }
        Self { found, any_of }
    }

    /// Leads with at least one of these campaign leads; every slot is below `slots`.
    pub fn leads(&self, slots: usize) -> Set<'_> {
        match &self.found[..] {
            [] => Set::EMPTY,
            [(_, InCampaign::Set(set))] => set.view(),
            [(_, InCampaign::Within(_, span, ranges))] => {
                if span.is_empty() {
                    Set::EMPTY
                } else {
                    ranges.within(span, slots)
                }
            }
            several => {
                let mut gather = Gather::new(slots);
                for (_, one) in several {
                    match one {
                        InCampaign::Set(set) => gather.add_set(set),
                        InCampaign::Within(_, span, _) if span.is_empty() => {}
                        InCampaign::Within(_, span, ranges) => {
                            ranges.gather(ranges.blocks().places(span), slots, &mut gather);
                        }
                    }
                }
                gather.finish()
            }
        }
    }

    /// True if this campaign lead, whose lead has this slot, is included.
    pub fn contain(&self, row: &CampaignLeadRow<'_>, slot: u32) -> bool {
        if self.any_of.contains(slot) {
            return true;
        }
        let Ok(at) = self.found.binary_search_by_key(&row.campaign_id, |(id, _)| *id) else { return false };
        match &self.found[at].1 {
            InCampaign::Set(set) => set.contains(slot),
            InCampaign::Within(field, span, _) => match fields::of_campaign_lead(*field, row) {
                Some(Cell::Key(key)) => (span.min..=span.max).contains(&key),
                _ => false,
            },
        }
    }
}

/// True if an integer passes a test.
pub(crate) fn integer_passes(test: &Test, integer: i64) -> bool {
    let is = |value: &Value| *value == Value::Integer(integer);
    match test {
        Test::In { values, .. } => values.iter().any(is),
        Test::NotIn { values, .. } => !values.iter().any(is),
        Test::Compare(comparison, bound) => {
            let span = Span::of(*comparison, bound);
            (span.min..=span.max).contains(&integer)
        }
        Test::IsNull(null) => !null,
        Test::Text(..) => false,
    }
}

/// True if a text passes a test.
pub(crate) fn text_passes(test: &Test, text: &str) -> bool {
    let is = |value: &Value| matches!(value, Value::Text(one) if one == text);
    match test {
        Test::In { values, .. } => values.iter().any(is),
        Test::NotIn { values, .. } => !values.iter().any(is),
        Test::Compare(comparison, Value::Text(bound)) => match comparison {
            Comparison::Less => text < bound.as_str(),
            Comparison::LessOrEqual => text <= bound.as_str(),
            Comparison::Greater => text > bound.as_str(),
            Comparison::GreaterOrEqual => text >= bound.as_str(),
        },
        Test::Compare(..) => false,
        Test::IsNull(null) => !null,
        Test::Text(place, part) => {
            let (text, part) = (text.to_ascii_lowercase(), part.to_ascii_lowercase());
            match place {
                TextMatch::Contains => text.contains(&part),
                TextMatch::StartsWith => text.starts_with(&part),
                TextMatch::EndsWith => text.ends_with(&part),
            }
        }
    }
}
