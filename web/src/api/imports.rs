//! Requests for imports of CSV files.

use leadscribe_engine::api::{Import, ImportId, ImportKind};
use leadscribe_engine::record::Mapping;
use web_sys::{AbortController, File};

use super::upload::FileUploadRequest;
use super::{Api, ApiResult, to_json};
use crate::browser::query::query_string;

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
    /// Creates an upload whose columns are named like the fields.
    pub fn new(kind: ImportKind, file: File) -> Self {
        let (campaign, status) = (String::new(), String::new());
        Self { kind, file, mapping: Mapping::default(), campaign, status, corrected_import: None, is_dry_run: false }
    }
}

impl Api {
    /// Uploads a file. `progress` receives the fraction sent so far, 0 to 1. Returns `None` if the upload was cancelled before
    /// the server had the whole file.
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
