//! Wording of the rules behind reasons, in every language.

use crate::api::Weekday;
use crate::wording::{Language, wording};

wording! {
    campaign_inactive(campaign): "campaign `{campaign}` is inactive" | "Kampagne `{campaign}` ist inaktiv";
    not_in_campaign: "the lead isn't in a campaign" | "der Lead ist in keiner Kampagne";
    frozen(until): "frozen until {until}" | "pausiert bis {until}";
    callback_scheduled(at): "callback scheduled for {at}" | "Rückruf vereinbart für den {at}";
    outside_calling_hours: "outside the campaign's calling hours" | "außerhalb der Anrufzeiten der Kampagne";
    calling_hours(start, end, days): "calling hours are {start}–{end} {days}" | "Anrufzeiten sind {start}–{end} {days}";
    calling_hours_with_local_time(start, end, days, time, day, zone):
        "calling hours are {start}–{end} {days}; the lead's local time is {day}, {time} ({zone})" |
        "Anrufzeiten sind {start}–{end} {days}; Ortszeit des Leads ist {day}, {time} ({zone})";
    timezone_unknown(zone):
        "the campaign has calling hours, but the lead's time zone `{zone}` is unknown" |
        "die Kampagne hat Anrufzeiten, aber die Zeitzone `{zone}` des Leads ist unbekannt";
    no_timezone:
        "the campaign has calling hours, but the lead has no time zone" |
        "die Kampagne hat Anrufzeiten, aber der Lead hat keine Zeitzone";
    do_not_call: "the lead asked not to be called" | "der Lead möchte nicht angerufen werden";
    blacklisted: "the lead is blacklisted" | "der Lead steht auf der Sperrliste";
    attempt_limit_reached(calls):
        "the campaign's limit is reached (calls: {calls})" |
        "das Limit der Kampagne ist erreicht (Anrufe: {calls})";
    attempt_limit_once(limit):
        "called once; the campaign's limit is {limit}" |
        "einmal angerufen; das Limit der Kampagne ist {limit}";
    attempt_limit(calls, limit):
        "called {calls} times; the campaign's limit is {limit}" |
        "{calls}-mal angerufen; das Limit der Kampagne ist {limit}";
    daily_limit_reached(calls):
        "the campaign's daily limit is reached (calls today, UTC: {calls})" |
        "das Tageslimit der Kampagne ist erreicht (Anrufe heute, UTC: {calls})";
    daily_limit_once(limit):
        "called once today (UTC); the campaign's limit is {limit} per day" |
        "heute (UTC) einmal angerufen; das Limit der Kampagne ist {limit} pro Tag";
    daily_limit(calls, limit):
        "called {calls} times today (UTC); the campaign's limit is {limit} per day" |
        "heute (UTC) {calls}-mal angerufen; das Limit der Kampagne ist {limit} pro Tag";
    status_not_dialable(status):
        "leads with status `{status}` are not called" |
        "Leads mit Status `{status}` werden nicht angerufen";
    no_phone: "the lead has no phone number" | "der Lead hat keine Telefonnummer";
    invalid_phone: "none of the lead's phone numbers is valid" | "keine der Telefonnummern des Leads ist gültig";

    every_day: "every day" | "täglich";
    monday: "Monday" | "Montag";
    tuesday: "Tuesday" | "Dienstag";
    wednesday: "Wednesday" | "Mittwoch";
    thursday: "Thursday" | "Donnerstag";
    friday: "Friday" | "Freitag";
    saturday: "Saturday" | "Samstag";
    sunday: "Sunday" | "Sonntag";
    mon: "Mon" | "Mo";
    tue: "Tue" | "Di";
    wed: "Wed" | "Mi";
    thu: "Thu" | "Do";
    fri: "Fri" | "Fr";
    sat: "Sat" | "Sa";
    sun: "Sun" | "So";
}

impl Weekday {
    /// Returns the name of the day.
    pub const fn name(self, language: Language) -> &'static str {
        match self {
            Self::Mon => monday(language),
            Self::Tue => tuesday(language),
            Self::Wed => wednesday(language),
            Self::Thu => thursday(language),
            Self::Fri => friday(language),
            Self::Sat => saturday(language),
            Self::Sun => sunday(language),
        }
    }

    /// Returns the abbreviated name of the day, in two or three letters.
    pub const fn short_name(self, language: Language) -> &'static str {
        match self {
            Self::Mon => mon(language),
            Self::Tue => tue(language),
            Self::Wed => wed(language),
            Self::Thu => thu(language),
            Self::Fri => fri(language),
            Self::Sat => sat(language),
            Self::Sun => sun(language),
        }
    }
}
