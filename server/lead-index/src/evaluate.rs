//! Evaluates predicates to sets of slots: on leads alone, or within one campaign, where a slot represents a lead with its campaign lead.

use std::borrow::Cow;
use std::sync::LazyLock;

use leadscribe_engine::api::{CampaignId, DAY_MICROS, Timestamp};
use leadscribe_engine::filter::FieldValueRef;
use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};
use roaring::RoaringBitmap;

use crate::LeadIndex;
use crate::campaign::CampaignColumns;
use crate::column::{Column, CustomColumn, Domain, FilterableColumn, Values};
use crate::fields;
use crate::key::{self, KeyRange};
use crate::leads_by_campaign::{Alternative, CampaignSet, LeadsByCampaign};
use crate::set::Set;

/// Cost of reading a value of a random lead, relative to reading a column entry. Measured: 100 ns to 200 ns and 10 ns.
const ROW_READ_COST: usize = 16;

/// Number of slots whose set takes as long to build as reading one column entry, for a wide range. Measured: 0.2 ns per slot.
const SLOTS_PER_READ: usize = 50;

/// Empty column, for custom fields that no lead has.
static EMPTY_COLUMN: LazyLock<CustomColumn> = LazyLock::new(CustomColumn::default);

/// A predicate prepared for evaluation: flattened, with the comparisons of one field merged into one range, and conditions on leads alone
/// into one set.
#[derive(Debug)]
pub(crate) enum Node<'p, 'a> {
    /// All of these, the cheapest first.
    All(Vec<Node<'p, 'a>>),
    /// At least one of these.
    Any(Vec<Node<'p, 'a>>),
    /// The values of an ordered field are in a range.
    InRange(FieldId, KeyRange),
    /// Negated test: removing the slots that pass it is cheaper than finding the others.
    Not(&'p FieldRef, Test),
    /// Any other test.
    Test(&'p FieldRef, &'p Test),
    /// The lead is in this set: the result of a condition on leads alone, which is the same for every campaign.
    LeadSet(Set<'a>),
    /// The campaign is one of these.
    CampaignSet(CampaignSet),
    /// At least one of several alternatives on campaigns and leads.
    LeadsByCampaign(LeadsByCampaign<'a>),
}

/// Meaning of the slots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'a> {
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

    /// The same scope, limited to these slots if they are few.
    fn within<'s>(self, slots: &'s Set<'_>) -> Scope<'s>
    where
        'a: 's,
    {
        let Set::List(list) = slots else { return self };
        let limit = |domain: Domain<'a>| Domain { candidates: Some(list), ..domain };
        match self {
            Self::Leads(domain) => Scope::Leads(limit(domain)),
            Self::Campaign(id, columns, domain) => Scope::Campaign(id, columns, limit(domain)),
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
    pub fn evaluate_on_leads(&self, predicates: &[Predicate]) -> Set<'a> {
        self.intersection(&self.prepare(predicates, false), Scope::Leads(self.index.lead_domain()))
    }

    /// Prepares predicates, all of which must hold. If `is_pair`, they apply to pairs of a lead and a campaign lead.
    pub fn prepare<'p>(&self, predicates: &'p [Predicate], is_pair: bool) -> Vec<Node<'p, 'a>> {
        let mut nodes = Vec::new();
        predicates.iter().for_each(|predicate| self.flatten(predicate, is_pair, &mut nodes));
        let mut ranges: Vec<(FieldId, KeyRange)> = Vec::new();
        let mut leads: Option<Set<'a>> = None;
        nodes.retain_mut(|node| match node {
            Node::LeadSet(set) => {
                let set = std::mem::replace(set, Set::EMPTY);
                leads = Some(match leads.take() {
                    Some(merged) => merged.and(set),
                    None => set,
                });
                false
            }
            Node::InRange(field, range) => {
                match ranges.iter_mut().find(|(merged_field, _)| merged_field == field) {
                    Some((_, merged)) => *merged = merged.intersect(*range),
                    None => ranges.push((*field, *range)),
                }
                false
            }
            _ => true,
        });
        nodes.extend(ranges.into_iter().map(|(field, range)| Node::InRange(field, range)));
        nodes.extend(leads.map(Node::LeadSet));
        nodes.sort_by_key(Node::cost);
        nodes
    }

    /// Slots that satisfy the node.
    pub fn evaluate(&self, node: &Node<'_, 'a>, scope: Scope<'a>) -> Set<'a> {
        match node {
            Node::All(nodes) => self.intersection(nodes, scope),
            Node::Any(nodes) => self.narrow_to_any(None, nodes, scope),
            Node::InRange(FieldId::Id, range) => self.slots_with_id_in(*range),
            Node::InRange(field, range) => {
                self.column(*field, scope).map_or(Set::EMPTY, |column| column.slots_in_range(*range, scope.domain()))
            }
            Node::Test(FieldRef::Custom(name), test) => {
                let column = self.index.custom.get(name).map_or(&*EMPTY_COLUMN, |column| &**column);
                column.matching_slots(test, scope.domain())
            }
            Node::Test(FieldRef::Builtin(field), test) => self.slots_passing(*field, test, scope),
            Node::Not(field, test) => scope.domain().set().minus(&self.evaluate(&Node::Test(field, test), scope)),
            Node::LeadSet(set) => scope.domain().set().and(set.view()),
            Node::CampaignSet(campaigns) => match scope {
                Scope::Campaign(id, _, domain) if campaigns.contains(id) => domain.set(),
                _ => Set::EMPTY,
            },
            Node::LeadsByCampaign(alternatives) => narrow_by_campaign(alternatives, scope.domain().set(), scope),
        }
    }

    fn flatten<'p>(&self, predicate: &'p Predicate, is_pair: bool, nodes_out: &mut Vec<Node<'p, 'a>>) {
        match predicate {
            Predicate::All(parts) => parts.iter().for_each(|part| self.flatten(part, is_pair, nodes_out)),
            Predicate::Verdict(condition) => self.flatten(condition, is_pair, nodes_out),
            lead_predicate if is_pair && !lead_predicate.needs_campaign_lead() => {
                nodes_out.push(Node::LeadSet(self.evaluate_on_leads(std::slice::from_ref(lead_predicate))));
            }
            Predicate::Any(parts) if let Some((field, test)) = negated_comparison(parts) => {
                nodes_out.push(Node::Not(field, test))
            }
            Predicate::Any(parts) => {
                let (mut nodes, mut by_campaign) = (Vec::new(), LeadsByCampaign::default());
                for part in parts {
                    match split_by_campaign(self.prepare(std::slice::from_ref(part), is_pair)) {
                        Ok(alternative) => by_campaign.add(alternative),
                        Err(others) => nodes.push(Node::All(others)),
                    }
                }
                if nodes.len() < parts.len() {
                    nodes.push(Node::LeadsByCampaign(by_campaign));
                }
                nodes_out.push(if nodes.len() == 1 { nodes.remove(0) } else { Node::Any(nodes) });
            }
            Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), Test::In { values, .. }) => {
                nodes_out.push(Node::CampaignSet(campaign_set(values, true)));
            }
            Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), Test::NotIn { values, .. }) => {
                nodes_out.push(Node::CampaignSet(campaign_set(values, false)));
            }
            Predicate::Field(FieldRef::Builtin(FieldId::CampaignLeadLeadId), test) => {
                nodes_out.push(Node::LeadSet(self.slots_passing(
                    FieldId::Id,
                    test,
                    Scope::Leads(self.index.lead_domain()),
                )));
            }
            Predicate::Field(FieldRef::Builtin(field), Test::Compare(comparison, value))
                if fields::is_ranged(*field) =>
            {
                nodes_out.push(Node::InRange(*field, KeyRange::from_comparison(*comparison, value)));
            }
            Predicate::Field(field, test) => nodes_out.push(match test {
                Test::NotIn { values, includes_null } => {
                    Node::Not(field, Test::In { values: values.clone(), includes_null: *includes_null })
                }
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
    pub fn narrow<'s>(&self, mut remaining: Option<Set<'s>>, nodes: &[Node<'_, 's>], scope: Scope<'s>) -> Set<'s>
    where
        'a: 's,
    {
        for node in nodes {
            let narrowed = match (node, remaining.take()) {
                (Node::Not(field, test), Some(slots)) => slots.minus(&self.evaluate(&Node::Test(field, test), scope)),
                (Node::All(nodes), slots) => self.narrow(slots, nodes, scope),
                (Node::Any(nodes), slots) => self.narrow_to_any(slots, nodes, scope),
                // The given slots are already within the domain.
                (Node::LeadSet(set), Some(slots)) => slots.and(set.view()),
                (Node::LeadsByCampaign(alternatives), Some(slots)) => narrow_by_campaign(alternatives, slots, scope),
                (node, Some(slots)) if node.depends_on_campaign_only() => match self.evaluate(node, scope).is_empty() {
                    true => Set::EMPTY,
                    false => slots,
                },
                (Node::InRange(field, range), Some(Set::List(slot_list)))
                    if self.should_read_rows(&slot_list, *field, *range) =>
                {
                    let is_in_range = |slot: &u32| self.index.is_in_range(*slot, *field, *range);
                    Set::List(slot_list.iter().copied().filter(is_in_range).collect())
                }
                (node, Some(slots)) => self.evaluate(node, scope.within(&slots)).and(slots.view()),
                (node, None) => self.evaluate(node, scope),
            };
            if narrowed.is_empty() {
                return Set::EMPTY;
            }
            remaining = Some(narrowed);
        }
        remaining.unwrap_or_else(|| scope.domain().set())
    }

    /// Narrows the given slots, or all, to those that satisfy at least one node.
    fn narrow_to_any<'s>(&self, slots: Option<Set<'s>>, nodes: &[Node<'_, 's>], scope: Scope<'s>) -> Set<'s>
    where
        'a: 's,
    {
        let possible: Vec<_> = nodes.iter().filter(|node| !self.is_excluded(node, scope)).collect();
        match (&possible[..], slots) {
            ([], _) => Set::EMPTY,
            ([only], slots) => self.narrow(slots, std::slice::from_ref(*only), scope),
            (possible, Some(slots)) => self.union(possible, scope.within(&slots)).and(slots.view()),
            (possible, None) => self.union(possible, scope),
        }
    }

    /// Slots that satisfy at least one node.
    fn union<'s>(&self, nodes: &[&Node<'_, 's>], scope: Scope<'s>) -> Set<'s>
    where
        'a: 's,
    {
        scope.domain().union(nodes.iter().map(|node| self.evaluate(node, scope)))
    }

    /// True if a condition on the campaign, which comes first in [`Node::All`], fails in this campaign.
    fn is_excluded<'s>(&self, node: &Node<'_, 's>, scope: Scope<'s>) -> bool
    where
        'a: 's,
    {
        match (node, scope) {
            (Node::All(nodes), _) => nodes
                .iter()
                .take_while(|node| node.depends_on_campaign_only())
                .any(|node| self.evaluate(node, scope).is_empty()),
            (Node::LeadsByCampaign(alternatives), Scope::Campaign(id, ..)) => !alternatives.has_any_for(id),
            (node, _) => node.depends_on_campaign_only() && self.evaluate(node, scope).is_empty(),
        }
    }

