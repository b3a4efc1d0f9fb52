//! What a write refers to, checked inside its transaction before anything is written, so that a refusal names the member
//! and never has to be read out of the database's own message.

use std::cell::OnceCell;

use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId, LeadStatus};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::message::{Message, stored};
use leadscribe_engine::suggest;

use super::{Session, binds, record, statuses};
use crate::storage::{StoreError, WriteError};

/// Where the members of what is written stand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// In a JSON body.
    Body,
    /// In a row of a CSV file.
    Row,
}

impl Source {
    /// The place of a member.
    pub(super) fn place(self, member: &str) -> Place {
        match self {
            Self::Body => Place::Pointer(format!("/{member}")),
            Self::Row => Place::Column(member.to_owned()),
        }
    }

    /// A refusal because of a member.
    pub(super) fn refuse(self, member: &str, code: &str, detail: impl Into<Message>) -> WriteError {
        WriteError::Refused(Fault::new(self.place(member), code, detail))
    }

    /// A fault an engine record found; it only knows columns.
    pub(super) fn fault(self, mut fault: Fault) -> WriteError {
        if let (Self::Body, Place::Column(member)) = (self, &fault.place) {
            fault.place = self.place(member);
        }
        WriteError::Refused(fault)
    }
}

/// The id must be free, for one that was chosen.
pub(super) fn free_id(session: &dyn Session, table: &str, thing: &str, id: i64) -> Result<(), WriteError> {
    if session.exists(&format!("SELECT 1 FROM {table} WHERE id = ?1"), &binds![id])? {
        let detail = format!("expected an id that is free, but {thing} {id} exists");
        return Err(Source::Body.refuse("id", "taken", detail));
    }
    Ok(())
}

/// The lead must exist.
pub(super) fn lead(session: &dyn Session, id: LeadId, source: Source) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM leads WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(source.refuse("lead_id", "unknown_lead", stored::no_lead(id.0)))
}

/// The campaign must exist.
pub(super) fn campaign(session: &dyn Session, id: CampaignId, source: Source) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM campaigns WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(source.refuse("campaign_id", "unknown_campaign", stored::no_campaign(id.0)))
}

/// The campaign lead must exist; gives it.
pub(super) fn campaign_lead(
    session: &dyn Session,
    id: CampaignLeadId,
    source: Source,
) -> Result<CampaignLead, WriteError> {
    let unknown = || source.refuse("campaign_lead_id", "unknown_campaign_lead", stored::no_campaign_lead(id.0));
    record::find::<CampaignLead>(session, id.0)?.ok_or_else(unknown)
}

/// Checks of one transaction. Statuses are read once, however many records are checked.
pub(super) struct Lookup<'s> {
    pub session: &'s dyn Session,
    statuses: OnceCell<Vec<LeadStatus>>,
}

impl<'s> Lookup<'s> {
    pub(super) fn new(session: &'s dyn Session) -> Self {
        Self { session, statuses: OnceCell::new() }
    }

    /// The status must exist.
    pub(super) fn status(&self, name: &str, source: Source) -> Result<(), WriteError> {
        let known = self.statuses()?;
        if known.iter().any(|status| status.name == name) {
            return Ok(());
        }
        let names = || known.iter().map(|status| status.name.as_str());
        let mut fault =
            Fault::new(source.place("status"), "unknown_status", stored::no_status(name)).permitted(names());
        if let Some(near) = suggest::nearest(name, names()) {
            fault = fault.hint(format!("did you mean `{near}`?"));
        }
        Err(WriteError::Refused(fault))
    }

    fn statuses(&self) -> Result<&[LeadStatus], StoreError> {
        match self.statuses.get() {
            Some(known) => Ok(known),
            None => {
                let known = statuses::all(self.session)?;
                Ok(self.statuses.get_or_init(|| known))
            }
        }
    }
}
