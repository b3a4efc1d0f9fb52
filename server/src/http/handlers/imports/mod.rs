//! Imports of CSV files.

pub mod cancel;
pub mod cancel_undo;
pub mod create;
pub mod list;
pub mod read;
pub mod rejected;
pub mod rejected_csv;
pub mod skipped_by_undo;
pub mod undo;

use leadscribe_engine::api::{ImportId, ImportKind, Scope};

use crate::http::prelude::*;
use crate::service::imports;

/// Scopes to read imports: one for imports of calls, the other for all other kinds.
pub const READ_SCOPES: &[Scope] = &[Scope::LeadsRead, Scope::CallsRead];

/// Scopes to see the progress of an import: those to read or to start it.
pub const PROGRESS_SCOPES: &[Scope] = &[Scope::LeadsRead, Scope::LeadsWrite, Scope::CallsRead, Scope::CallsWrite];

/// Returns the scope to read the imported rows.
fn read_scope(kind: ImportKind) -> Scope {
    match kind {
        ImportKind::Calls => Scope::CallsRead,
        ImportKind::Campaigns | ImportKind::Leads | ImportKind::CampaignLeads => Scope::LeadsRead,
    }
}

fn write_scope(kind: ImportKind) -> Scope {
    match kind {
        ImportKind::Calls => Scope::CallsWrite,
        ImportKind::Campaigns | ImportKind::Leads | ImportKind::CampaignLeads => Scope::LeadsWrite,
    }
}

/// Returns the import id of the request, if the caller may read the imported rows.
async fn authorize_read(app: &App, request: &Request) -> Result<ImportId, Problem> {
    authorize_import(app, request, read_scope).await
}

/// Returns the import id of the request, if the caller may change the imported records. Imports of calls need a separate scope.
async fn authorize_write(app: &App, request: &Request) -> Result<ImportId, Problem> {
    authorize_import(app, request, write_scope).await
}

async fn authorize_import(
    app: &App,
    request: &Request,
    required_scope: fn(ImportKind) -> Scope,
) -> Result<ImportId, Problem> {
    let id: ImportId = request.params.id("import_id")?;
    let scope = required_scope(imports::read(app, id).await?.kind);
    if request.identity.has_scope(scope) { Ok(id) } else { Err(Problem::forbidden(scope)) }
}
