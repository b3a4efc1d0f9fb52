//! Deliveries: request, test, list and replay them, and manage the secrets that sign those of tokens.
//!
//! A request queues its deliveries in one transaction. The workers send them; [`body`] builds their bodies.

use chrono::TimeDelta;
use leadscribe_engine::api::{
    CallId, Callback, CallbackEndpoint, CampaignLeadId, Delivery, DeliveryDetail, DeliveryId, ImportId, LeadId, Page,
    SpeechRequestId, SpeechRequestResponse, SpeechRequestStatus, Timestamp, TokenId, TranscriptionState, WebhookEvent,
    WebhookId, WebhookSecret,
};
use leadscribe_engine::callback::{
    self, CallbackTarget, EVENT_TEMPLATE, MAX_BODY_BYTES, Placeholder, Template, Values,
};
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, work};
use leadscribe_engine::{formats, time};
use serde_json::{Value, json};

use super::error::{Result, ServiceError};
use crate::service::app::App;
use crate::service::auth::credentials::use_token;
use crate::storage::{
    AuditContext, ClaimedDelivery, DeliveredRecords, DeliveryQuery, Event, Slice, TranscriptQuery, TranscriptionOutcome,
};
use crate::webhook::{CallbackUrl, signature};

#[cfg(test)]
mod tests;

/// Time for which deliveries are also signed with the previous secret, so that the receiver can install the new one.
pub const PREVIOUS_SECRET_VALIDITY: TimeDelta = TimeDelta::hours(24);

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
    if let Some(token) = read(app, id).await?.delivery.token_id {
        use_token(app, token).await?;
    }
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
    let template = match (&delivery.callback.callback_data, &claimed.event) {
        (Some(text), _) => Template::parse_standalone(text).map_err(|_| work::invalid_template())?,
        (None, Some(_)) => Template::parse_standalone(EVENT_TEMPLATE).map_err(|_| work::invalid_template())?,
        (None, None) => Template::default(),
    };
    let values = match (&claimed.content, delivery.call_id) {
        (Some(content), _) => values(claimed, content),
        (None, None) => callback::sample(),
        (None, Some(_)) => return Err(work::transcript_purged()),
    };
    template.body(&values).ok_or_else(|| work::body_too_large(MAX_BODY_BYTES))
}

/// Returns the media type of the body of a delivery.
pub fn media_type(claimed: &ClaimedDelivery) -> &'static str {
    match (&claimed.event, &claimed.delivery.callback.callback_data) {
        (Some(_), None) => "application/cloudevents+json",
        _ => "application/json",
    }
}

