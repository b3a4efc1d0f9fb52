//! Checks of the rows that a write refers to. They run in its transaction before anything is written, so a refusal names the member and
//! doesn't depend on the database's error text.

use std::cell::OnceCell;

use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId, LeadStatus};
use leadscribe_engine::diagnostic::{Diagnostic, Message, Place, stored};

use super::{Session, binds, record, statuses};
use crate::storage::{StoreError, WriteError};

/// Input format, which determines how members are located.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// JSON body.
    Body,
    /// Row of a CSV file.
    Row,
}

impl Source {
    /// Place of a member.
    pub(super) fn place(self, member: &str) -> Place {
        match self {
            Self::Body => Place::Pointer(format!("/{member}")),
            Self::Row => Place::Column(member.to_owned()),
        }
    }

    /// Refusal because of a member.
    pub(super) fn refuse(self, member: &str, code: &str, detail: impl Into<Message>) -> WriteError {
        WriteError::Refused(Diagnostic::new(self.place(member), code, detail))
    }

    /// Converts a fault of an engine record, which only knows columns.
    pub(super) fn fault(self, mut fault: Diagnostic) -> WriteError {
        if let (Self::Body, Place::Column(member)) = (self, &fault.place) {
            fault.place = self.place(member);
        }
        WriteError::Refused(fault)
    }
}

/// Checks that a chosen id is free.
pub(super) fn free_id(session: &dyn Session, table: &str, thing: &str, id: i64) -> Result<(), WriteError> {
    if session.exists(&format!("SELECT 1 FROM {table} WHERE id = ?1"), &binds![id])? {
        let detail = format!("{thing} {id} already exists");
        return Err(Source::Body.refuse("id", "taken", detail));
    }
    Ok(())
}

/// Checks that the lead exists.
pub(super) fn lead(session: &dyn Session, id: LeadId, source: Source) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM leads WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(source.refuse("lead_id", "unknown_lead", stored::no_lead(id.0)))
}

/// Checks that the campaign exists.
pub(super) fn campaign(session: &dyn Session, id: CampaignId, source: Source) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM campaigns WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(source.refuse("campaign_id", "unknown_campaign", stored::no_campaign(id.0)))
}

/// Returns the campaign lead, which must exist.
pub(super) fn campaign_lead(
    session: &dyn Session,
    id: CampaignLeadId,
    source: Source,
) -> Result<CampaignLead, WriteError> {
    let unknown = || source.refuse("campaign_lead_id", "unknown_campaign_lead", stored::no_campaign_lead(id.0));
    record::find::<CampaignLead>(session, id.0)?.ok_or_else(unknown)
}

/// Checks within one transaction. Statuses are read once for all records.
pub(super) struct Lookup<'s> {
    pub session: &'s dyn Session,
    statuses: OnceCell<Vec<LeadStatus>>,
}

impl<'s> Lookup<'s> {
    pub(super) fn new(session: &'s dyn Session) -> Self {
        Self { session, statuses: OnceCell::new() }
    }

    /// Checks that the status exists.
    pub(super) fn status(&self, name: &str, source: Source) -> Result<(), WriteError> {
        let known = self.statuses()?;
        if known.iter().any(|status| status.name == name) {
            return Ok(());
        }
        let names = || known.iter().map(|status| status.name.as_str());
        let mut fault =
            Diagnostic::new(source.place("status"), "unknown_status", stored::no_status(name)).permitted(names());
        fault = fault.suggest_nearest(name, names());
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
