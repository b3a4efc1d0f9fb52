//! Transcripts delivered to callbacks.

use gloo_net::http::Method;
use leadscribe_engine::api::{
    Callback, CallbackEndpoint, Delivery, DeliveryDetail, DeliveryId, NewSpeechRequest, Page, SpeechRequestResponse,
    TokenId,
};

use super::{Answer, Api};
use crate::query::query_string;

/// Which deliveries; an empty text means any. The members are those of the query string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeliveryQuery {
    pub state: String,
    pub token_id: String,
    pub call_id: String,
    pub speech_request_id: String,
    /// The id of a delivery, whose URL is meant: a URL may hold a secret, and doesn't belong into an address.
    pub same_url_as: String,
    /// `count;offset`.
    pub limit: String,
}

impl Api {
    /// A page of deliveries, newest first.
    pub async fn deliveries(self, wanted: DeliveryQuery) -> Answer<Page<Delivery>> {
        self.get(&format!("/api/deliveries{}", wanted.query_string())).await
    }

    /// The URLs that results were delivered to, the one with the latest delivery first.
    pub async fn callback_endpoints(self) -> Answer<Page<CallbackEndpoint>> {
        self.get("/api/callback-endpoints?limit=200").await
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

impl DeliveryQuery {
    /// The query with its members found by name, as in the panel's own address.
    pub fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| value(name).unwrap_or_default();
        Self {
            state: value("state"),
            token_id: value("token_id"),
            call_id: value("call_id"),
            speech_request_id: value("speech_request_id"),
            same_url_as: value("same_url_as"),
            limit: value("limit"),
        }
    }

    /// The query string, with the `?` before it.
    pub fn query_string(&self) -> String {
        query_string(&[
            ("state", &self.state),
            ("token_id", &self.token_id),
            ("call_id", &self.call_id),
            ("speech_request_id", &self.speech_request_id),
            ("same_url_as", &self.same_url_as),
            ("limit", &self.limit),
        ])
    }

    /// Whether anything narrows the list.
    pub fn is_narrow(&self) -> bool {
        Self { limit: String::new(), ..self.clone() } != Self::default()
    }
}
