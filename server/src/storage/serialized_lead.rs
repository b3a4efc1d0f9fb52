//! Leads in serialized form, as the lead index stores them. Only this file and `sql/lead_index` know the types of that index.

use std::collections::BTreeSet;

use leadscribe_engine::api::{Lead, LeadId};
use leadscribe_engine::callable::Callee;
use leadscribe_lead_index::{Members, PackedLead};

/// A lead in serialized form. Writing it as JSON doesn't unpack it. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializedLead(PackedLead);

impl SerializedLead {
    pub(super) fn new(lead: PackedLead) -> Self {
        Self(lead)
    }

    /// Id of the lead.
    pub fn id(&self) -> LeadId {
        self.0.id()
    }

    /// Deserializes the lead.
    pub fn to_lead(&self) -> Lead {
        self.0.to_lead()
    }

    /// Data that decides whether the lead can be called. Faster than deserializing the lead.
    pub fn callee(&self) -> Callee<'_> {
        self.0.callee()
    }

    /// Appends the lead as JSON, with the selected members and without its closing brace, so that more members can follow.
    pub fn write_json(&self, members: LeadMembers, out: &mut Vec<u8>) {
        self.0.write_json(members.0, out);
    }
}

impl From<&Lead> for SerializedLead {
    fn from(lead: &Lead) -> Self {
        Self(PackedLead::pack(lead))
    }
}

/// Selection of a lead's members for [`SerializedLead::write_json`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadMembers(Members);

impl LeadMembers {
    /// Selects the members with these names, or all. Names that aren't the lead's own members, such as `campaigns`, are ignored.
    pub fn from_selection(names: Option<&BTreeSet<String>>) -> Self {
        Self(Members::from_selection(names))
    }
}
