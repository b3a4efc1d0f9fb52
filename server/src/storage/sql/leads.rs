//! Leads, one by one and by the batch; and the trait, which campaign leads, statuses and the look-up belong to.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::record::{CampaignLeadRecord, LeadRecord};
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::references::{self, Source};
use super::rows::{self, LEAD_COLUMNS, with_lead_params};
use super::{SqliteStore, audit, campaign_leads, look_up, statuses};
use crate::storage::{BatchOutcome, Found, LeadStore, Origin, RowOutcome, StoreError, WriteError};

pub(super) fn find(connection: &Connection, id: LeadId) -> rusqlite::Result<Option<Lead>> {
    connection
        .prepare_cached(&format!("SELECT {LEAD_COLUMNS} FROM leads WHERE id = ?1"))?
        .query_row([id.0], rows::lead)
        .optional()
}

/// Inserts; an id of 0 becomes one that was never given before.
fn insert(transaction: &Transaction<'_>, new: &mut Lead) -> rusqlite::Result<()> {
    let placeholders = (1..=29).map(|number| format!("?{number}")).collect::<Vec<_>>().join(", ");
    // It is in no campaign yet, so that its own updated_at (?29) is the latest.
    let mut statement =
        transaction.prepare_cached(&format!("INSERT INTO leads ({LEAD_COLUMNS}) VALUES ({placeholders}, ?29)"))?;
    new.id = LeadId(with_lead_params(new, |params| statement.insert(params))?);
    new.global_updated_at = new.updated_at;
    Ok(())
}

/// Writes the lead's own columns; gives its global_updated_at, which a trigger has set.
fn update(transaction: &Transaction<'_>, lead: &mut Lead) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "UPDATE leads SET first_name = ?2, last_name = ?3, phone = ?4, phone2 = ?5, phone_normalized = ?6,
             phone_normalized2 = ?7, email = ?8, address1 = ?9, address2 = ?10, city = ?11, state = ?12, zip = ?13,
             country = ?14, timezone = ?15, lat = ?16, lng = ?17, original_identifier = ?18, support_site = ?19,
             purchase_site = ?20, purchase_date = ?21, purchase_amount = ?22, purchase_product_name = ?23,
             birthdate = ?24, do_not_call = ?25, blacklisted = ?26, custom_fields = ?27, created_at = ?28,
             updated_at = ?29
         WHERE id = ?1",
    )?;
    with_lead_params(lead, |params| statement.execute(params))?;
    lead.global_updated_at = transaction
        .prepare_cached("SELECT global_updated_at FROM leads WHERE id = ?1")?
        .query_row([lead.id.0], |row| Ok(row.get::<_, rows::Micros>(0)?.0))?;
    Ok(())
}

fn create(transaction: &Transaction<'_>, record: &LeadRecord, by: &Origin) -> Result<Lead, WriteError> {
    if let Some(id) = record.id {
        references::free_id(transaction, "leads", "lead", id.0)?;
    }
    let mut new = record.create(record.id.unwrap_or_default(), by.at);
    insert(transaction, &mut new)?;
    audit::record(transaction, "lead.create", &format!("lead:{}", new.id), by)?;
    Ok(new)
}

fn change(
    transaction: &Transaction<'_>,
    id: LeadId,
    record: &LeadRecord,
    by: &Origin,
) -> Result<Option<Lead>, WriteError> {
    let Some(old) = find(transaction, id)? else { return Ok(None) };
    let mut new = old.clone();
    record.apply(&mut new);
    if new == old {
        return Ok(Some(old));
    }
    new.updated_at = record.updated_at.unwrap_or(by.at);
    update(transaction, &mut new)?;
    audit::record(transaction, "lead.update", &format!("lead:{id}"), by)?;
    Ok(Some(new))
}

fn delete(transaction: &Transaction<'_>, id: LeadId, by: &Origin) -> Result<bool, WriteError> {
    // Its campaign leads go with it, and its calls forget both: the references in the schema say so.
    let deleted = transaction.execute("DELETE FROM leads WHERE id = ?1", [id.0])? > 0;
    if deleted {
        audit::record(transaction, "lead.delete", &format!("lead:{id}"), by)?;
    }
    Ok(deleted)
}

/// The lead a row is about: the one of its id, or the only one of its original identifier.
fn find_of_row(connection: &Connection, record: &LeadRecord) -> Result<Option<Lead>, WriteError> {
    if let Some(id) = record.id {
        return Ok(find(connection, id)?);
    }
    let Some(Some(identifier)) = &record.original_identifier else { return Ok(None) };
    let mut found = connection
        .prepare_cached(&format!(
            "SELECT {LEAD_COLUMNS} FROM leads WHERE original_identifier = ?1 ORDER BY id LIMIT 2"
        ))?
        .query_map([identifier], rows::lead)?
        .collect::<Result<Vec<_>, _>>()?;
    if let [first, second] = found.as_slice() {
        let detail = format!(
            "expected an original identifier of one lead, but `{identifier}` is that of several, lead {} and lead {} \
             among them",
            first.id, second.id
        );
        let mut refusal = Source::Row.refuse("original_identifier", "ambiguous", detail);
        if let WriteError::Refused(fault) = &mut refusal {
            fault.hint = Some("give the lead's `id`".to_owned());
        }
        return Err(refusal);
    }
    Ok(found.pop())
}

