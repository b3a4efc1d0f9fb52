//! Single leads in campaigns. The trait is implemented in `leads`.

use leadscribe_engine::api::{
    Call, Campaign, CampaignId, CampaignLead, CampaignLeadId, ImportKind, LeadId, LeftReason, Timestamp,
};
use leadscribe_engine::callable;
use leadscribe_engine::diagnostic::{Diagnostic, stored};
use leadscribe_engine::record::CampaignLeadRecord;

use super::ids::new_id;
use super::record::{self, Kept};
use super::references::{self, Lookup, Source};
use super::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use super::undo_journal::Difference;
use super::{Bind, Row, Session, binds};
use crate::storage::{Origin, StoreError, WriteError};

mod import;

pub(super) use import::import;

impl Kept for CampaignLead {
    type Record = CampaignLeadRecord;
    const NAME: &'static str = "campaign_lead";
    const KIND: ImportKind = ImportKind::CampaignLeads;
    const TABLE: &'static str = "campaign_leads";
    const WRITTEN: &'static str = "id, lead_id, campaign_id, status, weight, calls_count, calls_today, last_call_at, \
         last_call_status, freeze_until, callback_at, assigned_user_id, created_at, updated_at";
    const FROM: &'static str = "campaign_leads c";
    const READ: &'static str = CAMPAIGN_LEAD_COLUMNS;
    /// Calls with the same lead and campaign count too. The unary sign keeps SQLite from scanning all calls of the campaign.
    const REFERRERS: &'static [(&'static str, &'static str, LeftReason)] = &[
        ("calls", "campaign_lead_id", LeftReason::HasCalls),
        (
            "campaign_leads c JOIN calls k ON k.lead_id = c.lead_id AND +k.campaign_id = c.campaign_id",
            "c.id",
            LeftReason::HasCalls,
        ),
    ];
    const UNIQUE: &'static [&'static str] = &["lead_id", "campaign_id"];

    fn read(row: &dyn Row) -> Result<Self, StoreError> {
        rows::campaign_lead(row)
    }

    fn binds(&self) -> Vec<Bind> {
        let binds = binds![
            new_id(self.id.0),
            self.lead_id.0,
            self.campaign_id.0,
            self.status,
            self.weight,
            self.calls_count,
            self.calls_today,
            self.last_call_at,
            self.last_call_status,
            self.freeze_until,
            self.callback_at,
            self.assigned_user_id.map(|id| id.0),
            self.created_at,
            self.updated_at,
        ];
        binds.to_vec()
    }

    fn id(&self) -> i64 {
        self.id.0
    }

    fn changed_at(&self) -> Option<Timestamp> {
        Some(self.updated_at)
    }

    fn lead(&self) -> Option<LeadId> {
        Some(self.lead_id)
    }

    fn set_id(&mut self, id: i64) {
        self.id = CampaignLeadId(id);
    }

    fn made(record: &CampaignLeadRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        record.create(record.id.unwrap_or_default(), now)
    }

    fn apply(&mut self, record: &CampaignLeadRecord) {
        record.apply(self);
    }

    fn stamp(&mut self, record: &CampaignLeadRecord, now: Timestamp) {
        self.updated_at = record.updated_at.unwrap_or(now);
    }

    fn check(&self, old: Option<&Self>, lookup: &Lookup<'_>, source: Source) -> Result<(), WriteError> {
        if old.is_none_or(|old| (old.lead_id, old.campaign_id) != (self.lead_id, self.campaign_id)) {
            references::lead(lookup.session, self.lead_id, source)?;
            references::campaign(lookup.session, self.campaign_id, source)?;
            if let Some(other) = find_pair(lookup.session, self.lead_id, self.campaign_id)?
                && other.id != self.id
            {
                return Err(taken(&other, source));
            }
        }
        match old {
            Some(old) if old.status == self.status => Ok(()),
            _ => lookup.status(&self.status, source),
        }
    }
}

/// Counts a new call as an attempt of its campaign lead: the one that it names, or else the one of its lead and campaign.
pub(super) fn note_attempt(session: &dyn Session, call: &Call, by: &Origin) -> Result<(), StoreError> {
    let called = match (call.campaign_lead_id, call.lead_id.zip(call.campaign_id)) {
        (Some(id), _) => record::find::<CampaignLead>(session, id.0)?,
        (None, Some((lead, campaign))) => find_pair(session, lead, campaign)?,
        (None, None) => None,
    };
    let Some(old) = called else { return Ok(()) };
    let campaign = record::find::<Campaign>(session, old.campaign_id.0)?;
    let freeze_minutes = campaign.map_or(0, |campaign| campaign.freeze_minutes);
    let Some(new) = callable::after_call(&old, call, freeze_minutes, by.at) else { return Ok(()) };
    let new = CampaignLead { updated_at: by.at, ..new };
    record::update(session, &new)?;
    record::log_updates::<CampaignLead>(
        session,
        &[record::change_of::<CampaignLead>(new.id.0, &Difference::of(&old, &new)?)],
        by,
    )
}

fn find_pair(session: &dyn Session, lead: LeadId, campaign: CampaignId) -> Result<Option<CampaignLead>, StoreError> {
    let sql =
        format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE c.lead_id = ?1 AND c.campaign_id = ?2");
    session.find(&sql, &binds![lead.0, campaign.0], rows::campaign_lead)
}

/// Refusal because another campaign lead has the same lead and campaign.
fn taken(other: &CampaignLead, source: Source) -> WriteError {
    let (lead, campaign) = (other.lead_id, other.campaign_id);
    let fault = Diagnostic::new(source.place("lead_id"), "taken", stored::in_campaign(lead.0, campaign.0));
    WriteError::Refused(fault.suggest(stored::change_instead(other.id.0)))
}
