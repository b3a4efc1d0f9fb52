//! Deliveries of transcripts to callbacks: request, test, list and replay them, and manage their webhook secrets.
//!
//! A request queues its deliveries in one transaction. The workers send them; [`body`] builds their bodies.

use chrono::TimeDelta;
use leadscribe_engine::api::{
    Callback, CallbackEndpoint, Delivery, DeliveryDetail, DeliveryId, Page, SpeechRequestId, SpeechRequestResponse,
    SpeechRequestStatus, Timestamp, TokenId, TranscriptionState, WebhookSecret,
};
use leadscribe_engine::callback::{self, CallbackTarget, MAX_BODY_BYTES, Placeholder, Template, Values};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, work};
use leadscribe_engine::{formats, time};
use serde_json::{Value, json};

use super::error::{Result, ServiceError};
use crate::service::app::App;
use crate::service::auth::credentials::use_token;
use crate::storage::{
    AuditContext, ClaimedDelivery, DeliveredCall, DeliveryQuery, Slice, TranscriptQuery, TranscriptionOutcome,
};
use crate::webhook::{CallbackUrl, signature};

#[cfg(test)]
mod tests;

/// Time for which deliveries are also signed with the previous secret, so that the receiver can install the new one.
const PREVIOUS_SECRET_VALIDITY: TimeDelta = TimeDelta::hours(24);

/// Checks the URL and the template of a callback. `location` maps a member of the callback to its location in the request.
///
/// # Errors
/// The URL or the template is invalid. All errors are reported.
pub fn check(
    app: &App,
    callback: &Callback,
    location: impl Fn(&str) -> Location,
) -> Result<CallbackTarget, Vec<Diagnostic>> {
    let url = check_url(app, &callback.callback_url, &location("callback_url"));
    let template = match &callback.callback_data {
        Some(text) => Template::parse(text, location("callback_data")),
        None => Ok(Template::default()),
    };
    match (url, template) {
        (Ok(url), Ok(template)) => Ok(CallbackTarget { url, method: callback.callback_method, template }),
        (url, template) => Err(url.err().into_iter().chain(template.err()).flatten().collect()),
    }
}

/// Checks the URL of a callback, given at `location`. Returns its normal form.
///
/// # Errors
/// The URL is invalid or not permitted. All errors are reported.
pub fn check_url(app: &App, url: &str, location: &Location) -> Result<String, Vec<Diagnostic>> {
    let url = CallbackUrl::parse(url, &app.config.callbacks.allowed_networks, location)?;
    Ok(url.url().to_string())
}

/// Searches the transcripts of a token and queues a delivery for each call found. Sets `query.token_id` to the token.
///
/// # Errors
/// The token doesn't exist or is revoked; it would exceed the configured number of pending deliveries or its quota for
/// templates; or storage failed.
pub async fn request(
    app: &App,
    token: TokenId,
    query: TranscriptQuery,
    slice: Slice,
    target: &CallbackTarget,
    audit: &AuditContext,
) -> Result<SpeechRequestResponse> {
    use_token(app, token).await?;
    let reservation = app.storage_quota.reserve_template(token, target.template.text())?;
    let query = TranscriptQuery { token_id: Some(token), ..query };
    let max_pending = app.config.callbacks.max_pending_deliveries;
    let stored = app.store.create_speech_request(token, &query, slice, target, max_pending, audit).await;
    reservation.keep_if_stored(stored.as_ref().map(|response| !response.call_ids.is_empty() && !audit.is_replayed()));
    let response = stored?;
    app.notifiers.deliveries.notify_one();
    Ok(response)
}

/// Returns the progress of a speech request of a token.
///
/// # Errors
/// The token has no such request; or storage failed.
pub async fn request_status(app: &App, token: TokenId, id: SpeechRequestId) -> Result<SpeechRequestStatus> {
    app.store.speech_request(token, id).await?.ok_or(ServiceError::NotFound("speech request"))
}

/// Queues a test delivery with a sample call.
///
/// # Errors
/// The token doesn't exist or is revoked; it would exceed the configured number of pending deliveries or its quota for
/// templates; or storage failed.
pub async fn test(app: &App, token: TokenId, target: &CallbackTarget, audit: &AuditContext) -> Result<Delivery> {
    use_token(app, token).await?;
    let reservation = app.storage_quota.reserve_template(token, target.template.text())?;
    let max_pending = app.config.callbacks.max_pending_deliveries;
    let stored = app.store.create_test_delivery(token, target, max_pending, audit).await;
    reservation.keep_if_stored(stored.as_ref().map(|_| !audit.is_replayed()));
    let delivery = stored?;
    app.notifiers.deliveries.notify_one();
    Ok(delivery)
}

/// Queues a finished delivery again, or makes a waiting one due now.
///
/// # Errors
/// The delivery doesn't exist or is being attempted; its token is revoked; or storage failed.
pub async fn replay(app: &App, id: DeliveryId, audit: &AuditContext) -> Result<Delivery> {
    use_token(app, read(app, id).await?.delivery.token_id).await?;
    let delivery = app.store.replay_delivery(id, audit).await?.ok_or(ServiceError::NotFound("delivery"))?;
    app.notifiers.deliveries.notify_one();
    Ok(delivery)
}

