//! The kinds of records that can be imported, and how each is written.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;

use leadscribe_engine::api::{ImportId, Lead};
use leadscribe_engine::country;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{FieldRef, Predicate, Test, Value};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, CsvRecord, LeadRecord};

use super::findings::{self, RowFinding};
use super::recordings::{self, RecordingsFolder};
use super::retry::with_retries;
use crate::phone;
use crate::service::app::App;
use crate::service::calls::lead_matching::CallNumbers;
use crate::service::error::Result;
use crate::service::leads::lead_lookup::first_leads_filter;
use crate::storage::{AuditContext, BatchOutcome, ImportBatch, ImportRows};

/// Records to write, and how to write them.
pub struct RecordBatch<'a, T> {
    /// Records of the batch.
    pub records: Vec<T>,
    /// Default country of phone numbers.
    pub country: Option<&'a str>,
    /// Folder to take recordings from.
    pub recordings_folder: Option<&'a RecordingsFolder>,
    /// Write mode.
    pub mode: ImportMode,
}

/// Write mode of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportMode {
    /// Dry run: determines the outcome as if the records belonged to this import, without writing.
    DryRun(ImportId),
    /// Writes the records.
    Commit {
        /// Import that the records belong to.
        import: ImportId,
        /// Number of rows of the file that are read up to and including these records.
        rows_read: u64,
        /// True if the import can be undone afterwards.
        undoable: bool,
    },
}

/// Writes a batch, or determines its outcome in a dry run.
pub async fn write(app: &Arc<App>, rows: ImportRows, mode: ImportMode, audit: &AuditContext) -> Result<BatchOutcome> {
    // Use the time of each try, not of the import: a client that polls for changes must not miss rows that are written later.
    let current_context = || AuditContext { at: app.now(), ..audit.clone() };
    match mode {
        ImportMode::DryRun(import) => {
            with_retries(app, || {
                let (rows, audit) = (rows.clone(), current_context());
                async move { app.store.preview_import(import, rows, &audit).await }
            })
            .await
        }
        ImportMode::Commit { import, rows_read, undoable } => {
            let batch = Arc::new(ImportBatch::new(import, rows_read, undoable, rows));
            with_retries(app, || {
                let (batch, audit) = (batch.clone(), current_context());
                async move { app.store.import_batch(batch, &audit).await }
            })
            .await
        }
    }
}

/// Records whose derivable fields are filled in.
pub struct CompletedRecords<T> {
    /// Completed records.
    pub records: Vec<T>,
    /// Assessment of each record.
    pub assessments: Vec<Assessment>,
}

/// The assessment of a record.
#[derive(Default)]
pub struct Assessment {
    /// True if the record has phone numbers but its lead has none that can be dialed.
    pub is_undialable: bool,
    /// Findings about the record.
    pub findings: Vec<RowFinding>,
}

/// Default country of phone numbers.
#[derive(Clone, Debug, Default)]
pub struct DefaultCountry {
    /// ISO 3166-1 alpha-2 code.
    pub code: Option<String>,
    /// True if the import sets the country. It then also applies to rows with an unknown country.
    pub is_explicit: bool,
}

/// A kind of record that can be imported.
pub trait Importable: CsvRecord + Send + Sync {
    /// Fills in what the row alone determines. Runs on the thread that reads the file. `country` is the default country of
    /// phone numbers.
    fn prepare(self, _country: &DefaultCountry) -> Self {
        self
    }

    /// Fills in what depends on stored data, and assesses phone numbers.
    fn complete(
        _app: &Arc<App>,
        records: Vec<Self>,
        _country: Option<&str>,
        _audit: &AuditContext,
    ) -> impl Future<Output = Result<CompletedRecords<Self>>> + Send {
        std::future::ready(Ok(without_assessment(records)))
    }

    /// Writes a batch, or determines its outcome in a dry run.
    fn import(
        app: &Arc<App>,
        batch: RecordBatch<'_, Self>,
        audit: &AuditContext,
    ) -> impl Future<Output = Result<BatchResult>> + Send;
}

/// Result of importing a batch.
pub struct BatchResult {
    /// Outcome of each record.
    pub outcome: BatchOutcome,
    /// Records written without their recordings: index in the batch and reason.
    pub skipped_recordings: Vec<(usize, Diagnostic)>,
}

impl From<BatchOutcome> for BatchResult {
    fn from(outcome: BatchOutcome) -> Self {
        Self { outcome, skipped_recordings: Vec::new() }
    }
}

/// Completes records of a kind without phone numbers.
fn without_assessment<T>(records: Vec<T>) -> CompletedRecords<T> {
    CompletedRecords { assessments: records.iter().map(|_| Assessment::default()).collect(), records }
}

