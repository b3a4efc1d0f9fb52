//! Requests for the audit log and the retention periods.

use leadscribe_engine::api::{AuditEntry, Page, Retention};

use super::list_query::list_query;
use super::{Api, ApiResult, ListQuery};

list_query! {
    /// Query of the audit log.
    AuditQuery of "/api/audit-log":
    actor,
    action,
    subject,
    from,
    till,
}

impl Api {
    /// Returns a page of the audit log.
    pub async fn audit_log(self, query: AuditQuery) -> ApiResult<Page<AuditEntry>> {
        self.get(&query.url()).await
    }

    pub async fn retention(self) -> ApiResult<Retention> {
        self.get("/api/retention").await
    }
}
