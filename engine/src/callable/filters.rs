//! The filters that find leads by whether they can be called now: what [`super::judge`] says of one campaign lead, said of
//! all leads at once.
//!
//! A filter can't read a clock on a wall. Which time zones are within a campaign's calling hours is decided here, for the
//! time zones that leads have, and the filter lists them. So it is true of the moment it was made for.
//!
//! One thing a filter can't say: a phone number of several blanks and nothing else is no number to [`super::Phone`], and is
//! one to a filter.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::hours;
use crate::api::{CallingHours, Campaign, LeadStatus, NotCallableCode as Code, Timestamp};
use crate::json::write_text;
use crate::time;

/// What finds leads without a number that can be dialled.
const NONE_TO_DIAL: &str = r#""phone_normalized":null,"phone_normalized2":null"#;

/// What finds leads with a number, whether or not it can be dialled.
const SOME_NUMBER: &str = r#""_or":[{"phone":{"not":[null,""]}},{"phone2":{"not":[null,""]}}]"#;

/// The filter of the leads that have numbers of which none can be dialled, as JSON.
pub fn with_invalid_phone() -> String {
    object(&[NONE_TO_DIAL.to_owned(), SOME_NUMBER.to_owned()])
}

/// Everything that decides who can be called, but the leads.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// All campaigns.
    pub campaigns: &'a [Campaign],
    /// All statuses.
    pub statuses: &'a [LeadStatus],
    /// Every time zone that leads have; others do no harm.
    pub time_zones: &'a [String],
    /// Now.
    pub now: Timestamp,
}

