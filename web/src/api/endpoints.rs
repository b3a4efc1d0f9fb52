//! Table of the API's endpoints.

use gloo_net::http::Method;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::MAX_CALL_IDS;

use super::list_query::CampaignQuery;
use super::{Api, ApiResult, ListQuery, to_json};
use crate::browser::query::query_string;

/// Defines a method of [`Api`] per endpoint: HTTP method, name, parameters, response, URL and JSON body. `LIST` loads
/// all pages.
macro_rules! endpoints {
    ($($(#[$about:meta])* $method:ident $name:ident($($parameter:ident: $kind:ty),*) $(-> $response:ty)?
        = $url:literal $(, $body:expr)?;)*) => {
        impl Api {
            $($(#[$about])*
            pub async fn $name(self, $($parameter: $kind),*) -> ApiResult<endpoints!(@response $($response)?)> {
                endpoints!(@send self, $method, &format!($url), endpoints!(@body $($body)?), $($response)?)
            })*
        }
    };
    (@response) => { () };
    (@response $response:ty) => { $response };
    (@body) => { None };
    (@body $body:expr) => { Some($body) };
    (@send $api:ident, LIST, $url:expr, $body:expr, $response:ty) => { $api.get_all($url).await };
    (@send $api:ident, $method:ident, $url:expr, $body:expr,) => {
        $api.exchange(Method::$method, $url, $body).await.map(drop)
    };
    (@send $api:ident, $method:ident, $url:expr, $body:expr, $response:ty) => {
        $api.send(Method::$method, $url, $body).await
    };
}

endpoints! {
    LIST speech_tokens() -> Vec<SpeechToken> = "/api/speech-tokens";
    POST create_speech_token(request: NewSpeechTokenRequest) -> NewSpeechTokenResponse
        = "/api/speech-tokens", to_json(&request);
    /// Rotates a token's secret. The old secret stops working immediately.
    POST rotate_speech_token(id: TokenId) -> NewSpeechTokenResponse = "/api/speech-tokens/{id}/rotate";
    DELETE revoke_speech_token(id: TokenId) = "/api/speech-tokens/{id}";
    /// Returns the secret that signs the deliveries of a token.
    GET webhook_secret(id: TokenId) -> WebhookSecret = "/api/speech-tokens/{id}/webhook-secret";
    /// Rotates the signing secret. Deliveries are also signed with the old one for a day.
    POST rotate_webhook_secret(id: TokenId) -> WebhookSecret = "/api/speech-tokens/{id}/webhook-secret/rotate";
    LIST api_keys() -> Vec<ApiKey> = "/api/api-keys";
    POST create_api_key(request: NewApiKeyRequest) -> NewApiKeyResponse = "/api/api-keys", to_json(&request);
    DELETE revoke_api_key(id: ApiKeyId) = "/api/api-keys/{id}";
    LIST users() -> Vec<User> = "/api/users";
    /// Returns the users that leads can be assigned to.
    LIST assignees() -> Vec<Assignee> = "/api/assignees";
    POST create_user(request: NewUserRequest) -> User = "/api/users", to_json(&request);
    /// Changes a user and ends their sessions.
    PATCH update_user(id: UserId, change: UpdateUserRequest) -> User = "/api/users/{id}", to_json(&change);
    /// Ends all sessions of a user. The user can log in again.
    DELETE end_user_sessions(id: UserId) = "/api/users/{id}/sessions";
    DELETE delete_user(id: UserId) = "/api/users/{id}";

    GET retention() -> Retention = "/api/retention";

    /// Sets the order of the statuses.
    PUT order_statuses(names: Vec<String>) -> Page<LeadStatus>
        = "/api/statuses", to_json(&StatusOrderRequest { names });

    /// Returns one lead with all its campaigns.
    GET lead(id: LeadId) -> ExtendedLead = "/api/leads/{id}";
    /// Creates a lead. `fields` is JSON text.
    POST create_lead(fields: String) -> Lead = "/api/leads", fields;
    /// Deletes a lead. Its calls are kept.
    DELETE delete_lead(id: LeadId) = "/api/leads/{id}";
    /// Adds a lead to a campaign. `fields` is JSON text.
    POST create_campaign_lead(fields: String) -> CampaignLead = "/api/campaign-leads", fields;
    GET campaign_lead(id: CampaignLeadId) -> CampaignLead = "/api/campaign-leads/{id}";
    /// Removes a lead from a campaign.
    DELETE delete_campaign_lead(id: CampaignLeadId) = "/api/campaign-leads/{id}";
    /// Changes many leads at once. `action` is JSON text.
    POST run_lead_action(action: String) -> LeadActionOutcome = "/api/leads/actions", action;
    /// Returns the next page of lead actions, newest first. `loaded_count` is the number of actions loaded so far.
    GET lead_actions(loaded_count: u64) -> Page<LeadActionEntry> = "/api/leads/actions?limit=100;{loaded_count}";
    /// Undoes an action, except for leads that were changed since.
    POST undo_lead_action(id: LeadActionId) -> LeadActionUndo = "/api/leads/actions/{id}/undo";
    /// Returns the last `count` changes of a lead, newest first.
    GET lead_history(id: LeadId, count: u64) -> Page<AuditEntry> = "/api/audit-log/leads/{id}?limit={count};0";
    /// Returns the first 1,000 campaigns, for pickers.
    GET campaigns() -> Page<Campaign> = "/api/campaigns?limit=1000;0";
    /// Returns the statuses of campaign leads.
    GET statuses() -> Page<LeadStatus> = "/api/statuses";

    /// Returns all views that the user can see, sorted by name.
    GET views() -> Page<SavedView> = "/api/views";
    GET view(id: ViewId) -> SavedView = "/api/views/{id}";
    POST create_view(view: ViewRequest) -> SavedView = "/api/views", to_json(&view);
    PUT update_view(id: ViewId, view: ViewRequest) -> SavedView = "/api/views/{id}", to_json(&view);
    DELETE delete_view(id: ViewId) = "/api/views/{id}";

    GET campaign(id: CampaignId) -> Campaign = "/api/campaigns/{id}";
    /// Creates a campaign. `body` is JSON text.
    POST create_campaign(body: String) -> Campaign = "/api/campaigns", body;

    GET call(id: CallId) -> Call = "/api/calls/{id}";
    /// Changes a call. `change` is JSON text with the fields to change.
    PATCH update_call(id: CallId, change: String) -> Call = "/api/calls/{id}", change;
    /// Returns the waveform of a call's recording with `count` peaks.
    GET peaks(call: CallId, count: u32) -> Peaks = "/api/calls/{call}/recording/peaks?count={count}";

    /// Returns the canonical codes of the recognizer's languages.
    GET languages() -> Vec<String> = "/api/speech-recognition/languages";
    /// Returns whether recordings can be transcribed, and the length of the queue.
    GET recognizer_status() -> RecognizerStatus = "/api/speech-recognition/recognizer";

    /// Returns the transcriptions of a call, latest first.
    GET transcriptions(call: CallId) -> Vec<Transcription> = "/api/calls/{call}/transcriptions";

    /// Returns one delivery with its attempts.
    GET delivery(id: DeliveryId) -> DeliveryDetail = "/api/deliveries/{id}";
    /// Sends a finished delivery again.
    POST replay(id: DeliveryId) -> Delivery = "/api/deliveries/{id}/replay";
    /// Starts deliveries of the token's transcripts that match a search.
    POST deliver(token: TokenId, request: NewSpeechRequest) -> SpeechRequestResponse
        = "/api/speech-tokens/{token}/speech-requests", to_json(&request);
    /// Sends a test delivery with sample data.
    POST test_delivery(token: TokenId, callback: Callback) -> Delivery
        = "/api/speech-tokens/{token}/test-deliveries", to_json(&callback);

    GET import(id: ImportId) -> Import = "/api/imports/{id}";
    /// Returns the first rejected rows of an import.
    GET rejected_rows(id: ImportId) -> Page<RejectedRow> = "/api/imports/{id}/rejected?limit=100;0";
    /// Requests the cancellation of a running import. Returns its new state.
    POST cancel_import(id: ImportId) -> Import = "/api/imports/{id}/cancel";
    /// Starts to undo an import. Returns its new state.
    POST undo_import(id: ImportId) -> Import = "/api/imports/{id}/undo";
    /// Cancels the undo of an import. Returns the import's new state.
    POST cancel_undo(id: ImportId) -> Import = "/api/imports/{id}/undo/cancel";
    /// Returns the first rows that the undo of an import left unchanged.
    GET undo_skipped_records(id: ImportId) -> Page<SkippedRecord> = "/api/imports/{id}/undo/skipped?limit=100;0";

    /// Returns how many leads can be called now, and why the rest can't.
    GET callable() -> CallableOverview = "/api/overview/callable";

    /// Changes the password of the logged-in user. Their other sessions end.
    PUT change_password(request: ChangePasswordRequest) = "/api/session/password", to_json(&request);
    /// Returns the sessions of the logged-in user.
    GET own_sessions() -> Vec<SessionInfo> = "/api/sessions";
    DELETE end_session(id: SessionId) = "/api/sessions/{id}";
    /// Ends all sessions of the user except this one.
    DELETE end_other_sessions() = "/api/sessions";
}

impl Api {
    /// Creates a status, or changes the one with this name.
    pub async fn put_status(self, status: LeadStatus) -> ApiResult<LeadStatus> {
        let LeadStatus { name, label, dialable } = status;
        self.send(Method::PUT, &status_url(&name), Some(to_json(&StatusRequest { label, dialable }))).await
    }

    pub async fn delete_status(self, name: String) -> ApiResult<()> {
        self.exchange(Method::DELETE, &status_url(&name), None).await.map(drop)
    }

    /// Returns the progress of the campaigns that the same query lists.
    pub async fn campaign_progress(self, query: CampaignQuery) -> ApiResult<Page<CampaignProgress>> {
        self.get(&format!("/api/campaigns/progress{}", query.query_string())).await
    }

    /// Returns the effects of a change. `body` is JSON text with the fields to change.
    pub async fn preview_campaign(self, id: CampaignId, body: String) -> ApiResult<CampaignPreview> {
        self.send_read_only(Method::POST, &format!("/api/campaigns/{id}/preview"), body).await
    }

    /// Submits calls on behalf of a speech token. `body` is JSON text. With `is_dry_run` nothing is queued.
    pub async fn submit_calls(self, token: TokenId, body: String, is_dry_run: bool) -> ApiResult<SubmissionResponse> {
        let query = if is_dry_run { "?dry_run=true" } else { "" };
        self.send(Method::POST, &format!("/api/speech-tokens/{token}/submissions{query}"), Some(body)).await
    }

    /// Cancels pending and running transcriptions of these calls. Returns the number of calls that had any.
    pub async fn cancel_transcriptions(self, calls: &[CallId]) -> ApiResult<usize> {
        let mut count = 0;
        for calls in calls.chunks(MAX_CALL_IDS) {
            let body = to_json(&CancelTranscriptionsRequest { call_ids: calls.to_vec() });
            let response = self.send(Method::POST, "/api/transcriptions/cancel", Some(body)).await;
            let CancelledTranscriptions { cancelled } = response?;
            count += cancelled.len();
        }
        Ok(count)
    }

    /// Returns the activity of the last `days` days in a time zone, and the pending work.
    pub async fn activity(self, days: u32, timezone: String) -> ApiResult<ActivityOverview> {
        let query = query_string(&[("days", &days.to_string()), ("timezone", &timezone)]);
        self.get(&format!("/api/overview/activity{query}")).await
    }
}

fn status_url(name: &str) -> String {
    format!("/api/statuses/{}", String::from(js_sys::encode_uri_component(name)))
}
