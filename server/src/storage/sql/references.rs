//! Checks of the rows that a write refers to. They run in its transaction before anything is written, so a diagnostic names the member and
//! doesn't depend on the database's error text.

use std::cell::OnceCell;

use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId, LeadStatus};
use leadscribe_engine::diagnostic::{Diagnostic, Message, Place, stored};

use super::{Session, binds, record, statuses};
use crate::storage::{StoreError, WriteError};

/// Input format, which determines how members are located.
#[derive(Clone, Copy, Debug)]
pub(super) enum InputFormat {
    /// JSON body.
    Body,
    /// Row of a CSV file.
    Row,
}

impl InputFormat {
    /// Location of a member.
    pub(super) fn location(self, member: &str) -> Place {
        match self {
            Self::Body => Place::Pointer(format!("/{member}")),
            Self::Row => Place::Column(member.to_owned()),
        }
    }

    /// Refuses the write because of a member.
    pub(super) fn refuse(self, member: &str, code: &str, detail: impl Into<Message>) -> WriteError {
        WriteError::Refused(Diagnostic::new(self.location(member), code, detail))
    }

    /// Converts a diagnostic of an engine record, which only knows columns.
    pub(super) fn write_error(self, mut diagnostic: Diagnostic) -> WriteError {
        if let (Self::Body, Place::Column(member)) = (self, &diagnostic.place) {
            diagnostic.place = self.location(member);
        }
        WriteError::Refused(diagnostic)
    }
}

/// Checks that a chosen id is free.
pub(super) fn check_id_is_free(
    session: &dyn Session,
    table: &str,
    entity_name: &str,
    id: i64,
) -> Result<(), WriteError> {
    if session.exists(&format!("SELECT 1 FROM {table} WHERE id = ?1"), &binds![id])? {
        let detail = format!("{entity_name} {id} already exists");
        return Err(InputFormat::Body.refuse("id", "taken", detail));
    }
    Ok(())
}

/// Checks that the lead exists.
pub(super) fn check_lead(session: &dyn Session, id: LeadId, source: InputFormat) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM leads WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(source.refuse("lead_id", "unknown_lead", stored::no_lead(id.0)))
}

/// Checks that the campaign exists.
pub(super) fn check_campaign(session: &dyn Session, id: CampaignId, source: InputFormat) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM campaigns WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(source.refuse("campaign_id", "unknown_campaign", stored::no_campaign(id.0)))
}

/// Returns the campaign lead, which must exist.
pub(super) fn find_campaign_lead(
    session: &dyn Session,
    id: CampaignLeadId,
    source: InputFormat,
) -> Result<CampaignLead, WriteError> {
    let unknown = || source.refuse("campaign_lead_id", "unknown_campaign_lead", stored::no_campaign_lead(id.0));
    record::find::<CampaignLead>(session, id.0)?.ok_or_else(unknown)
}

/// Checks within one transaction. Statuses are read once for all records.
pub(super) struct ReferenceChecker<'s> {
    pub session: &'s dyn Session,
    statuses: OnceCell<Vec<LeadStatus>>,
}

impl<'s> ReferenceChecker<'s> {
    pub(super) fn new(session: &'s dyn Session) -> Self {
        Self { session, statuses: OnceCell::new() }
    }

    /// Checks that the status exists.
    pub(super) fn check_status(&self, name: &str, source: InputFormat) -> Result<(), WriteError> {
        let statuses = self.statuses()?;
        if statuses.iter().any(|status| status.name == name) {
            return Ok(());
        }
        let names = || statuses.iter().map(|status| status.name.as_str());
        let mut diagnostic =
            Diagnostic::new(source.location("status"), "unknown_status", stored::no_status(name)).permitted(names());
        diagnostic = diagnostic.suggest_nearest(name, names());
        Err(WriteError::Refused(diagnostic))
    }

    fn statuses(&self) -> Result<&[LeadStatus], StoreError> {
        match self.statuses.get() {
            Some(statuses) => Ok(statuses),
            None => {
                let statuses = statuses::list(self.session)?;
                Ok(self.statuses.get_or_init(|| statuses))
            }
        }
    }
}
