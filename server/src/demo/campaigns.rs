//! Sample campaigns: calling hours of every kind, with and without limits, one inactive.

use chrono::{NaiveTime, TimeDelta};
use leadscribe_engine::api::Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};
use leadscribe_engine::api::{CallingHours, CampaignId, Timestamp, Weekday};
use leadscribe_engine::record::CampaignRecord;

pub(super) struct SampleCampaign {
    name: &'static str,
    active: bool,
    /// First and last hour, and the days.
    hours: Option<(u32, u32, &'static [Weekday])>,
    /// Maximum number of calls to a lead.
    pub max_attempts: Option<u32>,
    /// Maximum number of calls to a lead per day.
    pub daily_attempts: Option<u32>,
    /// Minutes for which a lead is frozen after a call.
    pub freeze_minutes: u32,
}

const WEEKDAYS: &[Weekday] = &[Mon, Tue, Wed, Thu, Fri];
const MONDAY_TO_SATURDAY: &[Weekday] = &[Mon, Tue, Wed, Thu, Fri, Sat];
const EVERY_DAY: &[Weekday] = &[Mon, Tue, Wed, Thu, Fri, Sat, Sun];

macro_rules! campaigns {
    ($($name:literal $active:literal $hours:expr, $max:expr, $daily:expr, $freeze:literal;)+) => {
        /// All campaigns; the first has id 1.
        pub(super) const CAMPAIGNS: &[SampleCampaign] = &[$(SampleCampaign {
            name: $name,
            active: $active,
            hours: $hours,
            max_attempts: $max,
            daily_attempts: $daily,
            freeze_minutes: $freeze,
        }),+];
    };
}

campaigns! {
    // name                          active  from, to, days                     calls    a day    freeze
    "Solar panels, spring offer"      true   Some((9, 18, WEEKDAYS)),           Some(6), Some(2), 60;
    "Broadband renewals"              true   Some((9, 20, MONDAY_TO_SATURDAY)), Some(5), Some(2), 90;
    "Welcome calls"                   true   None,                              None,    None,    0;
    "Insurance quotes"                true   Some((10, 19, WEEKDAYS)),          Some(4), Some(1), 240;
    "Night desk callbacks"            true   Some((20, 2, EVERY_DAY)),          Some(8), None,    30;
    "Weekend survey"                  true   Some((10, 18, &[Sat, Sun])),       Some(3), Some(1), 0;
    "Energy tariff switch"            true   Some((8, 21, EVERY_DAY)),          Some(8), Some(3), 120;
    "Warranty extension"              true   Some((9, 17, WEEKDAYS)),           Some(5), None,    45;
    "Winter tyres"                    false  Some((9, 18, MONDAY_TO_SATURDAY)), Some(4), Some(2), 60;
    "Animal shelter fundraiser"       true   Some((16, 20, WEEKDAYS)),          Some(3), Some(1), 1440;
    "Overdue invoices"                true   Some((8, 20, MONDAY_TO_SATURDAY)), None,    Some(1), 720;
    "Appointment reminders"           true   Some((0, 0, EVERY_DAY)),           Some(4), Some(2), 15;
    "Customer satisfaction"           true   Some((12, 16, &[Tue, Wed, Thu])),  Some(2), Some(1), 0;
    "Former customers"                true   Some((10, 20, EVERY_DAY)),         None,    None,    180;
}

/// Returns the campaigns as stored, created 120 to 380 days before `now`.
pub(super) fn records(now: Timestamp) -> Vec<CampaignRecord> {
    CAMPAIGNS.iter().zip(1..).map(|(campaign, id)| campaign.record(id, now)).collect()
}

impl SampleCampaign {
    fn record(&self, id: i64, now: Timestamp) -> CampaignRecord {
        let created_at = now - TimeDelta::days(400 - 20 * id);
        CampaignRecord {
            id: Some(CampaignId(id)),
            name: Some(self.name.to_owned()),
            active: Some(self.active),
            calling_hours: Some(self.hours.map(|(start, end, days)| CallingHours {
                start: full_hour(start),
                end: full_hour(end),
                days: days.to_vec(),
            })),
            max_attempts: Some(self.max_attempts),
            daily_attempts: Some(self.daily_attempts),
            freeze_minutes: Some(self.freeze_minutes),
            created_at: Some(created_at),
            updated_at: Some(created_at + TimeDelta::days(id)),
        }
    }
}

fn full_hour(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).expect("the table holds hours from 0 to 23")
}
