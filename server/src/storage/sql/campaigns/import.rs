//! Batch import of campaigns.

use std::collections::HashMap;

use leadscribe_engine::api::{Campaign, CampaignId};
use leadscribe_engine::record::CampaignRecord;

use super::name_taken_error;
use crate::storage::sql::entity::Entity;
use crate::storage::sql::input_format::InputFormat;
use crate::storage::sql::record::{self, row_outcome};
use crate::storage::sql::rows::{self, CAMPAIGN_COLUMNS};
use crate::storage::sql::undo_journal::{Difference, JournalOwner, Recorder, creation_mark};
use crate::storage::sql::{Bind, Session};
use crate::storage::{AuditContext, BatchOutcome, Result, RowOutcome, WriteError};

/// Inserts or updates campaigns by `id`, or by name if the row has no id.
///
/// The undo journal records the changes of `owner`, if any.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[CampaignRecord],
    owner: Option<JournalOwner>,
    audit: &AuditContext,
) -> Result<BatchOutcome> {
    let mut batch = Batch::read(session, records, owner)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, audit))).collect::<Result<_, _>>()?;
    Ok(BatchOutcome { rows, ..BatchOutcome::default() })
}

/// Campaigns of a batch, including the changes of earlier rows. They are few, so each is written immediately.
struct Batch<'s> {
    session: &'s dyn Session,
    campaigns: HashMap<CampaignId, Campaign>,
    names: HashMap<String, CampaignId>,
    recorder: Option<Recorder<'s>>,
}

impl<'s> Batch<'s> {
    /// Reads the campaigns whose id or name is in one of the rows.
    fn read(session: &'s dyn Session, records: &[CampaignRecord], owner: Option<JournalOwner>) -> Result<Self> {
        let dialect = session.dialect();
        let sql = format!(
            "SELECT {CAMPAIGN_COLUMNS} FROM campaigns WHERE {} OR {}",
            dialect.is_any_of("id", "?1"),
            dialect.is_any_of("name", "?2")
        );
        let ids = Bind::ids(records.iter().filter_map(|record| Some(record.id?.0)));
        let names = Bind::List(records.iter().filter_map(|record| record.name.as_ref()).map(Bind::from).collect());
        let stored_campaigns = session.query(&sql, &[ids, names], rows::read_campaign)?;
        let recorder = Recorder::for_owner(session, owner, Campaign::IMPORT_KIND);
        let mut batch = Self { session, campaigns: HashMap::new(), names: HashMap::new(), recorder };
        stored_campaigns.into_iter().for_each(|campaign| batch.cache(campaign));
        Ok(batch)
    }

    fn cache(&mut self, campaign: Campaign) {
        self.names.insert(campaign.name.clone(), campaign.id);
        self.campaigns.insert(campaign.id, campaign);
    }

    fn import(&mut self, record: &CampaignRecord, audit: &AuditContext) -> Result<RowOutcome, WriteError> {
        let id = record.id.or_else(|| self.names.get(record.name.as_ref()?).copied());
        let Some(old) = id.and_then(|id| self.campaigns.get(&id)).cloned() else {
            let mut new = Campaign::from_record(record, audit.at)
                .map_err(|diagnostic| InputFormat::Row.write_error(diagnostic))?;
            self.check(&new)?;
            record::insert(self.session, &mut new)?;
            if let Some(recorder) = &mut self.recorder {
                recorder.record_creation(new.id.0, creation_mark(&new)?, false);
                recorder.flush()?;
            }
            self.cache(new);
            return Ok(RowOutcome::Inserted);
        };
        let Some(new) = record::apply_record(&old, record, audit.at) else { return Ok(RowOutcome::Unchanged) };
        self.check(&new)?;
        record::update(self.session, &new)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.record_update(&new, Difference::between(&old, &new)?)?;
            recorder.flush()?;
        }
        self.names.remove(&old.name);
        self.cache(new);
        Ok(RowOutcome::Updated)
    }

    /// Checks that no other campaign has the name.
    fn check(&self, new: &Campaign) -> Result<(), WriteError> {
        match self.names.get(&new.name) {
            Some(other) if *other != new.id => Err(name_taken_error(*other, &new.name, InputFormat::Row)),
            _ => Ok(()),
        }
    }
}
