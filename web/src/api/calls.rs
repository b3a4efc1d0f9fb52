//! Requests for calls and recordings.

use leadscribe_engine::api::{Call, CallId, Page};
use web_sys::{AbortController, File};

use super::upload::FileUploadRequest;
use super::{Api, ApiResult};
use crate::browser::query::query_string;

impl Api {
    /// Returns the call that has this identifier in the source system.
    pub async fn call_by_identifier(self, identifier: &str) -> ApiResult<Option<Call>> {
        let query = query_string(&[("original_identifier", identifier), ("limit", "1;0")]);
        let page: Page<Call> = self.get(&format!("/api/calls{query}")).await?;
        Ok(page.items.into_iter().next())
    }

    /// Uploads the recording of a call. `progress` receives the fraction sent so far, 0 to 1. Returns `None` if the upload was
    /// cancelled before the server had the whole file.
    pub async fn upload_recording(
        self,
        call: CallId,
        file: &File,
        progress: impl Fn(f64) + 'static,
        abort_controller: Option<&AbortController>,
    ) -> ApiResult<Option<Call>> {
        // The server detects the media type from the content.
        let media_type = "application/octet-stream";
        let upload = FileUploadRequest { method: "PUT", url: &recording_url(call), media_type, file, abort_controller };
        self.send_file(upload, progress).await
    }

    /// Returns the calls with these ids, at most 1,000. Omits ids without a call.
    pub async fn calls_by_id(self, ids: &[CallId]) -> ApiResult<Page<Call>> {
        let ids: Vec<_> = ids.iter().map(CallId::to_string).collect();
        let parameters = ids.iter().map(|id| ("id", id.as_str())).chain([("limit", "1000;0")]);
        self.get(&format!("/api/calls{}", query_string(&parameters.collect::<Vec<_>>()))).await
    }
}

pub fn recording_url(call: CallId) -> String {
    format!("/api/calls/{call}/recording")
}
