//! Each reason not to call a lead, as a condition on stored fields.
//!
//! The absence of a reason is written out instead of negated: `(no limit) or (limit 3 and calls below 3)`.

use std::collections::BTreeMap;

use super::hours_by_zone::{self, ZoneClock, ZoneGroup};
use crate::api::{Campaign, CampaignId, LeadStatus, NotCallableCode as Code, Timestamp};
use crate::filter::ast::Junction;
use crate::filter::fields::FieldId;
use crate::filter::predicate::{Comparison, FieldRef, Predicate, Test, Value};

/// Reasons that [`ConditionBuilder::reachability_condition`] doesn't cover.
pub const REASONS_WITH_OWN_CONDITION: [Code; 9] = [
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
pub struct ConditionBuilder<'a> {
    pub campaigns: &'a [&'a Campaign],
    pub statuses: &'a [LeadStatus],
    pub now: Timestamp,
    /// Empty if no campaign has calling hours.
    pub clocks: &'a [ZoneClock],
}

impl ConditionBuilder<'_> {
    /// Returns the condition that a reason applies to a campaign lead or a lead without campaigns, or, if `is_present` is false, that it
    /// doesn't. For [rules of a campaign](is_campaign_rule), absence is only defined for campaign leads.
    pub fn reason_condition(&self, code: Code, is_present: bool) -> Predicate {
        match code {
            Code::CampaignInactive => {
                value_test(FieldId::CampaignId, self.campaign_ids(|campaign| !campaign.active), is_present)
            }
            Code::NotInCampaign => field_test(FieldId::CampaignId, Test::IsNull(is_present)),
            Code::Frozen => self.time_condition(FieldId::FreezeUntil, is_present),
            Code::CallbackScheduled => self.time_condition(FieldId::CallbackAt, is_present),
            Code::OutsideCallingHours if is_present => any_of(self.zone_group_conditions(|group| group.closed)),
            Code::OutsideCallingHours => {
                let unknown_zone = value_test(FieldId::Timezone, hours_by_zone::all_zone_names(self.clocks), false);
                any_of(
                    [self.hours_condition(false), unknown_zone]
                        .into_iter()
                        .chain(self.zone_group_conditions(|group| group.open)),
                )
            }
            Code::TimezoneUnknown => {
                let unknown_zone =
                    value_test(FieldId::Timezone, hours_by_zone::all_zone_names(self.clocks), !is_present);
                Junction::all_if(is_present).join(vec![self.hours_condition(is_present), unknown_zone])
            }
            Code::DoNotCall => value_test(FieldId::DoNotCall, vec![Value::Boolean(true)], is_present),
            Code::Blacklisted => value_test(FieldId::Blacklisted, vec![Value::Boolean(true)], is_present),
            Code::AttemptLimit => {
                self.attempt_limit_condition(FieldId::CallsCount, |campaign| campaign.max_attempts, is_present)
            }
            Code::DailyLimit => {
                self.attempt_limit_condition(FieldId::CallsToday, |campaign| campaign.daily_attempts, is_present)
            }
            Code::StatusNotDialable => {
                let dialable = self.statuses.iter().filter(|status| status.dialable);
                value_test(
                    FieldId::Status,
                    dialable.map(|status| Value::Text(status.name.clone())).collect(),
                    !is_present,
                )
            }
            Code::NoPhone => Junction::all_if(is_present)
                .join(vec![valid_phone_condition(!is_present), phone_condition(!is_present)]),
            Code::InvalidPhone => {
                Junction::all_if(is_present).join(vec![valid_phone_condition(!is_present), phone_condition(is_present)])
            }
        }
    }

    /// Returns the condition that a campaign lead has a valid number and is within calling hours, or, if `is_reachable` is false, the
    /// negation. Equivalent to the absence of the four reasons about phone numbers and calling hours.
    pub fn reachability_condition(&self, is_reachable: bool) -> Predicate {
        let hours = if is_reachable {
            any_of([self.hours_condition(false)].into_iter().chain(self.zone_group_conditions(|group| group.open)))
        } else {
            let timezone_unknown = self.reason_condition(Code::TimezoneUnknown, true);
            any_of([timezone_unknown].into_iter().chain(self.zone_group_conditions(|group| group.closed)))
        };
        Junction::all_if(is_reachable).join(vec![hours, valid_phone_condition(is_reachable)])
    }

    /// Returns the condition that the campaign has calling hours, or, if `has_hours` is false, that it has none.
    fn hours_condition(&self, has_hours: bool) -> Predicate {
        value_test(
            FieldId::CampaignId,
            self.campaign_ids(|campaign| campaign.calling_hours.is_some() == has_hours),
            true,
        )
    }

    /// Returns one condition per group of zones: the lead's zone is in the group, and its campaign is one that `select_campaigns` returns
    /// for the group.
    fn zone_group_conditions(
        &self,
        select_campaigns: impl Fn(ZoneGroup) -> Vec<CampaignId>,
    ) -> impl Iterator<Item = Predicate> {
        let groups = match self.clocks {
            [] => Vec::new(),
            clocks => hours_by_zone::group_zones(clocks, self.campaigns),
        };
        groups.into_iter().filter_map(move |mut group| {
            let zones = std::mem::take(&mut group.zones);
            let campaign_ids = select_campaigns(group);
            let in_zone = value_test(FieldId::Timezone, zones, true);
            (!campaign_ids.is_empty()).then(|| {
                Predicate::All(vec![in_zone, value_test(FieldId::CampaignId, campaign_values(campaign_ids), true)])
            })
        })
    }

    /// Returns the condition that a time is in the future, or, if `is_future` is false, that it isn't.
    fn time_condition(&self, field: FieldId, is_future: bool) -> Predicate {
        let compare = |comparison| field_test(field, Test::Compare(comparison, Value::Time(self.now)));
        match is_future {
            true => compare(Comparison::Greater),
            false => any_of([field_test(field, Test::IsNull(true)), compare(Comparison::LessOrEqual)]),
        }
    }

    /// Returns the condition that a count has reached its campaign's limit, or, if `is_reached` is false, that it hasn't. Campaigns with
    /// the same limit share a condition.
    fn attempt_limit_condition(
        &self,
        field: FieldId,
        limit_of: impl Fn(&Campaign) -> Option<u32>,
        is_reached: bool,
    ) -> Predicate {
        let comparison = if is_reached { Comparison::GreaterOrEqual } else { Comparison::Less };
        let mut by_limit: BTreeMap<u32, Vec<CampaignId>> = BTreeMap::new();
        for campaign in self.campaigns {
            if let Some(limit) = limit_of(campaign) {
                by_limit.entry(limit).or_default().push(campaign.id);
            }
        }
        let without_limit = (!is_reached)
            .then(|| value_test(FieldId::CampaignId, self.campaign_ids(|campaign| limit_of(campaign).is_none()), true));
        let limit_condition = |(limit, members): (u32, Vec<CampaignId>)| {
            let is_member = value_test(FieldId::CampaignId, campaign_values(members), true);
            Predicate::All(vec![is_member, field_test(field, Test::Compare(comparison, Value::Integer(limit.into())))])
        };
        any_of(without_limit.into_iter().chain(by_limit.into_iter().map(limit_condition)))
    }

    fn campaign_ids(&self, matches: impl Fn(&Campaign) -> bool) -> Vec<Value> {
        campaign_values(self.campaigns.iter().filter(|campaign| matches(campaign)).map(|campaign| campaign.id))
    }
}

