//! Requests for speech tokens, API keys and users.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    ApiKey, ApiKeyId, Assignee, NewApiKeyRequest, NewApiKeyResponse, NewSpeechTokenRequest, NewSpeechTokenResponse,
    NewUserRequest, SpeechToken, TokenId, UpdateUserRequest, User, UserId, WebhookSecret,
};

use super::{Api, ApiResult, to_json};

impl Api {
    pub async fn speech_tokens(self) -> ApiResult<Vec<SpeechToken>> {
        self.get_all("/api/speech-tokens").await
    }

    pub async fn create_speech_token(self, request: NewSpeechTokenRequest) -> ApiResult<NewSpeechTokenResponse> {
        self.post("/api/speech-tokens", &request).await
    }

    /// Rotates a token's secret. The old secret stops working immediately.
    pub async fn rotate_speech_token(self, id: TokenId) -> ApiResult<NewSpeechTokenResponse> {
        self.send(Method::POST, &format!("/api/speech-tokens/{id}/rotate"), None).await
    }

    pub async fn revoke_speech_token(self, id: TokenId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/speech-tokens/{id}"), None).await.map(drop)
    }

    /// Returns the secret that signs the deliveries of a token.
    pub async fn webhook_secret(self, id: TokenId) -> ApiResult<WebhookSecret> {
        self.get(&format!("/api/speech-tokens/{id}/webhook-secret")).await
    }

    /// Rotates the signing secret. Deliveries are also signed with the old one for a day.
    pub async fn rotate_webhook_secret(self, id: TokenId) -> ApiResult<WebhookSecret> {
        self.send(Method::POST, &format!("/api/speech-tokens/{id}/webhook-secret/rotate"), None).await
    }

    pub async fn api_keys(self) -> ApiResult<Vec<ApiKey>> {
        self.get_all("/api/api-keys").await
    }

    pub async fn create_api_key(self, request: NewApiKeyRequest) -> ApiResult<NewApiKeyResponse> {
        self.post("/api/api-keys", &request).await
    }

    pub async fn revoke_api_key(self, id: ApiKeyId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/api-keys/{id}"), None).await.map(drop)
    }

    pub async fn users(self) -> ApiResult<Vec<User>> {
        self.get_all("/api/users").await
    }

    /// Returns the users that leads can be assigned to.
    pub async fn assignees(self) -> ApiResult<Vec<Assignee>> {
        self.get_all("/api/assignees").await
    }

    pub async fn create_user(self, request: NewUserRequest) -> ApiResult<User> {
        self.post("/api/users", &request).await
    }

    /// Changes a user and ends their sessions.
    pub async fn update_user(self, id: UserId, change: UpdateUserRequest) -> ApiResult<User> {
        self.send(Method::PATCH, &format!("/api/users/{id}"), Some(to_json(&change))).await
    }

    /// Ends all sessions of a user. The user can log in again.
    pub async fn end_user_sessions(self, id: UserId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/users/{id}/sessions"), None).await.map(drop)
    }

    pub async fn delete_user(self, id: UserId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/users/{id}"), None).await.map(drop)
    }
}
