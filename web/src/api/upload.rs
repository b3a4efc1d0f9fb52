//! File uploads. They use XMLHttpRequest, because `fetch` doesn't report upload progress.

use js_sys::{Function, Promise};
use serde::de::DeserializeOwned;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, File, ProgressEvent, XmlHttpRequest};

use super::{Api, ApiError, ApiResult, RawResponse};

pub(super) struct FileUploadRequest<'a> {
    pub method: &'static str,
    pub url: &'a str,
    pub media_type: &'static str,
    pub file: &'a File,
    /// Cancels the upload.
    pub abort_controller: Option<&'a AbortController>,
}

impl Api {
    /// Uploads a file. `progress` receives the fraction sent so far, 0 to 1. Returns `None` if the upload was cancelled
    /// before the response arrived; the server may already have the whole file.
    pub(super) async fn send_file<T: DeserializeOwned>(
        self,
        upload: FileUploadRequest<'_>,
        progress: impl Fn(f64) + 'static,
    ) -> ApiResult<Option<T>> {
        let on_progress = Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| {
            if event.length_computable() {
                progress(event.loaded() / event.total());
            }
        });
        let body = self.with_session_renewal(|| self.upload_once(&upload, &on_progress)).await?;
        let Some(body) = body else { return Ok(None) };
        super::parse_response(&body).map(Some)
    }

    async fn upload_once(
        self,
        upload: &FileUploadRequest<'_>,
        on_progress: &Closure<dyn Fn(ProgressEvent)>,
    ) -> ApiResult<Option<String>> {
        let request = XmlHttpRequest::new().map_err(|_| ApiError::Offline)?;
        let abort_request = Closure::<dyn Fn()>::new({
            let request = request.clone();
            // Aborting a finished request does nothing.
            move || _ = request.abort()
        });
        let signal = upload.abort_controller.map(AbortController::signal);
        let set_abort_handler = |abort_request: Option<&Function>| {
            if let Some(signal) = &signal {
                signal.set_onabort(abort_request);
            }
        };
        set_abort_handler(Some(abort_request.as_ref().unchecked_ref()));
        let result = self.transmit_file(&request, upload, on_progress).await;
        set_abort_handler(None);
        result.map_err(|_| ApiError::Offline)?;
        let status = request.status().unwrap_or(0);
        if status == 0 && signal.is_some_and(|signal| signal.aborted()) {
            return Ok(None);
        }
        if status == 0 {
            self.connection.report_lost();
            return Err(ApiError::Offline);
        }
        let retry_after =
            request.get_response_header("Retry-After").ok().flatten().and_then(|seconds| seconds.parse().ok());
        let body = request.response_text().ok().flatten().unwrap_or_default();
        self.check_session(RawResponse { status, retry_after, body }).map(Some)
    }

    /// Sends the request and waits until it has finished or failed.
    async fn transmit_file(
        self,
        request: &XmlHttpRequest,
        upload: &FileUploadRequest<'_>,
        on_progress: &Closure<dyn Fn(ProgressEvent)>,
    ) -> Result<(), JsValue> {
        request.open_with_async(upload.method, upload.url, true)?;
        request.set_request_header("Content-Type", upload.media_type)?;
        request.set_request_header("Accept", "application/json")?;
        if let Some(token) = self.session.csrf_token() {
            request.set_request_header("X-CSRF-Token", &token)?;
        }
        request.upload()?.set_onprogress(Some(on_progress.as_ref().unchecked_ref()));
        let finished = Promise::new(&mut |resolve, _| request.set_onloadend(Some(&resolve)));
        request.send_with_opt_blob(Some(upload.file))?;
        JsFuture::from(finished).await.map(drop)
    }
}
