//! Checks of the rows that a write refers to. They run in its transaction before anything is written, so a diagnostic names the member and
//! doesn't depend on the database's error text.

use std::cell::OnceCell;

use leadscribe_engine::api::{CampaignId, LeadId, LeadStatus};
use leadscribe_engine::diagnostic::{Diagnostic, conflict};

use super::input_format::InputFormat;
use super::{Session, binds, statuses};
use crate::storage::{Result, WriteError};

/// Checks that a chosen id is free.
pub(super) fn check_id_is_free(session: &dyn Session, table: &str, id: i64) -> Result<(), WriteError> {
    if session.exists(&format!("SELECT 1 FROM {table} WHERE id = ?1"), &binds![id])? {
        return Err(InputFormat::Body.refuse("id", "taken", conflict::id_taken(id)));
    }
    Ok(())
}

pub(super) fn check_lead(session: &dyn Session, id: LeadId, input_format: InputFormat) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM leads WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(input_format.refuse("lead_id", "unknown_lead", conflict::no_lead(id.0)))
}

pub(super) fn check_campaign(
    session: &dyn Session,
    id: CampaignId,
    input_format: InputFormat,
) -> Result<(), WriteError> {
    if session.exists("SELECT 1 FROM campaigns WHERE id = ?1", &binds![id.0])? {
        return Ok(());
    }
    Err(input_format.refuse("campaign_id", "unknown_campaign", conflict::no_campaign(id.0)))
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

    pub(super) fn check_status(&self, name: &str, input_format: InputFormat) -> Result<(), WriteError> {
        let statuses = self.statuses()?;
        if statuses.iter().any(|status| status.name == name) {
            return Ok(());
        }
        let names = || statuses.iter().map(|status| status.name.as_str());
        let mut diagnostic =
            Diagnostic::new(input_format.location("status"), "unknown_status", conflict::no_status(name))
                .permitted(names());
        diagnostic = diagnostic.suggest_nearest(name, names());
        Err(WriteError::Refused(diagnostic))
    }

    fn statuses(&self) -> Result<&[LeadStatus]> {
        match self.statuses.get() {
            Some(statuses) => Ok(statuses),
            None => {
                let statuses = statuses::list(self.session)?;
                Ok(self.statuses.get_or_init(|| statuses))
            }
        }
    }
}
