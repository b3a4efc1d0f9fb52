//! Campaigns.

use async_trait::async_trait;
use leadscribe_engine::api::{Campaign, CampaignId, Page};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::record::CampaignRecord;
use rusqlite::{Connection, OptionalExtension, ToSql, Transaction, params};

use super::leads::row_outcome;
use super::references::{self, Source, exists};
use super::rows::{self, CAMPAIGN_COLUMNS, Json, Micros, count, slice_params};
use super::{SqliteStore, audit};
use crate::storage::{BatchOutcome, CampaignStore, Origin, RowOutcome, Slice, StoreError, WriteError};

pub(super) fn find(connection: &Connection, id: CampaignId) -> rusqlite::Result<Option<Campaign>> {
    connection
        .prepare_cached(&format!("SELECT {CAMPAIGN_COLUMNS} FROM campaigns WHERE id = ?1"))?
        .query_row([id.0], rows::campaign)
        .optional()
}

fn find_named(connection: &Connection, name: &str) -> rusqlite::Result<Option<Campaign>> {
    connection
        .prepare_cached(&format!("SELECT {CAMPAIGN_COLUMNS} FROM campaigns WHERE name = ?1"))?
        .query_row([name], rows::campaign)
        .optional()
}

fn with_params<T>(of: &Campaign, run: impl FnOnce(&[&dyn ToSql]) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    run(&[
        &(of.id.0 != 0).then_some(of.id.0),
        &of.name,
        &of.active,
        &of.calling_hours.as_ref().map(Json),
        &of.max_attempts,
        &of.daily_attempts,
        &of.freeze_minutes,
        &Micros(of.created_at),
        &Micros(of.updated_at),
    ])
}

/// Inserts; an id of 0 becomes one that was never given before.
fn insert(transaction: &Transaction<'_>, new: &mut Campaign) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(&format!(
        "INSERT INTO campaigns ({CAMPAIGN_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    ))?;
    new.id = CampaignId(with_params(new, |params| statement.insert(params))?);
    Ok(())
}

fn update(transaction: &Transaction<'_>, campaign: &Campaign) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(
        "UPDATE campaigns SET name = ?2, active = ?3, calling_hours = ?4, max_attempts = ?5, daily_attempts = ?6,
             freeze_minutes = ?7, created_at = ?8, updated_at = ?9
         WHERE id = ?1",
    )?;
    with_params(campaign, |params| statement.execute(params))?;
    Ok(())
}

/// No other campaign may have the name.
fn check(connection: &Connection, campaign: &Campaign, source: Source) -> Result<(), WriteError> {
    match find_named(connection, &campaign.name)? {
        Some(other) if other.id != campaign.id => {
            let detail = format!("expected a name no campaign has, but campaign {} is `{}`", other.id, other.name);
            Err(source.refuse("name", "taken", detail))
        }
        _ => Ok(()),
    }
}

fn create(transaction: &Transaction<'_>, record: &CampaignRecord, by: &Origin) -> Result<Campaign, WriteError> {
    if let Some(id) = record.id {
        references::free_id(transaction, "campaigns", "campaign", id.0)?;
    }
    let mut new = record.create(record.id.unwrap_or_default(), by.at).map_err(|fault| Source::Body.fault(fault))?;
    check(transaction, &new, Source::Body)?;
    insert(transaction, &mut new)?;
    audit::record(transaction, "campaign.create", &format!("campaign:{}", new.id), by)?;
    Ok(new)
}

fn change(
    transaction: &Transaction<'_>,
    id: CampaignId,
    record: &CampaignRecord,
    by: &Origin,
) -> Result<Option<Campaign>, WriteError> {
    let Some(old) = find(transaction, id)? else { return Ok(None) };
    let mut new = old.clone();
    record.apply(&mut new);
    if new == old {
        return Ok(Some(old));
    }
    new.updated_at = record.updated_at.unwrap_or(by.at);
    check(transaction, &new, Source::Body)?;
    update(transaction, &new)?;
    audit::record(transaction, "campaign.update", &format!("campaign:{id}"), by)?;
    Ok(Some(new))
}

