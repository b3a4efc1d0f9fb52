//! Undo for removing a lead from a campaign: restores it with the same id, status and call counts, and links its calls again.

use leadscribe_engine::api::{CallId, CampaignLeadId};
use leptos::prelude::{Callable, Callback};
use serde_json::{Value, json};

use crate::api::{Answer, Api, CallQuery};

/// Maximum number of calls to link again, one request each.
const MOST_CALLS: u64 = 100;

/// Members that the server maintains.
const KEPT: [&str; 2] = ["created_at", "updated_at"];

/// Data to restore.
#[derive(Clone)]
pub struct TakenOut {
    id: CampaignLeadId,
    /// Request body that creates the campaign lead again, as JSON text.
    fields: String,
    /// Calls that were linked to it.
    calls: Vec<CallId>,
}

impl TakenOut {
    /// Removes a lead from a campaign. Returns `None` without removing it if it couldn't be restored.
    pub async fn of(api: Api, id: CampaignLeadId) -> Answer<Option<Self>> {
        let inside = api.campaign_lead(id).await?;
        let of_lead =
            CallQuery { lead_id: inside.lead_id.to_string(), limit: format!("{MOST_CALLS};0"), ..Default::default() };
        let calls = api.calls(of_lead).await?;
        if calls.total > MOST_CALLS {
            return Ok(None);
        }
        let tied = calls.items.iter().filter(|call| call.campaign_lead_id == Some(id)).map(|call| call.id).collect();
        let mut fields = json!(inside);
        if let Value::Object(fields) = &mut fields {
            fields.retain(|name, value| !KEPT.contains(&name.as_str()) && !value.is_null());
        }
        api.delete_campaign_lead(id).await?;
        Ok(Some(Self { id, fields: fields.to_string(), calls: tied }))
    }

    /// Restores the campaign lead, or continues an interrupted attempt. Calls `on_broken_off`, if its owner still exists, when
    /// the lead was restored without all of its calls.
    pub async fn put_back(self, api: Api, on_broken_off: Callback<()>) -> Answer<()> {
        // If it exists, an earlier attempt has created it.
        if let Err(refusal) = api.create_campaign_lead(self.fields).await
            && (refusal.may_pass() || api.campaign_lead(self.id).await.is_err())
        {
            return Err(refusal);
        }
        for call in self.calls {
            match api.update_call(call, json!({ "campaign_lead_id": self.id }).to_string()).await {
                // A call that was deleted since is skipped.
                Err(error) if error.status() != Some(404) => {
                    on_broken_off.try_run(());
                    return Err(error);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