    /// True if reading the values of these few leads is faster than building the set of the whole range.
    fn should_read_rows(&self, candidates: &[u32], field: FieldId, range: KeyRange) -> bool {
        let (read_cost, slot_count) = (candidates.len().saturating_mul(ROW_READ_COST), self.index.slots.len());
        if field == FieldId::Id
            || field.field().owner != Owner::Lead
            || range.is_empty()
            || read_cost > slot_count / SLOTS_PER_READ
        {
            return false;
        }
        match self.index.columns[fields::lead_column_index(field)].values() {
            Values::Ranges(ranges) => read_cost < ranges.blocks().positions(&range).len(),
            _ => false,
        }
    }

    fn slots_passing(&self, field: FieldId, test: &Test, scope: Scope<'a>) -> Set<'a> {
        match (field, scope) {
            (FieldId::Id, _) => self.slots_with_passing_id(test),
            (FieldId::CampaignId, Scope::Campaign(id, _, domain)) => {
                if test.passes(Some(FieldValueRef::Integer(id.0))) { domain.set() } else { Set::EMPTY }
            }
            (FieldId::CampaignName, Scope::Campaign(id, _, domain)) => {
                let passes = self
                    .index
                    .campaigns
                    .get(&id)
                    .is_some_and(|campaign| test.passes(Some(FieldValueRef::Text(&campaign.name))));
                if passes { domain.set() } else { Set::EMPTY }
            }
            (FieldId::CallsToday, Scope::Campaign(_, columns, domain)) => self.calls_today(test, columns, domain),
            _ => self.column(field, scope).map_or(Set::EMPTY, |column| column.matching_slots(test, scope.domain())),
        }
    }

    fn column(&self, field: FieldId, scope: Scope<'a>) -> Option<&'a Column> {
        match (field.field().owner, scope) {
            (Owner::Lead, _) => self.index.columns.get(fields::lead_column_index(field)).map(|column| &**column),
            (_, Scope::Campaign(_, columns, _)) => {
                fields::campaign_column_index(field).map(|index| columns.column(index))
            }
            (_, Scope::Leads(_)) => None,
        }
    }

    /// Slots whose `calls_today` passes the test. The count is 0 if the last call was on another UTC day than `now`.
    fn calls_today(&self, test: &Test, columns: &'a CampaignColumns, domain: Domain<'a>) -> Set<'a> {
        let column = |field| fields::campaign_column_index(field).map(|index| columns.column(index));
        let (Some(counts), Some(last_calls)) = (column(FieldId::CallsToday), column(FieldId::LastCallAt)) else {
            return Set::EMPTY;
        };
        let today = key::from_date(self.now.date_naive());
        let called_today = last_calls.slots_in_range(KeyRange { min: today, max: today + DAY_MICROS - 1 }, domain);
        let passing = counts.matching_slots(test, domain).and(called_today.view());
        match test.passes(Some(FieldValueRef::Integer(0))) {
            true => domain.set().minus(&called_today.minus(&passing)),
            false => passing,
        }
    }

    fn slots_with_passing_id(&self, test: &Test) -> Set<'a> {
        let leads = self.index.lead_domain();
        let slots_of = |values: &[Value]| {
            let mut collector = leads.collector();
            let ids = values.iter().filter_map(key::from_value);
            ids.filter_map(|id| self.index.slots.find(id)).for_each(|slot| collector.add(slot));
            collector.finish()
        };
        match test {
            Test::In { values, .. } => slots_of(values),
            Test::NotIn { values, .. } => leads.set().minus(&slots_of(values)),
            Test::Compare(comparison, value) => self.slots_with_id_in(KeyRange::from_comparison(*comparison, value)),
            Test::IsNull(false) => leads.set(),
            Test::IsNull(true) => Set::EMPTY,
            test => {
                let slots = &self.index.slots;
                let passes = |slot: &u32| test.passes(Some(FieldValueRef::Integer(slots.id(*slot))));
                let mut collector = leads.collector();
                slots.alive().iter().filter(passes).for_each(|slot| collector.add(slot));
                collector.finish()
            }
        }
    }

