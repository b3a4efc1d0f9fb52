//! Stores the sample data.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures::stream;
use leadscribe_engine::api::CallId;

use super::calls::SampleCall;
use super::sample::create_sample;
use crate::service::app::App;
use crate::service::calls::recordings;
use crate::service::error::ServiceError;
use crate::storage::{AuditContext, BatchOutcome, RowOutcome};

/// Rows per transaction.
const BATCH_ROWS: usize = 1_000;

/// Loads the sample data into an empty store. Does nothing if the store has data, so that a restart keeps changes by users.
///
/// # Errors
/// The store failed. Data loaded before that stays.
pub async fn load(app: &App) -> Result<()> {
    if !app.store.is_empty().await? {
        return Ok(());
    }
    let now = app.now();
    let audit = AuditContext::new("demo", now);
    let sample = create_sample(now);
    ensure_stored(app.store.import_campaigns(sample.campaigns, &audit).await?)?;
    for batch in sample.leads.chunks(BATCH_ROWS) {
        ensure_stored(app.store.import_leads(batch.to_vec(), &audit).await?)?;
    }
    for batch in sample.campaign_leads.chunks(BATCH_ROWS) {
        ensure_stored(app.store.import_campaign_leads(batch.to_vec(), &audit).await?)?;
    }
    let calls = sample.calls.iter().map(|call| call.record.clone()).collect();
    ensure_stored(app.store.import_calls(calls, &audit).await?)?;
    for call in &sample.calls {
        store_recording(app, call, &audit).await?;
    }
    tracing::info!(leads = sample.leads.len(), calls = sample.calls.len(), "sample data loaded");
    Ok(())
}

/// Fails if a row was rejected. The sample data is valid, so that would be a bug.
fn ensure_stored(outcome: BatchOutcome) -> Result<()> {
    let rejected = outcome.rows.iter().find(|row| matches!(row, RowOutcome::Rejected(_)));
    ensure!(rejected.is_none(), "storage rejected a row of the sample data: {rejected:?}");
    Ok(())
}

async fn store_recording(app: &App, call: &SampleCall, audit: &AuditContext) -> Result<()> {
    let (Some(sample_recording), Some(CallId(id))) = (call.recording, call.record.id) else { return Ok(()) };
    let wav = Bytes::from(sample_recording.wav().into_owned());
    let body = stream::iter([Ok::<_, ServiceError>(wav)]);
    recordings::upload(app, CallId(id), body, audit)
        .await
        .with_context(|| format!("the recording of the sample call {id} could not be stored"))?;
    Ok(())
}
