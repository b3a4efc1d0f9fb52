//! What a filter says of callability, as conditions on what is stored: what [`super::judge`] says of one campaign lead, said
//! of all leads at once.
//!
//! Whether a lead can be called stands in no column: it depends on the campaigns' rules, on the statuses and on the time. So
//! whoever answers a filter [resolves](Rules::resolve) it first, with the rules and the moment that the answer is about.

use super::hours;
use crate::api::{Campaign, CampaignId, LeadStatus, NotCallableCode as Code, Timestamp};
use crate::filter::fields::FieldId;
use crate::filter::predicate::{Comparison, FieldRef, Predicate, Test, Value};
use crate::zone::Zone;

/// Everything that decides who can be called, but the leads.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// All campaigns.
    pub campaigns: &'a [&'a Campaign],
    /// All statuses.
    pub statuses: &'a [LeadStatus],
    /// Now.
    pub now: Timestamp,
}

impl Rules<'_> {
    /// The predicate that says the same of fields that are stored.
    ///
    /// Of several reasons of a campaign lead one is enough to pass a test, and that it has none of them is the opposite, as
    /// [`Test::NotIn`] says it. A lead in no campaign can't be called, and has the reasons that lie in itself.
    pub fn resolve(&self, predicate: &Predicate) -> Predicate {
        let each = |parts: &[Predicate]| parts.iter().map(|part| self.resolve(part)).collect();
        match predicate {
            Predicate::All(parts) => Predicate::All(each(parts)),
            Predicate::Any(parts) => Predicate::Any(each(parts)),
            Predicate::Field(FieldRef::Known(FieldId::Callable), test) => self.verdict(test),
            Predicate::Field(FieldRef::Known(FieldId::NotCallableReason), test) => self.reason(test),
            stored @ Predicate::Field(..) => stored.clone(),
        }
    }

    fn verdict(&self, test: &Test) -> Predicate {
        let passes = |callable| test.passes(Some(&Value::Boolean(callable)));
        match (passes(true), passes(false)) {
            (true, true) => Predicate::All(Vec::new()),
            (true, false) => self.callable(true),
            (false, true) => self.callable(false),
            (false, false) => Predicate::Any(Vec::new()),
        }
    }

    fn reason(&self, test: &Test) -> Predicate {
        let (among, null, is_in) = match test {
            Test::NotIn { values, null } => (Test::In { values: values.clone(), null: *null }, *null, false),
            test => (test.clone(), test.passes(None), true),
        };
        let passes = |code: &&Code| among.passes(Some(&Value::Text(code.as_str().to_owned())));
        let passing: Vec<Code> = Code::ALL.iter().filter(passes).copied().collect();
        // A lead without a campaign breaks no rule of one, nor keeps it.
        let inside = !is_in && passing.iter().any(|code| has_rule_of_campaign(*code));
        let inside = inside.then(|| on(FieldId::CampaignId, Test::IsNull(false)));
        let said = passing.into_iter().map(|code| self.has(code, is_in)).chain(null.then(|| self.callable(is_in)));
        any(is_in, inside.into_iter().chain(said))
    }

    /// That a campaign lead can be called now, or that it can't.
    fn callable(&self, is_so: bool) -> Predicate {
        all(is_so, Code::ALL.iter().map(|code| self.has(*code, !is_so)))
    }

    /// That a campaign lead, or a lead without one, has a reason not to be called now, or that it hasn't.
    fn has(&self, code: Code, is_so: bool) -> Predicate {
        match code {
            Code::CampaignInactive => {
                let inactive = self.campaigns.iter().filter(|campaign| !campaign.active);
                one_of(FieldId::CampaignId, ids(inactive.map(|campaign| campaign.id)), is_so)
            }
            Code::NotInCampaign => on(FieldId::CampaignId, Test::IsNull(is_so)),
            Code::Frozen => self.later(FieldId::FreezeUntil, is_so),
            Code::CallbackScheduled => self.later(FieldId::CallbackAt, is_so),
            Code::OutsideCallingHours => self.by_rule(
                is_so,
                |campaign| campaign.calling_hours.as_ref(),
                |hours| one_of(FieldId::Timezone, zones(|zone| !hours::are_open(hours, zone, self.now)), is_so),
            ),
            Code::TimezoneUnknown => self.by_rule(
                is_so,
                |campaign| campaign.calling_hours.is_some().then_some(()),
                |()| one_of(FieldId::Timezone, zones(|_| true), !is_so),
            ),
            Code::DoNotCall => one_of(FieldId::DoNotCall, vec![Value::Boolean(true)], is_so),
            Code::Blacklisted => one_of(FieldId::Blacklisted, vec![Value::Boolean(true)], is_so),
            Code::AttemptLimit => self.by_rule(
                is_so,
                |campaign| campaign.max_attempts,
                |limit| reaches(FieldId::CallsCount, limit, is_so),
            ),
            Code::DailyLimit => self.by_rule(
                is_so,
                |campaign| campaign.daily_attempts,
                |limit| reaches(FieldId::CallsToday, limit, is_so),
            ),
            Code::StatusNotDialable => {
                let dialable = self.statuses.iter().filter(|status| status.dialable);
                one_of(FieldId::Status, dialable.map(|status| Value::Text(status.name.clone())).collect(), !is_so)
            }
            Code::NoPhone => all(is_so, [valid_number(!is_so), some_number(!is_so)]),
            Code::InvalidPhone => all(is_so, [valid_number(!is_so), some_number(is_so)]),
        }
    }

    /// That a moment is still to come.
    fn later(&self, field: FieldId, is_so: bool) -> Predicate {
        let now = || Value::Time(self.now);
        match is_so {
            true => on(field, Test::Compare(Comparison::Greater, now())),
            false => Predicate::Any(vec![
                on(field, Test::IsNull(true)),
                on(field, Test::Compare(Comparison::LessOrEqual, now())),
            ]),
        }
    }

    /// That what `breaks` says holds in a campaign that has such a rule. Campaigns of the same rule are asked together.
    fn by_rule<'c, R: PartialEq>(
        &'c self,
        is_so: bool,
        rule: impl Fn(&'c Campaign) -> Option<R>,
        breaks: impl Fn(R) -> Predicate,
    ) -> Predicate {
        let mut groups: Vec<(R, Vec<CampaignId>)> = Vec::new();
        for campaign in self.campaigns {
            let Some(rule) = rule(campaign) else { continue };
            match groups.iter_mut().find(|(one, _)| *one == rule) {
                Some((_, members)) => members.push(campaign.id),
                None => groups.push((rule, vec![campaign.id])),
            }
        }
        let broken = groups
            .into_iter()
            .map(|(rule, members)| all(is_so, [one_of(FieldId::CampaignId, ids(members), is_so), breaks(rule)]));
        any(is_so, broken)
    }
}

