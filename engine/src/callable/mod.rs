//! Decides whether a campaign lead can be called at a given time, why not, and when it can be called next.
//!
//! All reasons are returned, in documented order ([`NotCallableCode`](Code)), not only the first. A reason that ends by itself includes the
//! time of its end. Each reason describes its [`Rule`] in English; for other languages, render the rule. [`after_call`] computes the
//! changes after an attempt. The module is pure: the time zone database is compiled in, and the caller passes `now`.

mod attempt;
pub mod condition;
mod hours;
mod label;
mod rule;
#[cfg(test)]
mod tests;
mod wording;

use std::borrow::Cow;

use chrono::{Days, NaiveTime};

use crate::api::{Campaign, CampaignLead, Lead, NotCallableCode as Code, NotCallableReason, Timestamp};
use crate::filter::calls_today;
use crate::wording::Language;
use hours::LocalHours;

pub use attempt::after_call;
pub use hours::{LocalClock, format_days};
pub use rule::Rule;

/// Maximum number of steps in the search for the next callable time. Each step ends a freeze, a callback, a day or a break in the calling
/// hours, so a few suffice.
const MAX_SEARCH_STEPS: usize = 32;

/// Result of the check whether a campaign lead can be called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Reasons not to call it now; empty if it can be called.
    pub reasons: Vec<NotCallableReason>,
    /// The earliest time without any reason. `None` if it can be called now, or if waiting alone doesn't help.
    pub next_callable_at: Option<Timestamp>,
}

impl Verdict {
    /// Returns true if it can be called now.
    pub fn is_callable(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// The data of a lead that a verdict depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee<'a> {
    /// The lead asked not to be called.
    pub do_not_call: bool,
    /// The lead is blacklisted.
    pub blacklisted: bool,
    /// State of its phone numbers.
    pub phone: Phone,
    /// Name of its time zone in the IANA database.
    pub timezone: Option<Cow<'a, str>>,
}

/// State of a lead's phone numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phone {
    /// At least one is valid, so it has a normalized form.
    Valid,
    /// The lead has numbers, but none is valid.
    Invalid,
    /// The lead has no numbers.
    None,
}

impl Phone {
    /// Returns the state of these numbers, as entered and in normalized form. Any entered text counts as a number, even blanks.
    /// [`condition`] applies the same rule to stored values.
    pub fn from_numbers<T: AsRef<str>>(entered: [&Option<T>; 2], normalized: [&Option<T>; 2]) -> Self {
        if normalized.into_iter().any(Option::is_some) {
            Self::Valid
        } else if entered.into_iter().flatten().any(|number| !number.as_ref().is_empty()) {
            Self::Invalid
        } else {
            Self::None
        }
    }
}

impl<'a> From<&'a Lead> for Callee<'a> {
    fn from(lead: &'a Lead) -> Self {
        Self {
            do_not_call: lead.do_not_call,
            blacklisted: lead.blacklisted,
            phone: Phone::from_numbers([&lead.phone, &lead.phone2], [&lead.phone_normalized, &lead.phone_normalized2]),
            timezone: lead.timezone.as_deref().map(Cow::Borrowed),
        }
    }
}

/// Judges a campaign lead at `now`. `is_dialable` is the flag of its status.
pub fn judge(
    callee: &Callee<'_>,
    campaign_lead: &CampaignLead,
    campaign: &Campaign,
    is_dialable: bool,
    now: Timestamp,
) -> Verdict {
    let hours = LocalHours::new(campaign, callee.timezone.as_deref());
    let input = VerdictInput { callee, campaign_lead, campaign, is_dialable, hours };
    let mut reasons = Vec::new();
    input.for_each_obstacle(now, |rule, until| reasons.push(reason(rule, until)));
    let next_callable_at = if reasons.is_empty() { None } else { input.next_callable_at(now) };
    Verdict { reasons, next_callable_at }
}

/// Calls `on_reason` with the code of each reason that [`judge`] finds, in the same order. Faster than `judge`, for
/// counts of many leads.
pub fn judge_codes(
    callee: &Callee<'_>,
    campaign_lead: &CampaignLead,
    campaign: &Campaign,
    is_dialable: bool,
    now: Timestamp,
    mut on_reason: impl FnMut(Code),
) {
    let hours = LocalHours::new(campaign, callee.timezone.as_deref());
    VerdictInput { callee, campaign_lead, campaign, is_dialable, hours }
        .for_each_obstacle(now, |rule, _| on_reason(rule.code()));
}