fn values(claimed: &ClaimedDelivery, content: &DeliveredRecords) -> Values {
    let (call, lead, campaign) = (content.call.as_ref(), content.lead.as_ref(), content.campaign.as_ref());
    let (transcript, failed) = match &content.outcome {
        Some(TranscriptionOutcome::Transcribed(transcript)) => (Some(transcript), None),
        Some(TranscriptionOutcome::NotTranscribed(transcription)) => (None, Some(transcription)),
        None => (None, None),
    };
    let event = claimed.event.as_ref();
    let state = failed.map(|failed| failed.state).or(transcript.map(|_| TranscriptionState::Completed));
    // A cancelled transcription has no error.
    let error = failed.map(|failed| failed.error.clone().unwrap_or_else(work::transcription_cancelled).to_string());
    let transcription = transcript.map(|transcript| transcript.transcription_id).or(failed.map(|failed| failed.id));
    let value = |placeholder| match placeholder {
        Placeholder::CallId => json!(call.map(|call| call.id)),
        Placeholder::TranscriptionId => json!(transcription),
        Placeholder::SpeechRequestId => json!(claimed.delivery.speech_request_id),
        Placeholder::LeadId => json!(lead.map(|lead| lead.id).or(call.and_then(|call| call.lead_id))),
        Placeholder::FirstName => json!(lead.and_then(|lead| lead.first_name.as_ref())),
        Placeholder::LastName => json!(lead.and_then(|lead| lead.last_name.as_ref())),
        Placeholder::Email => json!(lead.and_then(|lead| lead.email.as_ref())),
        Placeholder::Phone => json!(lead.and_then(|lead| lead.phone.as_ref())),
        Placeholder::OriginalIdentifier => json!(lead.and_then(|lead| lead.original_identifier.as_ref())),
        Placeholder::CampaignId => {
            json!(campaign.map(|campaign| campaign.id).or(call.and_then(|call| call.campaign_id)))
        }
        Placeholder::CampaignName => json!(campaign.map(|campaign| &campaign.name)),
        Placeholder::Agent => json!(call.and_then(|call| call.agent.as_ref())),
        Placeholder::Direction => json!(call.map(|call| call.direction)),
        Placeholder::CallStatus => json!(call.map(|call| call.status)),
        Placeholder::CallCreatedAt => time_value(call.map(|call| call.created_at)),
        Placeholder::StartedAt => time_value(call.and_then(|call| call.started_at)),
        Placeholder::EndedAt => time_value(call.and_then(|call| call.ended_at)),
        Placeholder::TranscriptionStatus => json!(state),
        Placeholder::Error => json!(error),
        Placeholder::Duration => json!(transcript.map(|transcript| transcript.duration)),
        Placeholder::Language => json!(transcript.and_then(|transcript| transcript.language.as_ref())),
        Placeholder::TranscriptText => json!(transcript.map(formats::text)),
        Placeholder::SpeechResult => json!(transcript),
        Placeholder::EventId => json!(event.map(|event| &event.id)),
        Placeholder::EventType => json!(event.map(|event| event.event_type)),
        Placeholder::EventTime => time_value(event.map(|event| event.time)),
        Placeholder::EventSubject => json!(event.map(event_subject)),
        Placeholder::EventData => match (event, state) {
            (None, _) => Value::Null,
            (Some(_), Some(state)) => json!({
                "call_id": call.map(|call| call.id),
                "transcription_id": transcription,
                "transcription_status": state,
                "error": error,
                "speech_result": transcript,
            }),
            (Some(event), None) => record_data(event, content),
        },
    };
    Placeholder::ALL.iter().map(|placeholder| (*placeholder, value(*placeholder))).collect()
}

/// Returns the name of the record of an event, as in the audit log.
fn event_subject(event: &Event) -> String {
    let id = event.record_id;
    match event.event_type {
        WebhookEvent::LeadChanged | WebhookEvent::LeadDeleted => LeadId(id).subject(),
        WebhookEvent::CampaignLeadChanged | WebhookEvent::CampaignLeadDeleted => CampaignLeadId(id).subject(),
        WebhookEvent::ImportFinished => ImportId(id).subject(),
        WebhookEvent::Test => WebhookId(id).subject(),
        WebhookEvent::CallCreated
        | WebhookEvent::RecordingReady
        | WebhookEvent::TranscriptCompleted
        | WebhookEvent::TranscriptionFailed => CallId(id).subject(),
    }
}

/// Returns the data of an event that isn't about a transcription. A record that was deleted since is null.
fn record_data(event: &Event, content: &DeliveredRecords) -> Value {
    let id = event.record_id;
    match event.event_type {
        WebhookEvent::LeadChanged | WebhookEvent::LeadDeleted => json!({ "id": id, "record": content.lead }),
        WebhookEvent::CampaignLeadChanged | WebhookEvent::CampaignLeadDeleted => {
            json!({ "id": id, "record": content.campaign_lead })
        }
        WebhookEvent::CallCreated => json!({ "id": id, "record": content.call }),
        WebhookEvent::ImportFinished => json!({ "id": id, "record": content.import }),
        WebhookEvent::RecordingReady => {
            json!({ "call_id": id, "recording": content.call.as_ref().map(|call| &call.recording) })
        }
        // Their data has the transcription.
        WebhookEvent::TranscriptCompleted | WebhookEvent::TranscriptionFailed | WebhookEvent::Test => {
            json!({ "id": id })
        }
    }
}

fn time_value(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| time::print(at).into())
}
