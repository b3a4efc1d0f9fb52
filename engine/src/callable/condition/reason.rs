//! Each reason not to call a lead, as a condition on stored fields.
//!
//! The absence of a reason is written out instead of negated: `(no limit) or (limit 3 and calls below 3)`.

use std::collections::BTreeMap;

use super::hours_by_zone::{self, ZoneClock, ZoneGroup};
use super::merge::Junction;
use crate::api::{Campaign, CampaignId, LeadStatus, NotCallableCode as Code, Timestamp};
use crate::filter::fields::FieldId;
use crate::filter::predicate::{Comparison, FieldRef, Predicate, Test, Value};

/// Reasons that [`Conditions::reachable`] doesn't cover.
pub const OWN_CONDITIONS: [Code; 9] = [
    Code::CampaignInactive,
    Code::NotInCampaign,
    Code::Frozen,
    Code::CallbackScheduled,
    Code::DoNotCall,
    Code::Blacklisted,
    Code::AttemptLimit,
    Code::DailyLimit,
    Code::StatusNotDialable,
];

/// Returns true if a reason comes from an optional rule of a campaign.
pub const fn is_campaign_rule(code: Code) -> bool {
    matches!(code, Code::OutsideCallingHours | Code::TimezoneUnknown | Code::AttemptLimit | Code::DailyLimit)
}

/// Builds conditions for some campaigns at one time.
pub struct Conditions<'a> {
    pub campaigns: &'a [&'a Campaign],
    pub statuses: &'a [LeadStatus],
    pub now: Timestamp,
    /// Empty if no campaign has calling hours.
    pub clocks: &'a [ZoneClock],
}

