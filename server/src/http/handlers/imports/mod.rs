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

/// What reads imports: the one those of calls, the other the rest.
pub const READING: &[Scope] = &[Scope::LeadsRead, Scope::CallsRead];

/// What sees how far an import is: whoever may read or start it.
pub const FOLLOWING: &[Scope] = &[Scope::LeadsRead, Scope::LeadsWrite, Scope::CallsRead, Scope::CallsWrite];

/// What it takes to read what was imported.
fn reading(kind: ImportKind) -> Scope {
    match kind {
        ImportKind::Calls => Scope::CallsRead,
        ImportKind::Campaigns | ImportKind::Leads | ImportKind::CampaignLeads => Scope::LeadsRead,
    }
}

/// What it takes to import.
fn writing(kind: ImportKind) -> Scope {
    match kind {
        ImportKind::Calls => Scope::CallsWrite,
        ImportKind::Campaigns | ImportKind::Leads | ImportKind::CampaignLeads => Scope::LeadsWrite,
    }
}

/// The import that a request is about, if whoever asks may read what was imported by it: its rows say it.
async fn readable(app: &App, request: &Request) -> Result<ImportId, Refusal> {
    permitted(app, request, reading).await
}

/// The import that a request is about, if whoever asks may change what is imported by it: of calls that takes a scope more.
async fn writable(app: &App, request: &Request) -> Result<ImportId, Refusal> {
    permitted(app, request, writing).await
}

async fn permitted(app: &App, request: &Request, needed: fn(ImportKind) -> Scope) -> Result<ImportId, Refusal> {
    let id: ImportId = request.params.id("import_id")?;
    let scope = needed(imports::read(app, id).await?.kind);
    if request.identity.has(scope) { Ok(id) } else { Err(Refusal::forbidden(scope)) }
}
