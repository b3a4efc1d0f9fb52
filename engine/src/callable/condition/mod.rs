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
use crate::filter::FieldValueRef;
use crate::filter::ast::Junction;
use crate::filter::fields::FieldId;
use crate::filter::predicate::{FieldRef, Predicate, Test, Value};
use hours_by_zone::ZoneClock;
use merge::{Opposites, merge_parts};
use reason::{ConditionBuilder, field_test};

/// Maximum number of campaigns that a verdict condition is narrowed to. Each set of campaigns has its own conditions, so this bounds the
/// number of values that a filter binds.
const MAX_NARROWED_CAMPAIGNS: usize = 16;

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
    /// A campaign lead passes a test on reasons if one of its reasons does; [`Test::NotIn`] is the exact opposite. A
    /// lead in no campaign can't be called, and has only the reasons of [`judge_lead`](super::judge_lead).
    ///
    /// Equal verdict conditions share one [`Predicate::Verdict`]. Alternatives that share one are merged, so that it is evaluated once.
    pub fn resolve(&self, predicate: &Predicate) -> Predicate {
        let all_campaigns = Scope { narrowed_to: None, campaigns: self.campaigns.to_vec(), cache: Vec::new() };
        Resolver { rules: *self, clocks: None, scopes: vec![all_campaigns] }.resolve(predicate, 0)
    }
}

/// A question that a verdict condition asks.
#[derive(Clone, Debug, PartialEq)]
enum VerdictQuestion {
    /// The lead can be called, or, if false, can't be called.
    Callable(bool),
    /// The lead has this reason not to be called, or, if false, doesn't have it.
    Reason(Code, bool),
    /// One of the lead's reasons passes the test.
    Reasons(Test),
}

/// The campaigns that apply to a part of the filter, with the conditions resolved for them.
struct Scope<'a> {
    /// `None`: all campaigns. Otherwise ascending.
    narrowed_to: Option<Vec<CampaignId>>,
    campaigns: Vec<&'a Campaign>,
    cache: Vec<(VerdictQuestion, Arc<Predicate>)>,
}

struct Resolver<'a> {
    rules: Rules<'a>,
    /// Computed once, and only if a campaign in question has calling hours.
    clocks: Option<Vec<ZoneClock>>,
    /// The first scope covers all campaigns.
    scopes: Vec<Scope<'a>>,
}

