//! Campaigns.

use async_trait::async_trait;
use leadscribe_engine::api::{
    Campaign, CampaignId, CampaignOrder, CampaignProgress, ImportKind, LeadId, LeftReason, Order, Page, Timestamp,
};
use leadscribe_engine::diagnostic::{Diagnostic, Place, stored};
use leadscribe_engine::record::CampaignRecord;

use super::ids::new_id;
use super::lists::{self, Key, Kind, List};
use super::record::{self, Kept};
use super::references::{Lookup, Source};
use super::rows::{self, CAMPAIGN_COLUMNS};
use super::{Bind, Database, Row, Session, SqlStore, binds};
use crate::storage::filter_sql::Sql;
use crate::storage::{
    BatchOutcome, CampaignEntry, CampaignQuery, CampaignSample, CampaignStore, Origin, Slice, StoreError, WriteError,
};

mod import;

pub(super) use import::import;
mod progress;
mod sample;

impl Kept for Campaign {
    type Record = CampaignRecord;
    const NAME: &'static str = "campaign";
    const KIND: ImportKind = ImportKind::Campaigns;
    const TABLE: &'static str = "campaigns";
    const WRITTEN: &'static str = CAMPAIGN_COLUMNS;
    const READ: &'static str = CAMPAIGN_COLUMNS;
    const FROM: &'static str = "campaigns";
    const REFERRERS: &'static [(&'static str, &'static str, LeftReason)] =
        &[("campaign_leads", "campaign_id", LeftReason::HasLeads), ("calls", "campaign_id", LeftReason::HasCalls)];
    const UNIQUE: &'static [&'static str] = &["name"];

    fn read(row: &dyn Row) -> Result<Self, StoreError> {
        rows::campaign(row)
    }

    fn binds(&self) -> Vec<Bind> {
        let binds = binds![
            new_id(self.id.0),
            self.name,
            self.active,
            self.calling_hours.as_ref().map_or(Bind::Null, Bind::json),
            self.max_attempts,
            self.daily_attempts,
            self.freeze_minutes,
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
        None
    }

    fn set_id(&mut self, id: i64) {
        self.id = CampaignId(id);
    }

    fn made(record: &CampaignRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        record.create(record.id.unwrap_or_default(), now)
    }

    fn apply(&mut self, record: &CampaignRecord) {
        record.apply(self);
    }

    fn stamp(&mut self, record: &CampaignRecord, now: Timestamp) {
        self.updated_at = record.updated_at.unwrap_or(now);
    }

    /// Checks that no other campaign has the name.
    fn check(&self, _old: Option<&Self>, lookup: &Lookup<'_>, source: Source) -> Result<(), WriteError> {
        let sql = "SELECT id FROM campaigns WHERE name = ?1";
        match lookup.session.find(sql, &binds![self.name], |row| Ok(CampaignId(row.get(0)?)))? {
            Some(other) if other != self.id => Err(taken(other, &self.name, source)),
            _ => Ok(()),
        }
    }
}

/// All campaigns, ordered by id.
pub(super) fn all(session: &dyn Session) -> Result<Vec<Campaign>, StoreError> {
    session.query(&format!("SELECT {CAMPAIGN_COLUMNS} FROM campaigns ORDER BY id"), &[], rows::campaign)
}

pub(super) fn find(session: &dyn Session, id: CampaignId) -> Result<Option<Campaign>, StoreError> {
    record::find(session, id.0)
}

/// Refusal because another campaign has the name.
fn taken(other: CampaignId, name: &str, source: Source) -> WriteError {
    source.refuse("name", "taken", stored::campaign_named(other.0, name))
}

impl List for CampaignQuery {
    type By = CampaignOrder;
    type Row = Campaign;
    const FROM: &'static str = "campaigns";
    const ID: &'static str = "campaigns.id";
    const COLUMNS: &'static str = CAMPAIGN_COLUMNS;

    fn order(&self) -> Order<CampaignOrder> {
        self.order
    }

