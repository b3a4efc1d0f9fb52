//! Most frequent texts of a field, with the number of leads that have each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::FieldRef;

use crate::LeadIndex;
use crate::column::{Texts, Values};
use crate::fields;
use crate::set::Gather;

impl LeadIndex {
    /// At most `count` texts of a text field or custom field that start with `prefix`, ignoring ASCII case. The most frequent come first;
    /// ties are ordered by bytes.
    ///
    /// Visits every distinct text with the prefix: some tenths of a second for a million texts, and next to nothing for fields that filters
    /// are usually about.
    pub fn frequent_values(&self, field: &FieldRef, prefix: &str, count: usize) -> Vec<FieldValue> {
        match field {
            FieldRef::Custom(name) => {
                self.custom.get(name).map_or_else(Vec::new, |column| of_texts(column.texts(), prefix, count))
            }
            FieldRef::Known(FieldId::CampaignName) => self.campaign_names(prefix, count),
            FieldRef::Known(id) if id.field().owner == Owner::CampaignLead => {
                self.of_campaign_leads(*id, prefix, count)
            }
            FieldRef::Known(id) if fields::LEAD_FIELDS.contains(&(*id as usize)) => {
                match self.columns[fields::lead_column(*id)].values() {
                    Values::Texts(texts) => of_texts(texts, prefix, count),
                    _ => Vec::new(),
                }
            }
            FieldRef::Known(_) => Vec::new(),
        }
    }

    fn campaign_names(&self, prefix: &str, count: usize) -> Vec<FieldValue> {
        let mut having = Having::new(self.slots.len());
        for (id, columns) in &self.by_campaign {
            let Some(campaign) = self.campaign(*id) else { continue };
            let start = campaign.name.as_bytes().get(..prefix.len());
            if start.is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes())) {
                having.of(campaign.name.clone()).add_set(&columns.domain(self.slots.len()).set());
            }
        }
        having.most(count)
    }

    fn of_campaign_leads(&self, id: FieldId, prefix: &str, count: usize) -> Vec<FieldValue> {
        let Some(place) = fields::campaign_column(id) else { return Vec::new() };
        let mut having = Having::new(self.slots.len());
        for columns in self.by_campaign.values() {
            let Values::Texts(texts) = columns.column(place).values() else { continue };
            for (number, slots) in texts.starting_with(prefix) {
                having.of(texts.text(number)).add_set(&slots);
            }
        }
        having.most(count)
    }
}

/// Texts, each with the leads that have it in any campaign. There are few campaign names and statuses.
struct Having {
    slots: usize,
    leads: BTreeMap<String, Gather>,
}

impl Having {
    fn new(slots: usize) -> Self {
        Self { slots, leads: BTreeMap::new() }
    }

    fn of(&mut self, text: String) -> &mut Gather {
        self.leads.entry(text).or_insert_with(|| Gather::new(self.slots))
    }

    fn most(self, count: usize) -> Vec<FieldValue> {
        let counted = self.leads.into_iter().map(|(text, leads)| (text, leads.finish().len()));
        most(counted.filter(|(_, leads)| *leads > 0), count, |text| text)
    }
}

fn of_texts(texts: &Texts, prefix: &str, count: usize) -> Vec<FieldValue> {
    let counted = texts.starting_with(prefix).map(|(number, slots)| (number, slots.len()));
    most(counted, count, |number| texts.text(number))
}

/// Most frequent texts first; ties keep their order.
fn most<T: Ord>(
    counted: impl Iterator<Item = (T, usize)>,
    count: usize,
    text: impl Fn(T) -> String,
) -> Vec<FieldValue> {
    // The top of the heap is the first one to drop: the last of the least frequent texts.
    let mut best: BinaryHeap<(Reverse<usize>, usize, T)> = BinaryHeap::with_capacity(count + 1);
    for (place, (one, leads)) in counted.enumerate() {
        let is_better = best.len() < count || best.peek().is_some_and(|(Reverse(fewest), ..)| leads > *fewest);
        if is_better {
            best.push((Reverse(leads), place, one));
            if best.len() > count {
                best.pop();
            }
        }
    }
    let best = best.into_sorted_vec().into_iter();
    best.map(|(Reverse(leads), _, one)| FieldValue { value: text(one), leads: leads as u64 }).collect()
}
