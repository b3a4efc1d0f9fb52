//! Leads in campaigns, one by one and by the batch. The trait is implemented in `leads`.

use leadscribe_engine::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId};
use leadscribe_engine::record::CampaignLeadRecord;
use rusqlite::{Connection, OptionalExtension, ToSql, Transaction};

use super::references::{self, Source};
use super::rows::{self, CAMPAIGN_LEAD_COLUMNS, Micros, micros};
use super::{audit, statuses};
use crate::storage::{BatchOutcome, Origin, RowOutcome, StoreError, WriteError};

pub(super) fn find(connection: &Connection, id: CampaignLeadId) -> rusqlite::Result<Option<CampaignLead>> {
    connection
        .prepare_cached(&format!("SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE c.id = ?1"))?
        .query_row([id.0], rows::campaign_lead)
        .optional()
}

fn find_pair(connection: &Connection, lead: LeadId, campaign: CampaignId) -> rusqlite::Result<Option<CampaignLead>> {
    connection
        .prepare_cached(&format!(
            "SELECT {CAMPAIGN_LEAD_COLUMNS} FROM campaign_leads c WHERE c.lead_id = ?1 AND c.campaign_id = ?2"
        ))?
        .query_row([lead.0, campaign.0], rows::campaign_lead)
        .optional()
}

/// Inserts; an id of 0 becomes one that was never given before.
fn insert(transaction: &Transaction<'_>, new: &mut CampaignLead) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO campaign_leads (id, lead_id, campaign_id, status, weight, calls_count, calls_today, last_call_at,
             last_call_status, freeze_until, callback_at, assigned_user_id, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    new.id = CampaignLeadId(with_params(new, |params| statement.insert(params))?);
    Ok(())
}

fn update(transaction: &Transaction<'_>, campaign_lead: &CampaignLead) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "UPDATE campaign_leads SET lead_id = ?2, campaign_id = ?3, status = ?4, weight = ?5, calls_count = ?6,
             calls_today = ?7, last_call_at = ?8, last_call_status = ?9, freeze_until = ?10, callback_at = ?11,
             assigned_user_id = ?12, created_at = ?13, updated_at = ?14
         WHERE id = ?1",
    )?;
    with_params(campaign_lead, |params| statement.execute(params))?;
    Ok(())
}

fn with_params<T>(of: &CampaignLead, run: impl FnOnce(&[&dyn ToSql]) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    run(&[
        &(of.id.0 != 0).then_some(of.id.0),
        &of.lead_id.0,
        &of.campaign_id.0,
        &of.status,
        &of.weight,
        &of.calls_count,
        &of.calls_today,
        &micros(of.last_call_at),
        &of.last_call_status,
        &micros(of.freeze_until),
        &micros(of.callback_at),
        &of.assigned_user_id.map(|id| id.0),
        &Micros(of.created_at),
        &Micros(of.updated_at),
    ])
}

/// What a campaign lead refers to must exist, and no other may have its lead and campaign.
fn check(connection: &Connection, campaign_lead: &CampaignLead, source: Source) -> Result<(), WriteError> {
    references::lead(connection, campaign_lead.lead_id, source)?;
    references::campaign(connection, campaign_lead.campaign_id, source)?;
    match find_pair(connection, campaign_lead.lead_id, campaign_lead.campaign_id)? {
        Some(other) if other.id != campaign_lead.id => {
            let (lead, campaign) = (other.lead_id, other.campaign_id);
            let detail = format!(
                "expected a lead that isn't in the campaign, but lead {lead} is in campaign {campaign} already"
            );
            let mut refusal = source.refuse("lead_id", "taken", detail);
            if let WriteError::Refused(fault) = &mut refusal {
                fault.hint = Some(format!("change campaign lead {} instead", other.id));
            }
            Err(refusal)
        }
        _ => Ok(()),
    }
}

pub(super) fn create(
    transaction: &Transaction<'_>,
    record: &CampaignLeadRecord,
    by: &Origin,
) -> Result<CampaignLead, WriteError> {
    if let Some(id) = record.id {
        references::free_id(transaction, "campaign_leads", "campaign lead", id.0)?;
    }
    let mut new = record.create(record.id.unwrap_or_default(), by.at).map_err(|fault| Source::Body.fault(fault))?;
    check(transaction, &new, Source::Body)?;
    references::status(transaction, &new.status, Source::Body)?;
    insert(transaction, &mut new)?;
    audit::record(transaction, "campaign_lead.create", &format!("campaign_lead:{}", new.id), by)?;
    Ok(new)
}

pub(super) fn change(
    transaction: &Transaction<'_>,
    id: CampaignLeadId,
    record: &CampaignLeadRecord,
    by: &Origin,
) -> Result<Option<CampaignLead>, WriteError> {
    let Some(old) = find(transaction, id)? else { return Ok(None) };
    let mut new = old.clone();
    record.apply(&mut new);
    if new == old {
        return Ok(Some(old));
    }
    new.updated_at = record.updated_at.unwrap_or(by.at);
    check(transaction, &new, Source::Body)?;
    references::status(transaction, &new.status, Source::Body)?;
    update(transaction, &new)?;
    audit::record(transaction, "campaign_lead.update", &format!("campaign_lead:{id}"), by)?;
    Ok(Some(new))
}

pub(super) fn delete(transaction: &Transaction<'_>, id: CampaignLeadId, by: &Origin) -> Result<bool, WriteError> {
    let deleted = transaction.execute("DELETE FROM campaign_leads WHERE id = ?1", [id.0])? > 0;
    if deleted {
        audit::record(transaction, "campaign_lead.delete", &format!("campaign_lead:{id}"), by)?;
    }
    Ok(deleted)
}

pub(super) fn import(
    transaction: &Transaction<'_>,
    records: &[CampaignLeadRecord],
    by: &Origin,
) -> Result<BatchOutcome, StoreError> {
    let mut outcome = BatchOutcome::default();
    for record in records {
        let row = import_one(transaction, record, by, &mut outcome.new_statuses);
        outcome.rows.push(super::leads::row_outcome(row)?);
    }
    Ok(outcome)
}

fn import_one(
    transaction: &Transaction<'_>,
    record: &CampaignLeadRecord,
    by: &Origin,
    new_statuses: &mut Vec<String>,
) -> Result<RowOutcome, WriteError> {
    let old = match (record.id, record.lead_id, record.campaign_id) {
        (Some(id), _, _) => find(transaction, id)?,
        (None, Some(lead), Some(campaign)) => find_pair(transaction, lead, campaign)?,
        _ => None,
    };
    let mut new = match &old {
        Some(old) => {
            let mut new = old.clone();
            record.apply(&mut new);
            if new == *old {
                return Ok(RowOutcome::Unchanged);
            }
            new.updated_at = record.updated_at.unwrap_or(by.at);
            new
        }
        None => record.create(record.id.unwrap_or_default(), by.at).map_err(|fault| Source::Row.fault(fault))?,
    };
    // Those of an existing one are known to be right.
    if old.as_ref().is_none_or(|old| (old.lead_id, old.campaign_id) != (new.lead_id, new.campaign_id)) {
        check(transaction, &new, Source::Row)?;
    }
    if old.as_ref().is_none_or(|old| old.status != new.status) && statuses::add_imported(transaction, &new.status)? {
        new_statuses.push(new.status.clone());
    }
    if old.is_some() {
        update(transaction, &new)?;
        Ok(RowOutcome::Updated)
    } else {
        insert(transaction, &mut new)?;
        Ok(RowOutcome::Inserted)
    }
}