    fn slots_with_id_in(&self, range: KeyRange) -> Set<'a> {
        if range.is_empty() {
            return Set::EMPTY;
        }
        let slots = &self.index.slots;
        let start = slots.lower_bound(range.min);
        let end = range.max.checked_add(1).map_or(slots.len() as u32, |next_id| slots.lower_bound(next_id));
        let mut slots_in_range = RoaringBitmap::new();
        slots_in_range.insert_range(start..end);
        slots_in_range -= slots.late();
        slots_in_range.extend(slots.late().iter().filter(|slot| (range.min..=range.max).contains(&slots.id(*slot))));
        slots_in_range &= slots.alive();
        Set::Bits(Cow::Owned(slots_in_range))
    }
}

impl Node<'_, '_> {
    /// True if the node depends on the campaign only, and so holds for all or none of its campaign leads.
    pub fn depends_on_campaign_only(&self) -> bool {
        match self {
            Self::CampaignSet(_) => true,
            Self::Test(field, _) | Self::Not(field, _) => {
                matches!(field, FieldRef::Builtin(FieldId::CampaignId | FieldId::CampaignName))
            }
            _ => false,
        }
    }

    /// Relative cost, from already computed sets to scans of every value.
    fn cost(&self) -> u8 {
        match self {
            _ if self.depends_on_campaign_only() => 0,
            Self::Test(_, Test::In { .. } | Test::NotIn { .. } | Test::IsNull(_)) => 1,
            Self::LeadSet(_) | Self::CampaignSet(_) | Self::LeadsByCampaign(_) => 2,
            Self::InRange(..) => 3,
            Self::All(_) | Self::Any(_) => 4,
            Self::Test(_, Test::Compare(..)) => 5,
            Self::Test(..) => 6,
            Self::Not(..) => 7,
        }
    }
}

