//! The rules behind reasons, with their facts and their wording.

use super::hours::{LocalClock, format_days};
use super::wording as words;
use crate::api::{CallingHours, NotCallableCode as Code, Timestamp};
use crate::time;
use crate::wording::Language;

/// The rule behind a reason. Unknown facts are left out of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule<'a> {
    /// The campaign is inactive.
    CampaignInactive {
        /// Name of the campaign.
        campaign: &'a str,
    },
    /// The lead isn't in any campaign.
    NotInCampaign,
    /// The lead is frozen.
    Frozen {
        /// End of the freeze.
        until: Timestamp,
    },
    /// A callback is scheduled for later.
    CallbackScheduled {
        /// Time of the callback.
        at: Timestamp,
    },
    /// The lead's local time is outside the campaign's calling hours.
    OutsideCallingHours {
        /// The calling hours.
        hours: Option<&'a CallingHours>,
        /// The lead's local time.
        clock: Option<LocalClock<'a>>,
    },
    /// The campaign has calling hours, and the lead's time zone is unknown.
    TimezoneUnknown {
        /// The time zone as given.
        timezone: Option<&'a str>,
    },
    /// The lead asked not to be called.
    DoNotCall,
    /// The lead is blacklisted.
    Blacklisted,
    /// The campaign's call limit is reached.
    AttemptLimit {
        /// Number of calls so far.
        calls: u32,
        /// Maximum number of calls.
        limit: Option<u32>,
    },
    /// The campaign's daily call limit is reached.
    DailyLimit {
        /// Number of calls on this UTC day.
        calls: u32,
        /// Maximum number of calls per day.
        limit: Option<u32>,
    },
    /// The status isn't dialable.
    StatusNotDialable {
        /// Name of the status.
        status: &'a str,
    },
    /// The lead has no phone number.
    NoPhone,
    /// The lead has phone numbers, but none is valid.
    InvalidPhone,
}

impl Rule<'_> {
    /// Returns the code of the reason.
    pub const fn code(&self) -> Code {
        match self {
            Self::CampaignInactive { .. } => Code::CampaignInactive,
            Self::NotInCampaign => Code::NotInCampaign,
            Self::Frozen { .. } => Code::Frozen,
            Self::CallbackScheduled { .. } => Code::CallbackScheduled,
            Self::OutsideCallingHours { .. } => Code::OutsideCallingHours,
            Self::TimezoneUnknown { .. } => Code::TimezoneUnknown,
            Self::DoNotCall => Code::DoNotCall,
            Self::Blacklisted => Code::Blacklisted,
            Self::AttemptLimit { .. } => Code::AttemptLimit,
            Self::DailyLimit { .. } => Code::DailyLimit,
            Self::StatusNotDialable { .. } => Code::StatusNotDialable,
            Self::NoPhone => Code::NoPhone,
            Self::InvalidPhone => Code::InvalidPhone,
        }
    }

    /// Returns the rule and its facts on one line, without a full stop. Times are in UTC, and names are in backticks.
    pub fn describe(&self, language: Language) -> String {
        self.describe_with(language, |at| time::describe(at, language))
    }

    /// Like [`Rule::describe`], but formats each time with `format_time`.
    pub fn describe_with(&self, language: Language, format_time: impl Fn(Timestamp) -> String) -> String {
        match *self {
            Self::CampaignInactive { campaign } => words::campaign_inactive(language, campaign),
            Self::NotInCampaign => words::not_in_campaign(language).to_owned(),
            Self::Frozen { until } => words::frozen(language, format_time(until)),
            Self::CallbackScheduled { at } => words::callback_scheduled(language, format_time(at)),
            Self::OutsideCallingHours { hours, clock } => describe_calling_hours(hours, clock, language),
            Self::TimezoneUnknown { timezone: Some(zone) } => words::timezone_unknown(language, zone),
            Self::TimezoneUnknown { timezone: None } => words::no_timezone(language).to_owned(),
            Self::DoNotCall => words::do_not_call(language).to_owned(),
            Self::Blacklisted => words::blacklisted(language).to_owned(),
            Self::AttemptLimit { calls, limit } => match (calls, limit) {
                (calls, None) => words::attempt_limit_reached(language, calls),
                (1, Some(limit)) => words::attempt_limit_once(language, limit),
                (calls, Some(limit)) => words::attempt_limit(language, calls, limit),
            },
            Self::DailyLimit { calls, limit } => match (calls, limit) {
                (calls, None) => words::daily_limit_reached(language, calls),
                (1, Some(limit)) => words::daily_limit_once(language, limit),
                (calls, Some(limit)) => words::daily_limit(language, calls, limit),
            },
            Self::StatusNotDialable { status } => words::status_not_dialable(language, status),
            Self::NoPhone => words::no_phone(language).to_owned(),
            Self::InvalidPhone => words::invalid_phone(language).to_owned(),
        }
    }
}

fn describe_calling_hours(hours: Option<&CallingHours>, clock: Option<LocalClock<'_>>, language: Language) -> String {
    let Some(CallingHours { start, end, days }) = hours else {
        return words::outside_calling_hours(language).to_owned();
    };
    let (start, end, days) = (start.format("%H:%M"), end.format("%H:%M"), format_days(days, language));
    match clock {
        None => words::calling_hours(language, start, end, days),
        Some(LocalClock { time, day, zone }) => {
            let (time, day) = (time.format("%H:%M"), day.name(language));
            words::calling_hours_with_local_time(language, start, end, days, time, day, zone)
        }
    }
}
