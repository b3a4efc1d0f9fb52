//! Requests for leads.

use std::collections::BTreeSet;

use gloo_net::http::Method;
use leadscribe_engine::api::{ExtendedLeadsResponse, FieldValuesResponse, LeadActionOutcome, LeadId};
use serde::Deserialize;
use serde_json::json;

use super::list_query::file_url;
use super::{Api, ApiResult};
use crate::browser::query::query_string;

/// Path of lead queries; also used in the generated code.
pub const EXTENDED_DATA: &str = "/api/leads/extended-data";

/// URL of the leads that match `filter` as a file. `format` is the server's name of the format. All columns are exported if
/// none are named.
pub fn export_url(filter: &str, format: &str, columns: &[String]) -> String {
    let columns = columns.iter().map(|name| ("column", name.as_str()));
    file_url("/api/leads", format, &[("filter", filter)].into_iter().chain(columns).collect::<Vec<_>>())
}

#[derive(Deserialize)]
struct NamedLeads {
    leads: Vec<NamedLead>,
}

/// A lead with only its name loaded.
#[derive(Deserialize)]
pub struct NamedLead {
    pub id: LeadId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

impl Api {
    /// Returns the leads that match `filter`, JSON text in the engine's canonical form.
    pub async fn leads(self, filter: String) -> ApiResult<ExtendedLeadsResponse> {
        self.send_read_only(Method::PUT, EXTENDED_DATA, filter).await
    }

    /// Returns the names of at most 1,000 leads, without deleted ones.
    pub async fn lead_names(self, ids: &BTreeSet<LeadId>) -> ApiResult<Vec<NamedLead>> {
        let limit = format!("{};0", ids.len());
        let filter = json!({ "id": ids, "limit": limit, "_fields": ["id", "first_name", "last_name"] });
        let response: NamedLeads = self.send_read_only(Method::PUT, EXTENDED_DATA, filter.to_string()).await?;
        Ok(response.leads)
    }

    /// Returns the most frequent values of a text field that begin with `prefix`.
    pub async fn field_values(self, key: &str, prefix: &str) -> ApiResult<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("prefix", prefix)]))).await
    }

    /// Returns the 100 most frequent values of a text field with the number of leads.
    pub async fn field_value_counts(self, key: &str) -> ApiResult<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("limit", "100")]))).await
    }

    /// Returns how many leads such an action would change.
    pub async fn preview_lead_action(self, action: String) -> ApiResult<LeadActionOutcome> {
        self.send_read_only(Method::POST, "/api/leads/actions?dry_run=true", action).await
    }
}
