use leadscribe_engine::api::{AuditEntry, Page};

use crate::http::prelude::*;
use crate::http::query::QueryReader;
use crate::service::operations;
use crate::storage::AuditQuery;

/// List audit log entries that match all conditions.
#[utoipa::path(
    get,
    path = "/api/audit-log",
    params(
        ("actor" = Option<String>, Query, description = "Actor, or kind of actor such as `user`", example = "user:3"),
        ("action" = Option<String>, Query, description = "Action, or kind of subject such as `lead`", example = "lead.update"),
        ("subject" = Option<String>, Query, description = "Subject, or kind of subject such as `lead`", example = "lead:17"),
        ("from" = Option<String>, Query, description = "Earliest time of the action", example = "2026-05-01T00:00:00Z"),
        ("till" = Option<String>, Query, description = "Latest time of the action", example = "2026-05-31 23:59:59"),
        ("order" = Option<String>, Query, description = "Field to sort by, descending with a leading `-`; `-id` by \
             default", example = "actor"),
        ("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")
    ),
    responses((status = 200, body = Page<AuditEntry>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let mut reader = request.query.reader();
    let query = parse_audit_query(&mut reader);
    let slice = reader.slice(app.config.limits.max_page_size);
    reader.finish()?;
    Ok(reply::json(&operations::audit_log(&app, &query, slice).await?))
}

/// Parses the filter of audit log entries.
pub fn parse_audit_query(reader: &mut QueryReader<'_>) -> AuditQuery {
    AuditQuery {
        actor: reader.value("actor").map(str::to_owned),
        action: reader.value("action").map(str::to_owned),
        subject: reader.value("subject").map(str::to_owned),
        from: reader.time("from"),
        till: reader.time("till"),
        order: reader.order(),
    }
}
