//! Campaign leads as entities, and their attempts. `LeadStore`, which includes campaign leads, is implemented in `leads`.

use leadscribe_engine::api::{
    Call, Campaign, CampaignId, CampaignLead, CampaignLeadId, ImportKind, LeadId, Timestamp, UndoSkipReason,
};
use leadscribe_engine::callable;
use leadscribe_engine::diagnostic::{Diagnostic, conflict};
use leadscribe_engine::record::CampaignLeadRecord;

use super::entity::{Entity, timestamped_entity_methods};
use super::ids::new_id;
use super::input_format::InputFormat;
use super::record;
use super::references::{self, ReferenceChecker};
use super::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use super::undo_journal::Difference;
use super::{Bind, Row, Session, binds};
use crate::storage::{AuditContext, Result, WriteError};

mod import;

pub(super) use import::import;

impl Entity for CampaignLead {
    type Record = CampaignLeadRecord;
    const AUDIT_NAME: &'static str = "campaign_lead";
    const IMPORT_KIND: ImportKind = ImportKind::CampaignLeads;
    const TABLE: &'static str = "campaign_leads";
    const WRITTEN_COLUMNS: &'static str = "id, lead_id, campaign_id, status, weight, calls_count, calls_today, last_call_at, \
         last_call_status, freeze_until, callback_at, assigned_user_id, created_at, updated_at";
    const FROM: &'static str = "campaign_leads c";
    const READ_COLUMNS: &'static str = CAMPAIGN_LEAD_COLUMNS;
    /// A call with the same lead and campaign is a referrer too. The unary `+` keeps SQLite from scanning all calls of the campaign.
    const REFERRERS: &'static [(&'static str, &'static str, UndoSkipReason)] = &[
        ("calls", "campaign_lead_id", UndoSkipReason::HasCalls),
        (
            "campaign_leads c JOIN calls k ON k.lead_id = c.lead_id AND +k.campaign_id = c.campaign_id",
            "c.id",
            UndoSkipReason::HasCalls,
        ),
    ];
    const UNIQUE_MEMBERS: &'static [&'static str] = &["lead_id", "campaign_id"];

    timestamped_entity_methods!(CampaignLeadId, CampaignLeadRecord);

    fn read(row: &dyn Row) -> Result<Self> {
        rows::read_campaign_lead(row)
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

    fn related_lead(&self) -> Option<LeadId> {
        Some(self.lead_id)
    }

    fn from_record(record: &CampaignLeadRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        record.create(record.id.unwrap_or_default(), now)
    }

    /// Leads change when they leave a campaign, for clients that poll by `global_updated_at`.
    fn before_delete(session: &dyn Session, ids: &[i64], now: Timestamp) -> Result<()> {
        let has_id = session.dialect().is_any_of("id", "?1");
        let sql = format!(
            "UPDATE leads SET global_updated_at = ?2
             WHERE id IN (SELECT lead_id FROM campaign_leads WHERE {has_id}) AND global_updated_at < ?2"
        );
        session.execute(&sql, &binds![Bind::ids(ids.iter().copied()), now])?;
        Ok(())
    }

    fn check(
        &self,
        old: Option<&Self>,
        checker: &ReferenceChecker<'_>,
        input_format: InputFormat,
    ) -> Result<(), WriteError> {
        if old.is_none_or(|old| (old.lead_id, old.campaign_id) != (self.lead_id, self.campaign_id)) {
            references::check_lead(checker.session, self.lead_id, input_format)?;
            references::check_campaign(checker.session, self.campaign_id, input_format)?;
            if let Some(other) = find_by_pair(checker.session, self.lead_id, self.campaign_id)?
                && other.id != self.id
            {
                return Err(pair_taken_error(&other, input_format));
            }
        }
        match old {
            Some(old) if old.status == self.status => Ok(()),
            _ => checker.check_status(&self.status, input_format),
        }
    }
}

/// Counts a new call as an attempt of its campaign lead, which is found by `campaign_lead_id`, or else by lead and campaign.
pub(super) fn record_attempt(session: &dyn Session, call: &Call, audit: &AuditContext) -> Result<()> {
    let campaign_lead = match (call.campaign_lead_id, call.lead_id.zip(call.campaign_id)) {
        (Some(id), _) => record::find::<CampaignLead>(session, id.0)?,
        (None, Some((lead, campaign))) => find_by_pair(session, lead, campaign)?,
        (None, None) => None,
    };
    let Some(old) = campaign_lead else { return Ok(()) };
    let campaign = record::find::<Campaign>(session, old.campaign_id.0)?;
    let freeze_minutes = campaign.map_or(0, |campaign| campaign.freeze_minutes);
    let Some(new) = callable::after_call(&old, call, freeze_minutes, audit.at) else { return Ok(()) };
    let new = CampaignLead { updated_at: audit.at, ..new };
    record::update(session, &new)?;
    record::log_updates::<CampaignLead>(
        session,
        &[record::audited_change::<CampaignLead>(new.id.0, &Difference::between(&old, &new)?)],
        audit,
    )
}

fn find_by_pair(session: &dyn Session, lead: LeadId, campaign: CampaignId) -> Result<Option<CampaignLead>> {
    let sql =
        format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE c.lead_id = ?1 AND c.campaign_id = ?2");
    session.find(&sql, &binds![lead.0, campaign.0], rows::read_campaign_lead)
}

/// Error for a lead that is already in the campaign.
fn pair_taken_error(other: &CampaignLead, input_format: InputFormat) -> WriteError {
    let (lead, campaign) = (other.lead_id, other.campaign_id);
    let diagnostic =
        Diagnostic::new(input_format.location("lead_id"), "taken", conflict::already_in_campaign(lead.0, campaign.0));
    WriteError::Refused(diagnostic.suggest(conflict::update_instead(other.id.0)))
}
