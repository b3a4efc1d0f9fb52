//! Campaign leads of a row: their count, then each one by id, with flags for its optional values.

use hashbrown::HashMap;
use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, DAY_MICROS, LeadId, Timestamp, UserId};

use super::{bytes, times};
use crate::key;

/// Numbers of the statuses that campaign leads and their last calls have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    list: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u64>,
}

impl Names {
    fn number(&mut self, name: &str) -> u64 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.list.len() as u64;
        self.list.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }
}

/// Appends campaign leads, given in any order.
pub(super) fn pack(campaign_leads: &[CampaignLead], names: &mut Names, out: &mut Vec<u8>) {
    bytes::push(campaign_leads.len() as u64, out);
    if campaign_leads.is_sorted_by_key(|one| one.id) {
        return campaign_leads.iter().for_each(|one| pack_one(one, names, out));
    }
    let mut by_id: Vec<&CampaignLead> = campaign_leads.iter().collect();
    by_id.sort_by_key(|one| one.id);
    by_id.into_iter().for_each(|one| pack_one(one, names, out));
}

fn pack_one(one: &CampaignLead, names: &mut Names, out: &mut Vec<u8>) {
    let moments = [one.last_call_at, one.freeze_until, one.callback_at];
    let has =
        moments.iter().map(Option::is_some).chain([one.last_call_status.is_some(), one.assigned_user_id.is_some()]);
    out.push(has.enumerate().fold(0, |flags, (bit, has)| flags | u8::from(has) << bit));
    bytes::push_signed(one.id.0, out);
    bytes::push_signed(one.campaign_id.0, out);
    bytes::push(names.number(&one.status), out);
    bytes::push_signed(one.weight, out);
    bytes::push(one.calls_count.into(), out);
    bytes::push(one.calls_today.into(), out);
    let times = [Some(one.created_at), Some(one.updated_at)].into_iter().chain(moments).flatten();
    times.for_each(|time| out.extend_from_slice(&key::of_time(time).to_le_bytes()));
    if let Some(status) = &one.last_call_status {
        bytes::push(names.number(status), out);
    }
    if let Some(user) = one.assigned_user_id {
        bytes::push_signed(user.0, out);
    }
}

/// A campaign lead of a row. Times are in microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are described once, in the field table of the filter language")]
pub struct CampaignLeadRow<'a> {
    pub id: CampaignLeadId,
    pub lead_id: LeadId,
    pub campaign_id: CampaignId,
    pub status: &'a str,
    pub weight: i64,
    pub calls_count: u32,
    /// Number of calls on the UTC day of `last_call_at`.
    pub calls_today: u32,
    pub last_call_at: Option<i64>,
    pub last_call_status: Option<&'a str>,
    pub freeze_until: Option<i64>,
    pub callback_at: Option<i64>,
    pub assigned_user_id: Option<UserId>,
    pub created_at: i64,
    pub updated_at: i64,
}

impl CampaignLeadRow<'_> {
    /// The campaign lead, with `calls_today` for the UTC day of `now`.
    pub fn to_campaign_lead(&self, now: Timestamp) -> CampaignLead {
        CampaignLead {
            calls_today: if self.was_called_on_day_of(now) { self.calls_today } else { 0 },
            ..self.as_stored()
        }
    }

    /// The campaign lead as stored.
    pub fn as_stored(&self) -> CampaignLead {
        CampaignLead {
            id: self.id,
            lead_id: self.lead_id,
            campaign_id: self.campaign_id,
            status: self.status.to_owned(),
            weight: self.weight,
            calls_count: self.calls_count,
            calls_today: self.calls_today,
            last_call_at: self.last_call_at.map(times::time),
            last_call_status: self.last_call_status.map(str::to_owned),
            freeze_until: self.freeze_until.map(times::time),
            callback_at: self.callback_at.map(times::time),
            assigned_user_id: self.assigned_user_id,
            created_at: times::time(self.created_at),
            updated_at: times::time(self.updated_at),
        }
    }

    fn was_called_on_day_of(&self, now: Timestamp) -> bool {
        let today = key::of_time(now).div_euclid(DAY_MICROS);
        self.last_call_at.is_some_and(|last| last.div_euclid(DAY_MICROS) == today)
    }
}

/// Campaign leads of a row, by id.
#[derive(Clone, Debug)]
pub struct CampaignLeads<'a> {
    lead_id: LeadId,
    left: u64,
    rest: &'a [u8],
    names: &'a Names,
}

impl<'a> CampaignLeads<'a> {
    pub(super) fn new(lead_id: LeadId, mut rest: &'a [u8], names: &'a Names) -> Self {
        Self { lead_id, left: bytes::take(&mut rest), rest, names }
    }
}

impl<'a> Iterator for CampaignLeads<'a> {
    type Item = CampaignLeadRow<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let rest = &mut self.rest;
        let (flags, after) = rest.split_first()?;
        *rest = after;
        let names = self.names;
        let name = |rest: &mut &[u8]| &*names.list[bytes::take(rest) as usize];
        let has = |bit: u32| flags >> bit & 1 == 1;
        // Fields are in the order of the bytes.
        let id = CampaignLeadId(bytes::take_signed(rest));
        let campaign_id = CampaignId(bytes::take_signed(rest));
        let status = name(rest);
        let weight = bytes::take_signed(rest);
        let calls_count = bytes::take(rest) as u32;
        let calls_today = bytes::take(rest) as u32;
        let created_at = bytes::take_fixed(rest);
        let updated_at = bytes::take_fixed(rest);
        let last_call_at = has(0).then(|| bytes::take_fixed(rest));
        let freeze_until = has(1).then(|| bytes::take_fixed(rest));
        let callback_at = has(2).then(|| bytes::take_fixed(rest));
        let last_call_status = has(3).then(|| name(rest));
        let assigned_user_id = has(4).then(|| UserId(bytes::take_signed(rest)));
        Some(CampaignLeadRow {
            id,
            lead_id: self.lead_id,
            campaign_id,
            status,
            weight,
            calls_count,
            calls_today,
            last_call_at,
            last_call_status,
            freeze_until,
            callback_at,
            assigned_user_id,
            created_at,
            updated_at,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for CampaignLeads<'_> {}