    fn key(&self, by: CampaignOrder, sql: &Sql) -> Key {
        match by {
            CampaignOrder::Id => Key::new(Kind::Integer, Self::ID),
            CampaignOrder::Name => Key::new(Kind::Text, sql.dialect().lower("name")),
            CampaignOrder::Active => Key::new(Kind::Boolean, "active"),
            CampaignOrder::CreatedAt => Key::new(Kind::Time, "created_at"),
            CampaignOrder::UpdatedAt => Key::new(Kind::Time, "updated_at"),
            CampaignOrder::Leads => Key::new(Kind::Integer, progress::count("TRUE")),
            CampaignOrder::New => Key::new(Kind::Integer, progress::count(progress::NEW)),
            CampaignOrder::Called => Key::new(Kind::Integer, progress::count(progress::CALLED)),
            CampaignOrder::Done => Key::new(Kind::Integer, progress::count(progress::DONE)),
        }
    }

    fn push_conditions(&self, sql: &mut Sql) {
        if let Some(search) = &self.search {
            let dialect = sql.dialect();
            let part = sql.placeholder(Bind::Text(search.to_ascii_lowercase()));
            sql.push(" AND ").push(&dialect.contains(&dialect.lower("name"), &part));
        }
    }

    fn read(&self, row: &dyn Row) -> Result<Campaign, StoreError> {
        rows::campaign(row)
    }

    fn id(row: &Campaign) -> i64 {
        row.id.0
    }

    fn entries(session: &dyn Session, rows: Vec<Campaign>) -> Result<Vec<CampaignEntry>, StoreError> {
        let progress = progress::of(session, &rows)?;
        let entries = rows.into_iter().zip(progress).map(|(campaign, progress)| {
            let CampaignProgress { campaign_id: _, new, called, done } = progress;
            CampaignEntry { campaign, leads: progress.leads(), new, called, done }
        });
        Ok(entries.collect())
    }
}

fn delete(session: &dyn Session, id: CampaignId, by: &Origin) -> Result<bool, WriteError> {
    if session.exists("SELECT 1 FROM campaign_leads WHERE campaign_id = ?1 LIMIT 1", &binds![id.0])? {
        let leads: u64 = session.value("SELECT count(*) FROM campaign_leads WHERE campaign_id = ?1", &binds![id.0])?;
        let fault = Diagnostic::new(Place::default(), "in_use", stored::campaign_in_use(leads, id.0));
        return Err(WriteError::Refused(fault.suggest(stored::empty_or_switch_off())));
    }
    // Its calls stay; the schema clears their reference to the campaign.
    record::delete::<Campaign>(session, id.0, by)
}

#[async_trait]
impl<D: Database> CampaignStore for SqlStore<D> {
    async fn campaigns(&self, query: &CampaignQuery, slice: Slice) -> Result<Page<Campaign>, StoreError> {
        let query = query.clone();
        self.database.read(move |session| lists::page(session, &query, slice)).await
    }

    async fn campaign_progress(
        &self,
        query: &CampaignQuery,
        slice: Slice,
    ) -> Result<Page<CampaignProgress>, StoreError> {
        let query = query.clone();
        let work = move |session: &dyn Session| {
            let Page { items, total } = lists::page(session, &query, slice)?;
            Ok(Page { items: progress::of(session, &items)?, total })
        };
        self.database.read(work).await
    }

    async fn campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError> {
        self.database.read(move |session| find(session, id)).await
    }

    async fn campaign_sample(&self, id: CampaignId, most: u32) -> Result<Option<CampaignSample>, StoreError> {
        self.database.read(move |session| sample::of(session, id, most)).await
    }

    async fn create_campaign(&self, record: CampaignRecord, by: &Origin) -> Result<Campaign, WriteError> {
        let by = by.clone();
        self.database.write(move |session| record::create(session, &record, &by)).await
    }

    async fn update_campaign(
        &self,
        id: CampaignId,
        record: CampaignRecord,
        unchanged: Option<Timestamp>,
        by: &Origin,
    ) -> Result<Option<Campaign>, WriteError> {
        let by = by.clone();
        self.database.write(move |session| record::change(session, id.0, &record, unchanged, &by)).await
    }

    async fn delete_campaign(&self, id: CampaignId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        self.database.write(move |session| delete(session, id, &by)).await
    }

    async fn import_campaigns(&self, rows: Vec<CampaignRecord>, by: &Origin) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        self.database.write(move |session| import(session, &rows, None, &by)).await
    }
}