impl Importable for CampaignRecord {
    async fn import(app: &Arc<App>, batch: RecordBatch<'_, Self>, audit: &AuditContext) -> Result<BatchResult> {
        write(app, ImportRows::Campaigns(batch.records), batch.mode, audit).await.map(BatchResult::from)
    }
}

impl Importable for CampaignLeadRecord {
    async fn import(app: &Arc<App>, batch: RecordBatch<'_, Self>, audit: &AuditContext) -> Result<BatchResult> {
        write(app, ImportRows::CampaignLeads(batch.records), batch.mode, audit).await.map(BatchResult::from)
    }
}

impl Importable for CallRecord {
    /// Matches new calls without a lead to the only lead with their phone number.
    async fn complete(
        app: &Arc<App>,
        mut records: Vec<Self>,
        country: Option<&str>,
        audit: &AuditContext,
    ) -> Result<CompletedRecords<Self>> {
        let numbers = CallNumbers::from_calls(&records, country);
        if let Some(filter) = numbers.filter() {
            numbers.assign_fallback_leads(
                &mut records,
                &with_retries(app, || app.store.look_up(&filter, audit.at)).await?,
            );
        }
        Ok(without_assessment(records))
    }

    async fn import(app: &Arc<App>, batch: RecordBatch<'_, Self>, audit: &AuditContext) -> Result<BatchResult> {
        recordings::import_calls(app, batch, audit).await
    }
}

impl Importable for LeadRecord {
    fn prepare(mut self, country: &DefaultCountry) -> Self {
        if !depends_on_stored_lead(&self) {
            let is_unknown = matches!(&self.country, Some(Some(text)) if country::find(text).is_none());
            // Remove the unknown country, so that the row's numbers are read with the import's country.
            let unknown_country = if country.is_explicit && is_unknown { self.country.take() } else { None };
            phone::normalize(&mut self, country.code.as_deref());
            if unknown_country.is_some() {
                self.country = unknown_country;
            }
        }
        self
    }

    async fn complete(
        app: &Arc<App>,
        records: Vec<Self>,
        country: Option<&str>,
        audit: &AuditContext,
    ) -> Result<CompletedRecords<Self>> {
        let needing_lead: Vec<_> =
            records.iter().filter(|record| depends_on_stored_lead(record) || may_inherit_phone(record)).collect();
        let existing_leads =
            if needing_lead.is_empty() { Vec::new() } else { stored_leads(app, &needing_lead, audit).await? };
        // Numbers that depend on the stored lead are derived when the record is written; here they are only assessed.
        let assess = |record: &LeadRecord| {
            let lead = existing_leads.iter().find(|lead| is_record_of(record, lead));
            let record = phone::with_normalized_numbers(record, lead, country);
            Assessment {
                is_undialable: is_undialable(&record, lead),
                findings: findings::lead_findings(&record, lead, country),
            }
        };
        let assessments = records.iter().map(assess).collect();
        Ok(CompletedRecords { records, assessments })
    }

    async fn import(app: &Arc<App>, batch: RecordBatch<'_, Self>, audit: &AuditContext) -> Result<BatchResult> {
        let RecordBatch { records, country, mode, .. } = batch;
        write(app, ImportRows::Leads(records, country.map(str::to_owned)), mode, audit).await.map(BatchResult::from)
    }
}

/// Returns whether a row has phone numbers without a country, or a country without phone numbers. The missing part then
/// comes from the stored lead. Most files have both columns, so their rows don't depend on stored leads.
fn depends_on_stored_lead(record: &LeadRecord) -> bool {
    let is_complete = record.country.is_some() && record.phone.is_some() && record.phone2.is_some();
    let has_phone = record.phone.is_some() || record.phone2.is_some();
    phone::needs_stored_lead(record) && !is_complete && !(record.country.is_some() && has_phone)
}

/// Returns whether no phone number in the row can be dialed, but the stored lead may have one that can.
fn may_inherit_phone(record: &LeadRecord) -> bool {
    is_undialable(record, None) && (record.phone_normalized.is_none() || record.phone_normalized2.is_none())
}

/// Returns whether a row has phone numbers but its lead will have none that can be dialed. Numbers that the row leaves
/// unset come from the stored lead.
fn is_undialable(record: &LeadRecord, stored: Option<&Lead>) -> bool {
    let is_set = |number: &Option<Option<String>>| matches!(number, Some(Some(_)));
    let can_be_dialed = |given: &Option<Option<String>>, stored: Option<&Option<String>>| match given {
        Some(number) => number.is_some(),
        None => stored.is_some_and(Option::is_some),
    };
    (is_set(&record.phone) || is_set(&record.phone2))
        && !can_be_dialed(&record.phone_normalized, stored.map(|lead| &lead.phone_normalized))
        && !can_be_dialed(&record.phone_normalized2, stored.map(|lead| &lead.phone_normalized2))
}

