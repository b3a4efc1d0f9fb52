//! Imports of CSV files.

pub mod cancel;
pub mod cancel_undo;
pub mod create;
pub mod export;
pub mod left;
pub mod list;
pub mod read;
pub mod rejected;
pub mod rejected_csv;
pub mod undo;

use leadscribe_engine::api::{ImportId, ImportKind, Scope};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::request::Request;
use crate::service::imports;

/// The import that a request is about, if whoever asks may change what is imported by it: of calls that takes a scope more.
async fn writable(app: &App, request: &Request) -> Result<ImportId, Refusal> {
    let id: ImportId = request.params.id("import_id")?;
    let kind = imports::read(app, id).await?.kind;
    if kind == ImportKind::Calls && !request.identity.has(Scope::CallsWrite) {
        return Err(Refusal::forbidden(Scope::CallsWrite));
    }
    Ok(id)
}
