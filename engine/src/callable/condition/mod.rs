//! Translates the verdict conditions of a filter (`callable`, `not_callable_reason`) into conditions on stored fields.
//!
//! No column says whether a lead can be called, because that depends on the campaigns' rules, the statuses and the time. The lead index and
//! SQL therefore [resolve](Rules::resolve) a filter before they evaluate it, with the current rules and time. [`super::judge`] defines the
//! verdict on one campaign lead; the resolved conditions mean the same for all of them.

mod hours_by_zone;
mod merge;
mod reason;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::api::{Campaign, CampaignId, LeadStatus, NotCallableCode as Code, Timestamp};
use crate::filter::fields::FieldId;
use crate::filter::predicate::{FieldRef, Predicate, Test, Value};
use hours_by_zone::ZoneClock;
use merge::{Junction, Opposites, merged};
use reason::{Conditions, on};

/// Maximum number of campaigns that a verdict condition is narrowed to. Each set of campaigns has its own conditions, so this bounds the
/// number of values that a filter binds.
const MAX_NARROWED: usize = 16;

/// Everything that a verdict depends on, except the leads.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// All campaigns.
    pub campaigns: &'a [&'a Campaign],
    /// All statuses.
    pub statuses: &'a [LeadStatus],
    /// Current time.
    pub now: Timestamp,
}

impl Rules<'_> {
    /// Returns an equivalent predicate on stored fields.
    ///
    /// A campaign lead passes a test on reasons if one of its reasons does; [`Test::NotIn`] is the exact opposite. A lead in no campaign
    /// can't be called, and has only the reasons that lie in the lead itself.
    ///
    /// Equal verdict conditions share one [`Predicate::Verdict`]. Alternatives that share one are merged, so that it is evaluated once.
    pub fn resolve(&self, predicate: &Predicate) -> Predicate {
        let everywhere = Scope { narrowed_to: None, campaigns: self.campaigns.to_vec(), known: Vec::new() };
        Resolver { rules: *self, clocks: None, scopes: vec![everywhere] }.resolve(predicate, 0)
    }
}

/// A question that a verdict condition asks.
#[derive(Clone, Debug, PartialEq)]
enum Question {
    /// True if a lead can be called.
    Callable(bool),
    /// True if a lead has a reason not to be called.
    Reason(Code, bool),
    /// True if the reasons pass a test.
    Reasons(Test),
}

/// The campaigns that apply to a part of the filter, with the conditions resolved for them.
struct Scope<'a> {
    /// `None`: all campaigns. Otherwise ascending.
    narrowed_to: Option<Vec<CampaignId>>,
    campaigns: Vec<&'a Campaign>,
    known: Vec<(Question, Arc<Predicate>)>,
}

struct Resolver<'a> {
    rules: Rules<'a>,
    /// Computed once, and only if a campaign in question has calling hours.
    clocks: Option<Vec<ZoneClock>>,
    /// The first scope covers all campaigns.
    scopes: Vec<Scope<'a>>,
}

