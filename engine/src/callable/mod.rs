//! Why a campaign lead can't be called at a given moment, and when it can be called next.
//!
//! All reasons are found, not only the first, in their documented order ([`NotCallableCode`](Code)). A reason that time alone
//! cures carries the moment of its cure, and each tells the [`Rule`] behind it, in English: whoever speaks another language
//! has the rule say it. [`after_call`] is what an attempt changes. Pure like the rest: the time zone database is compiled in, and `now` is passed.

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
pub use hours::days_in_short;
pub use rule::{LocalClock, Rule};

/// Most steps from one cure to the next, before the search for the next callable moment is given up. Each step ends a
/// freeze, a callback, a day or a pause in the calling hours, so that a few are enough.
const MAX_STEPS: usize = 32;

/// Whether a campaign lead can be called, and if not, why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Why it can't be called now; empty when it can.
    pub reasons: Vec<NotCallableReason>,
    /// The earliest moment at which no reason is left, where time alone brings that. None when it can be called now.
    pub next_callable_at: Option<Timestamp>,
}

impl Verdict {
    /// Whether it can be called now.
    pub fn is_callable(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// What a verdict asks of a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee<'a> {
    /// The lead asked not to be called.
    pub do_not_call: bool,
    /// The lead is blacklisted.
    pub blacklisted: bool,
    /// What is known of its phone numbers.
    pub phone: Phone,
    /// Its time zone, by the name in the IANA database.
    pub timezone: Option<Cow<'a, str>>,
}

/// What is known of a lead's phone numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phone {
    /// One of them is valid: it has a normalized form.
    Valid,
    /// There are numbers, none of them valid.
    Invalid,
    /// There is none.
    None,
}

impl Phone {
    /// What is known of these numbers, as they were given and in their normalized form. Whatever was given is a number, be it
    /// blanks alone: [`condition`] says the same of what is stored.
    pub fn of<T: AsRef<str>>(given: [&Option<T>; 2], normalized: [&Option<T>; 2]) -> Self {
        if normalized.into_iter().any(Option::is_some) {
            Self::Valid
        } else if given.into_iter().flatten().any(|number| !number.as_ref().is_empty()) {
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
            phone: Phone::of([&lead.phone, &lead.phone2], [&lead.phone_normalized, &lead.phone_normalized2]),
            timezone: lead.timezone.as_deref().map(Cow::Borrowed),
        }
    }
}

/// Judges a campaign lead at `now`. `dialable` is what the list of statuses says of its status.
pub fn judge(
    callee: &Callee<'_>,
    campaign_lead: &CampaignLead,
    campaign: &Campaign,
    dialable: bool,
    now: Timestamp,
) -> Verdict {
    let hours = LocalHours::of(campaign, callee.timezone.as_deref());
    let case = Case { callee, campaign_lead, campaign, dialable, hours };
    let mut reasons = Vec::new();
    case.obstacles(now, |rule, until| reasons.push(reason(rule, until)));
    let next_callable_at = if reasons.is_empty() { None } else { case.next_callable_at(now) };
    Verdict { reasons, next_callable_at }
}

/// The codes of the reasons that [`judge`] finds, in the same order, without what is said about each: for counting many.
pub fn judge_briefly(
    callee: &Callee<'_>,
    campaign_lead: &CampaignLead,
    campaign: &Campaign,
    dialable: bool,
    now: Timestamp,
    mut found: impl FnMut(Code),
) {
    let hours = LocalHours::of(campaign, callee.timezone.as_deref());
    Case { callee, campaign_lead, campaign, dialable, hours }.obstacles(now, |rule, _| found(rule.code()));
}

/// The reasons that lie in the lead itself, and hold whatever the campaign.
pub fn judge_lead(callee: &Callee<'_>, in_campaign: bool) -> Vec<NotCallableReason> {
    let mut reasons = Vec::new();
    let mut add = |rule| reasons.push(reason(rule, None));
    if !in_campaign {
        add(Rule::NotInCampaign);
    }
    consent_obstacles(callee, &mut add);
    phone_obstacles(callee, &mut add);
    reasons
}

fn reason(rule: Rule<'_>, until: Option<Timestamp>) -> NotCallableReason {
    NotCallableReason { code: rule.code(), until, detail: rule.words(Language::English) }
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

/// Everything a verdict depends on but the time.
struct Case<'a> {
    callee: &'a Callee<'a>,
    campaign_lead: &'a CampaignLead,
    campaign: &'a Campaign,
    dialable: bool,
    /// The campaign's calling hours by the lead's clock; `None` if it has none.
    hours: Option<LocalHours<'a>>,
}

impl Case<'_> {
    /// Names what stands in the way at `now`, in the documented order, each with the moment at which time cures it.
    fn obstacles(&self, now: Timestamp, mut found: impl FnMut(Rule<'_>, Option<Timestamp>)) {
        let Campaign { name: campaign, max_attempts, daily_attempts, .. } = self.campaign;
        let one = self.campaign_lead;
        if !self.campaign.active {
            found(Rule::CampaignInactive { campaign }, None);
        }
        if let Some(until) = one.freeze_until.filter(|until| *until > now) {
            found(Rule::Frozen { until }, Some(until));
        }
        if let Some(at) = one.callback_at.filter(|at| *at > now) {
            found(Rule::CallbackScheduled { at }, Some(at));
        }
        match &self.hours {
            Some(LocalHours { zone: None, .. }) => {
                let given = self.callee.timezone.as_deref().filter(|name| !name.is_empty());
                found(Rule::TimezoneUnknown { given }, None);
            }
            Some(LocalHours { zone: Some(zone), hours }) if !hours::are_open(hours, *zone, now) => {
                let rule = Rule::OutsideCallingHours { hours: Some(hours), clock: Some(hours::clock(*zone, now)) };
                found(rule, hours::next_opening(hours, *zone, now));
            }
            _ => {}
        }
        consent_obstacles(self.callee, |rule| found(rule, None));
        if max_attempts.is_some_and(|limit| one.calls_count >= limit) {
            found(Rule::AttemptLimit { calls: one.calls_count, limit: *max_attempts }, None);
        }
        if let Some(limit) = *daily_attempts {
            let calls = calls_today(one, now);
            if calls >= limit {
                let rule = Rule::DailyLimit { calls, limit: Some(limit) };
                found(rule, if limit > 0 { next_day(now) } else { None });
            }
        }
        if !self.dialable {
            found(Rule::StatusNotDialable { status: &one.status }, None);
        }
        phone_obstacles(self.callee, |rule| found(rule, None));
    }

    /// The earliest moment after `now` without any obstacle; none if time alone doesn't bring it.
    ///
    /// Each obstacle holds without a break until its cure, so nothing before the latest cure can be free. At that
    /// moment the calling hours may have ended again, so it is judged anew.
    fn next_callable_at(&self, now: Timestamp) -> Option<Timestamp> {
        let mut at = now;
        for _ in 0..MAX_STEPS {
            let mut cure = Some(None);
            self.obstacles(at, |_, until| cure = cure.and_then(|latest| until.map(|until| latest.max(Some(until)))));
            match cure? {
                None => return Some(at),
                Some(later) => at = later,
            }
        }
        None
    }
}

/// The next midnight in UTC; none at the end of all time.
fn next_day(now: Timestamp) -> Option<Timestamp> {
    Some(now.date_naive().checked_add_days(Days::new(1))?.and_time(NaiveTime::MIN).and_utc())
}
