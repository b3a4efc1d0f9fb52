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

/// Scopes to read imports: one for imports of calls, the other for all other kinds.
pub const READING: &[Scope] = &[Scope::LeadsRead, Scope::CallsRead];

/// Scopes to see the progress of an import: those to read or to start it.
pub const FOLLOWING: &[Scope] = &[Scope::LeadsRead, Scope::LeadsWrite, Scope::CallsRead, Scope::CallsWrite];

/// Returns the scope to read the imported rows.
fn reading(kind: ImportKind) -> Scope {
    match kind {
        ImportKind::Calls => Scope::CallsRead,
        ImportKind::Campaigns | ImportKind::Leads | ImportKind::CampaignLeads => Scope::LeadsRead,
    }
}

/// Returns the scope to import.
fn writing(kind: ImportKind) -> Scope {
    match kind {
        ImportKind::Calls => Scope::CallsWrite,
        ImportKind::Campaigns | ImportKind::Leads | ImportKind::CampaignLeads => Scope::LeadsWrite,
    }
}

/// Returns the import id of the request, if the caller may read the imported rows.
async fn readable(app: &App, request: &Request) -> Result<ImportId, Refusal> {
    permitted(app, request, reading).await
}

/// Returns the import id of the request, if the caller may change the imported records. Imports of calls need a scope of their own.
async fn writable(app: &App, request: &Request) -> Result<ImportId, Refusal> {
    permitted(app, request, writing).await
}

async fn permitted(app: &App, request: &Request, needed: fn(ImportKind) -> Scope) -> Result<ImportId, Refusal> {
    let id: ImportId = request.params.id("import_id")?;
    let scope = needed(imports::read(app, id).await?.kind);
    if request.identity.has(scope) { Ok(id) } else { Err(Refusal::forbidden(scope)) }
}