impl Conditions<'_> {
    /// Returns the condition that a campaign lead, or a lead without campaigns, has a reason not to be called; with `is_so` false, that it
    /// doesn't have it. For a reason that [comes from a campaign's rule](is_campaign_rule), the absence is only defined for campaign leads.
    pub fn reason(&self, code: Code, is_so: bool) -> Predicate {
        match code {
            Code::CampaignInactive => one_of(FieldId::CampaignId, self.ids(|campaign| !campaign.active), is_so),
            Code::NotInCampaign => on(FieldId::CampaignId, Test::IsNull(is_so)),
            Code::Frozen => self.later(FieldId::FreezeUntil, is_so),
            Code::CallbackScheduled => self.later(FieldId::CallbackAt, is_so),
            Code::OutsideCallingHours if is_so => any(self.zone_groups(|group| group.closed)),
            Code::OutsideCallingHours => {
                let unknown = one_of(FieldId::Timezone, hours_by_zone::all_names(self.clocks), false);
                any([self.has_hours(false), unknown].into_iter().chain(self.zone_groups(|group| group.open)))
            }
            Code::TimezoneUnknown => {
                let unknown = one_of(FieldId::Timezone, hours_by_zone::all_names(self.clocks), !is_so);
                Junction::all_if(is_so).of(vec![self.has_hours(is_so), unknown])
            }
            Code::DoNotCall => one_of(FieldId::DoNotCall, vec![Value::Boolean(true)], is_so),
            Code::Blacklisted => one_of(FieldId::Blacklisted, vec![Value::Boolean(true)], is_so),
            Code::AttemptLimit => self.limit(FieldId::CallsCount, |campaign| campaign.max_attempts, is_so),
            Code::DailyLimit => self.limit(FieldId::CallsToday, |campaign| campaign.daily_attempts, is_so),
            Code::StatusNotDialable => {
                let dialable = self.statuses.iter().filter(|status| status.dialable);
                one_of(FieldId::Status, dialable.map(|status| Value::Text(status.name.clone())).collect(), !is_so)
            }
            Code::NoPhone => Junction::all_if(is_so).of(vec![valid_number(!is_so), some_number(!is_so)]),
            Code::InvalidPhone => Junction::all_if(is_so).of(vec![valid_number(!is_so), some_number(is_so)]),
        }
    }

    /// Returns the condition that a campaign lead has a valid number and is within calling hours, or its opposite. It equals the absence of
    /// four reasons that share conditions.
    pub fn reachable(&self, is_so: bool) -> Predicate {
        let hours = if is_so {
            any([self.has_hours(false)].into_iter().chain(self.zone_groups(|group| group.open)))
        } else {
            let unknown = self.reason(Code::TimezoneUnknown, true);
            any([unknown].into_iter().chain(self.zone_groups(|group| group.closed)))
        };
        Junction::all_if(is_so).of(vec![hours, valid_number(is_so)])
    }

    /// Returns the condition that the campaign has calling hours, or has none.
    fn has_hours(&self, is_so: bool) -> Predicate {
        one_of(FieldId::CampaignId, self.ids(|campaign| campaign.calling_hours.is_some() == is_so), true)
    }

    /// Returns one condition per group: the lead's zone is in the group, and its campaign is among those that `members` selects from the
    /// group.
    fn zone_groups(&self, members: impl Fn(ZoneGroup) -> Vec<CampaignId>) -> impl Iterator<Item = Predicate> {
        let groups = match self.clocks {
            [] => Vec::new(),
            clocks => hours_by_zone::groups(clocks, self.campaigns),
        };
        groups.into_iter().filter_map(move |mut group| {
            let zones = std::mem::take(&mut group.zones);
            let members = members(group);
            let in_zone = one_of(FieldId::Timezone, zones, true);
            (!members.is_empty())
                .then(|| Predicate::All(vec![in_zone, one_of(FieldId::CampaignId, values(members), true)]))
        })
    }

    /// Returns the condition that a time is in the future, or that it isn't.
    fn later(&self, field: FieldId, is_so: bool) -> Predicate {
        let compare = |comparison| on(field, Test::Compare(comparison, Value::Time(self.now)));
        match is_so {
            true => compare(Comparison::Greater),
            false => any([on(field, Test::IsNull(true)), compare(Comparison::LessOrEqual)]),
        }
    }

    /// Returns the condition that a count has reached its campaign's limit, or that it hasn't. Campaigns with the same limit share a
    /// condition.
    fn limit(&self, field: FieldId, limit: impl Fn(&Campaign) -> Option<u32>, is_so: bool) -> Predicate {
        let comparison = if is_so { Comparison::GreaterOrEqual } else { Comparison::Less };
        let mut by_limit: BTreeMap<u32, Vec<CampaignId>> = BTreeMap::new();
        for campaign in self.campaigns {
            if let Some(limit) = limit(campaign) {
                by_limit.entry(limit).or_default().push(campaign.id);
            }
        }
        let without =
            (!is_so).then(|| one_of(FieldId::CampaignId, self.ids(|campaign| limit(campaign).is_none()), true));
        let of_limit = |(limit, members): (u32, Vec<CampaignId>)| {
            let is_member = one_of(FieldId::CampaignId, values(members), true);
            Predicate::All(vec![is_member, on(field, Test::Compare(comparison, Value::Integer(limit.into())))])
        };
        any(without.into_iter().chain(by_limit.into_iter().map(of_limit)))
    }

    fn ids(&self, are_so: impl Fn(&Campaign) -> bool) -> Vec<Value> {
        values(self.campaigns.iter().filter(|campaign| are_so(campaign)).map(|campaign| campaign.id))
    }
}

fn any(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
    Junction::Any.of(parts.into_iter().collect())
}

/// Returns a test on a table field.
pub fn on(field: FieldId, test: Test) -> Predicate {
    Predicate::Field(FieldRef::Known(field), test)
}

fn one_of(field: FieldId, values: Vec<Value>, is_so: bool) -> Predicate {
    let null = false;
    on(field, if is_so { Test::In { values, null } } else { Test::NotIn { values, null } })
}

/// Returns the condition that at least one of a lead's numbers is valid, or that none is.
fn valid_number(is_so: bool) -> Predicate {
    let fields = [FieldId::PhoneNormalized, FieldId::PhoneNormalized2];
    Junction::all_if(!is_so).of(fields.map(|field| on(field, Test::IsNull(!is_so))).to_vec())
}

/// Returns the condition that a lead has a number, valid or not, or that it has none, as defined by [`crate::callable::Phone::of`].
fn some_number(is_so: bool) -> Predicate {
    let (values, null) = (vec![Value::Text(String::new())], true);
    let test = if is_so { Test::NotIn { values, null } } else { Test::In { values, null } };
    Junction::all_if(!is_so).of([FieldId::Phone, FieldId::Phone2].map(|field| on(field, test.clone())).to_vec())
}

fn values(ids: impl IntoIterator<Item = CampaignId>) -> Vec<Value> {
    ids.into_iter().map(|id| Value::Integer(id.0)).collect()
}