/// Whether it is by a rule that a campaign may have or not.
const fn has_rule_of_campaign(code: Code) -> bool {
    matches!(code, Code::OutsideCallingHours | Code::TimezoneUnknown | Code::AttemptLimit | Code::DailyLimit)
}

/// That all parts are so; or, of parts that say the opposite, that not all are.
fn all(is_so: bool, parts: impl IntoIterator<Item = Predicate>) -> Predicate {
    let parts = parts.into_iter().collect();
    if is_so { Predicate::All(parts) } else { Predicate::Any(parts) }
}

/// That one part at least is so; or, of parts that say the opposite, that none is.
fn any(is_so: bool, parts: impl IntoIterator<Item = Predicate>) -> Predicate {
    all(!is_so, parts)
}

fn on(field: FieldId, test: Test) -> Predicate {
    Predicate::Field(FieldRef::Known(field), test)
}

fn one_of(field: FieldId, values: Vec<Value>, is_so: bool) -> Predicate {
    let null = false;
    on(field, if is_so { Test::In { values, null } } else { Test::NotIn { values, null } })
}

fn reaches(field: FieldId, limit: u32, is_so: bool) -> Predicate {
    let comparison = if is_so { Comparison::GreaterOrEqual } else { Comparison::Less };
    on(field, Test::Compare(comparison, Value::Integer(limit.into())))
}

/// That one of a lead's numbers can be dialled.
fn valid_number(is_so: bool) -> Predicate {
    let fields = [FieldId::PhoneNormalized, FieldId::PhoneNormalized2];
    any(is_so, fields.map(|field| on(field, Test::IsNull(!is_so))))
}