fn campaign_set(ids: &[Value], is_allow_list: bool) -> CampaignSet {
    let id = |value: &Value| if let Value::Integer(id) = value { Some(*id) } else { None };
    CampaignSet { ids: ids.iter().filter_map(id).collect(), is_allow_list }
}

/// For alternatives of the form "no value, or a comparison": the field and the negated comparison. Removing its few slots is
/// cheaper than finding all others.
fn negated_comparison(alternatives: &[Predicate]) -> Option<(&FieldRef, Test)> {
    let [
        Predicate::Field(field, Test::IsNull(true)),
        Predicate::Field(compared_field, Test::Compare(comparison, value)),
    ] = alternatives
    else {
        return None;
    };
    let is_nullable = matches!(field, FieldRef::Builtin(id) if fields::is_ranged(*id) && id.field().nullable);
    (is_nullable && field == compared_field).then(|| (field, Test::Compare(comparison.negated(), value.clone())))
}

/// Splits nodes, all of which must hold, into conditions on the campaign and the leads. Returns the nodes if they don't have this form.
fn split_by_campaign<'p, 'a>(nodes: Vec<Node<'p, 'a>>) -> Result<Alternative<'a>, Vec<Node<'p, 'a>>> {
    if nodes.is_empty() || !nodes.iter().all(|node| matches!(node, Node::CampaignSet(_) | Node::LeadSet(_))) {
        return Err(nodes);
    }
    let (mut campaigns, mut lead_set) = (Vec::new(), None::<Set<'a>>);
    for node in nodes {
        match node {
            Node::CampaignSet(campaign_set) => campaigns.push(campaign_set),
            Node::LeadSet(set) => {
                lead_set = Some(match lead_set {
                    None => set,
                    Some(other) => other.and(set),
                });
            }
            _ => {}
        }
    }
    Ok((campaigns, lead_set))
}

