//! Most frequent texts of a field, with the number of leads that have each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::FieldRef;

use crate::LeadIndex;
use crate::column::{FilterableColumn, TextColumn};
use crate::fields;
use crate::set::SlotCollector;

impl LeadIndex {
    /// At most `limit` texts of a text field or custom field that start with `prefix`, ignoring ASCII case. The most frequent come first;
    /// ties are ordered by bytes.
    ///
    /// Visits every distinct text with the prefix. That takes some tenths of a second for a million texts, but most fields that filters
    /// test have few.
    pub fn frequent_values(&self, field: &FieldRef, prefix: &str, limit: usize) -> Vec<FieldValue> {
        match field {
            FieldRef::Custom(name) => {
                frequent_texts(self.custom.get(name).and_then(|column| column.texts()), prefix, limit)
            }
            FieldRef::Builtin(FieldId::CampaignName) => self.frequent_campaign_names(prefix, limit),
            FieldRef::Builtin(id) if id.field().owner == Owner::CampaignLead => {
                self.campaign_lead_values(*id, prefix, limit)
            }
            FieldRef::Builtin(id) if fields::LEAD_FIELDS.contains(&(*id as usize)) => {
                frequent_texts(self.columns[fields::lead_column_index(*id)].texts(), prefix, limit)
            }
            FieldRef::Builtin(_) => Vec::new(),
        }
    }

    fn frequent_campaign_names(&self, prefix: &str, limit: usize) -> Vec<FieldValue> {
        let mut leads_by_text = LeadsByText::new(self.slots.len());
        for (id, columns) in &self.by_campaign {
            let Some(campaign) = self.campaign(*id) else { continue };
            let start = campaign.name.as_bytes().get(..prefix.len());
            if start.is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes())) {
                leads_by_text.collector(campaign.name.clone()).add_set(&columns.domain(self.slots.len()).set());
            }
        }
        leads_by_text.most_frequent(limit)
    }

    fn campaign_lead_values(&self, id: FieldId, prefix: &str, limit: usize) -> Vec<FieldValue> {
        let Some(column_index) = fields::campaign_column_index(id) else { return Vec::new() };
        let mut leads_by_text = LeadsByText::new(self.slots.len());
        for columns in self.by_campaign.values() {
            let Some(texts) = columns.column(column_index).texts() else { continue };
            for (number, slots) in texts.values_with_prefix(prefix) {
                leads_by_text.collector(texts.text(number)).add_set(&slots);
            }
        }
        leads_by_text.most_frequent(limit)
    }
}

/// Texts, each with the leads that have it in any campaign. There are few campaign names and statuses.
struct LeadsByText {
    slot_count: usize,
    leads: BTreeMap<String, SlotCollector>,
}

impl LeadsByText {
    fn new(slot_count: usize) -> Self {
        Self { slot_count, leads: BTreeMap::new() }
    }

    fn collector(&mut self, text: String) -> &mut SlotCollector {
        self.leads.entry(text).or_insert_with(|| SlotCollector::new(self.slot_count))
    }

    fn most_frequent(self, limit: usize) -> Vec<FieldValue> {
        let counts = self.leads.into_iter().map(|(text, leads)| (text, leads.finish().len()));
        most_frequent(counts.filter(|(_, leads)| *leads > 0), limit, |text| text)
    }
}

fn frequent_texts(texts: Option<&TextColumn>, prefix: &str, limit: usize) -> Vec<FieldValue> {
    let Some(texts) = texts else { return Vec::new() };
    let counted = texts.values_with_prefix(prefix).map(|(number, slots)| (number, slots.len()));
    most_frequent(counted, limit, |number| texts.text(number))
}

/// Most frequent texts first; ties keep their order.
fn most_frequent<T: Ord>(
    counted: impl Iterator<Item = (T, usize)>,
    limit: usize,
    text: impl Fn(T) -> String,
) -> Vec<FieldValue> {
    // The top of the heap is the first one to drop: the last of the least frequent texts.
    let mut top: BinaryHeap<(Reverse<usize>, usize, T)> = BinaryHeap::with_capacity(limit + 1);
    for (position, (key, leads)) in counted.enumerate() {
        let belongs_to_top = top.len() < limit || top.peek().is_some_and(|(Reverse(lowest), ..)| leads > *lowest);
        if belongs_to_top {
            top.push((Reverse(leads), position, key));
            if top.len() > limit {
                top.pop();
            }
        }
    }
    let top = top.into_sorted_vec().into_iter();
    top.map(|(Reverse(leads), _, key)| FieldValue { value: text(key), leads: leads as u64 }).collect()
}
