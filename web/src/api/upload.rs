//! File uploads. They use XMLHttpRequest, because `fetch` doesn't report upload progress.

use js_sys::{Function, Promise};
use serde::de::DeserializeOwned;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, ProgressEvent, XmlHttpRequest};

use super::{Answer, Api, ApiError, Heard, Stopper};

/// A file upload.
pub(super) struct Sending<'a> {
    pub method: &'static str,
    pub url: &'a str,
    pub media_type: &'static str,
    pub file: &'a File,
    /// Cancels the upload.
    pub stopper: Option<&'a Stopper>,
}

impl Api {
    /// Uploads a file. `progress` receives the share that is sent, 0 to 1. Returns `None` if the upload was cancelled before
    /// the server had the whole file.
    pub(super) async fn send_file<T: DeserializeOwned>(
        self,
        sending: Sending<'_>,
        progress: impl Fn(f64) + 'static,
    ) -> Answer<Option<T>> {
        let on_progress = Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| {
            if event.length_computable() {
                progress(event.loaded() / event.total());
            }
        });
        let body = self.in_session(|| self.send_once(&sending, &on_progress)).await?;
        let Some(body) = body else { return Ok(None) };
        super::read(&body).map(Some)
    }

    async fn send_once(
        self,
        sending: &Sending<'_>,
        on_progress: &Closure<dyn Fn(ProgressEvent)>,
    ) -> Answer<Option<String>> {
        let request = XmlHttpRequest::new().map_err(|_| ApiError::Offline)?;
        let stop = Closure::<dyn Fn()>::new({
            let request = request.clone();
            // Aborting a finished request does nothing.
            move || _ = request.abort()
        });
        let stopper = sending.stopper;
        let on_stop = |stop: Option<&Function>| {
            if let Some(stopper) = stopper {
                stopper.signal().set_onabort(stop);
            }
        };
        on_stop(Some(stop.as_ref().unchecked_ref()));
        let sent = self.transmit_file(&request, sending, on_progress).await;
        on_stop(None);
        sent.map_err(|_| ApiError::Offline)?;
        let status = request.status().unwrap_or(0);
        if status == 0 && stopper.is_some_and(Stopper::is_stopped) {
            return Ok(None);
        }
        if status == 0 {
            self.connection.lose();
            return Err(ApiError::Offline);
        }
        let wait = request.get_response_header("Retry-After").ok().flatten().and_then(|seconds| seconds.parse().ok());
        let body = request.response_text().ok().flatten().unwrap_or_default();
        self.judge(Heard { status, wait, body }).map(Some)
    }

    /// Sends the request and waits until it has finished or failed.
    async fn transmit_file(
        self,
        request: &XmlHttpRequest,
        sending: &Sending<'_>,
        on_progress: &Closure<dyn Fn(ProgressEvent)>,
    ) -> Result<(), JsValue> {
        request.open_with_async(sending.method, sending.url, true)?;
        request.set_request_header("Content-Type", sending.media_type)?;
        request.set_request_header("Accept", "application/json")?;
        if let Some(token) = self.session.csrf_token() {
            request.set_request_header("X-CSRF-Token", &token)?;
        }
        request.upload()?.set_onprogress(Some(on_progress.as_ref().unchecked_ref()));
        let over = Promise::new(&mut |resolve, _| request.set_onloadend(Some(&resolve)));
        request.send_with_opt_blob(Some(sending.file))?;
        JsFuture::from(over).await.map(drop)
    }
}
