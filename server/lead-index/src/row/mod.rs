//! A lead with its campaign leads in one piece of memory, from which an answer is written without a database.
//!
//! ```text
//! flags     4 bytes   a bit per member: there is a value; of a boolean member, the value
//! end       4 bytes   where the lead ends and its campaign leads start
//! id        8 bytes
//! times    24 bytes   created_at, updated_at, global_updated_at, in microseconds since 1970
//! members             those with a value, in the order of the wire type: texts, numbers and custom fields as JSON with their
//!                     length before, dates as days since 1970
//! campaign leads      their number, and one after the other by id ([`campaign_leads`])
//! ```
//!
//! Texts stand as JSON, since they are answered far more often than they are read.

mod bytes;
mod campaign_leads;
mod json;
mod lead;
mod times;

use std::sync::Arc;

use leadscribe_engine::api::{CampaignLead, Lead, LeadId};
use leadscribe_engine::callable::Callee;

pub(crate) use campaign_leads::Names;
pub use campaign_leads::{CampaignLeadRow, CampaignLeads};
pub use json::Members;
pub(crate) use lead::Key;

const END: usize = 4;
const ID: usize = 8;
const TIMES: usize = 16;
const MEMBERS: usize = 40;

/// A lead with its campaign leads, packed; shared with the answers in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row(Arc<[u8]>);

impl Row {
    /// Packs a lead with its campaign leads, in any order. What `scratch` holds is lost; it is there to be used again.
    pub fn pack(lead: &Lead, campaign_leads: &[CampaignLead], names: &mut Names, scratch: &mut Vec<u8>) -> Self {
        scratch.clear();
        lead::pack(lead, scratch);
        set_end(scratch);
        campaign_leads::pack(campaign_leads, names, scratch);
        Self(scratch.as_slice().into())
    }

    /// The row, to read from.
    pub fn view<'a>(&'a self, names: &'a Names) -> LeadRow<'a> {
        LeadRow { row: self, names }
    }

    /// Bytes held beside itself.
    pub fn bytes(&self) -> usize {
        self.0.len() + crate::memory::SHARED + crate::memory::ALLOCATION
    }
}

/// A lead in one piece of memory, ready to be written as JSON. Cheap to clone; what else stands in that memory is no part
/// of it.
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

    /// The lead's id.
    pub fn id(&self) -> LeadId {
        LeadId(bytes::fixed(&self.0, ID))
    }

    /// The lead.
    pub fn to_lead(&self) -> Lead {
        lead::unpack(&self.0)
    }

    /// What a verdict asks of it: what `Callee::from` makes of the lead, in a tenth of the time.
    pub fn callee(&self) -> Callee<'_> {
        lead::callee(&self.0)
    }

    /// Appends the lead as JSON, with the members asked for and without its closing brace, so that more can follow: the
    /// very bytes that `serde_json` makes of the [`Lead`].
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
    names: &'a Names,
}

impl<'a> LeadRow<'a> {
    /// The lead's id.
    pub fn id(&self) -> LeadId {
        LeadId(bytes::fixed(&self.row.0, ID))
    }

    /// The lead.
    pub fn to_lead(&self) -> Lead {
        lead::unpack(&self.row.0)
    }

    /// The lead, which stays as it is now whatever becomes of the index.
    pub fn to_packed(&self) -> PackedLead {
        PackedLead(Arc::clone(&self.row.0))
    }

    /// All its campaign leads, by id.
    pub fn campaign_leads(&self) -> CampaignLeads<'a> {
        CampaignLeads::new(self.id(), &self.row.0[end(&self.row.0)..], self.names)
    }

    /// The value of a field that leads are sorted by.
    pub(crate) fn key(&self, field: leadscribe_engine::filter::fields::FieldId) -> Option<Key<'a>> {
        lead::key(&self.row.0, field)
    }
}

fn flags(row: &[u8]) -> u32 {
    u32::from_le_bytes(row[..END].try_into().expect("four bytes"))
}

fn end(row: &[u8]) -> usize {
    u32::from_le_bytes(row[END..ID].try_into().expect("four bytes")) as usize
}

/// Notes that the lead ends here.
fn set_end(row: &mut [u8]) {
    let end = u32::try_from(row.len()).expect("a lead takes less than 4 GiB");
    row[END..ID].copy_from_slice(&end.to_le_bytes());
}
