//! Splits a predicate into conditions on the lead alone and conditions that need a campaign lead.

use super::fields::Owner;
use super::predicate::Predicate;

/// A split predicate. A lead matches if all of `lead` match and one of these holds: `lead_only` matches, some campaign lead satisfies all
/// of `pair`, or the lead has no campaign lead and `campaignless` matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Conditions on the lead alone.
    pub lead: Vec<Predicate>,
    /// Conditions on a campaign lead, or on both. If empty, every lead that satisfies `lead` matches.
    pub pair: Vec<Predicate>,
    /// Remainder of `pair` for a lead without campaign leads, where every test on a campaign lead is false. `None` if it is never true.
    pub lead_only: Option<Predicate>,
    /// Like `lead_only`, but a test for "in no campaign" is true. `None` if no such test has an effect.
    pub campaignless: Option<Predicate>,
}

impl Formula {
    /// Splits a predicate.
    pub fn split(predicate: &Predicate) -> Self {
        let (mut lead, mut pair) = (Vec::new(), Vec::new());
        partition(predicate, &mut lead, &mut pair);
        let pair_conditions = Predicate::All(pair.clone());
        let lead_only = without_campaign_lead(&pair_conditions, false);
        let campaignless = without_campaign_lead(&pair_conditions, true)
            .filter(|campaignless| lead_only.as_ref() != Some(campaignless));
        Self { lead, pair, lead_only, campaignless }
    }
}

impl Predicate {
    /// Returns true if it has a test on the lead itself.
    pub fn depends_on_lead(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::depends_on_lead),
            Self::Verdict(stored) => stored.depends_on_lead(),
            Self::Field(field, _) => field.owner() == Owner::Lead,
        }
    }
}

fn partition(predicate: &Predicate, lead: &mut Vec<Predicate>, pair: &mut Vec<Predicate>) {
    match predicate {
        Predicate::All(parts) => parts.iter().for_each(|part| partition(part, lead, pair)),
        Predicate::Verdict(stored) if matches!(**stored, Predicate::All(_) | Predicate::Verdict(_)) => {
            partition(stored, lead, pair);
        }
        part if part.needs_campaign_lead() => pair.push(part.clone()),
        part => lead.push(part.clone()),
    }
}

/// Returns the predicate with every test on a campaign lead replaced by false. With `is_outside_campaigns`, a test for "in no
/// campaign" becomes true. `None` if the result is never true.
fn without_campaign_lead(predicate: &Predicate, is_outside_campaigns: bool) -> Option<Predicate> {
    let reduce = |part: &Predicate| without_campaign_lead(part, is_outside_campaigns);
    match predicate {
        Predicate::All(parts) => parts.iter().map(reduce).collect::<Option<Vec<_>>>().map(Predicate::All),
        Predicate::Any(parts) => {
            let alternatives: Vec<_> = parts.iter().filter_map(reduce).collect();
            (!alternatives.is_empty()).then_some(Predicate::Any(alternatives))
        }
        Predicate::Verdict(stored) => reduce(stored),
        test @ Predicate::Field(..) if is_outside_campaigns && test.is_no_campaign_test() => {
            Some(Predicate::All(Vec::new()))
        }
        Predicate::Field(field, _) if field.owner() != Owner::Lead => None,
        test @ Predicate::Field(..) => Some(test.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Limits, parse_and_check};

    fn split(text: &str) -> Formula {
        Formula::split(&parse_and_check(text, &Limits::default()).unwrap().predicate)
    }

    #[test]
    fn separates_lead_conditions_from_campaign_lead_conditions() {
        let formula = split(r#"{"city": "Bonn", "status": "new", "_and": [{"zip": "1", "campaign_id": 7}]}"#);
        assert_eq!((formula.lead.len(), formula.pair.len(), formula.lead_only), (2, 2, None));
        assert!(!formula.pair.iter().any(Predicate::depends_on_lead));
        assert!(formula.lead.iter().all(Predicate::depends_on_lead));
        let mixed = split(r#"{"_or": [{"status": "new"}, {"status": "busy", "city": "Bonn"}]}"#);
        assert!(mixed.pair.iter().all(Predicate::depends_on_lead));
    }

    #[test]
    fn recognizes_conditions_on_leads_without_campaigns() {
        let formula = split(r#"{"city": "Bonn", "_or": [{"campaign_id": null, "zip": "1"}, {"status": "new"}]}"#);
        assert_eq!((formula.lead.len(), formula.pair.len(), &formula.lead_only), (1, 1, &None));
        let [Predicate::Any(branches)] = &formula.pair[..] else { panic!("{formula:?}") };
        let Predicate::All(first) = &branches[0] else { panic!("{branches:?}") };
        let outside = Predicate::All(vec![Predicate::All(Vec::new()), first[1].clone()]);
        assert_eq!(formula.campaignless, Some(Predicate::All(vec![Predicate::Any(vec![outside])])));
        assert_eq!(split(r#"{"campaign_id": null, "status": "new"}"#).campaignless, None);
        assert_eq!(split(r#"{"_or": [{"city": "Bonn"}, {"status": "new"}]}"#).campaignless, None);
    }

    #[test]
    fn keeps_remainder_for_leads_without_campaign_leads() {
        let formula = split(r#"{"_or": [{"city": "Bonn"}, {"status": "new"}]}"#);
        let city = split(r#"{"city": "Bonn"}"#).lead;
        assert_eq!((formula.lead.len(), formula.pair.len()), (0, 1));
        assert_eq!(formula.lead_only, Some(Predicate::All(vec![Predicate::Any(city)])));
    }
}