fn import_one(transaction: &Transaction<'_>, record: &LeadRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
    let Some(old) = find_of_row(transaction, record)? else {
        let mut new = record.create(record.id.unwrap_or_default(), by.at);
        insert(transaction, &mut new)?;
        return Ok(RowOutcome::Inserted);
    };
    let mut new = old.clone();
    record.apply(&mut new);
    if new == old {
        return Ok(RowOutcome::Unchanged);
    }
    new.updated_at = record.updated_at.unwrap_or(by.at);
    update(transaction, &mut new)?;
    Ok(RowOutcome::Updated)
}

/// What became of a row: a refusal is the row's own, a failing store is everybody's. Nothing is written before a refusal.
pub(super) fn row_outcome(row: Result<RowOutcome, WriteError>) -> Result<RowOutcome, StoreError> {
    match row {
        Ok(outcome) => Ok(outcome),
        Err(WriteError::Refused(fault)) => Ok(RowOutcome::Rejected(fault)),
        Err(WriteError::Store(error)) => Err(error),
    }
}

#[async_trait]
impl LeadStore for SqliteStore {
    async fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Result<Found, StoreError> {
        let filter = filter.clone();
        self.read(move |snapshot| Ok(look_up::look_up(snapshot, &filter, now)?)).await
    }

    async fn lead(&self, id: LeadId, now: Timestamp) -> Result<Option<Found>, StoreError> {
        self.read(move |snapshot| Ok(look_up::one(snapshot, id, now)?)).await
    }

    async fn create_lead(&self, record: LeadRecord, by: &Origin) -> Result<Lead, WriteError> {
        let by = by.clone();
        self.write(move |transaction| create(transaction, &record, &by)).await
    }

    async fn update_lead(&self, id: LeadId, record: LeadRecord, by: &Origin) -> Result<Option<Lead>, WriteError> {
        let by = by.clone();
        self.write(move |transaction| change(transaction, id, &record, &by)).await
    }

    async fn delete_lead(&self, id: LeadId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        self.write(move |transaction| delete(transaction, id, &by)).await
    }

    async fn import_leads(&self, rows: Vec<LeadRecord>, by: &Origin) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        let outcome = self
            .write(move |transaction| {
                let rows = rows.iter().map(|record| row_outcome(import_one(transaction, record, &by)));
                Ok::<_, StoreError>(BatchOutcome { rows: rows.collect::<Result<_, _>>()?, new_statuses: Vec::new() })
            })
            .await?;
        self.refresh_statistics().await?;
        Ok(outcome)
    }

    async fn campaign_lead(&self, id: CampaignLeadId) -> Result<Option<CampaignLead>, StoreError> {
        self.read(move |snapshot| Ok(campaign_leads::find(snapshot, id)?)).await
    }

    async fn create_campaign_lead(&self, record: CampaignLeadRecord, by: &Origin) -> Result<CampaignLead, WriteError> {
        let by = by.clone();
        self.write(move |transaction| campaign_leads::create(transaction, &record, &by)).await
    }

    async fn update_campaign_lead(
        &self,
        id: CampaignLeadId,
        record: CampaignLeadRecord,
        by: &Origin,
    ) -> Result<Option<CampaignLead>, WriteError> {
        let by = by.clone();
        self.write(move |transaction| campaign_leads::change(transaction, id, &record, &by)).await
    }

    async fn delete_campaign_lead(&self, id: CampaignLeadId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        self.write(move |transaction| campaign_leads::delete(transaction, id, &by)).await
    }

    async fn import_campaign_leads(
        &self,
        rows: Vec<CampaignLeadRecord>,
        by: &Origin,
    ) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        let outcome = self.write(move |transaction| campaign_leads::import(transaction, &rows, &by)).await?;
        self.refresh_statistics().await?;
        Ok(outcome)
    }

    async fn statuses(&self) -> Result<Vec<LeadStatus>, StoreError> {
        self.read(|snapshot| Ok(statuses::all(snapshot)?)).await
    }

    async fn put_status(&self, status: LeadStatus, by: &Origin) -> Result<(), WriteError> {
        let by = by.clone();
        self.write(move |transaction| statuses::put(transaction, &status, &by)).await
    }

    async fn delete_status(&self, name: &str, by: &Origin) -> Result<bool, WriteError> {
        let (name, by) = (name.to_owned(), by.clone());
        self.write(move |transaction| statuses::delete(transaction, &name, &by)).await
    }
}
