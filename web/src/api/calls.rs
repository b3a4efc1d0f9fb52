//! Calls and their recordings.

use gloo_net::http::Method;
use leadscribe_engine::api::{Call, CallId, Page, Peaks};
use web_sys::File;

use super::upload::Sending;
use super::{Answer, Api, Stopper};
use crate::query::query_string;

/// Which calls; an empty text means any. The members are those of the query string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallQuery {
    pub lead_id: String,
    pub campaign_id: String,
    pub direction: String,
    pub status: String,
    pub recording: String,
    pub transcription: String,
    pub from: String,
    pub till: String,
    pub transcribed_from: String,
    pub transcribed_till: String,
    pub search: String,
    pub order: String,
    /// `count;offset`.
    pub limit: String,
}

impl Api {
    /// One call.
    pub async fn call(self, id: CallId) -> Answer<Call> {
        self.get(&format!("/api/calls/{id}")).await
    }

    /// The call that another system knows by this.
    pub async fn call_known_by(self, identifier: &str) -> Answer<Option<Call>> {
        let query = query_string(&[("original_identifier", identifier), ("limit", "1;0")]);
        let page: Page<Call> = self.get(&format!("/api/calls{query}")).await?;
        Ok(page.items.into_iter().next())
    }

    /// Uploads the recording of a call. `progress` is told how much is sent, 0 to 1. None when it was stopped before the server
    /// had all of it.
    pub async fn upload_recording(
        self,
        call: CallId,
        file: &File,
        progress: impl Fn(f64) + 'static,
        stopper: Option<&Stopper>,
    ) -> Answer<Option<Call>> {
        // What it is, the server tells by its content.
        let media_type = "application/octet-stream";
        let sending = Sending { method: "PUT", url: &recording_url(call), media_type, file, stopper };
        self.send_file(sending, progress).await
    }

    /// Changes a call; `change` is JSON text with the fields that change.
    pub async fn update_call(self, id: CallId, change: String) -> Answer<Call> {
        self.send(Method::PATCH, &format!("/api/calls/{id}"), Some(change)).await
    }

    /// The outline of a call's recording, in `count` stretches.
    pub async fn peaks(self, call: CallId, count: u32) -> Answer<Peaks> {
        self.get(&format!("/api/calls/{call}/recording/peaks?count={count}")).await
    }

    /// Those of these calls that are there, of at most 1,000.
    pub async fn calls_of(self, ids: &[CallId]) -> Answer<Page<Call>> {
        let ids: Vec<_> = ids.iter().map(CallId::to_string).collect();
        let each = ids.iter().map(|id| ("id", id.as_str())).chain([("limit", "1000;0")]);
        self.get(&format!("/api/calls{}", query_string(&each.collect::<Vec<_>>()))).await
    }

    /// A page of calls.
    pub async fn calls(self, wanted: CallQuery) -> Answer<Page<Call>> {
        self.get(&format!("/api/calls{}", wanted.query_string())).await
    }
}

impl CallQuery {
    /// The query with its members found by name, as in the panel's own address.
    pub fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| value(name).unwrap_or_default();
        Self {
            lead_id: value("lead_id"),
            campaign_id: value("campaign_id"),
            direction: value("direction"),
            status: value("status"),
            recording: value("recording"),
            transcription: value("transcription"),
            from: value("from"),
            till: value("till"),
            transcribed_from: value("transcribed_from"),
            transcribed_till: value("transcribed_till"),
            search: value("search"),
            order: value("order"),
            limit: value("limit"),
        }
    }

    /// The query string, with the `?` before it.
    pub fn query_string(&self) -> String {
        query_string(&[
            ("lead_id", &self.lead_id),
            ("campaign_id", &self.campaign_id),
            ("direction", &self.direction),
            ("status", &self.status),
            ("recording", &self.recording),
            ("transcription", &self.transcription),
            ("from", &self.from),
            ("till", &self.till),
            ("transcribed_from", &self.transcribed_from),
            ("transcribed_till", &self.transcribed_till),
            ("search", &self.search),
            ("order", &self.order),
            ("limit", &self.limit),
        ])
    }

    /// How many conditions stand beside the search.
    pub fn conditions(&self) -> usize {
        let all = [
            &self.lead_id,
            &self.campaign_id,
            &self.direction,
            &self.status,
            &self.recording,
            &self.transcription,
            &self.from,
            &self.till,
            &self.transcribed_from,
            &self.transcribed_till,
        ];
        all.iter().filter(|condition| !condition.is_empty()).count()
    }

    /// Whether anything narrows the list.
    pub fn is_narrow(&self) -> bool {
        Self { order: String::new(), limit: String::new(), ..self.clone() } != Self::default()
    }
}

/// Where a call's recording is played from.
pub fn recording_url(call: CallId) -> String {
    format!("/api/calls/{call}/recording")
}
