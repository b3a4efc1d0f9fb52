//! Requests for leads, calls with their recordings and transcripts, and imports of CSV files.

use std::collections::BTreeSet;

use gloo_net::http::Method;
use leadscribe_engine::api::{
    Call, CallId, ExtendedLeadsResponse, FieldValuesResponse, Import, ImportId, ImportKind, LeadActionOutcome, LeadId,
    Page, PendingTranscript, Transcript,
};
use leadscribe_engine::record::Mapping;
use serde::Deserialize;
use serde_json::json;
use web_sys::{AbortController, File};

use super::list_query::file_url;
use crate::api::upload::FileUploadRequest;
use crate::api::{Api, ApiResult, parse_response, to_json};
use crate::browser::query::query_string;

/// Path of lead queries.
pub const EXTENDED_DATA: &str = "/api/leads/extended-data";

/// URL of the leads that match `filter` as a file. `format` is the server's name of the format. All columns are
/// exported if none are named.
pub fn export_url(filter: &str, format: &str, columns: &[String]) -> String {
    let columns = columns.iter().map(|name| ("column", name.as_str()));
    file_url("/api/leads", format, &[("filter", filter)].into_iter().chain(columns).collect::<Vec<_>>())
}

#[derive(Deserialize)]
struct NamedLeads {
    leads: Vec<NamedLead>,
}

/// A lead with only its name loaded.
#[derive(Deserialize)]
pub struct NamedLead {
    pub id: LeadId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

impl Api {
    /// Returns the leads that match `filter`, which is JSON text in the engine's canonical form.
    pub async fn leads(self, filter: String) -> ApiResult<ExtendedLeadsResponse> {
        self.send_read_only(Method::PUT, EXTENDED_DATA, filter).await
    }

    /// Returns the names of at most 1,000 leads, without deleted ones.
    pub async fn lead_names(self, ids: &BTreeSet<LeadId>) -> ApiResult<Vec<NamedLead>> {
        let limit = format!("{};0", ids.len());
        let filter = json!({ "id": ids, "limit": limit, "_fields": ["id", "first_name", "last_name"] });
        let response: NamedLeads = self.send_read_only(Method::PUT, EXTENDED_DATA, filter.to_string()).await?;
        Ok(response.leads)
    }

    /// Returns the most frequent values of a text field that begin with `prefix`.
    pub async fn field_values(self, key: &str, prefix: &str) -> ApiResult<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("prefix", prefix)]))).await
    }

    /// Returns the 100 most frequent values of a text field with the number of leads.
    pub async fn field_value_counts(self, key: &str) -> ApiResult<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("limit", "100")]))).await
    }

    /// Returns how many leads an action would change. `action` is JSON text.
    pub async fn preview_lead_action(self, action: String) -> ApiResult<LeadActionOutcome> {
        self.send_read_only(Method::POST, "/api/leads/actions?dry_run=true", action).await
    }
}

impl Api {
    /// Returns the call that has this identifier in the source system.
    pub async fn call_by_identifier(self, identifier: &str) -> ApiResult<Option<Call>> {
        let query = query_string(&[("original_identifier", identifier), ("limit", "1;0")]);
        let page: Page<Call> = self.get(&format!("/api/calls{query}")).await?;
        Ok(page.items.into_iter().next())
    }

    /// Uploads the recording of a call. `progress` receives the fraction sent so far, 0 to 1. Returns `None` if the
    /// upload was cancelled before the response arrived; the server may already have the whole file.
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

/// Transcript of a call, or the state of its transcription.
#[derive(Clone, Debug, PartialEq)]
pub enum TranscriptState {
    Ready(Box<Transcript>),
    /// The transcription hasn't finished.
    Pending(PendingTranscript),
}

impl Api {
    pub async fn transcript(self, call: CallId) -> ApiResult<TranscriptState> {
        let text = self.exchange(gloo_net::http::Method::GET, &format!("/api/calls/{call}/transcript"), None).await?;
        match serde_json::from_str(&text) {
            Ok(transcript) => Ok(TranscriptState::Ready(Box::new(transcript))),
            Err(_) => parse_response(&text).map(TranscriptState::Pending),
        }
    }
}

/// URL of a call's transcript as a file; `format` is `vtt`, `srt`, `text` or `json`.
pub fn transcript_url(call: CallId, format: &str) -> String {
    format!("/api/calls/{call}/transcript?format={format}")
}

pub struct ImportUpload {
    /// Kind of data in the file.
    pub kind: ImportKind,
    pub file: File,
    pub mapping: Mapping,
    /// Id of the campaign to add the leads to; empty for none.
    pub campaign: String,
    /// Name of the initial status; empty for the default.
    pub status: String,
    /// Import whose rejected rows this file corrects.
    pub corrected_import: Option<ImportId>,
    /// True to report the changes without making them.
    pub is_dry_run: bool,
}

impl ImportUpload {
    /// Creates an upload of a file whose columns are named like the fields.
    pub fn new(kind: ImportKind, file: File) -> Self {
        let (campaign, status) = (String::new(), String::new());
        Self { kind, file, mapping: Mapping::default(), campaign, status, corrected_import: None, is_dry_run: false }
    }
}

impl Api {
    /// Uploads a file. `progress` receives the fraction sent so far, 0 to 1. Returns `None` if the upload was cancelled
    /// before the response arrived; the server may already have the whole file.
    pub async fn upload_import(
        self,
        upload: ImportUpload,
        progress: impl Fn(f64) + 'static,
        abort_controller: Option<AbortController>,
    ) -> ApiResult<Option<Import>> {
        let ImportUpload { kind, file, mapping, campaign, status, corrected_import, is_dry_run } = upload;
        let mapping = if mapping == Mapping::default() { String::new() } else { to_json(&mapping) };
        let dry_run = if is_dry_run { "true" } else { "" };
        let corrected_import = corrected_import.map(|id| id.to_string()).unwrap_or_default();
        let query = query_string(&[
            ("file_name", &file.name()),
            ("mapping", &mapping),
            ("campaign_id", &campaign),
            ("status", &status),
            ("corrects_import_id", &corrected_import),
            ("dry_run", dry_run),
        ]);
        let url = format!("/api/imports/{kind}{query}");
        let file_upload = FileUploadRequest {
            method: "POST",
            url: &url,
            media_type: "text/csv",
            file: &file,
            abort_controller: abort_controller.as_ref(),
        };
        self.send_file(file_upload, progress).await
    }
}

/// URL of an import's rejected rows as CSV, with a byte order mark for Excel and the delimiter of the original file.
pub fn rejected_csv_url(id: ImportId) -> String {
    format!("/api/imports/{id}/rejected.csv?bom=true")
}
