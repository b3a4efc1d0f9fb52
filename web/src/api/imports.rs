//! Imports of CSV files.
//!
//! The upload goes through XMLHttpRequest, because `fetch` tells nothing of how far an upload is.

use gloo_net::http::Method;
use js_sys::{Function, Promise};
use leadscribe_engine::api::{Import, ImportId, ImportKind, LeftRow, Page, RejectedRow};
use leadscribe_engine::record::Mapping;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, ProgressEvent, XmlHttpRequest};

use super::{Answer, Api, ApiError, Heard, Stopper, json};
use crate::query::query_string;

/// A file to be imported.
pub struct Upload {
    /// What it holds.
    pub kind: ImportKind,
    pub file: File,
    /// What its columns are about.
    pub mapping: Mapping,
    /// Whether only to find out what it would change.
    pub dry_run: bool,
}

impl Api {
    pub async fn imports(self) -> Answer<Page<Import>> {
        self.get("/api/imports").await
    }

    pub async fn import(self, id: ImportId) -> Answer<Import> {
        self.get(&format!("/api/imports/{id}")).await
    }

    /// The first refused rows of an import.
    pub async fn rejected_rows(self, id: ImportId) -> Answer<Page<RejectedRow>> {
        self.get(&format!("/api/imports/{id}/rejected?limit=100;0")).await
    }

    /// Asks an import that runs to stop; gives it as it is then.
    pub async fn cancel_import(self, id: ImportId) -> Answer<Import> {
        self.send(Method::POST, &format!("/api/imports/{id}/cancel"), None).await
    }

    /// Begins to undo an import; gives it as it is then.
    pub async fn undo_import(self, id: ImportId) -> Answer<Import> {
        self.send(Method::POST, &format!("/api/imports/{id}/undo"), None).await
    }

    /// What the undo of an import left as it was: the first of it.
    pub async fn left_rows(self, id: ImportId) -> Answer<Page<LeftRow>> {
        self.get(&format!("/api/imports/{id}/left?limit=100;0")).await
    }

    /// Uploads a file. `progress` is told how much is sent, 0 to 1. None when it was stopped before the server had all of it.
    pub async fn upload(
        self,
        upload: Upload,
        progress: impl Fn(f64) + 'static,
        stopper: Option<Stopper>,
    ) -> Answer<Option<Import>> {
        let on_progress = Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| {
            if event.length_computable() {
                progress(event.loaded() / event.total());
            }
        });
        self.in_session(|| self.upload_once(&upload, &on_progress, stopper.as_ref())).await
    }

    async fn upload_once(
        self,
        upload: &Upload,
        on_progress: &Closure<dyn Fn(ProgressEvent)>,
        stopper: Option<&Stopper>,
    ) -> Answer<Option<Import>> {
        let Upload { kind, file, mapping, dry_run } = upload;
        let map = if *mapping == Mapping::default() { String::new() } else { json(mapping) };
        let dry_run = if *dry_run { "true" } else { "" };
        let query = query_string(&[("file_name", &file.name()), ("map", &map), ("dry_run", dry_run)]);
        let url = format!("/api/imports/{kind}{query}");
        let request = XmlHttpRequest::new().map_err(|_| ApiError::Offline)?;
        let stop = Closure::<dyn Fn()>::new({
            let request = request.clone();
            // One that is over can't be stopped.
            move || _ = request.abort()
        });
        let on_stop = |stop: Option<&Function>| {
            if let Some(stopper) = stopper {
                stopper.signal().set_onabort(stop);
            }
        };
        on_stop(Some(stop.as_ref().unchecked_ref()));
        let sent = self.transmit_file(&request, &url, file, on_progress).await;
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
        let body = request.response_text().ok().flatten().unwrap_or_default();
        let body = self.judge(Heard { status, wait: None, body })?;
        serde_json::from_str(&body).map(Some).map_err(|_| ApiError::Unexpected { status })
    }

    /// Sends the request and waits until it is over, well or not.
    async fn transmit_file(
        self,
        request: &XmlHttpRequest,
        url: &str,
        file: &File,
        on_progress: &Closure<dyn Fn(ProgressEvent)>,
    ) -> Result<(), JsValue> {
        request.open_with_async("POST", url, true)?;
        request.set_request_header("Content-Type", "text/csv")?;
        request.set_request_header("Accept", "application/json")?;
        if let Some(token) = self.session.csrf_token() {
            request.set_request_header("X-CSRF-Token", &token)?;
        }
        request.upload()?.set_onprogress(Some(on_progress.as_ref().unchecked_ref()));
        let over = Promise::new(&mut |resolve, _| request.set_onloadend(Some(&resolve)));
        request.send_with_opt_blob(Some(file))?;
        JsFuture::from(over).await.map(drop)
    }
}

/// Where an import's refused rows are downloaded from.
pub fn rejected_csv_url(id: ImportId) -> String {
    format!("/api/imports/{id}/rejected.csv")
}
