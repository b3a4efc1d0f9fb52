//! Evaluates predicates to sets of slots: on leads alone, or within one campaign, where a slot represents a lead with its campaign lead.

use std::borrow::Cow;
use std::sync::LazyLock;

use leadscribe_engine::api::{CampaignId, DAY_MICROS, Timestamp};
use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};
use roaring::RoaringBitmap;

use crate::LeadIndex;
use crate::campaign::CampaignColumns;
use crate::column::{Column, CustomColumn, Domain, Values};
use crate::fields;
use crate::key::{self, Span};
use crate::leads_by_campaign::{Campaigns, LeadsByCampaign};
use crate::pairs;
use crate::set::Set;

/// Cost of reading a value of a random lead, relative to reading a column entry. Measured: 100 ns to 200 ns and 10 ns.
const LOOK: usize = 16;

/// Number of slots for which building the set of a wide range costs as much as reading an entry. Measured: 0.2 ns per slot.
const SLOTS: usize = 50;

/// Empty column, for custom fields that no lead has.
static NO_VALUES: LazyLock<CustomColumn> = LazyLock::new(CustomColumn::default);

/// A predicate prepared for evaluation: flattened, with the comparisons of one field merged into one range, and conditions on leads alone
/// into one set.
#[derive(Debug)]
pub(crate) enum Node<'p, 'a> {
    /// All of these, the cheapest first.
    All(Vec<Node<'p, 'a>>),
    /// At least one of these.
    Any(Vec<Node<'p, 'a>>),
    /// The values of an ordered field are in a range.
    Within(FieldId, Span),
    /// Negated test: removing the slots that pass it is cheaper than finding the others.
    Not(&'p FieldRef, Test),
    /// Any other test.
    Test(&'p FieldRef, &'p Test),
    /// Part on leads alone within a formula on campaign leads; the same for every campaign.
    Leads(Set<'a>),
    /// The campaign is one of these.
    Campaigns(Campaigns),
    /// At least one of several alternatives on campaigns and leads.
    LeadsByCampaign(LeadsByCampaign<'a>),
}

/// Meaning of the slots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'a> {
    /// Leads.
    Leads(Domain<'a>),
    /// Leads with their campaign lead in this campaign.
    Campaign(CampaignId, &'a CampaignColumns, Domain<'a>),
}

impl<'a> Scope<'a> {
    fn domain(self) -> Domain<'a> {
        match self {
            Self::Leads(domain) | Self::Campaign(_, _, domain) => domain,
        }
    }
}

/// An index and the time of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluation<'a> {
    pub index: &'a LeadIndex,
    pub now: Timestamp,
}

impl<'a> Evaluation<'a> {
    /// Leads that satisfy all of these predicates, which must be on leads alone.
    pub fn leads(&self, predicates: &[Predicate]) -> Set<'a> {
        self.intersection(&self.all(predicates, false), Scope::Leads(self.index.leads()))
    }