fn delete(transaction: &Transaction<'_>, id: CampaignId, by: &Origin) -> Result<bool, WriteError> {
    if exists(transaction, "SELECT 1 FROM campaign_leads WHERE campaign_id = ?1", [id.0])? {
        let leads = count(transaction, "SELECT count(*) FROM campaign_leads WHERE campaign_id = ?1", [id.0])?;
        let detail = format!("expected a campaign without leads, but {leads} are in campaign {id}");
        let fault = Fault::new(Place::default(), "in_use", detail)
            .hint("take its leads out first, or switch the campaign off with `\"active\": false`");
        return Err(WriteError::Refused(fault));
    }
    // Calls made for it stay, without it: the reference in the schema says so.
    let deleted = transaction.execute("DELETE FROM campaigns WHERE id = ?1", [id.0])? > 0;
    if deleted {
        audit::record(transaction, "campaign.delete", &format!("campaign:{id}"), by)?;
    }
    Ok(deleted)
}

fn import_one(transaction: &Transaction<'_>, record: &CampaignRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
    let old = match (record.id, &record.name) {
        (Some(id), _) => find(transaction, id)?,
        (None, Some(name)) => find_named(transaction, name)?,
        (None, None) => None,
    };
    let Some(old) = old else {
        let mut new = record.create(record.id.unwrap_or_default(), by.at).map_err(|fault| Source::Row.fault(fault))?;
        check(transaction, &new, Source::Row)?;
        insert(transaction, &mut new)?;
        return Ok(RowOutcome::Inserted);
    };
    let mut new = old.clone();
    record.apply(&mut new);
    if new == old {
        return Ok(RowOutcome::Unchanged);
    }
    new.updated_at = record.updated_at.unwrap_or(by.at);
    check(transaction, &new, Source::Row)?;
    update(transaction, &new)?;
    Ok(RowOutcome::Updated)
}

#[async_trait]
impl CampaignStore for SqliteStore {
    async fn campaigns(&self, search: Option<&str>, slice: Slice) -> Result<Page<Campaign>, StoreError> {
        // Every name contains the empty text.
        let search = search.unwrap_or_default().to_ascii_lowercase();
        self.read(move |snapshot| {
            let total = count(snapshot, "SELECT count(*) FROM campaigns WHERE instr(lower(name), ?1) > 0", [&search])?;
            let [limit, offset] = slice_params(slice);
            let items = snapshot
                .prepare_cached(&format!(
                    "SELECT {CAMPAIGN_COLUMNS} FROM campaigns WHERE instr(lower(name), ?1) > 0
                     ORDER BY id LIMIT ?2 OFFSET ?3"
                ))?
                .query_map(params![search, limit, offset], rows::campaign)?
                .collect::<Result<_, _>>()?;
            Ok(Page { items, total })
        })
        .await
    }

    async fn campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError> {
        self.read(move |snapshot| Ok(find(snapshot, id)?)).await
    }

    async fn create_campaign(&self, record: CampaignRecord, by: &Origin) -> Result<Campaign, WriteError> {
        let by = by.clone();
        self.write(move |transaction| create(transaction, &record, &by)).await
    }

    async fn update_campaign(
        &self,
        id: CampaignId,
        record: CampaignRecord,
        by: &Origin,
    ) -> Result<Option<Campaign>, WriteError> {
        let by = by.clone();
        self.write(move |transaction| change(transaction, id, &record, &by)).await
    }

    async fn delete_campaign(&self, id: CampaignId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        self.write(move |transaction| delete(transaction, id, &by)).await
    }

    async fn import_campaigns(&self, rows: Vec<CampaignRecord>, by: &Origin) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        self.write(move |transaction| {
            let rows = rows.iter().map(|record| row_outcome(import_one(transaction, record, &by)));
            Ok(BatchOutcome { rows: rows.collect::<Result<_, _>>()?, new_statuses: Vec::new() })
        })
        .await
    }
}