impl Resolver<'_> {
    fn resolve(&mut self, predicate: &Predicate, scope_index: usize) -> Predicate {
        match predicate {
            Predicate::All(parts) => {
                let scope_index = self.narrow(parts, scope_index);
                self.resolve_parts(Junction::All, parts, scope_index)
            }
            Predicate::Any(parts) => self.resolve_parts(Junction::Any, parts, scope_index),
            Predicate::Field(FieldRef::Builtin(FieldId::Callable), test) => self.callable_condition(test, scope_index),
            Predicate::Field(FieldRef::Builtin(FieldId::NotCallableReason), test) => {
                self.verdict_condition(VerdictQuestion::Reasons(test.clone()), scope_index)
            }
            stored_predicate @ (Predicate::Field(..) | Predicate::Verdict(_)) => stored_predicate.clone(),
        }
    }

    fn resolve_parts(&mut self, junction: Junction, parts: &[Predicate], scope_index: usize) -> Predicate {
        let mut resolved = Vec::with_capacity(parts.len());
        for part in parts {
            resolved.extend(junction.split(self.resolve(part, scope_index)));
        }
        junction.join(merge_parts(resolved, junction, &self.opposites()))
    }

    /// Returns the conditions "can be called" and "can't be called" of each scope that has both.
    fn opposites(&self) -> Opposites {
        let cached_condition = |scope: &Scope<'_>, callable: bool| {
            let matches_question =
                |(question, _): &&(VerdictQuestion, _)| *question == VerdictQuestion::Callable(callable);
            scope.cache.iter().find(matches_question).map(|(_, condition)| Arc::clone(condition))
        };
        self.scopes
            .iter()
            .filter_map(|scope| cached_condition(scope, true).zip(cached_condition(scope, false)))
            .collect()
    }

    /// Returns the scope of parts that must all match: the campaigns that every condition on the campaign permits.
    fn narrow(&mut self, parts: &[Predicate], scope_index: usize) -> usize {
        let mut allowed = self.scopes[scope_index].narrowed_to.clone();
        for part in parts {
            if let Some(ids) = campaigns_in(part) {
                allowed = Some(match allowed {
                    Some(outer) => outer.into_iter().filter(|id| ids.contains(id)).collect(),
                    None => ids,
                });
            }
        }
        if let Some(existing) = self.scopes.iter().position(|scope| scope.narrowed_to == allowed) {
            return existing;
        }
        let is_allowed = |campaign: &&&Campaign| allowed.as_ref().is_none_or(|ids| ids.contains(&campaign.id));
        let campaigns = self.rules.campaigns.iter().filter(is_allowed).copied().collect();
        self.scopes.push(Scope { narrowed_to: allowed, campaigns, cache: Vec::new() });
        self.scopes.len() - 1
    }

    fn callable_condition(&mut self, test: &Test, scope_index: usize) -> Predicate {
        let passes = |callable| test.passes(Some(FieldValueRef::Boolean(callable)));
        match (passes(true), passes(false)) {
            (true, true) => Predicate::All(Vec::new()),
            (true, false) => self.verdict_condition(VerdictQuestion::Callable(true), scope_index),
            (false, true) => self.verdict_condition(VerdictQuestion::Callable(false), scope_index),
            (false, false) => Predicate::Any(Vec::new()),
        }
    }

    /// Returns the condition for a question. It is cached per scope, so equal questions share one condition.
    fn verdict_condition(&mut self, question: VerdictQuestion, scope_index: usize) -> Predicate {
        if let Some((_, cached)) = self.scopes[scope_index].cache.iter().find(|(cached, _)| *cached == question) {
            return Predicate::Verdict(Arc::clone(cached));
        }
        let condition = match &question {
            VerdictQuestion::Callable(expected) => {
                let reasons = reason::REASONS_WITH_OWN_CONDITION
                    .iter()
                    .map(|code| self.reason_condition(*code, !expected, scope_index));
                let mut parts: Vec<_> = reasons.collect();
                parts.push(self.condition_builder(scope_index).reachability_condition(*expected));
                Junction::all_if(*expected).join(parts)
            }
            VerdictQuestion::Reason(code, expected) => {
                self.condition_builder(scope_index).reason_condition(*code, *expected)
            }
            VerdictQuestion::Reasons(test) => self.reasons_condition(test, scope_index),
        };
        let condition = match condition {
            Predicate::Verdict(existing_condition) => existing_condition,
            other => Arc::new(other),
        };
        self.scopes[scope_index].cache.push((question, Arc::clone(&condition)));
        Predicate::Verdict(condition)
    }

    fn reason_condition(&mut self, code: Code, is_present: bool, scope_index: usize) -> Predicate {
        self.verdict_condition(VerdictQuestion::Reason(code, is_present), scope_index)
    }

    fn reasons_condition(&mut self, test: &Test, scope_index: usize) -> Predicate {
        let (positive_test, accepts_none, is_positive) = match test {
            Test::NotIn { values, includes_null: accepts_none } => {
                (Test::In { values: values.clone(), includes_null: *accepts_none }, *accepts_none, false)
            }
            test => (test.clone(), test.passes(None), true),
        };
        let passes = |code: &&Code| positive_test.passes(Some(FieldValueRef::Text(code.as_str())));
        let passing: Vec<Code> = Code::ALL.iter().filter(passes).copied().collect();
        let mut parts = Vec::new();
        // A rule of a campaign is neither met nor broken by a lead without a campaign.
        if !is_positive && passing.iter().any(|code| reason::is_campaign_rule(*code)) {
            parts.push(field_test(FieldId::CampaignId, Test::IsNull(false)));
        }
        parts.extend(passing.into_iter().map(|code| self.reason_condition(code, is_positive, scope_index)));
        if accepts_none {
            parts.push(self.verdict_condition(VerdictQuestion::Callable(is_positive), scope_index));
        }
        Junction::all_if(!is_positive).join(parts)
    }

    fn condition_builder(&mut self, scope_index: usize) -> ConditionBuilder<'_> {
        let Rules { statuses, now, .. } = self.rules;
        let Scope { campaigns, .. } = &self.scopes[scope_index];
        if campaigns.iter().any(|campaign| campaign.calling_hours.is_some()) {
            self.clocks.get_or_insert_with(|| hours_by_zone::zone_clocks(now));
        }
        ConditionBuilder { campaigns, statuses, now, clocks: self.clocks.as_deref().unwrap_or_default() }
    }
}

/// Returns the campaigns, ascending, to which a condition limits the leads. `None` for other conditions and for too many campaigns.
fn campaigns_in(predicate: &Predicate) -> Option<Vec<CampaignId>> {
    let Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), Test::In { values, includes_null: false }) = predicate
    else {
        return None;
    };
    let id = |value: &Value| if let Value::Integer(id) = value { Some(CampaignId(*id)) } else { None };
    let mut ids: Vec<_> = values.iter().filter_map(id).collect();
    ids.sort_unstable();
    ids.dedup();
    (ids.len() <= MAX_NARROWED_CAMPAIGNS).then_some(ids)
}
