//! The rule behind a reason, with the facts that it was found by, and how it reads.

use chrono::NaiveTime;

use super::hours::days_in_short;
use super::wording as words;
use crate::api::{CallingHours, NotCallableCode as Code, Timestamp, Weekday};
use crate::time;
use crate::wording::Language;

/// The rule behind a reason. What isn't known of the facts is left out of the words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule<'a> {
    /// The campaign is switched off.
    CampaignInactive {
        /// Its name.
        campaign: &'a str,
    },
    /// The lead is in no campaign.
    NotInCampaign,
    /// The lead is frozen.
    Frozen {
        /// Until when.
        until: Timestamp,
    },
    /// A callback is agreed for later.
    CallbackScheduled {
        /// When.
        at: Timestamp,
    },
    /// It is outside the campaign's calling hours.
    OutsideCallingHours {
        /// These.
        hours: Option<&'a CallingHours>,
        /// What the lead's clock shows.
        clock: Option<LocalClock<'a>>,
    },
    /// The campaign has calling hours, and the lead's time zone isn't known.
    TimezoneUnknown {
        /// What was given as its time zone.
        given: Option<&'a str>,
    },
    /// The lead asked not to be called.
    DoNotCall,
    /// The lead is blacklisted.
    Blacklisted,
    /// The campaign's limit of calls is reached.
    AttemptLimit {
        /// Calls so far.
        calls: u32,
        /// Most calls.
        limit: Option<u32>,
    },
    /// The campaign's limit of calls a day is reached.
    DailyLimit {
        /// Calls on this day in UTC.
        calls: u32,
        /// Most calls a day.
        limit: Option<u32>,
    },
    /// The status takes no calls.
    StatusNotDialable {
        /// Its name.
        status: &'a str,
    },
    /// The lead has no phone number.
    NoPhone,
    /// The lead has phone numbers, none of them valid.
    InvalidPhone,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalClock<'a> {
    /// The time, read to the minute.
    pub time: NaiveTime,
    /// The day.
    pub day: Weekday,
    /// The time zone, by its name in the IANA database.
    pub zone: &'a str,
}

impl Rule<'_> {
    /// The reason it is the rule of.
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

    /// The rule and its facts, on one line without a full stop; moments in UTC. Names stand between backticks.
    pub fn words(&self, language: Language) -> String {
        self.words_with(language, |at| time::describe(at, language))
    }

    /// The same, with each moment as `moment` says it.
    pub fn words_with(&self, language: Language, moment: impl Fn(Timestamp) -> String) -> String {
        match *self {
            Self::CampaignInactive { campaign } => words::campaign_inactive(language, campaign),
            Self::NotInCampaign => words::not_in_campaign(language).to_owned(),
            Self::Frozen { until } => words::frozen(language, moment(until)),
            Self::CallbackScheduled { at } => words::callback_scheduled(language, moment(at)),
            Self::OutsideCallingHours { hours, clock } => outside_calling_hours(hours, clock, language),
            Self::TimezoneUnknown { given: Some(zone) } => words::timezone_not_known(language, zone),
            Self::TimezoneUnknown { given: None } => words::no_timezone(language).to_owned(),
            Self::DoNotCall => words::do_not_call(language).to_owned(),
            Self::Blacklisted => words::blacklisted(language).to_owned(),
            Self::AttemptLimit { calls, limit } => match (calls, limit) {
                (calls, None) => words::attempts_used_up(language, calls),
                (1, Some(limit)) => words::attempt_limit_once(language, limit),
                (calls, Some(limit)) => words::attempt_limit(language, calls, limit),
            },
            Self::DailyLimit { calls, limit } => match (calls, limit) {
                (calls, None) => words::attempts_of_day_used_up(language, calls),
                (1, Some(limit)) => words::daily_limit_once(language, limit),
                (calls, Some(limit)) => words::daily_limit(language, calls, limit),
            },
            Self::StatusNotDialable { status } => words::status_not_dialable(language, status),
            Self::NoPhone => words::no_phone(language).to_owned(),
            Self::InvalidPhone => words::invalid_phone(language).to_owned(),
        }
    }
}

fn outside_calling_hours(hours: Option<&CallingHours>, clock: Option<LocalClock<'_>>, language: Language) -> String {
    let Some(CallingHours { start, end, days }) = hours else {
        return words::outside_calling_hours(language).to_owned();
    };
    let (start, end, days) = (start.format("%H:%M"), end.format("%H:%M"), days_in_short(days, language));
    match clock {
        None => words::calling_hours(language, start, end, days),
        Some(LocalClock { time, day, zone }) => {
            let (time, day) = (time.format("%H:%M"), day.name(language));
            words::calling_hours_by_clock(language, start, end, days, time, day, zone)
        }
    }
}
