//! Requests for speech tokens, API keys and users.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    ApiKey, ApiKeyId, Assignee, NewApiKeyRequest, NewApiKeyResponse, NewSpeechTokenRequest, NewSpeechTokenResponse,
    NewUserRequest, SpeechToken, TokenId, UpdateUserRequest, User, UserId, WebhookSecret,
};

use super::{Answer, Api, json};

impl Api {
    pub async fn speech_tokens(self) -> Answer<Vec<SpeechToken>> {
        self.whole("/api/speech-tokens").await
    }

    pub async fn create_speech_token(self, request: NewSpeechTokenRequest) -> Answer<NewSpeechTokenResponse> {
        self.post("/api/speech-tokens", &request).await
    }

    /// Rotates a token's secret. The old secret stops working immediately.
    pub async fn rotate_speech_token(self, id: TokenId) -> Answer<NewSpeechTokenResponse> {
        self.send(Method::POST, &format!("/api/speech-tokens/{id}/rotate"), None).await
    }

    pub async fn revoke_speech_token(self, id: TokenId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/speech-tokens/{id}"), None).await.map(drop)
    }

    /// Returns the secret that signs the deliveries of a token.
    pub async fn webhook_secret(self, id: TokenId) -> Answer<WebhookSecret> {
        self.get(&format!("/api/speech-tokens/{id}/webhook-secret")).await
    }

    /// Rotates the signing secret. Deliveries are also signed with the old one for a day.
    pub async fn rotate_webhook_secret(self, id: TokenId) -> Answer<WebhookSecret> {
        self.send(Method::POST, &format!("/api/speech-tokens/{id}/webhook-secret/rotate"), None).await
    }

    pub async fn api_keys(self) -> Answer<Vec<ApiKey>> {
        self.whole("/api/api-keys").await
    }

    pub async fn create_api_key(self, request: NewApiKeyRequest) -> Answer<NewApiKeyResponse> {
        self.post("/api/api-keys", &request).await
    }

    pub async fn revoke_api_key(self, id: ApiKeyId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/api-keys/{id}"), None).await.map(drop)
    }

    pub async fn users(self) -> Answer<Vec<User>> {
        self.whole("/api/users").await
    }

    /// Returns the users that leads can be assigned to.
    pub async fn assignees(self) -> Answer<Vec<Assignee>> {
        self.whole("/api/assignees").await
    }

    pub async fn create_user(self, request: NewUserRequest) -> Answer<User> {
        self.post("/api/users", &request).await
    }

    /// Changes a user and ends their sessions.
    pub async fn update_user(self, id: UserId, change: UpdateUserRequest) -> Answer<User> {
        self.send(Method::PATCH, &format!("/api/users/{id}"), Some(json(&change))).await
    }

    /// Ends all sessions of a user. The user can log in again.
    pub async fn end_sessions_of(self, id: UserId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/users/{id}/sessions"), None).await.map(drop)
    }

    pub async fn delete_user(self, id: UserId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/users/{id}"), None).await.map(drop)
    }
}
