//! Imports of CSV files.

use gloo_net::http::Method;
use leadscribe_engine::api::{Import, ImportId, ImportKind, LeftRow, Page, RejectedRow};
use leadscribe_engine::record::Mapping;
use web_sys::File;

use super::list_query::list_query;
use super::upload::Sending;
use super::{Answer, Api, ListQuery, Stopper, json};
use crate::query::query_string;

/// A file to be imported.
pub struct Upload {
    /// What it holds.
    pub kind: ImportKind,
    pub file: File,
    /// What its columns are about.
    pub mapping: Mapping,
    /// The id of the campaign that leads are put into; empty for none.
    pub campaign: String,
    /// The name of the status that they begin with; empty for the default one.
    pub status: String,
    /// The import whose refused rows it corrects.
    pub corrects: Option<ImportId>,
    /// Whether only to find out what it would change.
    pub dry_run: bool,
}

impl Upload {
    /// A file whose columns are named as the fields are.
    pub fn new(kind: ImportKind, file: File) -> Self {
        let (campaign, status) = (String::new(), String::new());
        Self { kind, file, mapping: Mapping::default(), campaign, status, corrects: None, dry_run: false }
    }
}

list_query! {
    /// Which imports.
    ImportQuery of "/api/imports":
    kind,
    state,
    /// A part of the file's name.
    name,
}

impl Api {
    /// A page of imports.
    pub async fn imports(self, wanted: ImportQuery) -> Answer<Page<Import>> {
        self.get(&wanted.url()).await
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

    /// Stops the undo of an import; gives the import as it is then.
    pub async fn cancel_undo(self, id: ImportId) -> Answer<Import> {
        self.send(Method::POST, &format!("/api/imports/{id}/undo/cancel"), None).await
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
        let Upload { kind, file, mapping, campaign, status, corrects, dry_run } = upload;
        let map = if mapping == Mapping::default() { String::new() } else { json(&mapping) };
        let dry_run = if dry_run { "true" } else { "" };
        let corrects = corrects.map(|id| id.to_string()).unwrap_or_default();
        let query = query_string(&[
            ("file_name", &file.name()),
            ("map", &map),
            ("campaign_id", &campaign),
            ("status", &status),
            ("corrects", &corrects),
            ("dry_run", dry_run),
        ]);
        let url = format!("/api/imports/{kind}{query}");
        let sending =
            Sending { method: "POST", url: &url, media_type: "text/csv", file: &file, stopper: stopper.as_ref() };
        self.send_file(sending, progress).await
    }
}

/// Where an import's refused rows are downloaded from, with the mark that Excel needs, and separated as the file was.
pub fn rejected_csv_url(id: ImportId) -> String {
    format!("/api/imports/{id}/rejected.csv?bom=true")
}
