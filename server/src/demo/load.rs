//! Stores the sample data.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures::stream;
use leadscribe_engine::api::CallId;

use super::calls::SampleCall;
use super::sample::sample;
use crate::app::App;
use crate::service::error::ServiceError;
use crate::service::recordings;
use crate::storage::{BatchOutcome, Origin, RowOutcome};

/// Rows per transaction.
const BATCH: usize = 1_000;

/// Loads the sample data into an empty store. Does nothing if the store has data, so that a restart keeps changes by users.
///
/// # Errors
/// The store failed. Data loaded before that stays.
pub async fn load(app: &App) -> Result<()> {
    if !app.store.is_empty().await? {
        return Ok(());
    }
    let now = app.now();
    let by = Origin { actor: "demo".to_owned(), request_id: None, at: now };
    let sample = sample(now);
    stored(app.store.import_campaigns(sample.campaigns, &by).await?)?;
    for batch in sample.leads.chunks(BATCH) {
        stored(app.store.import_leads(batch.to_vec(), &by).await?)?;
    }
    for batch in sample.campaign_leads.chunks(BATCH) {
        stored(app.store.import_campaign_leads(batch.to_vec(), &by).await?)?;
    }
    let calls = sample.calls.iter().map(|call| call.record.clone()).collect();
    stored(app.store.import_calls(calls, &by).await?)?;
    for call in &sample.calls {
        store_recording(app, call, &by).await?;
    }
    tracing::info!(leads = sample.leads.len(), calls = sample.calls.len(), "sample data loaded");
    Ok(())
}

/// The sample data is valid, so a rejected row is a bug.
fn stored(outcome: BatchOutcome) -> Result<()> {
    let refused = outcome.rows.iter().find(|row| matches!(row, RowOutcome::Rejected(_)));
    ensure!(refused.is_none(), "storage refused a row of the sample data: {refused:?}");
    Ok(())
}

async fn store_recording(app: &App, call: &SampleCall, by: &Origin) -> Result<()> {
    let (Some(sound), Some(CallId(id))) = (call.sound, call.record.id) else { return Ok(()) };
    let wav = Bytes::from(sound.wav().into_owned());
    let body = stream::iter([Ok::<_, ServiceError>(wav)]);
    recordings::upload(app, CallId(id), body, by)
        .await
        .with_context(|| format!("the recording of the sample call {id} could not be stored"))?;
    Ok(())
}
