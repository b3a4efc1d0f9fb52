//! Formulas as conditions.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::Formula;
use leadscribe_engine::filter::predicate::Predicate;

use super::Sql;

impl Sql {
    /// The condition on a lead `l`.
    ///
    /// ```text
    /// lead tests AND (what remains of the pair tests without a campaign lead
    ///                 OR (what remains of them in no campaign AND NOT EXISTS (a campaign lead))
    ///                 OR EXISTS (a campaign lead that satisfies the pair tests))
    /// ```
    ///
    /// Where nothing is asked of the lead itself the campaign leads are searched once, not once for each lead.
    pub fn formula(&mut self, formula: &Formula, now: Timestamp) -> &mut Self {
        let is_about_lead = formula.alone.is_some() || formula.outside.is_some() || pair_is_about_lead(formula);
        if formula.lead.is_empty() && !is_about_lead {
            self.push("l.id IN (SELECT c.lead_id FROM campaign_leads c WHERE ");
            return self.pair(formula, now).push(")");
        }
        self.all(&formula.lead, |sql, part| _ = sql.predicate(part, now));
        if formula.pair.is_empty() {
            return self;
        }
        self.push(" AND (");
        if let Some(alone) = &formula.alone {
            self.predicate(alone, now).push(" OR ");
        }
        if let Some(outside) = &formula.outside {
            self.push("(NOT EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id) AND ");
            self.predicate(outside, now).push(") OR ");
        }
        self.push("EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND ");
        self.pair(formula, now).push("))")
    }

    /// The condition on a campaign lead `c`; on its lead `l` too, where the pair tests are about both.
    pub fn pair(&mut self, formula: &Formula, now: Timestamp) -> &mut Self {
        self.all(&formula.pair, |sql, part| _ = sql.predicate(part, now))
    }
}

/// Whether any of the pair tests is about the lead itself.
pub fn pair_is_about_lead(formula: &Formula) -> bool {
    formula.pair.iter().any(Predicate::is_about_lead)
}
