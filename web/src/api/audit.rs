//! The audit log, and how long everything else is kept.

use leadscribe_engine::api::{AuditEntry, Page, Retention};

use super::{Answer, Api};
use crate::query::query_string;

/// Which entries; an empty text means any. The members are those of the query string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditQuery {
    pub actor: String,
    pub action: String,
    pub subject: String,
    pub from: String,
    pub till: String,
    /// `count;offset`.
    pub limit: String,
}

impl Api {
    /// A page of the audit log, newest first.
    pub async fn audit_log(self, wanted: AuditQuery) -> Answer<Page<AuditEntry>> {
        self.get(&format!("/api/audit-log{}", query_string(&wanted.pairs()))).await
    }

    pub async fn retention(self) -> Answer<Retention> {
        self.get("/api/retention").await
    }
}

impl AuditQuery {
    /// The query with its members found by name, as in the panel's own address.
    pub fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| value(name).unwrap_or_default();
        Self {
            actor: value("actor"),
            action: value("action"),
            subject: value("subject"),
            from: value("from"),
            till: value("till"),
            limit: value("limit"),
        }
    }

    /// Its members by name.
    pub fn pairs(&self) -> [(&'static str, &str); 6] {
        [
            ("actor", &self.actor),
            ("action", &self.action),
            ("subject", &self.subject),
            ("from", &self.from),
            ("till", &self.till),
            ("limit", &self.limit),
        ]
    }
}
