//! Undo for removing a lead from a campaign: restores it with the same id, status and call counts, and links its calls again.

use leadscribe_engine::api::{CallId, CampaignLeadId};
use leptos::prelude::{Callable, Callback};
use serde_json::{Value, json};

use crate::api::{Api, ApiResult, CallQuery};

/// Maximum number of calls to link again, one request each.
const MAX_RELINKED_CALLS: u64 = 100;

const SERVER_MAINTAINED_MEMBERS: [&str; 2] = ["created_at", "updated_at"];

#[derive(Clone)]
pub struct RemovedCampaignLead {
    id: CampaignLeadId,
    /// Request body that creates the campaign lead again, as JSON text.
    fields: String,
    /// Calls that were linked to it.
    calls: Vec<CallId>,
}

impl RemovedCampaignLead {
    /// Removes a lead from a campaign. Returns `None` without removing it if it couldn't be restored.
    pub async fn remove(api: Api, id: CampaignLeadId) -> ApiResult<Option<Self>> {
        let campaign_lead = api.campaign_lead(id).await?;
        let lead_calls_query = CallQuery {
            lead_id: campaign_lead.lead_id.to_string(),
            limit: format!("{MAX_RELINKED_CALLS};0"),
            ..Default::default()
        };
        let calls = api.page(lead_calls_query).await?;
        if calls.total > MAX_RELINKED_CALLS {
            return Ok(None);
        }
        let linked_calls =
            calls.items.iter().filter(|call| call.campaign_lead_id == Some(id)).map(|call| call.id).collect();
        let mut fields = json!(campaign_lead);
        if let Value::Object(fields) = &mut fields {
            fields.retain(|name, value| !SERVER_MAINTAINED_MEMBERS.contains(&name.as_str()) && !value.is_null());
        }
        api.delete_campaign_lead(id).await?;
        Ok(Some(Self { id, fields: fields.to_string(), calls: linked_calls }))
    }

    /// Restores the campaign lead, or continues an interrupted attempt. Calls `on_incomplete`, if its owner still exists, when
    /// the lead was restored without all of its calls.
    pub async fn restore(self, api: Api, on_incomplete: Callback<()>) -> ApiResult<()> {
        // If it exists, an earlier attempt has created it.
        if let Err(create_error) = api.create_campaign_lead(self.fields).await
            && (create_error.is_retryable() || api.campaign_lead(self.id).await.is_err())
        {
            return Err(create_error);
        }
        for call in self.calls {
            match api.update_call(call, json!({ "campaign_lead_id": self.id }).to_string()).await {
                // A call that was deleted since is skipped.
                Err(error) if error.status() != Some(404) => {
                    on_incomplete.try_run(());
                    return Err(error);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
