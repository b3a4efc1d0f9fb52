//! Queries of the lists.

use leadscribe_engine::api::{AuditEntry, Call, CallbackEndpoint, Campaign, Delivery, Import, TranscriptHit};

use super::list_query::list_query;

list_query! {
    /// Query of the audit log.
    AuditQuery of AuditEntry, "/api/audit-log":
    actor,
    action,
    subject,
    from,
    till,
}

list_query! {
    /// Query of the campaign list.
    CampaignQuery of Campaign, "/api/campaigns":
    /// Substring of the name.
    search,
}

list_query! {
    /// Query of the call list.
    CallQuery of Call, "/api/calls":
    lead_id,
    campaign_id,
    direction,
    status,
    recording,
    transcription,
    from,
    till,
    transcription_from,
    transcription_till,
    search,
}

list_query! {
    /// Query of the transcript search.
    TranscriptQuery of TranscriptHit, "/api/transcripts":
    search,
    language,
    from,
    till,
    campaign_id,
    lead_id,
    min_duration,
    max_duration,
    token_id,
}

list_query! {
    /// Query of the delivery list.
    DeliveryQuery of Delivery, "/api/deliveries":
    state,
    token_id,
    call_id,
    speech_request_id,
    /// Id of a delivery with the same URL. A URL may contain a secret, so it must not be part of the panel's URL.
    same_url_as,
}

list_query! {
    /// Query of the import list.
    ImportQuery of Import, "/api/imports":
    kind,
    state,
    /// Substring of the file name.
    name,
}

list_query! {
    /// Query of the callback URLs, sorted by their latest delivery.
    EndpointQuery of CallbackEndpoint, "/api/callback-endpoints":
}
