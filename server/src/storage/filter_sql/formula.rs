//! A predicate, taken apart into what is about the lead alone and what needs a campaign lead.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::fields::{FieldId, Owner};
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test};

use super::Sql;

/// A predicate, taken apart. A lead matches when all of `lead` hold and either `alone` holds, or some campaign lead
/// satisfies all of `pair`.
#[derive(Debug)]
pub struct Formula {
    /// What is about the lead alone.
    pub lead: Vec<Predicate>,
    /// What is about a campaign lead, or about both. With none, every lead that meets `lead` matches.
    pub pair: Vec<Predicate>,
    /// What remains of `pair` for a lead without campaign lead, where every test about one is false. None when that is
    /// never true.
    pub alone: Option<Predicate>,
}

impl Formula {
    /// Takes a predicate apart.
    pub fn of(predicate: &Predicate) -> Self {
        let (mut lead, mut pair) = (Vec::new(), Vec::new());
        take_apart(predicate, &mut lead, &mut pair);
        let alone = without_campaign_lead(&Predicate::All(pair.clone()));
        Self { lead, pair, alone }
    }

    /// Whether the lead must be in a campaign, and what is asked of its campaign lead has nothing to do with the lead:
    /// then the search may begin with campaign leads.
    pub fn begins_with_campaign_leads(&self) -> bool {
        !self.pair.is_empty() && self.alone.is_none() && !self.pair.iter().any(about_lead)
    }

    /// Whether at most one campaign lead of each lead can satisfy the formula, for it names the campaign.
    pub fn names_one_campaign(&self) -> bool {
        self.pair.iter().any(|part| match part {
            Predicate::Field(FieldRef::Known(FieldId::CampaignId), Test::In { values, null: false }) => {
                values.len() == 1
            }
            _ => false,
        })
    }

    /// Whether only ranges are asked of the lead, which a campaign usually narrows down further.
    pub fn asks_only_ranges_of_lead(&self) -> bool {
        self.lead.iter().all(|part| match part {
            Predicate::Field(FieldRef::Known(id), Test::Compare(..)) => *id != FieldId::Id,
            _ => false,
        })
    }

    /// The condition on a lead `l`.
    pub fn condition(&self, sql: &mut Sql<'_>, now: Timestamp) {
        sql.all(&self.lead, |sql, part| _ = sql.predicate(part, now));
        if self.pair.is_empty() {
            return;
        }
        sql.push(" AND (");
        if let Some(alone) = &self.alone {
            sql.predicate(alone, now).push(" OR ");
        }
        sql.push("EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND ");
        sql.all(&self.pair, |sql, part| _ = sql.predicate(part, now)).push("))");
    }
}

fn take_apart(predicate: &Predicate, lead: &mut Vec<Predicate>, pair: &mut Vec<Predicate>) {
    match predicate {
        Predicate::All(parts) => parts.iter().for_each(|part| take_apart(part, lead, pair)),
        part if part.needs_campaign_lead() => pair.push(part.clone()),
        part => lead.push(part.clone()),
    }
}

/// Whether any test is about the lead itself.
pub fn about_lead(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::All(parts) | Predicate::Any(parts) => parts.iter().any(about_lead),
        Predicate::Field(field, _) => field.owner() == Owner::Lead,
    }
}

/// The predicate where every test about a campaign lead is false; none when nothing can make it true.
fn without_campaign_lead(predicate: &Predicate) -> Option<Predicate> {
    match predicate {
        Predicate::All(parts) => {
            parts.iter().map(without_campaign_lead).collect::<Option<Vec<_>>>().map(Predicate::All)
        }
        Predicate::Any(parts) => {
            let possible: Vec<_> = parts.iter().filter_map(without_campaign_lead).collect();
            (!possible.is_empty()).then_some(Predicate::Any(possible))
        }
        Predicate::Field(field, _) if field.owner() != Owner::Lead => None,
        test @ Predicate::Field(..) => Some(test.clone()),
    }
}
