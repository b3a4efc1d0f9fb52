//! Calls and their recordings.

use gloo_net::http::Method;
use leadscribe_engine::api::{Call, CallId, Page, Peaks};
use web_sys::File;

use super::list_query::list_query;
use super::upload::Sending;
use super::{Answer, Api, ListQuery, Stopper};
use crate::query::query_string;

list_query! {
    /// Which calls.
    CallQuery of "/api/calls":
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
        self.get(&wanted.url()).await
    }
}

/// Where a call's recording is played from.
pub fn recording_url(call: CallId) -> String {
    format!("/api/calls/{call}/recording")
}