fn any_of(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
    Junction::Any.join(parts.into_iter().collect())
}

/// Returns a test on a table field.
pub fn field_test(field: FieldId, test: Test) -> Predicate {
    Predicate::Field(FieldRef::Builtin(field), test)
}

fn value_test(field: FieldId, values: Vec<Value>, is_included: bool) -> Predicate {
    let includes_null = false;
    field_test(
        field,
        if is_included { Test::In { values, includes_null } } else { Test::NotIn { values, includes_null } },
    )
}

/// Returns the condition that at least one of a lead's numbers is valid, or that none is.
fn valid_phone_condition(is_valid: bool) -> Predicate {
    let fields = [FieldId::PhoneNormalized, FieldId::PhoneNormalized2];
    Junction::all_if(!is_valid).join(fields.map(|field| field_test(field, Test::IsNull(!is_valid))).to_vec())
}

/// Returns the condition that a lead has a number, valid or not, or, if `has_number` is false, that it has none, as defined by
/// [`crate::callable::Phone::from_numbers`].
fn phone_condition(has_number: bool) -> Predicate {
    let (values, includes_null) = (vec![Value::Text(String::new())], true);
    let test = if has_number { Test::NotIn { values, includes_null } } else { Test::In { values, includes_null } };
    Junction::all_if(!has_number)
        .join([FieldId::Phone, FieldId::Phone2].map(|field| field_test(field, test.clone())).to_vec())
}

fn campaign_values(ids: impl IntoIterator<Item = CampaignId>) -> Vec<Value> {
    ids.into_iter().map(|id| Value::Integer(id.0)).collect()
}
