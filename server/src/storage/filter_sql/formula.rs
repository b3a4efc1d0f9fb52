//! Formulas as SQL conditions.

use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::Formula;
use leadscribe_engine::filter::predicate::Predicate;

use super::SqlBuilder;

impl SqlBuilder {
    /// Adds the condition on a lead `l`.
    ///
    /// ```text
    /// lead tests AND (pair tests that hold without a campaign lead
    ///                 OR (pair tests that hold outside campaigns AND NOT EXISTS (a campaign lead))
    ///                 OR EXISTS (a campaign lead that satisfies the pair tests))
    /// ```
    ///
    /// If nothing depends on the lead itself, the campaign leads are searched once instead of once per lead.
    pub fn push_formula(&mut self, formula: &Formula, now: Timestamp) -> &mut Self {
        let depends_on_lead =
            formula.lead_only.is_some() || formula.campaignless.is_some() || pair_depends_on_lead(formula);
        if formula.lead.is_empty() && !depends_on_lead {
            self.push("l.id IN (SELECT c.lead_id FROM campaign_leads c WHERE ");
            return self.push_pair(formula, now).push(")");
        }
        self.push_all(&formula.lead, |sql, part| _ = sql.push_predicate(part, now));
        if formula.pair.is_empty() {
            return self;
        }
        self.push(" AND (");
        if let Some(alone) = &formula.lead_only {
            self.push_predicate(alone, now).push(" OR ");
        }
        if let Some(outside) = &formula.campaignless {
            self.push("(NOT EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id) AND ");
            self.push_predicate(outside, now).push(") OR ");
        }
        self.push("EXISTS (SELECT 1 FROM campaign_leads c WHERE c.lead_id = l.id AND ");
        self.push_pair(formula, now).push("))")
    }

    /// Adds the condition on a campaign lead `c`, and on its lead `l` if the pair tests cover both.
    pub fn push_pair(&mut self, formula: &Formula, now: Timestamp) -> &mut Self {
        self.push_all(&formula.pair, |sql, part| _ = sql.push_predicate(part, now))
    }
}

/// True if any of the pair tests is about the lead itself.
pub fn pair_depends_on_lead(formula: &Formula) -> bool {
    formula.pair.iter().any(Predicate::depends_on_lead)
}
