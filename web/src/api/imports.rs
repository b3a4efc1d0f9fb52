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
    /// Whether only to find out what it would change.
    pub dry_run: bool,
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
        let Upload { kind, file, mapping, dry_run } = upload;
        let map = if mapping == Mapping::default() { String::new() } else { json(&mapping) };
        let dry_run = if dry_run { "true" } else { "" };
        let query = query_string(&[("file_name", &file.name()), ("map", &map), ("dry_run", dry_run)]);
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
