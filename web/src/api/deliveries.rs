//! Requests for deliveries of transcripts to callbacks.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    Callback, CallbackEndpoint, Delivery, DeliveryDetail, DeliveryId, NewSpeechRequest, Page, SpeechRequestResponse,
    TokenId,
};

use super::list_query::list_query;
use super::{Api, ApiResult, ListQuery};
use crate::browser::query::query_string;

list_query! {
    /// Query of the delivery list.
    DeliveryQuery of "/api/deliveries":
    state,
    token_id,
    call_id,
    speech_request_id,
    /// Id of a delivery with the same URL. A URL may contain a secret, so it must not be part of the panel's URL.
    same_url_as,
}

impl Api {
    /// Returns a page of deliveries.
    pub async fn deliveries(self, query: DeliveryQuery) -> ApiResult<Page<Delivery>> {
        self.get(&query.url()).await
    }

    /// Returns a page of the callback URLs, sorted by their latest delivery. `limit` is `count;offset`.
    pub async fn callback_endpoints(self, limit: String) -> ApiResult<Page<CallbackEndpoint>> {
        self.get(&format!("/api/callback-endpoints{}", query_string(&[("limit", &limit)]))).await
    }

    /// Returns one delivery with its attempts.
    pub async fn delivery(self, id: DeliveryId) -> ApiResult<DeliveryDetail> {
        self.get(&format!("/api/deliveries/{id}")).await
    }

    /// Sends a finished delivery again.
    pub async fn replay(self, id: DeliveryId) -> ApiResult<Delivery> {
        self.send(Method::POST, &format!("/api/deliveries/{id}/replay"), None).await
    }

    /// Starts deliveries of the token's transcripts that match a search.
    pub async fn deliver(self, token: TokenId, request: NewSpeechRequest) -> ApiResult<SpeechRequestResponse> {
        self.post(&format!("/api/speech-tokens/{token}/speech-requests"), &request).await
    }

    /// Sends a test delivery with sample data.
    pub async fn test_delivery(self, token: TokenId, callback: Callback) -> ApiResult<Delivery> {
        self.post(&format!("/api/speech-tokens/{token}/test-deliveries"), &callback).await
    }
}
