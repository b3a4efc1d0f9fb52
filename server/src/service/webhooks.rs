//! Webhooks: create, change, test and delete them. A worker queues deliveries of their events.

use leadscribe_engine::api::{
    Delivery, NewWebhookRequest, NewWebhookResponse, Page, Timestamp, TokenId, UpdateWebhookRequest, Webhook,
    WebhookEvent, WebhookId, WebhookSecret,
};
use leadscribe_engine::callback::Template;
use leadscribe_engine::diagnostic::{Diagnostic, Location, account, not_permitted};

use super::deliveries::{PREVIOUS_SECRET_VALIDITY, check_url};
use super::error::{Result, ServiceError};
use crate::service::app::App;
use crate::service::auth::credentials::{check_secret_is_new, use_token};
use crate::service::leads::bulk_writes;
use crate::storage::{AuditContext, DeliveryQuery, Slice};
use crate::webhook::signature;

/// Events that a webhook of a token can have. Calls belong to a token once it has submitted them.
const TOKEN_EVENTS: [WebhookEvent; 3] =
    [WebhookEvent::TranscriptCompleted, WebhookEvent::TranscriptionFailed, WebhookEvent::RecordingReady];

const NOT_FOUND: ServiceError = ServiceError::NotFound("webhook");

/// Returns a slice of the webhooks, newest first. With `owner`, this function and those below see only the webhooks of
/// that token.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, owner: Option<TokenId>, slice: Slice) -> Result<Page<Webhook>> {
    Ok(app.store.webhooks(owner, slice).await?)
}

/// Returns a webhook.
///
/// # Errors
/// The webhook doesn't exist; or storage failed.
pub async fn read(app: &App, id: WebhookId, owner: Option<TokenId>) -> Result<Webhook> {
    app.store.webhook(id, owner).await?.ok_or(NOT_FOUND)
}

/// Creates a webhook.
///
/// # Errors
/// The URL, the events or the template are invalid (all errors are reported); the token doesn't exist, is revoked or isn't the owner; there
/// are too many webhooks; or storage failed.
pub async fn create(
    app: &App,
    mut request: NewWebhookRequest,
    owner: Option<TokenId>,
    audit: &AuditContext,
) -> Result<NewWebhookResponse> {
    let mut diagnostics = Vec::new();
    if let Some(owner) = owner {
        let given = request.token_id.replace(owner);
        if let Some(other) = given.filter(|given| *given != owner) {
            let diagnostic = not_permitted(&other.to_string(), [owner.to_string().as_str()].into_iter());
            diagnostics.push(Diagnostic { location: location("token_id"), ..diagnostic });
        }
    }
    diagnostics.extend(check_events(&mut request.events, request.token_id));
    let content = check(app, Some(&mut request.url), request.body_template.as_deref());
    diagnostics.extend(content);
    ServiceError::ensure_no_diagnostics(diagnostics)?;
    let secret = signature::generate_secret();
    let webhook = app.store.create_webhook(&request, &secret, audit).await?;
    check_secret_is_new(audit, &webhook.id.subject())?;
    Ok(NewWebhookResponse { webhook, secret })
}

