//! A predicate, taken apart into what is about the lead alone and what needs a campaign lead.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::fields::Owner;
use leadscribe_engine::filter::predicate::Predicate;

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

    /// The condition on a lead `l`.
    ///
    /// ```text
    /// lead tests AND (what remains of the pair tests without a campaign lead
    ///                 OR EXISTS (a campaign lead that satisfies the pair tests))
    /// ```
    ///
    /// Where nothing is asked of the lead itself the campaign leads are searched once, not once for each lead.
    pub fn condition(&self, sql: &mut Sql, now: Timestamp) {
        if self.lead.is_empty() && self.alone.is_none() && !self.pair_is_about_lead() {
            sql.push("l.id IN (SELECT c.lead_id FROM campaign_leads c WHERE ");
            self.pair_condition(sql, now).push(")");
            return;
        }
        sql.all(&self.lead, |sql, part| _ = sql.predicate(part, now));
        if self.pair.is_empty() {
            return;
        }
        sql.push(" AND (");
        if let Some(alone) = &self.alone {
            sql.predicate(alone, now).push(" OR ");
        }
        sql.push("EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND ");
        self.pair_condition(sql, now).push("))");
    }

    /// The condition on a campaign lead `c`; on its lead `l` too, where the pair tests are about both.
    pub fn pair_condition<'s>(&self, sql: &'s mut Sql, now: Timestamp) -> &'s mut Sql {
        sql.all(&self.pair, |sql, part| _ = sql.predicate(part, now))
    }

    /// Whether any of the pair tests is about the lead itself.
    pub fn pair_is_about_lead(&self) -> bool {
        self.pair.iter().any(about_lead)
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
fn about_lead(predicate: &Predicate) -> bool {
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
