//! Evaluates filters: the total, and the page with all its data.

use std::borrow::Cow;
use std::ops::Range;

use leadscribe_engine::api::{Campaign, Timestamp};
use leadscribe_engine::callable::condition::Rules;
use leadscribe_engine::filter::predicate::{CampaignSelection, Cursor, Predicate};
use leadscribe_engine::filter::{CheckedFilter, Formula};

use crate::LeadIndex;
use crate::evaluate::{Evaluation, Node, Scope};
use crate::order::Pager;
use crate::pairs::Pairs;
use crate::row::{CampaignLeadRow, LeadRow};
use crate::set::{Set, SlotCollector};
use crate::single_range::SingleRange;

/// Result of a filter, borrowed from the index.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// Leads, in the filter's order.
    pub leads: Vec<FoundLead<'a>>,
    /// Total number of matches.
    pub total: u64,
    /// True if more leads follow the page.
    pub has_more: bool,
    shown_campaign_leads: Vec<CampaignLeadRow<'a>>,
}

/// A lead of a page.
#[derive(Clone, Debug)]
pub struct FoundLead<'a> {
    /// The lead.
    pub row: LeadRow<'a>,
    /// True if the lead is in any campaign, shown or not.
    pub is_in_campaign: bool,
    shown_range: Range<usize>,
}

impl<'a> Page<'a> {
    /// Shown campaign leads of a lead of this page, by id.
    pub fn campaign_leads(&self, lead: &FoundLead<'_>) -> &[CampaignLeadRow<'a>] {
        &self.shown_campaign_leads[lead.shown_range.clone()]
    }

    /// All shown campaign leads, lead by lead.
    pub fn all_campaign_leads(&self) -> &[CampaignLeadRow<'a>] {
        &self.shown_campaign_leads
    }
}

impl LeadIndex {
    /// Page and total of a filter. `now` determines the day that `calls_today` refers to, and callability.
    pub fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Page<'_> {
        let formula = Formula::split(&self.resolve(&filter.predicate, now));
        let evaluation = Evaluation { index: self, now };
        let pairs = (!formula.pair.is_empty()).then(|| Pairs::find(&evaluation, &formula.pair));
        let nodes = evaluation.prepare(&formula.lead, false);

        let count = filter.limit.count as usize;
        let skip = usize::try_from(filter.limit.offset).unwrap_or(usize::MAX);
        let after = match &filter.cursor {
            Some(Cursor::After(values)) => Some(&values[..]),
            Some(Cursor::Start) | None => None,
        };
        // One more lead than the page needs tells whether more leads follow.
        let fetch_count = count + 1;
        let single_range = if pairs.is_none() { SingleRange::recognize(self, &nodes, &filter.order) } else { None };
        let fast_page = single_range.and_then(|range| Some((range.page(after, skip, fetch_count)?, range.total())));
        let (mut slots, total) = fast_page.unwrap_or_else(|| {
            let matches = self.find_leads(&evaluation, pairs.as_ref(), &nodes, &formula);
            (Pager::page(self, &matches, &filter.order, after, skip, fetch_count), matches.len())
        });
        let has_more = slots.len() > count;
        slots.truncate(count);

        let shown_pairs = pairs.as_ref().filter(|_| filter.campaigns == CampaignSelection::Matching);
        let mut page = Page {
            leads: Vec::with_capacity(slots.len()),
            total: total as u64,
            has_more,
            shown_campaign_leads: Vec::new(),
        };
        for (slot, row) in slots.iter().filter_map(|slot| Some((*slot, self.row(*slot)?))) {
            let campaign_leads = row.campaign_leads();
            let is_in_campaign = campaign_leads.len() > 0;
            let start = page.shown_campaign_leads.len();
            page.shown_campaign_leads.extend(
                campaign_leads
                    .filter(|campaign_lead| shown_pairs.is_none_or(|pairs| pairs.contains(campaign_lead, slot))),
            );
            page.leads.push(FoundLead { row, is_in_campaign, shown_range: start..page.shown_campaign_leads.len() });
        }
        page
    }

    /// The predicate with conditions on callability replaced by conditions on stored fields.
    fn resolve<'p>(&self, predicate: &'p Predicate, now: Timestamp) -> Cow<'p, Predicate> {
        if !predicate.has_verdict_condition() {
            return Cow::Borrowed(predicate);
        }
        let campaigns: Vec<&Campaign> = self.campaigns.values().map(|campaign| &**campaign).collect();
        Cow::Owned(Rules { campaigns: &campaigns, statuses: &self.statuses, now }.resolve(predicate))
    }

    /// Leads that match.
    fn find_leads<'a>(
        &'a self,
        evaluation: &Evaluation<'a>,
        pairs: Option<&'a Pairs<'a>>,
        nodes: &[Node<'_, 'a>],
        formula: &Formula,
    ) -> Set<'a> {
        let scope = Scope::Leads(self.lead_domain());
        let Some(pairs) = pairs else { return evaluation.intersection(nodes, scope) };
        let with_campaign_lead = pairs.leads(self.slots.len());
        let mut matches = match &formula.lead_only {
            Some(lead_only) => with_campaign_lead.or(evaluation.evaluate_on_leads(std::slice::from_ref(lead_only))),
            None => with_campaign_lead,
        };
        if let Some(campaignless) = &formula.campaignless {
            matches = matches
                .or(evaluation.evaluate_on_leads(std::slice::from_ref(campaignless)).minus(&self.leads_in_campaigns()));
        }
        if matches.is_empty() { matches } else { evaluation.narrow(Some(matches), nodes, scope) }
    }

    fn leads_in_campaigns(&self) -> Set<'_> {
        let slot_count = self.slots.len();
        let mut collector = SlotCollector::new(slot_count);
        self.by_campaign.values().for_each(|columns| collector.add_set(&columns.domain(slot_count).set()));
        collector.finish()
    }
}