impl Rules<'_> {
    /// The filter of the leads that can be called now in a campaign, as JSON text; none when it is switched off.
    pub fn callable_in(&self, campaign: &Campaign) -> Option<String> {
        if !campaign.active {
            return None;
        }
        let mut parts =
            vec![format!(r#""campaign_id":{}"#, campaign.id), format!(r#""status":{}"#, texts(self.dialable()))];
        let below = |field, limit: Option<u32>| limit.map(|limit| format!(r#""{field}":{{"lt":{limit}}}"#));
        parts.extend(below("calls_count", campaign.max_attempts));
        parts.extend(below("calls_today", campaign.daily_attempts));
        if let Some(hours) = &campaign.calling_hours {
            let open = self.known_zones().filter(|(_, zone)| hours::are_open(hours, *zone, self.now));
            parts.push(format!(r#""timezone":{}"#, texts(open.map(|(name, _)| name))));
        }
        let now = text(&time::print(self.now));
        parts.push(r#""do_not_call":false,"blacklisted":false"#.to_owned());
        parts.push(format!(
            r#""_and":[{},{},{}]"#,
            r#"{"_or":[{"phone_normalized":{"null":false}},{"phone_normalized2":{"null":false}}]}"#,
            format_args!(r#"{{"_or":[{{"freeze_until":null}},{{"freeze_until":{{"lte":{now}}}}}]}}"#),
            format_args!(r#"{{"_or":[{{"callback_at":null}},{{"callback_at":{{"lte":{now}}}}}]}}"#),
        ));
        Some(object(&parts))
    }

    /// The filter of the leads that have a reason not to be called now, in themselves or in one campaign at least, as JSON
    /// text; none when no lead can have it.
    ///
    /// Where campaigns differ in more than 100 ways in what the reason is about, the filter has more conditions than one
    /// may have.
    pub fn with_reason(&self, code: Code) -> Option<String> {
        self.members_of(code).map(|members| object(&members))
    }

    /// The same of one campaign: the filter of its leads that have the reason.
    pub fn with_reason_in(&self, campaign: &Campaign, code: Code) -> Option<String> {
        if code == Code::NotInCampaign {
            return None;
        }
        let alone = Rules { campaigns: std::slice::from_ref(campaign), ..*self };
        let of_campaign = in_one_of(&[campaign]);
        let says = alone.members_of(code)?.into_iter().filter(|member| *member != of_campaign);
        let members: Vec<_> = std::iter::once(of_campaign.clone()).chain(says).collect();
        Some(object(&members))
    }

    /// The members of the filter of a reason.
    fn members_of(&self, code: Code) -> Option<Vec<String>> {
        let now = text(&time::print(self.now));
        let one = |member: String| Some(vec![member]);
        match code {
            Code::CampaignInactive => {
                let inactive: Vec<_> = self.campaigns.iter().filter(|campaign| !campaign.active).collect();
                (!inactive.is_empty()).then(|| vec![in_one_of(&inactive)])
            }
            Code::NotInCampaign => one(r#""campaign_id":null"#.to_owned()),
            Code::Frozen => one(format!(r#""freeze_until":{{"gt":{now}}}"#)),
            Code::CallbackScheduled => one(format!(r#""callback_at":{{"gt":{now}}}"#)),
            Code::OutsideCallingHours => self.in_groups(|campaign| {
                let hours = campaign.calling_hours.as_ref()?;
                let closed: Vec<_> = self.closed_zones(hours).collect();
                (!closed.is_empty()).then(|| format!(r#""timezone":{}"#, texts(closed)))
            }),
            Code::TimezoneUnknown => self.in_groups(|campaign| {
                campaign.calling_hours.as_ref()?;
                Some(format!(r#""timezone":{{"not":{}}}"#, texts(self.known_zones().map(|(name, _)| name))))
            }),
            Code::DoNotCall => one(r#""do_not_call":true"#.to_owned()),
            Code::Blacklisted => one(r#""blacklisted":true"#.to_owned()),
            Code::AttemptLimit => self
                .in_groups(|campaign| campaign.max_attempts.map(|limit| format!(r#""calls_count":{{"gte":{limit}}}"#))),
            Code::DailyLimit => self.in_groups(|campaign| {
                campaign.daily_attempts.map(|limit| format!(r#""calls_today":{{"gte":{limit}}}"#))
            }),
            Code::StatusNotDialable => one(format!(r#""status":{{"not":{}}}"#, texts(self.dialable()))),
            Code::NoPhone => one(format!(r#"{NONE_TO_DIAL},"phone":[null,""],"phone2":[null,""]"#)),
            Code::InvalidPhone => one(format!("{NONE_TO_DIAL},{SOME_NUMBER}")),
        }
    }

    /// The campaigns of which `rule` says the same, together with what it says, as members of a filter.
    fn in_groups(&self, rule: impl Fn(&Campaign) -> Option<String>) -> Option<Vec<String>> {
        let mut groups: BTreeMap<String, Vec<&Campaign>> = BTreeMap::new();
        for campaign in self.campaigns {
            if let Some(rule) = rule(campaign) {
                groups.entry(rule).or_default().push(campaign);
            }
        }
        let mut branches: Vec<_> =
            groups.into_iter().map(|(rule, campaigns)| vec![in_one_of(&campaigns), rule]).collect();
        if branches.len() < 2 {
            return branches.pop();
        }
        let branches: Vec<_> = branches.iter().map(|members| object(members)).collect();
        Some(vec![format!(r#""_or":[{}]"#, branches.join(","))])
    }

    fn dialable(&self) -> impl Iterator<Item = &str> {
        self.statuses.iter().filter(|status| status.dialable).map(|status| status.name.as_str())
    }

    fn known_zones(&self) -> impl Iterator<Item = (&str, Tz)> {
        self.time_zones.iter().filter_map(|name| Some((name.as_str(), name.parse().ok()?)))
    }

    fn closed_zones<'r>(&'r self, hours: &'r CallingHours) -> impl Iterator<Item = &'r str> {
        let closed = self.known_zones().filter(|(_, zone)| !hours::are_open(hours, *zone, self.now));
        closed.map(|(name, _)| name)
    }
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

fn in_one_of(campaigns: &[&Campaign]) -> String {
    let ids: Vec<_> = campaigns.iter().map(|campaign| campaign.id.to_string()).collect();
    format!(r#""campaign_id":[{}]"#, ids.join(","))
}

fn texts<'a>(all: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<_> = all.into_iter().map(text).collect();
    format!("[{}]", all.join(","))
}

fn text(text: &str) -> String {
    let mut json = Vec::with_capacity(text.len() + 2);
    write_text(text, &mut json);
    String::from_utf8(json).expect("JSON is UTF-8")
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveTime, TimeDelta};

    use super::*;
    use crate::api::{CampaignId, CampaignLead, CampaignLeadId, Lead, LeadId, Weekday};
    use crate::callable::{Callee, judge, judge_lead};
    use crate::filter::{Limits, Row, read};
    use crate::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};

    /// A Friday, noon in UTC: in Los Angeles it is 5 in the morning.
    const NOW: &str = "2026-05-01T12:00:00Z";

    fn now() -> Timestamp {
        time::parse(NOW).expect(NOW)
    }

    fn statuses() -> Vec<LeadStatus> {
        let status = |(name, dialable): (&str, bool)| LeadStatus { name: name.into(), label: name.into(), dialable };
        [("new", true), ("busy", true), ("closed", false)].map(status).to_vec()
    }

    /// Campaigns that differ in each rule.
    fn campaigns() -> Vec<Campaign> {
        let hours = |start: &str, end: &str| {
            let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").expect(text);
            let days = vec![Weekday::Mon, Weekday::Fri];
            Some(CallingHours { start: time(start), end: time(end), days })
        };
        let campaign = |id, active, calling_hours, max_attempts, daily_attempts| {
            let record = CampaignRecord { name: Some(format!("Campaign {id}")), ..CampaignRecord::default() };
            let campaign = record.create(CampaignId(id), now()).expect("it has a name");
            Campaign { active, calling_hours, max_attempts, daily_attempts, ..campaign }
        };
        vec![
            campaign(1, true, None, None, None),
            campaign(2, true, hours("09:00", "18:00"), Some(3), Some(1)),
            campaign(3, false, hours("20:00", "06:00"), Some(3), Some(2)),
            campaign(4, true, hours("04:00", "13:00"), Some(2), Some(0)),
            campaign(5, true, hours("09:00", "18:00"), None, None),
        ]
    }

    fn leads() -> Vec<Lead> {
        let zones = [None, Some("Europe/Berlin"), Some("America/Los_Angeles"), Some("Mars/Olympus"), Some("")];
        let phones = [(None, None), (Some("+4930123456"), Some("+4930123456")), (Some("12"), None), (Some(""), None)];
        let mut leads = Vec::new();
        for zone in zones {
            for (phone, normalized) in phones {
                for wishes in 0..3 {
                    let id = LeadId(leads.len() as i64 + 1);
                    let lead = LeadRecord::default().create(id, now());
                    // Every other lead has its number in the second place.
                    let second = id.0 % 2 == 0;
                    let given = |of: bool, number: Option<&str>| number.filter(|_| second == of).map(str::to_owned);
                    leads.push(Lead {
                        timezone: zone.map(str::to_owned),
                        phone: given(false, phone),
                        phone2: given(true, phone),
                        phone_normalized: given(false, normalized),
                        phone_normalized2: given(true, normalized),
                        do_not_call: wishes == 1,
                        blacklisted: wishes == 2,
                        ..lead
                    });
                }
            }
        }
        leads
    }

    /// Campaign leads in every state, each of a lead and a campaign.
    fn campaign_leads(lead: LeadId, campaign: CampaignId) -> Vec<CampaignLead> {
        let record =
            CampaignLeadRecord { lead_id: Some(lead), campaign_id: Some(campaign), ..CampaignLeadRecord::default() };
        let new = record.create(CampaignLeadId(1), now()).expect("lead and campaign are given");
        let moments = [None, Some(-1), Some(0), Some(1)].map(|at| at.map(|at| now() + TimeDelta::microseconds(at)));
        let mut all = Vec::new();
        for status in ["new", "closed", "nobody_knows"] {
            for calls_count in [0, 1, 2, 3] {
                let last_call_at =
                    (calls_count > 0).then(|| now() - TimeDelta::hours(if calls_count > 2 { 13 } else { 1 }));
                let called = CampaignLead {
                    status: status.to_owned(),
                    calls_count,
                    calls_today: calls_count,
                    last_call_at,
                    ..new.clone()
                };
                all.extend(moments.map(|freeze_until| CampaignLead { freeze_until, ..called.clone() }));
                all.extend(moments.map(|callback_at| CampaignLead { callback_at, ..called.clone() }));
            }
        }
        all
    }

    #[test]
    fn filters_say_of_all_leads_what_the_verdict_says_of_each() {
        let (campaigns, statuses, leads) = (campaigns(), statuses(), leads());
        let mut time_zones: Vec<String> = leads.iter().filter_map(|lead| lead.timezone.clone()).collect();
        time_zones.dedup();
        let rules = Rules { campaigns: &campaigns, statuses: &statuses, time_zones: &time_zones, now: now() };
        let checked =
            |text: String| read(&text, &Limits::default()).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
        let callable: Vec<_> = campaigns.iter().map(|one| rules.callable_in(one).map(checked)).collect();
        let reasons: Vec<_> = Code::ALL.iter().map(|code| rules.with_reason(*code).map(checked)).collect();
        let inside = |one| Code::ALL.iter().map(|code| rules.with_reason_in(one, *code).map(checked)).collect();
        let in_each: Vec<Vec<_>> = campaigns.iter().map(inside).collect();
        let (mut called, mut kept) = (0, std::collections::BTreeMap::new());
        for lead in &leads {
            for (place, (campaign, callable)) in campaigns.iter().zip(&callable).enumerate() {
                for one in campaign_leads(lead.id, campaign.id) {
                    let dialable = statuses.iter().any(|status| status.name == one.status && status.dialable);
                    let verdict = judge(&Callee::from(lead), &one, campaign, dialable, now());
                    let pairs = [(one, campaign.name.clone())];
                    let row = Row { lead, campaign_leads: &pairs };
                    let finds = |filter: &Option<crate::filter::CheckedFilter>| {
                        filter.as_ref().is_some_and(|filter| filter.matches(&row, now()))
                    };
                    assert_eq!(finds(callable), verdict.is_callable(), "{row:?}");
                    called += u32::from(verdict.is_callable());
                    for (code, filter) in Code::ALL.iter().zip(&reasons) {
                        let has = verdict.reasons.iter().any(|reason| reason.code == *code);
                        assert_eq!(finds(filter), has, "{code}: {row:?}");
                        for (other, reasons) in in_each.iter().enumerate() {
                            let expected = has && other == place;
                            assert_eq!(finds(&reasons[*code as usize]), expected, "{code} in {other}: {row:?}");
                        }
                        *kept.entry(*code).or_insert(0) += u32::from(has);
                    }
                }
            }
        }
        kept.remove(&Code::NotInCampaign);
        assert!(called > 0 && kept.values().all(|count| *count > 0), "{called}, {kept:?}");
    }

    #[test]
    fn leads_in_no_campaign_have_the_reasons_that_lie_in_themselves() {
        let rules = Rules { campaigns: &campaigns(), statuses: &statuses(), time_zones: &[], now: now() };
        for lead in leads() {
            let row = Row { lead: &lead, campaign_leads: &[] };
            let found: Vec<_> = judge_lead(&Callee::from(&lead), false).into_iter().map(|reason| reason.code).collect();
            for code in Code::ALL {
                let filter = rules.with_reason(*code).map(|text| read(&text, &Limits::default()).expect("a filter"));
                let finds = filter.is_some_and(|filter| filter.matches(&row, now()));
                assert_eq!(finds, found.contains(code), "{code}: {lead:?}");
            }
        }
    }

    #[test]
    fn campaigns_with_the_same_rule_share_a_branch() {
        let time_zones = ["America/Los_Angeles", "Europe/Berlin", "Mars/Olympus"].map(str::to_owned);
        let rules = Rules { campaigns: &campaigns(), statuses: &statuses(), time_zones: &time_zones, now: now() };
        assert_eq!(
            rules.with_reason(Code::OutsideCallingHours).as_deref(),
            Some(concat!(
                r#"{"_or":[{"campaign_id":[3],"timezone":["America/Los_Angeles","Europe/Berlin"]},"#,
                r#"{"campaign_id":[2,5],"timezone":["America/Los_Angeles"]},"#,
                r#"{"campaign_id":[4],"timezone":["Europe/Berlin"]}]}"#
            ))
        );
        assert_eq!(
            rules.with_reason(Code::AttemptLimit).as_deref(),
            Some(concat!(
                r#"{"_or":[{"campaign_id":[4],"calls_count":{"gte":2}},"#,
                r#"{"campaign_id":[2,3],"calls_count":{"gte":3}}]}"#
            ))
        );
        let none = Rules { campaigns: &[], ..rules };
        for code in [Code::OutsideCallingHours, Code::TimezoneUnknown, Code::AttemptLimit, Code::CampaignInactive] {
            assert_eq!(none.with_reason(code), None, "{code}");
        }
    }
}
