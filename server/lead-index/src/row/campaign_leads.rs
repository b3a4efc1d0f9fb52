//! Campaign leads of a row: their count, then each one by id, with flags for its optional values.

use hashbrown::HashMap;
use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, DAY_MICROS, LeadId, Timestamp, UserId};

use super::{bytes, times};
use crate::key;

/// Interned status names of campaign leads and of their last calls: each name has a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatusNames {
    list: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u64>,
}

impl StatusNames {
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
pub(super) fn pack(campaign_leads: &[CampaignLead], names: &mut StatusNames, out: &mut Vec<u8>) {
    bytes::push_varint(campaign_leads.len() as u64, out);
    if campaign_leads.is_sorted_by_key(|campaign_lead| campaign_lead.id) {
        return campaign_leads.iter().for_each(|campaign_lead| pack_campaign_lead(campaign_lead, names, out));
    }
    let mut by_id: Vec<&CampaignLead> = campaign_leads.iter().collect();
    by_id.sort_by_key(|campaign_lead| campaign_lead.id);
    by_id.into_iter().for_each(|campaign_lead| pack_campaign_lead(campaign_lead, names, out));
}

fn pack_campaign_lead(campaign_lead: &CampaignLead, names: &mut StatusNames, out: &mut Vec<u8>) {
    let optional_times = [campaign_lead.last_call_at, campaign_lead.freeze_until, campaign_lead.callback_at];
    let are_present = optional_times
        .iter()
        .map(Option::is_some)
        .chain([campaign_lead.last_call_status.is_some(), campaign_lead.assigned_user_id.is_some()]);
    out.push(are_present.enumerate().fold(0, |flags, (bit, is_present)| flags | u8::from(is_present) << bit));
    bytes::push_signed(campaign_lead.id.0, out);
    bytes::push_signed(campaign_lead.campaign_id.0, out);
    bytes::push_varint(names.number(&campaign_lead.status), out);
    bytes::push_signed(campaign_lead.weight, out);
    bytes::push_varint(campaign_lead.calls_count.into(), out);
    bytes::push_varint(campaign_lead.calls_today.into(), out);
    let times =
        [Some(campaign_lead.created_at), Some(campaign_lead.updated_at)].into_iter().chain(optional_times).flatten();
    times.for_each(|time| out.extend_from_slice(&key::from_time(time).to_le_bytes()));
    if let Some(status) = &campaign_lead.last_call_status {
        bytes::push_varint(names.number(status), out);
    }
    if let Some(user) = campaign_lead.assigned_user_id {
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
            ..self.to_stored()
        }
    }

    /// The campaign lead as stored.
    pub fn to_stored(&self) -> CampaignLead {
        CampaignLead {
            id: self.id,
            lead_id: self.lead_id,
            campaign_id: self.campaign_id,
            status: self.status.to_owned(),
            weight: self.weight,
            calls_count: self.calls_count,
            calls_today: self.calls_today,
            last_call_at: self.last_call_at.map(times::from_micros),
            last_call_status: self.last_call_status.map(str::to_owned),
            freeze_until: self.freeze_until.map(times::from_micros),
            callback_at: self.callback_at.map(times::from_micros),
            assigned_user_id: self.assigned_user_id,
            created_at: times::from_micros(self.created_at),
            updated_at: times::from_micros(self.updated_at),
        }
    }

    fn was_called_on_day_of(&self, now: Timestamp) -> bool {
        let today = key::from_time(now).div_euclid(DAY_MICROS);
        self.last_call_at.is_some_and(|last| last.div_euclid(DAY_MICROS) == today)
    }
}

/// Campaign leads of a row, by id.
#[derive(Clone, Debug)]
pub struct CampaignLeads<'a> {
    lead_id: LeadId,
    remaining: u64,
    rest: &'a [u8],
    names: &'a StatusNames,
}

impl<'a> CampaignLeads<'a> {
    pub(super) fn new(lead_id: LeadId, mut rest: &'a [u8], names: &'a StatusNames) -> Self {
        Self { lead_id, remaining: bytes::take_varint(&mut rest), rest, names }
    }
}

impl<'a> Iterator for CampaignLeads<'a> {
    type Item = CampaignLeadRow<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let rest = &mut self.rest;
        let (flags, remaining_bytes) = rest.split_first()?;
        *rest = remaining_bytes;
        let names = self.names;
        let name = |rest: &mut &[u8]| &*names.list[bytes::take_varint(rest) as usize];
        let has = |bit: u32| flags >> bit & 1 == 1;
        // Fields are in the order of the bytes.
        let id = CampaignLeadId(bytes::take_signed(rest));
        let campaign_id = CampaignId(bytes::take_signed(rest));
        let status = name(rest);
        let weight = bytes::take_signed(rest);
        let calls_count = bytes::take_varint(rest) as u32;
        let calls_today = bytes::take_varint(rest) as u32;
        let created_at = bytes::take_i64(rest);
        let updated_at = bytes::take_i64(rest);
        let last_call_at = has(0).then(|| bytes::take_i64(rest));
        let freeze_until = has(1).then(|| bytes::take_i64(rest));
        let callback_at = has(2).then(|| bytes::take_i64(rest));
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
        (self.remaining as usize, Some(self.remaining as usize))
    }
}

impl ExactSizeIterator for CampaignLeads<'_> {}