fn narrow_by_campaign<'s>(alternatives: &LeadsByCampaign<'_>, slots: Set<'s>, scope: Scope<'_>) -> Set<'s> {
    match scope {
        Scope::Campaign(id, _, domain) => alternatives.narrow(slots, id, domain.slot_count),
        Scope::Leads(_) => Set::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::single_range::tests::build_index;

    #[test]
    fn narrowing_few_leads_agrees_with_the_range_set() {
        let index = build_index();
        let evaluation = Evaluation { index: &index, now: Timestamp::default() };
        let candidates: Vec<u32> = index.slots.alive().iter().step_by(1_000).collect();
        let scope = Scope::Leads(index.lead_domain());
        for (field, scale) in [(FieldId::CreatedAt, 1), (FieldId::UpdatedAt, 1), (FieldId::Birthdate, DAY_MICROS)] {
            for (min, max) in [(0, 90_000), (4_000, 70_000), (39_000, 39_300), (70_000, 69_999), (90_000, 190_000)] {
                let range = KeyRange { min: min * scale, max: max * scale };
                let nodes = [Node::InRange(field, range)];
                let expected = Set::from_list(&candidates).and(evaluation.evaluate(&nodes[0], scope));
                let result = evaluation.narrow(Some(Set::from_list(&candidates)), &nodes, scope);
                assert_eq!(
                    result.iter().collect::<Vec<_>>(),
                    expected.iter().collect::<Vec<_>>(),
                    "{field:?} {range:?}"
                );
            }
        }
        assert!(evaluation.should_read_rows(&candidates, FieldId::CreatedAt, KeyRange { min: 4_000, max: 50_000 }));
        assert!(!evaluation.should_read_rows(&candidates, FieldId::CreatedAt, KeyRange { min: 4_000, max: 4_200 }));
    }
}
