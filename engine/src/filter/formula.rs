//! Splits a predicate into conditions on the lead alone and conditions that need a campaign lead.

use super::fields::Owner;
use super::predicate::Predicate;

/// A split predicate. A lead matches if all of `lead` match and one of these holds: `alone` matches, some campaign lead satisfies all of
/// `pair`, or the lead has no campaign lead and `outside` matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Conditions on the lead alone.
    pub lead: Vec<Predicate>,
    /// Conditions on a campaign lead, or on both. If empty, every lead that satisfies `lead` matches.
    pub pair: Vec<Predicate>,
    /// Remainder of `pair` for a lead without campaign leads, where every test on a campaign lead is false. `None` if it is never true.
    pub alone: Option<Predicate>,
    /// Like `alone`, but a test for "in no campaign" is true. `None` if no such test has an effect.
    pub outside: Option<Predicate>,
}

impl Formula {
    /// Splits a predicate.
    pub fn of(predicate: &Predicate) -> Self {
        let (mut lead, mut pair) = (Vec::new(), Vec::new());
        take_apart(predicate, &mut lead, &mut pair);
        let all = Predicate::All(pair.clone());
        let alone = without_campaign_lead(&all, false);
        let outside = without_campaign_lead(&all, true).filter(|outside| alone.as_ref() != Some(outside));
        Self { lead, pair, alone, outside }
    }
}

impl Predicate {
    /// Returns true if it has a test on the lead itself.
    pub fn is_about_lead(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::is_about_lead),
            Self::Verdict(stored) => stored.is_about_lead(),
            Self::Field(field, _) => field.owner() == Owner::Lead,
        }
    }
}

fn take_apart(predicate: &Predicate, lead: &mut Vec<Predicate>, pair: &mut Vec<Predicate>) {
    match predicate {
        Predicate::All(parts) => parts.iter().for_each(|part| take_apart(part, lead, pair)),
        Predicate::Verdict(stored) if matches!(**stored, Predicate::All(_) | Predicate::Verdict(_)) => {
            take_apart(stored, lead, pair);
        }
        part if part.needs_campaign_lead() => pair.push(part.clone()),
        part => lead.push(part.clone()),
    }
}

/// Returns the predicate with every test on a campaign lead replaced by false. With `outside`, a test for "in no campaign" becomes true.
/// `None` if the result is never true.
fn without_campaign_lead(predicate: &Predicate, outside: bool) -> Option<Predicate> {
    let rest = |part: &Predicate| without_campaign_lead(part, outside);
    match predicate {
        Predicate::All(parts) => parts.iter().map(rest).collect::<Option<Vec<_>>>().map(Predicate::All),
        Predicate::Any(parts) => {
            let possible: Vec<_> = parts.iter().filter_map(rest).collect();
            (!possible.is_empty()).then_some(Predicate::Any(possible))
        }
        Predicate::Verdict(stored) => rest(stored),
        test @ Predicate::Field(..) if outside && test.says_no_campaign() => Some(Predicate::All(Vec::new())),
        Predicate::Field(field, _) if field.owner() != Owner::Lead => None,
        test @ Predicate::Field(..) => Some(test.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Limits, read};

    fn taken_apart(text: &str) -> Formula {
        Formula::of(&read(text, &Limits::default()).unwrap().predicate)
    }

    #[test]
    fn separates_lead_tests_from_campaign_lead_tests() {
        let formula = taken_apart(r#"{"city": "Bonn", "status": "new", "_and": [{"zip": "1", "campaign_id": 7}]}"#);
        assert_eq!((formula.lead.len(), formula.pair.len(), formula.alone), (2, 2, None));
        assert!(!formula.pair.iter().any(Predicate::is_about_lead));
        assert!(formula.lead.iter().all(Predicate::is_about_lead));
        let mixed = taken_apart(r#"{"_or": [{"status": "new"}, {"status": "busy", "city": "Bonn"}]}"#);
        assert!(mixed.pair.iter().all(Predicate::is_about_lead));
    }

    #[test]
    fn recognises_tests_for_leads_without_campaigns() {
        let formula = taken_apart(r#"{"city": "Bonn", "_or": [{"campaign_id": null, "zip": "1"}, {"status": "new"}]}"#);
        assert_eq!((formula.lead.len(), formula.pair.len(), &formula.alone), (1, 1, &None));
        let [Predicate::Any(branches)] = &formula.pair[..] else { panic!("{formula:?}") };
        let Predicate::All(first) = &branches[0] else { panic!("{branches:?}") };
        let outside = Predicate::All(vec![Predicate::All(Vec::new()), first[1].clone()]);
        assert_eq!(formula.outside, Some(Predicate::All(vec![Predicate::Any(vec![outside])])));
        assert_eq!(taken_apart(r#"{"campaign_id": null, "status": "new"}"#).outside, None);
        assert_eq!(taken_apart(r#"{"_or": [{"city": "Bonn"}, {"status": "new"}]}"#).outside, None);
    }

    #[test]
    fn keeps_remainder_for_leads_without_campaign_leads() {
        let formula = taken_apart(r#"{"_or": [{"city": "Bonn"}, {"status": "new"}]}"#);
        let city = taken_apart(r#"{"city": "Bonn"}"#).lead;
        assert_eq!((formula.lead.len(), formula.pair.len()), (0, 1));
        assert_eq!(formula.alone, Some(Predicate::All(vec![Predicate::Any(city)])));
    }
}