    /// Prepares predicates, all of which must hold; with `pair`, on a lead and a campaign lead.
    pub fn all<'p>(&self, predicates: &'p [Predicate], pair: bool) -> Vec<Node<'p, 'a>> {
        let mut nodes = Vec::new();
        predicates.iter().for_each(|predicate| self.flatten(predicate, pair, &mut nodes));
        let mut spans: Vec<(FieldId, Span)> = Vec::new();
        let mut leads: Option<Set<'a>> = None;
        nodes.retain_mut(|node| match node {
            Node::Leads(set) => {
                let set = std::mem::replace(set, Set::EMPTY);
                leads = Some(match leads.take() {
                    Some(known) => known.and(set),
                    None => set,
                });
                false
            }
            Node::Within(field, span) => {
                match spans.iter_mut().find(|(one, _)| one == field) {
                    Some((_, known)) => *known = known.and(*span),
                    None => spans.push((*field, *span)),
                }
                false
            }
            _ => true,
        });
        nodes.extend(spans.into_iter().map(|(field, span)| Node::Within(field, span)));
        nodes.extend(leads.map(Node::Leads));
        nodes.sort_by_key(Node::cost);
        nodes
    }

    /// Slots that satisfy the node.
    pub fn evaluate(&self, node: &Node<'_, 'a>, scope: Scope<'a>) -> Set<'a> {
        match node {
            Node::All(nodes) => self.intersection(nodes, scope),
            Node::Any(nodes) => self.narrow_to_any(None, nodes, scope),
            Node::Within(FieldId::Id, span) => self.ids_within(*span),
            Node::Within(field, span) => {
                self.column(*field, scope).map_or(Set::EMPTY, |column| column.within(*span, scope.domain()))
            }
            Node::Test(FieldRef::Custom(name), test) => {
                let column = self.index.custom.get(name).map_or_else(|| &*NO_VALUES, |column| column);
                column.passing(test, scope.domain())
            }
            Node::Test(FieldRef::Known(field), test) => self.passing(*field, test, scope),
            Node::Not(field, test) => scope.domain().set().minus(&self.evaluate(&Node::Test(field, test), scope)),
            Node::Leads(set) => scope.domain().set().and_view(set),
            Node::Campaigns(campaigns) => match scope {
                Scope::Campaign(id, _, domain) if campaigns.contain(id) => domain.set(),
                _ => Set::EMPTY,
            },
            Node::LeadsByCampaign(alternatives) => alternatives.narrow(scope.domain().set(), scope),
        }
    }

    fn flatten<'p>(&self, predicate: &'p Predicate, pair: bool, into: &mut Vec<Node<'p, 'a>>) {
        match predicate {
            Predicate::All(parts) => parts.iter().for_each(|part| self.flatten(part, pair, into)),
            Predicate::Verdict(stored) => self.flatten(stored, pair, into),
            about_leads if pair && !about_leads.needs_campaign_lead() => {
                into.push(Node::Leads(self.leads(std::slice::from_ref(about_leads))));
            }
            Predicate::Any(parts) if let Some((field, test)) = absent_or(parts) => into.push(Node::Not(field, test)),
            Predicate::Any(parts) => {
                let (mut nodes, mut by_campaign) = (Vec::new(), LeadsByCampaign::default());
                for part in parts {
                    if let Err(others) = by_campaign.take(self.all(std::slice::from_ref(part), pair)) {
                        nodes.push(Node::All(others));
                    }
                }
                if nodes.len() < parts.len() {
                    nodes.push(Node::LeadsByCampaign(by_campaign));
                }
                into.push(if nodes.len() == 1 { nodes.remove(0) } else { Node::Any(nodes) });
            }
            Predicate::Field(FieldRef::Known(FieldId::CampaignId), Test::In { values, .. }) => {
                into.push(Node::Campaigns(campaigns(values, true)));
            }
            Predicate::Field(FieldRef::Known(FieldId::CampaignId), Test::NotIn { values, .. }) => {
                into.push(Node::Campaigns(campaigns(values, false)));
            }
            Predicate::Field(FieldRef::Known(FieldId::CampaignLeadLeadId), test) => {
                into.push(Node::Leads(self.passing(FieldId::Id, test, Scope::Leads(self.index.leads()))));
            }
            Predicate::Field(FieldRef::Known(field), Test::Compare(comparison, value)) if fields::is_ranged(*field) => {
                into.push(Node::Within(*field, Span::of(*comparison, value)));
            }
            Predicate::Field(field, test) => into.push(match test {
                Test::NotIn { values, null } => Node::Not(field, Test::In { values: values.clone(), null: *null }),
                Test::IsNull(true) => Node::Not(field, Test::IsNull(false)),
                test => Node::Test(field, test),
            }),
        }
    }

    /// Slots that satisfy all nodes.
    pub fn intersection(&self, nodes: &[Node<'_, 'a>], scope: Scope<'a>) -> Set<'a> {
        self.narrow(None, nodes, scope)
    }

    /// Narrows the given slots, or all, to those that satisfy all nodes.
    pub fn narrow<'s>(&self, mut found: Option<Set<'s>>, nodes: &[Node<'_, 's>], scope: Scope<'s>) -> Set<'s>
    where
        'a: 's,
    {
        let mut excluded = Vec::new();
        for node in nodes {
            let narrowed = match (node, found.take()) {
                (Node::Not(field, test), known) => {
                    excluded.push(self.evaluate(&Node::Test(field, test), scope));
                    found = known;
                    continue;
                }
                (Node::All(nodes), known) => self.narrow(known, nodes, scope),
                (Node::Any(nodes), known) => self.narrow_to_any(known, nodes, scope),
                // The given slots are already within the domain.
                (Node::Leads(set), Some(known)) => known.and_view(set),
                (Node::LeadsByCampaign(alternatives), Some(known)) => alternatives.narrow(known, scope),
                (node, Some(known)) if node.is_about_campaign() => match self.evaluate(node, scope).is_empty() {
                    true => Set::EMPTY,
                    false => known,
                },
                (Node::Within(field, span), Some(Set::List(few))) if self.is_looked_at(&few, *field, *span) => {
                    let is_within = |slot: &u32| self.index.is_within(*slot, *field, *span);
                    Set::List(few.iter().copied().filter(is_within).collect())
                }
                (node, Some(known)) => known.and(self.evaluate(node, scope)),
                (node, None) => self.evaluate(node, scope),
            };
            if narrowed.is_empty() {
                return Set::EMPTY;
            }
            found = Some(narrowed);
        }
        let found = found.unwrap_or_else(|| scope.domain().set());
        excluded.iter().fold(found, |found, excluded| found.minus(excluded))
    }

    /// Narrows the given slots, or all, to those that satisfy at least one node.
    fn narrow_to_any<'s>(&self, found: Option<Set<'s>>, nodes: &[Node<'_, 's>], scope: Scope<'s>) -> Set<'s>
    where
        'a: 's,
    {
        let mut possible = nodes.iter().filter(|node| !self.is_excluded(node, scope));
        match (possible.next(), possible.next()) {
            (None, _) => Set::EMPTY,
            (Some(only), None) => self.narrow(found, std::slice::from_ref(only), scope),
            (Some(first), Some(second)) => {
                let nodes = [first, second].into_iter().chain(possible);
                let union = scope.domain().union(nodes.map(|node| self.evaluate(node, scope)));
                match found {
                    Some(found) => found.and(union),
                    None => union,
                }
            }
        }
    }

    /// True if a condition on the campaign alone, which comes first in [`Node::All`], fails in this campaign.
    fn is_excluded<'s>(&self, node: &Node<'_, 's>, scope: Scope<'s>) -> bool
    where
        'a: 's,
    {
        let nodes = if let Node::All(nodes) = node { nodes } else { std::slice::from_ref(node) };
        nodes.iter().take_while(|node| node.is_about_campaign()).any(|node| self.evaluate(node, scope).is_empty())
    }

    /// True if reading the values of these few leads is faster than building the set of the whole range.
    fn is_looked_at(&self, few: &[u32], field: FieldId, span: Span) -> bool {
        let (looks, slots) = (few.len().saturating_mul(LOOK), self.index.slots.len());
        if field == FieldId::Id || field.field().owner != Owner::Lead || span.is_empty() || looks > slots / SLOTS {
            return false;
        }
        match self.index.columns[fields::lead_column(field)].values() {
            Values::Ranges(ranges) => looks < ranges.blocks().places(&span).len(),
            _ => false,
        }
    }

    fn passing(&self, field: FieldId, test: &Test, scope: Scope<'a>) -> Set<'a> {
        match (field, scope) {
            (FieldId::Id, _) => self.ids_passing(test),
            (FieldId::CampaignId, Scope::Campaign(id, _, domain)) => {
                if pairs::integer_passes(test, id.0) {
                    domain.set()
                } else {
                    Set::EMPTY
                }
            }
            (FieldId::CampaignName, Scope::Campaign(id, _, domain)) => {
                let passes = self.index.campaigns.get(&id).is_some_and(|one| pairs::text_passes(test, &one.name));
                if passes { domain.set() } else { Set::EMPTY }
            }
            (FieldId::CallsToday, Scope::Campaign(_, columns, domain)) => self.calls_today(test, columns, domain),
            _ => self.column(field, scope).map_or(Set::EMPTY, |column| column.passing(test, scope.domain())),
        }
    }

    fn column(&self, field: FieldId, scope: Scope<'a>) -> Option<&'a Column> {
        match (field.field().owner, scope) {
            (Owner::Lead, _) => self.index.columns.get(fields::lead_column(field)).map(|column| &**column),
            (_, Scope::Campaign(_, columns, _)) => fields::campaign_column(field).map(|place| columns.column(place)),
            (_, Scope::Leads(_)) => None,
        }
    }

    /// A count from another UTC day than that of `now` reads as 0.
    fn calls_today(&self, test: &Test, columns: &'a CampaignColumns, domain: Domain<'a>) -> Set<'a> {
        let column = |field| fields::campaign_column(field).map(|place| columns.column(place));
        let (Some(counts), Some(last_calls)) = (column(FieldId::CallsToday), column(FieldId::LastCallAt)) else {
            return Set::EMPTY;
        };
        let today = key::of_date(self.now.date_naive());
        let called = last_calls.within(Span { min: today, max: today + DAY_MICROS - 1 }, domain);
        let counted = counts.passing(test, domain).and(called.clone());
        match pairs::integer_passes(test, 0) {
            true => domain.set().minus(&called.minus(&counted)),
            false => counted,
        }
    }

    fn ids_passing(&self, test: &Test) -> Set<'a> {
        let leads = self.index.leads();
        let all_of = |values: &[Value]| {
            let mut gather = leads.gather();
            let ids = values.iter().filter_map(key::of_value);
            ids.filter_map(|id| self.index.slots.find(id)).for_each(|slot| gather.add(slot));
            gather.finish()
        };
        match test {
            Test::In { values, .. } => all_of(values),
            Test::NotIn { values, .. } => leads.set().minus(&all_of(values)),
            Test::Compare(comparison, value) => self.ids_within(Span::of(*comparison, value)),
            Test::IsNull(false) => leads.set(),
            Test::IsNull(true) | Test::Text(..) => Set::EMPTY,
        }
    }

    fn ids_within(&self, span: Span) -> Set<'a> {
        if span.is_empty() {
            return Set::EMPTY;
        }
        let slots = &self.index.slots;
        let start = slots.first_from(span.min);
        let end = span.max.checked_add(1).map_or(slots.len() as u32, |above| slots.first_from(above));
        let mut within = RoaringBitmap::new();
        within.insert_range(start..end);
        within -= slots.late();
        within.extend(slots.late().iter().filter(|slot| (span.min..=span.max).contains(&slots.id(*slot))));
        within &= slots.alive();
        Set::Bits(Cow::Owned(within))
    }
}

