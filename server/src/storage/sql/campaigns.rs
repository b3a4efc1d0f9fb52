//! Campaigns.

use async_trait::async_trait;
use leadscribe_engine::api::{
    Campaign, CampaignId, CampaignOrder, CampaignProgress, ImportKind, LeadId, Order, Page, Timestamp, UndoSkipReason,
};
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::record::CampaignRecord;

use super::entity::{Entity, timestamped_entity_methods};
use super::ids::new_id;
use super::input_format::InputFormat;
use super::lists::{self, KeyType, List, ListKey};
use super::record;
use super::references::ReferenceChecker;
use super::rows::{self, CAMPAIGN_COLUMNS};
use super::{Bind, Database, Row, Session, SqlStore, binds};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::{
    AuditContext, BatchOutcome, CampaignEntry, CampaignQuery, CampaignSample, CampaignStore, Result, Slice, WriteError,
};

mod import;

pub(super) use import::import;
mod progress;
mod sample;

impl Entity for Campaign {
    type Record = CampaignRecord;
    const AUDIT_NAME: &'static str = "campaign";
    const IMPORT_KIND: ImportKind = ImportKind::Campaigns;
    const TABLE: &'static str = "campaigns";
    const WRITTEN_COLUMNS: &'static str = CAMPAIGN_COLUMNS;
    const READ_COLUMNS: &'static str = CAMPAIGN_COLUMNS;
    const FROM: &'static str = "campaigns";
    const REFERRERS: &'static [(&'static str, &'static str, UndoSkipReason)] = &[
        ("campaign_leads", "campaign_id", UndoSkipReason::HasLeads),
        ("calls", "campaign_id", UndoSkipReason::HasCalls),
    ];
    const UNIQUE_MEMBERS: &'static [&'static str] = &["name"];

    timestamped_entity_methods!(CampaignId, CampaignRecord);

    fn read(row: &dyn Row) -> Result<Self> {
        rows::read_campaign(row)
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

    fn related_lead(&self) -> Option<LeadId> {
        None
    }

    fn from_record(record: &CampaignRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        record.create(record.id.unwrap_or_default(), now)
    }

    /// Checks that no other campaign has the name.
    fn check(
        &self,
        _old: Option<&Self>,
        checker: &ReferenceChecker<'_>,
        input_format: InputFormat,
    ) -> Result<(), WriteError> {
        let sql = "SELECT id FROM campaigns WHERE name = ?1";
        match checker.session.find(sql, &binds![self.name], |row| Ok(CampaignId(row.get(0)?)))? {
            Some(other) if other != self.id => Err(name_taken_error(other, &self.name, input_format)),
            _ => Ok(()),
        }
    }
}

/// All campaigns, ordered by id.
pub(super) fn all(session: &dyn Session) -> Result<Vec<Campaign>> {
    session.query(&format!("SELECT {CAMPAIGN_COLUMNS} FROM campaigns ORDER BY id"), &[], rows::read_campaign)
}

pub(super) fn find(session: &dyn Session, id: CampaignId) -> Result<Option<Campaign>> {
    record::find(session, id.0)
}

/// Error for a name that another campaign has.
fn name_taken_error(other: CampaignId, name: &str, input_format: InputFormat) -> WriteError {
    input_format.refuse("name", "taken", conflict::campaign_name_taken(other.0, name))
}

impl List for CampaignQuery {
    type SortField = CampaignOrder;
    type Row = Campaign;
    const FROM: &'static str = "campaigns";
    const ID: &'static str = "campaigns.id";
    const COLUMNS: &'static str = CAMPAIGN_COLUMNS;

    fn order(&self) -> Order<CampaignOrder> {
        self.order
    }

    fn key(&self, field: CampaignOrder, sql: &SqlBuilder) -> ListKey {
        match field {
            CampaignOrder::Id => ListKey::new(KeyType::Integer, Self::ID),
            CampaignOrder::Name => ListKey::new(KeyType::Text, sql.dialect().lower("name")),
            CampaignOrder::Active => ListKey::new(KeyType::Boolean, "active"),
            CampaignOrder::CreatedAt => ListKey::new(KeyType::Time, "created_at"),
            CampaignOrder::UpdatedAt => ListKey::new(KeyType::Time, "updated_at"),
            CampaignOrder::Leads => ListKey::new(KeyType::Integer, progress::count_expression("TRUE")),
            CampaignOrder::New => ListKey::new(KeyType::Integer, progress::count_expression(progress::NEW_CONDITION)),
            CampaignOrder::Called => {
                ListKey::new(KeyType::Integer, progress::count_expression(progress::CALLED_CONDITION))
            }
            CampaignOrder::Done => ListKey::new(KeyType::Integer, progress::count_expression(progress::DONE_CONDITION)),
        }
    }

