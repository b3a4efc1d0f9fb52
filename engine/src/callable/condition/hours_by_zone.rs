//! Groups of time zones in which the same campaigns may call now.
//!
//! Zones with the same local time are grouped: there are about 40 offsets from UTC, but 600 zone names. Zones in which the same campaigns
//! may call are grouped as well.

use std::collections::BTreeMap;

use chrono::{NaiveDateTime, Offset};

use crate::api::{CallingHours, Campaign, CampaignId, Timestamp};
use crate::callable::hours;
use crate::filter::predicate::Value;
use crate::zone::Zone;

/// Zones with the same local time.
pub struct ZoneClock {
    time: NaiveDateTime,
    names: Vec<Value>,
}

/// Groups the zones of the IANA database by local time.
pub fn zone_clocks(now: Timestamp) -> Vec<ZoneClock> {
    let mut by_offset: BTreeMap<i32, ZoneClock> = BTreeMap::new();
    for zone in Zone::all() {
        let local = now.with_timezone(&zone);
        let clock = by_offset
            .entry(local.offset().fix().local_minus_utc())
            .or_insert_with(|| ZoneClock { time: local.naive_local(), names: Vec::new() });
        clock.names.push(Value::Text(zone.name().to_owned()));
    }
    by_offset.into_values().collect()
}

/// Returns the names of all zones.
pub fn all_zone_names(clocks: &[ZoneClock]) -> Vec<Value> {
    clocks.iter().flat_map(|clock| &clock.names).cloned().collect()
}

/// Zones in which the same campaigns may call.
pub struct ZoneGroup {
    /// Names of the zones.
    pub zones: Vec<Value>,
    /// Campaigns that are within their calling hours; ascending.
    pub open: Vec<CampaignId>,
    /// The other campaigns that have calling hours; ascending.
    pub closed: Vec<CampaignId>,
}

/// Groups zones by the campaigns that may call into them now.
pub fn group_zones(clocks: &[ZoneClock], campaigns: &[&Campaign]) -> Vec<ZoneGroup> {
    let mut by_hours: BTreeMap<_, (&CallingHours, Vec<CampaignId>)> = BTreeMap::new();
    for campaign in campaigns {
        if let Some(hours) = &campaign.calling_hours {
            let days: Vec<_> = hours.days.iter().map(|day| *day as usize).collect();
            by_hours.entry((hours.start, hours.end, days)).or_insert_with(|| (hours, Vec::new())).1.push(campaign.id);
        }
    }
    // For each entry of `by_hours`: true if it is open.
    let mut zones_by_open_hours: BTreeMap<Vec<bool>, Vec<Value>> = BTreeMap::new();
    for clock in clocks {
        let open_hours = by_hours.values().map(|(hours, _)| hours::is_open_at(hours, clock.time)).collect();
        zones_by_open_hours.entry(open_hours).or_default().extend_from_slice(&clock.names);
    }
    let group = |(open_hours, zones): (Vec<bool>, Vec<Value>)| {
        let (mut open, mut closed) = (Vec::new(), Vec::new());
        for (is_open, (_, members)) in open_hours.into_iter().zip(by_hours.values()) {
            if is_open { &mut open } else { &mut closed }.extend_from_slice(members);
        }
        open.sort_unstable();
        closed.sort_unstable();
        ZoneGroup { zones, open, closed }
    };
    zones_by_open_hours.into_iter().map(group).collect()
}