/// Returns a slice of the deliveries that match a query.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, query: &DeliveryQuery, slice: Slice) -> Result<Page<Delivery>> {
    Ok(app.store.deliveries(query, slice).await?)
}

/// Returns a slice of the callback URLs, the one with the latest delivery first.
///
/// # Errors
/// The store failed.
pub async fn endpoints(app: &App, slice: Slice) -> Result<Page<CallbackEndpoint>> {
    Ok(app.store.callback_endpoints(slice).await?)
}

/// Returns a delivery with its attempts.
///
/// # Errors
/// The delivery doesn't exist; or storage failed.
pub async fn read(app: &App, id: DeliveryId) -> Result<DeliveryDetail> {
    app.store.delivery(id).await?.ok_or(ServiceError::NotFound("delivery"))
}

/// Returns the secret that signs the deliveries of a token. Created on first use.
///
/// # Errors
/// The token doesn't exist; or storage failed.
pub async fn webhook_secret(app: &App, token: TokenId) -> Result<WebhookSecret> {
    let secret = app.store.webhook_secret(token, &signature::generate_secret()).await?;
    secret.ok_or(ServiceError::NotFound("speech token"))
}

/// Replaces the webhook secret of a token. The previous secret also signs for another day.
///
/// # Errors
/// The token doesn't exist or is revoked; or storage failed.
pub async fn rotate_webhook_secret(app: &App, token: TokenId, audit: &AuditContext) -> Result<WebhookSecret> {
    let rotated = app
        .store
        .rotate_webhook_secret(token, &signature::generate_secret(), audit.at + PREVIOUS_SECRET_VALIDITY, audit)
        .await?;
    rotated.ok_or(ServiceError::NotFound("speech token"))
}

/// Returns the body of a delivery: its template, filled in. A test delivery uses a sample call.
///
/// # Errors
/// The body can't be built, and later attempts would fail as well.
pub fn body(claimed: &ClaimedDelivery) -> Result<Vec<u8>, Message> {
    let delivery = &claimed.delivery;
    let template = match &delivery.callback.callback_data {
        Some(text) => Template::parse_standalone(text).map_err(|_| work::invalid_template())?,
        None => Template::default(),
    };
    let values = match (&claimed.content, delivery.call_id) {
        (Some(content), _) => values(delivery, content),
        (None, None) => callback::sample(),
        (None, Some(_)) => return Err(work::transcript_purged()),
    };
    template.body(&values).ok_or_else(|| work::body_too_large(MAX_BODY_BYTES))
}

fn values(delivery: &Delivery, content: &DeliveredCall) -> Values {
    let DeliveredCall { call, outcome, .. } = content;
    let (lead, campaign) = (content.lead.as_ref(), content.campaign.as_ref());
    let (transcript, failed) = match outcome {
        TranscriptionOutcome::Transcribed(transcript) => (Some(transcript), None),
        TranscriptionOutcome::NotTranscribed(transcription) => (None, Some(transcription)),
    };
    let value = |placeholder| match placeholder {
        Placeholder::CallId => json!(call.id),
        Placeholder::TranscriptionId => {
            json!(transcript.map(|transcript| transcript.transcription_id).or(failed.map(|failed| failed.id)))
        }
        Placeholder::SpeechRequestId => json!(delivery.speech_request_id),
        Placeholder::LeadId => json!(call.lead_id),
        Placeholder::FirstName => json!(lead.and_then(|lead| lead.first_name.as_ref())),
        Placeholder::LastName => json!(lead.and_then(|lead| lead.last_name.as_ref())),
        Placeholder::Email => json!(lead.and_then(|lead| lead.email.as_ref())),
        Placeholder::Phone => json!(lead.and_then(|lead| lead.phone.as_ref())),
        Placeholder::OriginalIdentifier => json!(lead.and_then(|lead| lead.original_identifier.as_ref())),
        Placeholder::CampaignId => json!(call.campaign_id),
        Placeholder::CampaignName => json!(campaign.map(|campaign| &campaign.name)),
        Placeholder::Agent => json!(call.agent),
        Placeholder::Direction => json!(call.direction),
        Placeholder::CallStatus => json!(call.status),
        Placeholder::CallCreatedAt => time_value(Some(call.created_at)),
        Placeholder::StartedAt => time_value(call.started_at),
        Placeholder::EndedAt => time_value(call.ended_at),
        Placeholder::TranscriptionStatus => json!(failed.map_or(TranscriptionState::Completed, |failed| failed.state)),
        Placeholder::Error => {
            // A cancelled transcription has no error.
            let error = |error: &Option<Message>| error.clone().unwrap_or_else(work::transcription_cancelled);
            json!(failed.map(|failed| error(&failed.error).to_string()))
        }
        Placeholder::Duration => json!(transcript.map(|transcript| transcript.duration)),
        Placeholder::Language => json!(transcript.and_then(|transcript| transcript.language.as_ref())),
        Placeholder::TranscriptText => json!(transcript.map(formats::text)),
        Placeholder::SpeechResult => json!(transcript),
    };
    Placeholder::ALL.iter().map(|placeholder| (*placeholder, value(*placeholder))).collect()
}

fn time_value(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| time::print(at).into())
}
