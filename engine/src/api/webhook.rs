//! Webhooks: URLs that get a delivery for each event.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{TokenId, WebhookId, deserialize_present, named_enum};

named_enum! {
    /// Type of an event.
    WebhookEvent {
        /// A transcript is available.
        TranscriptCompleted = "transcript.completed",
        /// A transcription failed for good, or was cancelled.
        TranscriptionFailed = "transcription.failed",
        /// A call was created.
        CallCreated = "call.created",
        /// A call has a new recording.
        RecordingReady = "recording.ready",
        /// A lead was created or changed, or one of its campaign leads was.
        LeadChanged = "lead.changed",
        /// A lead was deleted.
        LeadDeleted = "lead.deleted",
        /// A lead was added to a campaign, or changed there.
        CampaignLeadChanged = "campaign_lead.changed",
        /// A lead was removed from a campaign.
        CampaignLeadDeleted = "campaign_lead.deleted",
        /// An import was completed or cancelled, or it failed.
        ImportFinished = "import.finished",
        /// Sent on request only, to test the webhook.
        Test = "webhook.test",
    }
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Webhook {
    /// Id of the webhook.
    pub id: WebhookId,
    /// URL that events are delivered to, by POST.
    pub url: String,
    /// Types of the events that are delivered.
    pub events: Vec<WebhookEvent>,
    /// The token whose calls the events are about; null for a staff webhook, which gets the events of all records.
    pub token_id: Option<TokenId>,
    /// Template of the body; null for the event as CloudEvents JSON.
    pub body_template: Option<String>,
    /// True if deliveries are stopped. Events during the pause are delivered when the webhook is resumed.
    pub paused: bool,
    /// Time at which events were last found to be lost, because a delivery failed for good, because changes were purged while the webhook was
    /// paused or unreachable, or because the database was restored. Load all records again if it is later than your last load.
    pub events_lost_at: Option<DateTime<Utc>>,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time of the last change by a client.
    pub updated_at: DateTime<Utc>,
}

/// `POST /api/webhooks`: create a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewWebhookRequest {
    /// An `https` URL without user name, password or fragment, up to 2,000 characters when percent-encoded. `http` is accepted for networks
    /// that the operator has allowed.
    pub url: String,
    /// Types of events, one or more. Webhooks of a token get `transcript.completed`, `transcription.failed` and `recording.ready`.
    pub events: Vec<WebhookEvent>,
    /// A speech token, for events of its calls only. A token that creates a webhook itself is always its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_id: Option<TokenId>,
    /// Template of the body, as `callback_data` of a callback. By default, the body is the event as CloudEvents JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_template: Option<String>,
    /// True to create the webhook paused.
    #[serde(default)]
    pub paused: bool,
}

/// `PATCH /api/webhooks/{webhook_id}`: change a webhook. Members that are left out stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UpdateWebhookRequest {
    /// New URL. Deliveries that are not finished go there too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub url: Option<String>,
    /// New types of events, one or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<WebhookEvent>, required = false))]
    pub events: Option<Vec<WebhookEvent>>,
    /// New template of the body; null for the event as CloudEvents JSON.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, required = false))]
    pub body_template: Option<Option<String>>,
    /// True to pause the webhook, false to resume it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = bool, required = false))]
    pub paused: Option<bool>,
}

/// Response to the creation of a webhook.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewWebhookResponse {
    /// The webhook.
    pub webhook: Webhook,
    /// The secret that signs its deliveries, `whsec_` and base64. It can't be retrieved again.
    pub secret: String,
}
