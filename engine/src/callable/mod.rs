//! Why a campaign lead can't be called at a given moment, and when it can be called next.
//!
//! All reasons are found, not only the first, in their documented order ([`NotCallableCode`](Code)). A reason that time alone
//! cures carries the moment of its cure. Pure like the rest: the time zone database is compiled in, and `now` is
//! passed.

pub mod filters;
mod hours;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use chrono::{Days, NaiveTime};

use crate::api::{Campaign, CampaignLead, Lead, NotCallableCode as Code, NotCallableReason, Timestamp};
use crate::filter::calls_today;
use crate::time;
use hours::LocalHours;

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
    /// What is known of these numbers, as they were given and in their normalized form.
    pub fn of(given: [&Option<String>; 2], normalized: [&Option<String>; 2]) -> Self {
        let any = |numbers: [&Option<String>; 2]| numbers.into_iter().flatten().any(|number| !number.trim().is_empty());
        if any(normalized) {
            Self::Valid
        } else if any(given) {
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
    case.obstacles(now, |code, until| reasons.push(NotCallableReason { code, until, detail: case.detail(code, now) }));
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
    Case { callee, campaign_lead, campaign, dialable, hours }.obstacles(now, |code, _| found(code));
}

/// The reasons that lie in the lead itself, and hold whatever the campaign.
pub fn judge_lead(callee: &Callee<'_>, in_campaign: bool) -> Vec<NotCallableReason> {
    let mut reasons = Vec::new();
    let mut add = |code| reasons.push(NotCallableReason { code, until: None, detail: lead_detail(code).to_owned() });
    if !in_campaign {
        add(Code::NotInCampaign);
    }
    consent_obstacles(callee, &mut add);
    phone_obstacles(callee, &mut add);
    reasons
}

fn consent_obstacles(callee: &Callee<'_>, mut add: impl FnMut(Code)) {
    if callee.do_not_call {
        add(Code::DoNotCall);
    }
    if callee.blacklisted {
        add(Code::Blacklisted);
    }
}

fn phone_obstacles(callee: &Callee<'_>, mut add: impl FnMut(Code)) {
    match callee.phone {
        Phone::Valid => {}
        Phone::Invalid => add(Code::InvalidPhone),
        Phone::None => add(Code::NoPhone),
    }
}

fn lead_detail(code: Code) -> &'static str {
    match code {
        Code::NotInCampaign => "the lead is in no campaign",
        Code::DoNotCall => "the lead asked not to be called",
        Code::Blacklisted => "the lead is blacklisted",
        Code::NoPhone => "the lead has no phone number",
        Code::InvalidPhone => "none of the lead's phone numbers is valid",
        _ => "",
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
    fn obstacles(&self, now: Timestamp, mut found: impl FnMut(Code, Option<Timestamp>)) {
        if !self.campaign.active {
            found(Code::CampaignInactive, None);
        }
        if let Some(until) = self.campaign_lead.freeze_until.filter(|until| *until > now) {
            found(Code::Frozen, Some(until));
        }
        if let Some(until) = self.campaign_lead.callback_at.filter(|until| *until > now) {
            found(Code::CallbackScheduled, Some(until));
        }
        match &self.hours {
            Some(LocalHours { zone: None, .. }) => found(Code::TimezoneUnknown, None),
            Some(LocalHours { zone: Some(zone), hours }) if !hours::are_open(hours, *zone, now) => {
                found(Code::OutsideCallingHours, hours::next_opening(hours, *zone, now));
            }
            _ => {}
        }
        consent_obstacles(self.callee, |code| found(code, None));
        if self.campaign.max_attempts.is_some_and(|limit| self.campaign_lead.calls_count >= limit) {
            found(Code::AttemptLimit, None);
        }
        if let Some(limit) = self.campaign.daily_attempts.filter(|limit| calls_today(self.campaign_lead, now) >= *limit)
        {
            found(Code::DailyLimit, if limit > 0 { next_day(now) } else { None });
        }
        if !self.dialable {
            found(Code::StatusNotDialable, None);
        }
        phone_obstacles(self.callee, |code| found(code, None));
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

    /// The rule behind a reason.
    fn detail(&self, code: Code, now: Timestamp) -> String {
        let until = |until: Option<Timestamp>| until.map(time::describe).unwrap_or_default();
        match code {
            Code::CampaignInactive => format!("campaign `{}` is switched off", self.campaign.name),
            Code::Frozen => format!("frozen until {}", until(self.campaign_lead.freeze_until)),
            Code::CallbackScheduled => format!("a callback is agreed for {}", until(self.campaign_lead.callback_at)),
            Code::OutsideCallingHours => self.hours.as_ref().map(|hours| hours.describe(now)).unwrap_or_default(),
            Code::TimezoneUnknown => match &self.callee.timezone {
                Some(name) if !name.is_empty() => {
                    format!("the campaign has calling hours, and the lead's time zone `{name}` isn't known")
                }
                _ => "the campaign has calling hours, and the lead has no time zone".to_owned(),
            },
            Code::AttemptLimit => format!(
                "{}; the campaign's limit is {}",
                called(self.campaign_lead.calls_count, ""),
                self.campaign.max_attempts.unwrap_or_default()
            ),
            Code::DailyLimit => format!(
                "{}; the campaign's limit is {} a day",
                called(calls_today(self.campaign_lead, now), " today (UTC)"),
                self.campaign.daily_attempts.unwrap_or_default()
            ),
            Code::StatusNotDialable => format!("status `{}` takes no calls", self.campaign_lead.status),
            Code::NotInCampaign | Code::DoNotCall | Code::Blacklisted | Code::NoPhone | Code::InvalidPhone => {
                lead_detail(code).to_owned()
            }
        }
    }
}

fn called(times: u32, when: &str) -> String {
    format!("called {times} {}{when}", if times == 1 { "time" } else { "times" })
}

/// The next midnight in UTC; none at the end of all time.
fn next_day(now: Timestamp) -> Option<Timestamp> {
    Some(now.date_naive().checked_add_days(Days::new(1))?.and_time(NaiveTime::MIN).and_utc())
}