/// Changes a webhook. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The webhook doesn't exist; the change is invalid (all errors are reported); it was changed since; or storage failed.
pub async fn update(
    app: &App,
    id: WebhookId,
    mut change: UpdateWebhookRequest,
    owner: Option<TokenId>,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<Webhook> {
    let token = read(app, id, owner).await?.token_id;
    let mut diagnostics: Vec<_> = change.events.as_mut().map(|events| check_events(events, token)).unwrap_or_default();
    let template = change.body_template.as_ref().and_then(|template| template.as_deref());
    diagnostics.extend(check(app, change.url.as_mut(), template));
    ServiceError::ensure_no_diagnostics(diagnostics)?;
    let (store, audit) = (app.store.clone(), audit.clone());
    let update = async move { store.update_webhook(id, owner, &change, expected_versions, &audit).await };
    let updated = bulk_writes::run(app, update).await?.ok_or(NOT_FOUND)?;
    app.notifiers.deliveries.notify_one();
    Ok(updated)
}

/// Deletes a webhook. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The webhook doesn't exist; it was changed since; or storage failed.
pub async fn delete(
    app: &App,
    id: WebhookId,
    owner: Option<TokenId>,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<()> {
    let (store, audit) = (app.store.clone(), audit.clone());
    let delete = async move { store.delete_webhook(id, owner, expected_versions, &audit).await };
    bulk_writes::run(app, delete).await?.then_some(()).ok_or(NOT_FOUND)
}

/// Replaces the secret of a webhook. The previous secret also signs for another day.
///
/// # Errors
/// The webhook doesn't exist; or storage failed.
pub async fn rotate_secret(
    app: &App,
    id: WebhookId,
    owner: Option<TokenId>,
    audit: &AuditContext,
) -> Result<WebhookSecret> {
    let (secret, previous_valid_until) = (signature::generate_secret(), audit.at + PREVIOUS_SECRET_VALIDITY);
    let is_rotated = app.store.rotate_secret_of_webhook(id, owner, &secret, previous_valid_until, audit).await?;
    is_rotated.then_some(WebhookSecret { secret, previous_valid_until: Some(previous_valid_until) }).ok_or(NOT_FOUND)
}

/// Queues a test event, also while the webhook is paused.
///
/// # Errors
/// The webhook doesn't exist; its token is revoked; it has too many pending deliveries; or storage failed.
pub async fn test(app: &App, id: WebhookId, owner: Option<TokenId>, audit: &AuditContext) -> Result<Delivery> {
    if let Some(token) = read(app, id, owner).await?.token_id {
        use_token(app, token).await?;
    }
    let max_pending = app.config.callbacks.max_pending_deliveries;
    let delivery = app.store.create_webhook_test(id, owner, max_pending, audit).await?.ok_or(NOT_FOUND)?;
    app.notifiers.deliveries.notify_one();
    Ok(delivery)
}

/// Returns a slice of the deliveries of a webhook that match a query.
///
/// # Errors
/// The webhook doesn't exist; or storage failed.
pub async fn deliveries(
    app: &App,
    id: WebhookId,
    owner: Option<TokenId>,
    query: DeliveryQuery,
    slice: Slice,
) -> Result<Page<Delivery>> {
    read(app, id, owner).await?;
    Ok(app.store.deliveries(&DeliveryQuery { webhook_id: Some(id), ..query }, slice).await?)
}

fn location(member: &str) -> Location {
    Location::Pointer(format!("/{member}"))
}

/// Sorts the events and returns their errors.
fn check_events(events: &mut Vec<WebhookEvent>, token: Option<TokenId>) -> Vec<Diagnostic> {
    events.sort_unstable();
    events.dedup();
    let is_permitted = |event: &WebhookEvent| match token {
        Some(_) => TOKEN_EVENTS.contains(event),
        None => *event != WebhookEvent::Test,
    };
    let permitted: Vec<_> =
        WebhookEvent::ALL.iter().filter(|event| is_permitted(event)).map(|event| event.as_str()).collect();
    if events.is_empty() {
        let diagnostic = Diagnostic::new(location("events"), "missing_value", account::at_least_one_event());
        return vec![diagnostic.permitted(permitted)];
    }
    let refuse = |event: &WebhookEvent| {
        let diagnostic = not_permitted(event.as_str(), permitted.iter().copied());
        let diagnostic = Diagnostic { location: location("events"), ..diagnostic };
        if token.is_some() { diagnostic.suggest(account::events_of_token()) } else { diagnostic }
    };
    events.iter().filter(|event| !is_permitted(event)).map(refuse).collect()
}

/// Normalizes the URL, and returns the errors of the URL and the template.
fn check(app: &App, url: Option<&mut String>, template: Option<&str>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if let Some(url) = url {
        match check_url(app, url, &location("url")) {
            Ok(normalized) => *url = normalized,
            Err(errors) => diagnostics.extend(errors),
        }
    }
    if let Some(Err(errors)) = template.map(|text| Template::parse(text, location("body_template"))) {
        diagnostics.extend(errors);
    }
    diagnostics
}
