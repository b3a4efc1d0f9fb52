//! Transcripts delivered to callbacks.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    Callback, CallbackEndpoint, Delivery, DeliveryDetail, DeliveryId, NewSpeechRequest, Page, SpeechRequestResponse,
    TokenId,
};

use super::list_query::list_query;
use super::{Answer, Api, ListQuery};
use crate::query::query_string;

list_query! {
    /// Which deliveries.
    DeliveryQuery of "/api/deliveries":
    state,
    token_id,
    call_id,
    speech_request_id,
    /// The id of a delivery, whose URL is meant: a URL may hold a secret, and doesn't belong into an address.
    same_url_as,
}

impl Api {
    /// A page of deliveries.
    pub async fn deliveries(self, wanted: DeliveryQuery) -> Answer<Page<Delivery>> {
        self.get(&wanted.url()).await
    }

    /// A page of the URLs that results were delivered to, the one with the latest delivery first. `limit` is `count;offset`.
    pub async fn callback_endpoints(self, limit: String) -> Answer<Page<CallbackEndpoint>> {
        self.get(&format!("/api/callback-endpoints{}", query_string(&[("limit", &limit)]))).await
    }

    /// One delivery with its attempts.
    pub async fn delivery(self, id: DeliveryId) -> Answer<DeliveryDetail> {
        self.get(&format!("/api/deliveries/{id}")).await
    }

    /// Delivers once more what has ended.
    pub async fn replay(self, id: DeliveryId) -> Answer<Delivery> {
        self.send(Method::POST, &format!("/api/deliveries/{id}/replay"), None).await
    }

    /// Delivers what a search finds among the transcripts of a token.
    pub async fn deliver(self, token: TokenId, request: NewSpeechRequest) -> Answer<SpeechRequestResponse> {
        self.post(&format!("/api/speech-tokens/{token}/speech-requests"), &request).await
    }

    /// Delivers a made-up call.
    pub async fn test_delivery(self, token: TokenId, callback: Callback) -> Answer<Delivery> {
        self.post(&format!("/api/speech-tokens/{token}/test-deliveries"), &callback).await
    }
}
