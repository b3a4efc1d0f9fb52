//! A lead with its campaign leads in one allocation, from which responses are written without the database.
//!
//! ```text
//! flags     8 bytes   a bit per member: it has a value; for a boolean member, the value
//! end       4 bytes   end of the lead and start of its campaign leads
//! id        8 bytes
//! times    24 bytes   created_at, updated_at, global_updated_at, in microseconds since 1970
//! members             those with a value, in the order of the wire type: texts, numbers and custom fields as JSON with a
//!                     length prefix, dates as days since 1970
//! campaign leads      their count, then each one by id ([`campaign_leads`])
//! ```
//!
//! Texts are stored as JSON, because they are written to responses far more often than they are read.

mod bytes;
mod campaign_leads;
mod json;
mod lead;
mod times;

use std::sync::Arc;

use leadscribe_engine::api::{CampaignLead, Lead, LeadId};
use leadscribe_engine::callable::Callee;

pub(crate) use campaign_leads::StatusNames;
pub use campaign_leads::{CampaignLeadRow, CampaignLeads};
pub use json::Members;
pub(crate) use lead::Key;

const END_OFFSET: usize = 8;
const ID_OFFSET: usize = 12;
const TIMES_OFFSET: usize = 20;
const MEMBERS_OFFSET: usize = 44;

/// A packed lead with its campaign leads, shared with the responses that contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row(Arc<[u8]>);

impl Row {
    /// Packs a lead with its campaign leads, given in any order. `scratch` is a reusable buffer; its contents are lost.
    pub fn pack(lead: &Lead, campaign_leads: &[CampaignLead], names: &mut StatusNames, scratch: &mut Vec<u8>) -> Self {
        scratch.clear();
        lead::pack(lead, scratch);
        set_end(scratch);
        campaign_leads::pack(campaign_leads, names, scratch);
        Self(scratch.as_slice().into())
    }

    /// Readable view of the row.
    pub fn view<'a>(&'a self, names: &'a StatusNames) -> LeadRow<'a> {
        LeadRow { row: self, names }
    }

    /// Heap memory in bytes.
    pub fn bytes(&self) -> usize {
        self.0.len() + crate::memory::ARC_OVERHEAD + crate::memory::ALLOCATION_OVERHEAD
    }
}

/// A lead in one allocation, ready to be written as JSON. Cheap to clone. The allocation may contain other data, which is ignored.
#[derive(Clone, Debug)]
pub struct PackedLead(Arc<[u8]>);

impl PackedLead {
    /// Packs a lead.
    pub fn pack(lead: &Lead) -> Self {
        let mut bytes = Vec::with_capacity(512);
        lead::pack(lead, &mut bytes);
        set_end(&mut bytes);
        Self(bytes.into())
    }

    /// Id of the lead.
    pub fn id(&self) -> LeadId {
        LeadId(bytes::i64_at(&self.0, ID_OFFSET))
    }

    /// Unpacks the lead.
    pub fn to_lead(&self) -> Lead {
        lead::unpack(&self.0)
    }

    /// Data that decides callability: same as `Callee::from` of the lead, in a tenth of the time.
    pub fn callee(&self) -> Callee<'_> {
        lead::callee(&self.0)
    }

    /// Appends the lead as JSON, with the selected members and without its closing brace, so that more members can follow. The bytes equal
    /// those that `serde_json` writes for the [`Lead`].
    pub fn write_json(&self, members: Members, out: &mut Vec<u8>) {
        json::write(&self.0, members, out);
    }
}

impl PartialEq for PackedLead {
    fn eq(&self, other: &Self) -> bool {
        self.0[..end(&self.0)] == other.0[..end(&other.0)]
    }
}

impl Eq for PackedLead {}

/// A lead of a page, with its campaign leads.
#[derive(Clone, Copy, Debug)]
pub struct LeadRow<'a> {
    row: &'a Row,
    names: &'a StatusNames,
}

impl<'a> LeadRow<'a> {
    /// Id of the lead.
    pub fn id(&self) -> LeadId {
        LeadId(bytes::i64_at(&self.row.0, ID_OFFSET))
    }

    /// Unpacks the lead.
    pub fn to_lead(&self) -> Lead {
        lead::unpack(&self.row.0)
    }

    /// The packed lead, which later changes of the index don't affect.
    pub fn to_packed(&self) -> PackedLead {
        PackedLead(Arc::clone(&self.row.0))
    }

    /// All its campaign leads, by id.
    pub fn campaign_leads(&self) -> CampaignLeads<'a> {
        CampaignLeads::new(self.id(), &self.row.0[end(&self.row.0)..], self.names)
    }

    /// Value of a sort field.
    pub(crate) fn key(&self, field: leadscribe_engine::filter::fields::FieldId) -> Option<Key<'a>> {
        lead::key(&self.row.0, field)
    }
}

fn flags(row: &[u8]) -> u64 {
    u64::from_le_bytes(row[..END_OFFSET].try_into().expect("eight bytes"))
}

fn end(row: &[u8]) -> usize {
    u32::from_le_bytes(row[END_OFFSET..ID_OFFSET].try_into().expect("four bytes")) as usize
}

/// Records the end of the lead.
fn set_end(row: &mut [u8]) {
    let end = u32::try_from(row.len()).expect("a lead takes less than 4 GiB");
    row[END_OFFSET..ID_OFFSET].copy_from_slice(&end.to_le_bytes());
}