impl Node<'_, '_> {
    /// True if the node depends on the campaign only, and so holds for all or none of its campaign leads.
    pub fn is_about_campaign(&self) -> bool {
        match self {
            Self::Campaigns(_) => true,
            Self::Test(field, _) | Self::Not(field, _) => {
                matches!(field, FieldRef::Known(FieldId::CampaignId | FieldId::CampaignName))
            }
            _ => false,
        }
    }

    /// Relative cost, from already computed sets to scans of every value.
    fn cost(&self) -> u8 {
        match self {
            _ if self.is_about_campaign() => 0,
            Self::Test(_, Test::In { .. } | Test::NotIn { .. } | Test::IsNull(_)) => 1,
            Self::Leads(_) | Self::Campaigns(_) => 2,
            Self::Within(..) => 3,
            Self::All(_) | Self::Any(_) | Self::LeadsByCampaign(_) => 4,
            Self::Test(_, Test::Compare(..)) => 5,
            Self::Test(_, Test::Text(..)) => 6,
            Self::Not(..) => 7,
        }
    }
}

fn campaigns(ids: &[Value], are_listed: bool) -> Campaigns {
    let id = |value: &Value| if let Value::Integer(id) = value { Some(*id) } else { None };
    Campaigns { ids: ids.iter().filter_map(id).collect(), are_listed }
}