fn is_record_of(record: &LeadRecord, lead: &Lead) -> bool {
    match record.id {
        Some(id) => lead.id == id,
        None => matches!(&record.original_identifier, Some(Some(identifier))
            if lead.original_identifier.as_deref() == Some(identifier)),
    }
}

/// Returns the stored leads that rows refer to; the first of several with the same identifier.
async fn stored_leads(app: &Arc<App>, records: &[&LeadRecord], audit: &AuditContext) -> Result<Vec<Lead>> {
    let ids: Vec<_> = records.iter().filter_map(|record| Some(Value::Integer(record.id?.0))).collect();
    let mut leads = if ids.is_empty() { Vec::new() } else { look_up(app, FieldId::Id, ids, audit).await?.0 };
    let without_id = records.iter().filter(|record| record.id.is_none());
    let mut missing: BTreeSet<_> =
        without_id.filter_map(|record| record.original_identifier.clone().flatten()).collect();
    // Leads from before identifiers had to be unique can share one, so there may be more leads than rows.
    while !missing.is_empty() {
        let values = missing.iter().map(|identifier| Value::Text(identifier.clone())).collect();
        let (page_leads, more) = look_up(app, FieldId::OriginalIdentifier, values, audit).await?;
        leads.extend(
            page_leads
                .into_iter()
                .filter(|lead| lead.original_identifier.as_ref().is_some_and(|key| missing.remove(key))),
        );
        if !more {
            break;
        }
    }
    Ok(leads)
}

/// Returns leads whose field has one of the values, lowest ids first, and whether there are more. Returns at most as many
/// leads as there are values.
async fn look_up(
    app: &Arc<App>,
    field: FieldId,
    values: Vec<Value>,
    audit: &AuditContext,
) -> Result<(Vec<Lead>, bool)> {
    let limit = values.len();
    let filter = first_leads_filter(
        Predicate::Field(FieldRef::Builtin(field), Test::In { values, includes_null: false }),
        limit,
    );
    let page = with_retries(app, || app.store.look_up(&filter, audit.at)).await?;
    Ok((page.leads.into_iter().map(|entry| entry.lead.to_lead()).collect(), page.has_more))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use leadscribe_engine::api::{ImportKind, LeadId};

    use super::super::{ImportOptions, run, start};
    use super::*;
    use crate::service::error::ServiceError;
    use crate::service::leads;
    use crate::storage::{NewImport, UpsertCondition, WriteError};
    use crate::worker::testing::{TestInstallation, audit_context};

    #[tokio::test]
    async fn ambiguous_identifier_does_not_hide_other_leads() {
        let (_installation, app) = TestInstallation::with_app(|_| {});
        let text = |value: &str| Some(Some(value.to_owned()));
        let identifiers = ["1", "2", "3", "4", "one", "other"].into_iter().zip(1..);
        let records = identifiers.map(|(identifier, id)| LeadRecord {
            id: Some(LeadId(id)),
            original_identifier: text(identifier),
            country: text("DE"),
            ..LeadRecord::default()
        });
        app.store.import_leads(records.collect(), &audit_context(&app)).await.unwrap();
        // Identifiers were not always unique.
        let database = rusqlite::Connection::open(app.config.database_file()).unwrap();
        database.execute("UPDATE leads SET original_identifier = 'many' WHERE id <= 4", ()).unwrap();
        let error = leads::upsert(&app, "many", r#"{"city":"Bonn"}"#, UpsertCondition::default(), &audit_context(&app))
            .await
            .unwrap_err();
        assert!(
            matches!(error, ServiceError::Write(WriteError::Refused(diagnostic)) if diagnostic.code == "ambiguous")
        );
        let rows = "many,030 901820\none,030 901821\nother,030 901822\n";
        let new = NewImport::new(ImportKind::Leads, "");
        let import = start(&app, &new, &audit_context(&app)).await.unwrap();
        let file = Cursor::new(format!("original_identifier,phone\n{rows}"));
        let import =
            run(&app, import, file, None, ImportOptions::default(), |_| (), &audit_context(&app)).await.unwrap();
        let counts = (import.counts.updated, import.counts.rejected, import.counts.undialable);
        assert_eq!(counts, (2, 1, 0), "only the ambiguous identifier is rejected");
        for (id, number) in [(5, "+4930901821"), (6, "+4930901822")] {
            let lead = app.store.lead(LeadId(id), app.now()).await.unwrap().unwrap().leads[0].lead.to_lead();
            assert_eq!(lead.phone_normalized.as_deref(), Some(number));
        }
    }
}