impl Resolver<'_> {
    fn resolve(&mut self, predicate: &Predicate, scope: usize) -> Predicate {
        match predicate {
            Predicate::All(parts) => {
                let scope = self.narrow(parts, scope);
                self.resolve_parts(Junction::All, parts, scope)
            }
            Predicate::Any(parts) => self.resolve_parts(Junction::Any, parts, scope),
            Predicate::Field(FieldRef::Known(FieldId::Callable), test) => self.callable(test, scope),
            Predicate::Field(FieldRef::Known(FieldId::NotCallableReason), test) => {
                self.answer(Question::Reasons(test.clone()), scope)
            }
            stored @ (Predicate::Field(..) | Predicate::Verdict(_)) => stored.clone(),
        }
    }

    fn resolve_parts(&mut self, junction: Junction, parts: &[Predicate], scope: usize) -> Predicate {
        let mut resolved = Vec::with_capacity(parts.len());
        for part in parts {
            resolved.extend(junction.parts_of(self.resolve(part, scope)));
        }
        junction.of(merged(resolved, junction, &self.opposites()))
    }

    /// Returns the conditions "can be called" and "can't be called" of each scope that has both.
    fn opposites(&self) -> Opposites {
        let known = |scope: &Scope<'_>, callable: bool| {
            let is_it = |(question, _): &&(Question, _)| *question == Question::Callable(callable);
            scope.known.iter().find(is_it).map(|(_, condition)| Arc::clone(condition))
        };
        self.scopes.iter().filter_map(|scope| known(scope, true).zip(known(scope, false))).collect()
    }

    /// Returns the scope of parts that must all match: the campaigns that every condition on the campaign permits.
    fn narrow(&mut self, parts: &[Predicate], scope: usize) -> usize {
        let mut named = self.scopes[scope].narrowed_to.clone();
        for part in parts {
            if let Some(ids) = campaigns_named(part) {
                named = Some(match named {
                    Some(outer) => outer.into_iter().filter(|id| ids.contains(id)).collect(),
                    None => ids,
                });
            }
        }
        if let Some(known) = self.scopes.iter().position(|scope| scope.narrowed_to == named) {
            return known;
        }
        let is_named = |campaign: &&&Campaign| named.as_ref().is_none_or(|ids| ids.contains(&campaign.id));
        let campaigns = self.rules.campaigns.iter().filter(is_named).copied().collect();
        self.scopes.push(Scope { narrowed_to: named, campaigns, known: Vec::new() });
        self.scopes.len() - 1
    }

    fn callable(&mut self, test: &Test, scope: usize) -> Predicate {
        let passes = |callable| test.passes(Some(&Value::Boolean(callable)));
        match (passes(true), passes(false)) {
            (true, true) => Predicate::All(Vec::new()),
            (true, false) => self.answer(Question::Callable(true), scope),
            (false, true) => self.answer(Question::Callable(false), scope),
            (false, false) => Predicate::Any(Vec::new()),
        }
    }

    /// Returns the condition for a question, and always the same one for the same question and campaigns.
    fn answer(&mut self, question: Question, scope: usize) -> Predicate {
        if let Some((_, known)) = self.scopes[scope].known.iter().find(|(known, _)| *known == question) {
            return Predicate::Verdict(Arc::clone(known));
        }
        let condition = match &question {
            Question::Callable(is_so) => {
                let reasons = reason::OWN_CONDITIONS.iter().map(|code| self.reason(*code, !is_so, scope));
                let mut parts: Vec<_> = reasons.collect();
                parts.push(self.conditions(scope).reachable(*is_so));
                Junction::all_if(*is_so).of(parts)
            }
            Question::Reason(code, is_so) => self.conditions(scope).reason(*code, *is_so),
            Question::Reasons(test) => self.reasons(test, scope),
        };
        let condition = match condition {
            Predicate::Verdict(same) => same,
            other => Arc::new(other),
        };
        self.scopes[scope].known.push((question, Arc::clone(&condition)));
        Predicate::Verdict(condition)
    }

    fn reason(&mut self, code: Code, is_so: bool, scope: usize) -> Predicate {
        self.answer(Question::Reason(code, is_so), scope)
    }

    fn reasons(&mut self, test: &Test, scope: usize) -> Predicate {
        let (among, null, is_in) = match test {
            Test::NotIn { values, null } => (Test::In { values: values.clone(), null: *null }, *null, false),
            test => (test.clone(), test.passes(None), true),
        };
        let passes = |code: &&Code| among.passes(Some(&Value::Text(code.as_str().to_owned())));
        let passing: Vec<Code> = Code::ALL.iter().filter(passes).copied().collect();
        let mut parts = Vec::new();
        // A rule of a campaign is neither met nor broken by a lead without a campaign.
        if !is_in && passing.iter().any(|code| reason::is_campaign_rule(*code)) {
            parts.push(on(FieldId::CampaignId, Test::IsNull(false)));
        }
        parts.extend(passing.into_iter().map(|code| self.reason(code, is_in, scope)));
        if null {
            parts.push(self.answer(Question::Callable(is_in), scope));
        }
        Junction::all_if(!is_in).of(parts)
    }

    fn conditions(&mut self, scope: usize) -> Conditions<'_> {
        let Rules { statuses, now, .. } = self.rules;
        let Scope { campaigns, .. } = &self.scopes[scope];
        if campaigns.iter().any(|campaign| campaign.calling_hours.is_some()) {
            self.clocks.get_or_insert_with(|| hours_by_zone::clocks(now));
        }
        Conditions { campaigns, statuses, now, clocks: self.clocks.as_deref().unwrap_or_default() }
    }
}

/// Returns the campaigns, ascending, to which a condition limits the leads. `None` for other conditions and for too many campaigns.
fn campaigns_named(predicate: &Predicate) -> Option<Vec<CampaignId>> {
    let Predicate::Field(FieldRef::Known(FieldId::CampaignId), Test::In { values, null: false }) = predicate else {
        return None;
    };
    let id = |value: &Value| if let Value::Integer(id) = value { Some(CampaignId(*id)) } else { None };
    let mut ids: Vec<_> = values.iter().filter_map(id).collect();
    ids.sort_unstable();
    ids.dedup();
    (ids.len() <= MAX_NARROWED).then_some(ids)
}