    fn push_conditions(&self, sql: &mut SqlBuilder) {
        if let Some(search) = &self.search {
            let dialect = sql.dialect();
            let needle = sql.add_placeholder(Bind::Text(search.to_ascii_lowercase()));
            sql.push(" AND ").push(&dialect.contains(&dialect.lower("name"), &needle));
        }
    }

    fn read(&self, row: &dyn Row) -> Result<Campaign> {
        rows::read_campaign(row)
    }

    fn id(row: &Campaign) -> i64 {
        row.id.0
    }

    fn entries(session: &dyn Session, rows: Vec<Campaign>) -> Result<Vec<CampaignEntry>> {
        let progress = progress::for_campaigns(session, &rows)?;
        let entries = rows.into_iter().zip(progress).map(|(campaign, progress)| {
            let CampaignProgress { campaign_id: _, new, called, done } = progress;
            CampaignEntry { campaign, leads: progress.leads(), new, called, done }
        });
        Ok(entries.collect())
    }
}

fn delete(session: &dyn Session, id: CampaignId, audit: &AuditContext) -> Result<bool, WriteError> {
    if session.exists("SELECT 1 FROM campaign_leads WHERE campaign_id = ?1 LIMIT 1", &binds![id.0])? {
        let leads: u64 =
            session.query_value("SELECT count(*) FROM campaign_leads WHERE campaign_id = ?1", &binds![id.0])?;
        let diagnostic = Diagnostic::new(Location::default(), "in_use", conflict::campaign_in_use(leads, id.0));
        return Err(WriteError::Refused(diagnostic.suggest(conflict::empty_or_deactivate())));
    }
    // Its calls stay; the schema clears their reference to the campaign.
    record::delete::<Campaign>(session, id.0, audit)
}

#[async_trait]
impl<D: Database> CampaignStore for SqlStore<D> {
    async fn campaigns(&self, query: &CampaignQuery, slice: Slice) -> Result<Page<Campaign>> {
        let query = query.clone();
        self.database.read(move |session| lists::page(session, &query, slice)).await
    }

    async fn campaign_progress(&self, query: &CampaignQuery, slice: Slice) -> Result<Page<CampaignProgress>> {
        let query = query.clone();
        let work = move |session: &dyn Session| {
            let Page { items, total } = lists::page(session, &query, slice)?;
            Ok(Page { items: progress::for_campaigns(session, &items)?, total })
        };
        self.database.read(work).await
    }

    async fn campaign(&self, id: CampaignId) -> Result<Option<Campaign>> {
        self.database.read(move |session| find(session, id)).await
    }

    async fn campaign_sample(&self, id: CampaignId, max_leads: u32) -> Result<Option<CampaignSample>> {
        self.database.read(move |session| sample::read_sample(session, id, max_leads)).await
    }

    async fn create_campaign(&self, record: CampaignRecord, audit: &AuditContext) -> Result<Campaign, WriteError> {
        let own_audit = audit.clone();
        self.create_record(audit, move |session| record::create(session, &record, &own_audit)).await
    }

    async fn update_campaign(
        &self,
        id: CampaignId,
        record: CampaignRecord,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<Campaign>, WriteError> {
        let audit = audit.clone();
        self.database
            .write(move |session| record::change(session, id.0, &record, expected_versions.as_deref(), &audit))
            .await
    }

    async fn delete_campaign(
        &self,
        id: CampaignId,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError> {
        let audit = audit.clone();
        let delete = move |session: &dyn Session| {
            record::check_version_to_delete::<Campaign>(session, id.0, expected_versions.as_deref())?;
            delete(session, id, &audit)
        };
        self.database.write(delete).await
    }

    async fn import_campaigns(&self, rows: Vec<CampaignRecord>, audit: &AuditContext) -> Result<BatchOutcome> {
        let audit = audit.clone();
        self.database.write(move |session| import(session, &rows, None, &audit)).await
    }
}