/// Returns the lead's own reasons, which apply in every campaign.
pub fn judge_lead(callee: &Callee<'_>, is_in_campaign: bool) -> Vec<NotCallableReason> {
    let mut reasons = Vec::new();
    let mut add = |rule| reasons.push(reason(rule, None));
    if !is_in_campaign {
        add(Rule::NotInCampaign);
    }
    consent_obstacles(callee, &mut add);
    phone_obstacles(callee, &mut add);
    reasons
}

fn reason(rule: Rule<'_>, until: Option<Timestamp>) -> NotCallableReason {
    NotCallableReason { code: rule.code(), until, detail: rule.describe(Language::English) }
}

fn consent_obstacles(callee: &Callee<'_>, mut add: impl FnMut(Rule<'static>)) {
    if callee.do_not_call {
        add(Rule::DoNotCall);
    }
    if callee.blacklisted {
        add(Rule::Blacklisted);
    }
}

fn phone_obstacles(callee: &Callee<'_>, mut add: impl FnMut(Rule<'static>)) {
    match callee.phone {
        Phone::Valid => {}
        Phone::Invalid => add(Rule::InvalidPhone),
        Phone::None => add(Rule::NoPhone),
    }
}

/// Everything that a verdict depends on, except the time.
struct VerdictInput<'a> {
    callee: &'a Callee<'a>,
    campaign_lead: &'a CampaignLead,
    campaign: &'a Campaign,
    is_dialable: bool,
    /// The campaign's calling hours in the lead's time zone; `None` if it has none.
    hours: Option<LocalHours<'a>>,
}

impl VerdictInput<'_> {
    /// Reports the obstacles at `now`, in documented order, each with the time at which it ends by itself.
    fn for_each_obstacle(&self, now: Timestamp, mut on_obstacle: impl FnMut(Rule<'_>, Option<Timestamp>)) {
        let Campaign { name: campaign, max_attempts, daily_attempts, .. } = self.campaign;
        let campaign_lead = self.campaign_lead;
        if !self.campaign.active {
            on_obstacle(Rule::CampaignInactive { campaign }, None);
        }
        if let Some(until) = campaign_lead.freeze_until.filter(|until| *until > now) {
            on_obstacle(Rule::Frozen { until }, Some(until));
        }
        if let Some(at) = campaign_lead.callback_at.filter(|at| *at > now) {
            on_obstacle(Rule::CallbackScheduled { at }, Some(at));
        }
        match &self.hours {
            Some(LocalHours { zone: None, .. }) => {
                let timezone = self.callee.timezone.as_deref().filter(|name| !name.is_empty());
                on_obstacle(Rule::TimezoneUnknown { timezone }, None);
            }
            Some(LocalHours { zone: Some(zone), hours }) if !hours::is_open(hours, *zone, now) => {
                let rule =
                    Rule::OutsideCallingHours { hours: Some(hours), clock: Some(hours::local_clock(*zone, now)) };
                on_obstacle(rule, hours::next_opening(hours, *zone, now));
            }
            _ => {}
        }
        consent_obstacles(self.callee, |rule| on_obstacle(rule, None));
        if max_attempts.is_some_and(|limit| campaign_lead.calls_count >= limit) {
            on_obstacle(Rule::AttemptLimit { calls: campaign_lead.calls_count, limit: *max_attempts }, None);
        }
        if let Some(limit) = *daily_attempts {
            let calls = calls_today(campaign_lead, now);
            if calls >= limit {
                let rule = Rule::DailyLimit { calls, limit: Some(limit) };
                on_obstacle(rule, if limit > 0 { next_day(now) } else { None });
            }
        }
        if !self.is_dialable {
            on_obstacle(Rule::StatusNotDialable { status: &campaign_lead.status }, None);
        }
        phone_obstacles(self.callee, |rule| on_obstacle(rule, None));
    }

    /// Returns the earliest time after `now` without obstacles; `None` if waiting alone doesn't help.
    ///
    /// Each obstacle lasts without a break until its end, so the search can skip to the latest end. The calling hours may be over again at
    /// that time, so the check is repeated.
    fn next_callable_at(&self, now: Timestamp) -> Option<Timestamp> {
        let mut time = now;
        for _ in 0..MAX_SEARCH_STEPS {
            // `None` if an obstacle doesn't end by itself, `Some(None)` if there are no obstacles.
            let mut latest_end = Some(None);
            self.for_each_obstacle(time, |_, until| {
                latest_end = latest_end.and_then(|latest| until.map(|until| latest.max(Some(until))))
            });
            match latest_end? {
                None => return Some(time),
                Some(end) => time = end,
            }
        }
        None
    }
}

/// Returns the next midnight in UTC; `None` at the end of the time range.
fn next_day(now: Timestamp) -> Option<Timestamp> {
    Some(now.date_naive().checked_add_days(Days::new(1))?.and_time(NaiveTime::MIN).and_utc())
}
