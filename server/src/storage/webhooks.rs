//! Store interface for webhooks.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use serde::{Deserialize, Serialize};

use super::{AuditContext, Result, Slice, WriteError};

/// Maximum number of webhooks of a token, and of staff, paused ones included. Each reads the log of changes itself.
pub const MAX_WEBHOOKS: u64 = 100;

/// Event of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Id of the event, the same for every webhook and attempt.
    pub id: String,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: WebhookEvent,
    /// Time of the event.
    pub time: Timestamp,
    /// Id of the record: of the call for events of calls, transcripts and recordings; of the webhook for a test.
    pub record_id: i64,
}

/// Result of [`WebhookStore::queue_events`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueuedEvents {
    /// Number of deliveries that were queued.
    pub deliveries: usize,
    /// True if there may be more changes to read now.
    pub has_more: bool,
}

/// Webhooks. Where `owner` is given, only those of this token exist.
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Slice of the webhooks, the newest first.
    async fn webhooks(&self, owner: Option<TokenId>, slice: Slice) -> Result<Page<Webhook>>;
    /// A single webhook.
    async fn webhook(&self, id: WebhookId, owner: Option<TokenId>) -> Result<Option<Webhook>>;
    /// Creates a webhook, which gets the events that happen from now on. Refused if its token doesn't exist or is
    /// revoked, or if the owner has [`MAX_WEBHOOKS`].
    async fn create_webhook(
        &self,
        new: &NewWebhookRequest,
        secret: &str,
        audit: &AuditContext,
    ) -> Result<Webhook, WriteError>;
    /// Changes a webhook. Its deliveries that are not finished follow: they go to the new URL, and wait while it is paused. `None` if it
    /// doesn't exist; refused if its version isn't one of `expected_versions`.
    async fn update_webhook(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        change: &UpdateWebhookRequest,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<Webhook>, WriteError>;
    /// Deletes a webhook and stops its deliveries, which stay listed. False if it doesn't exist; refused if its version isn't one of
    /// `expected_versions`.
    async fn delete_webhook(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError>;
    /// Sets the secret of a webhook to `new_secret`. Until `previous_valid_until`, the previous secret signs deliveries too. False if the
    /// webhook doesn't exist.
    async fn rotate_secret_of_webhook(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        new_secret: &str,
        previous_valid_until: Timestamp,
        audit: &AuditContext,
    ) -> Result<bool, WriteError>;
    /// Queues a delivery of [`WebhookEvent::Test`], also while the webhook is paused. `None` if the webhook doesn't exist; refused if it has
    /// more than `max_pending` pending deliveries.
    async fn create_webhook_test(
        &self,
        id: WebhookId,
        owner: Option<TokenId>,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<Option<Delivery>, WriteError>;
    /// Reads a part of the unread changes of each webhook, and queues deliveries of their events. A webhook with `max_pending` pending
    /// deliveries reads nothing until some are finished.
    ///
    /// Deliveries and the new position are stored together, so each event is queued exactly once for each webhook, also by several processes.
    async fn queue_events(&self, max_pending: u64, now: Timestamp) -> Result<QueuedEvents>;
}