/// The test that these alternatives negate: that a field has no value or one that compares this way. Removing the few slots that pass it is
/// cheaper than finding all others.
fn absent_or(alternatives: &[Predicate]) -> Option<(&FieldRef, Test)> {
    let [Predicate::Field(field, Test::IsNull(true)), Predicate::Field(same, Test::Compare(comparison, value))] =
        alternatives
    else {
        return None;
    };
    let is_nullable = matches!(field, FieldRef::Known(id) if fields::is_ranged(*id) && id.field().nullable);
    (is_nullable && field == same).then(|| (field, Test::Compare(comparison.opposite(), value.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lone_range::tests::index;

    #[test]
    fn narrowing_few_leads_agrees_with_the_range_set() {
        let index = index();
        let evaluation = Evaluation { index: &index, now: Timestamp::default() };
        let few: Vec<u32> = index.slots.alive().iter().step_by(1_000).collect();
        let scope = Scope::Leads(index.leads());
        for (field, scale) in [(FieldId::CreatedAt, 1), (FieldId::UpdatedAt, 1), (FieldId::Birthdate, DAY_MICROS)] {
            for (min, max) in [(0, 90_000), (4_000, 70_000), (39_000, 39_300), (70_000, 69_999), (90_000, 190_000)] {
                let span = Span { min: min * scale, max: max * scale };
                let nodes = [Node::Within(field, span)];
                let expected = Set::of_list(&few).and(evaluation.evaluate(&nodes[0], scope));
                let found = evaluation.narrow(Some(Set::of_list(&few)), &nodes, scope);
                assert_eq!(found.iter().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>(), "{field:?} {span:?}");
            }
        }
        assert!(evaluation.is_looked_at(&few, FieldId::CreatedAt, Span { min: 4_000, max: 50_000 }));
        assert!(!evaluation.is_looked_at(&few, FieldId::CreatedAt, Span { min: 4_000, max: 4_200 }));
    }
}