/// That a lead has a number, whether or not it can be dialled: as [`super::Phone::of`] says it of one lead.
fn some_number(is_so: bool) -> Predicate {
    let (values, null) = (vec![Value::Text(String::new())], true);
    let test = if is_so { Test::NotIn { values, null } } else { Test::In { values, null } };
    any(is_so, [FieldId::Phone, FieldId::Phone2].map(|field| on(field, test.clone())))
}

fn ids(of: impl IntoIterator<Item = CampaignId>) -> Vec<Value> {
    of.into_iter().map(|id| Value::Integer(id.0)).collect()
}

/// The names of those time zones of the IANA database of which this is true.
fn zones(are_so: impl Fn(Zone) -> bool) -> Vec<Value> {
    Zone::all().filter(|zone| are_so(*zone)).map(|zone| Value::Text(zone.name().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveTime, TimeDelta};

    use super::*;
    use crate::api::{CallingHours, CampaignLead, CampaignLeadId, Lead, LeadId, Weekday};
    use crate::callable::{Callee, judge, judge_lead};
    use crate::filter::{Limits, Row, matches, read};
    use crate::record::{CampaignLeadRecord, CampaignRecord, LeadRecord};
    use crate::time;

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
        let phones = [
            (None, None),
            (Some("+4930123456"), Some("+4930123456")),
            (Some("12"), None),
            (Some(""), None),
            (Some(" "), None),
        ];
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

    /// A filter, resolved with the rules.
    fn resolved(rules: &Rules<'_>, text: &str) -> Predicate {
        let filter = read(text, &Limits::default()).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
        assert!(filter.predicate.asks_for_verdict(), "{text}");
        let predicate = rules.resolve(&filter.predicate);
        assert!(!predicate.asks_for_verdict(), "{predicate:?}");
        predicate
    }

    #[test]
    fn conditions_say_of_all_leads_what_the_verdict_says_of_each() {
        let (campaigns, statuses, leads) = (campaigns(), statuses(), leads());
        let all: Vec<_> = campaigns.iter().collect();
        let rules = Rules { campaigns: &all, statuses: &statuses, now: now() };
        let filter = |text: &str| resolved(&rules, text);
        let [callable, uncallable, none, some] = [
            r#"{"callable":true}"#,
            r#"{"callable":false}"#,
            r#"{"not_callable_reason":null}"#,
            r#"{"not_callable_reason":{"null":false}}"#,
        ]
        .map(filter);
        let of_limits = filter(r#"{"not_callable_reason":{"ends_with":"_LIMIT"}}"#);
        let of_code = |text: &str| -> Vec<_> {
            Code::ALL.iter().map(|code| filter(&text.replace("CODE", code.as_str()))).collect()
        };
        let has = of_code(r#"{"not_callable_reason":"CODE"}"#);
        let has_or_none = of_code(r#"{"not_callable_reason":["CODE",null]}"#);
        let has_not = of_code(r#"{"not_callable_reason":{"not":"CODE"}}"#);
        let has_other = of_code(r#"{"not_callable_reason":{"not":["CODE",null]}}"#);
        let in_third = of_code(r#"{"campaign_id":3,"not_callable_reason":"CODE"}"#);
        let (mut called, mut kept) = (0, std::collections::BTreeMap::new());
        for lead in &leads {
            for campaign in &campaigns {
                for one in campaign_leads(lead.id, campaign.id) {
                    let dialable = statuses.iter().any(|status| status.name == one.status && status.dialable);
                    let verdict = judge(&Callee::from(lead), &one, campaign, dialable, now());
                    let pairs = [(one, campaign.name.clone())];
                    let row = Row { lead, campaign_leads: &pairs };
                    let finds = |predicate: &Predicate| matches(predicate, &row, now());
                    let is_callable = verdict.is_callable();
                    assert_eq!([&callable, &none].map(finds), [is_callable; 2], "{row:?}");
                    assert_eq!([&uncallable, &some].map(finds), [!is_callable; 2], "{row:?}");
                    called += u32::from(is_callable);
                    let codes: Vec<_> = verdict.reasons.iter().map(|reason| reason.code).collect();
                    let has_limit = codes.contains(&Code::AttemptLimit) || codes.contains(&Code::DailyLimit);
                    assert_eq!(finds(&of_limits), has_limit, "{row:?}");
                    for (place, code) in Code::ALL.iter().enumerate() {
                        let is_so = codes.contains(code);
                        let expected =
                            [is_so, is_so || is_callable, !is_so, !is_so && !is_callable, is_so && campaign.id.0 == 3];
                        let asked = [&has, &has_or_none, &has_not, &has_other, &in_third];
                        assert_eq!(asked.map(|one| finds(&one[place])), expected, "{code}: {row:?}");
                        *kept.entry(*code).or_insert(0) += u32::from(is_so);
                    }
                }
            }
        }
        kept.remove(&Code::NotInCampaign);
        assert!(called > 0 && kept.values().all(|count| *count > 0), "{called}, {kept:?}");
    }

    #[test]
    fn leads_in_no_campaign_have_the_reasons_that_lie_in_themselves() {
        let (campaigns, statuses) = (campaigns(), statuses());
        let all: Vec<_> = campaigns.iter().collect();
        let own = [Code::NotInCampaign, Code::DoNotCall, Code::Blacklisted, Code::NoPhone, Code::InvalidPhone];
        // Whatever rules the campaigns have that they are not in.
        for campaigns in [&all[..], &all[..1], &[]] {
            let rules = Rules { campaigns, statuses: &statuses, now: now() };
            for lead in leads() {
                let row = Row { lead: &lead, campaign_leads: &[] };
                let finds = |text: &str| matches(&resolved(&rules, text), &row, now());
                assert!(finds(r#"{"callable":false}"#) && !finds(r#"{"callable":true}"#), "{lead:?}");
                let found = judge_lead(&Callee::from(&lead), false);
                for code in Code::ALL {
                    let is_so = found.iter().any(|reason| reason.code == *code);
                    let says = finds(&format!(r#"{{"not_callable_reason":"{code}"}}"#));
                    assert_eq!(says, is_so, "{code}: {lead:?}");
                    let says_not = finds(&format!(r#"{{"not_callable_reason":{{"not":"{code}"}}}}"#));
                    assert_eq!(says_not, own.contains(code) && !is_so, "not {code}: {lead:?}");
                }
            }
        }
    }

    #[test]
    fn a_verdict_says_the_same_among_other_conditions() {
        let campaigns = campaigns();
        let all: Vec<_> = campaigns.iter().collect();
        let rules = Rules { campaigns: &all, statuses: &statuses(), now: now() };
        let filter =
            r#"{"_or":[{"callable":true,"campaign_id":1},{"_and":[{"city":"Bonn"},{"callable":[true,false]}]}]}"#;
        let expected = Predicate::Any(vec![
            Predicate::All(vec![rules.callable(true), one_of(FieldId::CampaignId, ids([CampaignId(1)]), true)]),
            Predicate::All(vec![
                one_of(FieldId::City, vec![Value::Text("Bonn".to_owned())], true),
                Predicate::All(Vec::new()),
            ]),
        ]);
        assert_eq!(resolved(&rules, filter), Predicate::All(vec![expected]));
        assert_eq!(resolved(&rules, r#"{"callable":[]}"#), Predicate::All(vec![Predicate::Any(Vec::new())]));
    }

    #[test]
    fn campaigns_with_the_same_rule_are_asked_together() {
        let new = campaigns();
        let many: Vec<_> = (0..6_u32)
            .map(|id| Campaign { id: CampaignId(id.into()), max_attempts: Some(id / 2), ..new[0].clone() })
            .collect();
        let all: Vec<_> = many.iter().collect();
        let rules = Rules { campaigns: &all, statuses: &[], now: now() };
        let has = |first: i64, limit| {
            let members = ids([CampaignId(first), CampaignId(first + 1)]);
            Predicate::All(vec![one_of(FieldId::CampaignId, members, true), reaches(FieldId::CallsCount, limit, true)])
        };
        let expected = Predicate::Any(vec![has(0, 0), has(2, 1), has(4, 2)]);
        assert_eq!(rules.has(Code::AttemptLimit, true), expected);
        assert_eq!(Rules { campaigns: &[], ..rules }.has(Code::AttemptLimit, true), Predicate::Any(Vec::new()));
    }
}
