//! A lead taken out of a campaign, and what puts it back as it was: under the same id, with its status and numbers of calls, and
//! with its calls tied to it again.

use leadscribe_engine::api::{CallId, CampaignLeadId};
use leptos::prelude::{Callable, Callback};
use serde_json::{Value, json};

use crate::api::{Answer, Api, CallQuery};

/// Most calls of a lead whose ties are put back, one by one.
const MOST_CALLS: u64 = 100;

/// What the server keeps by itself.
const KEPT: [&str; 2] = ["created_at", "updated_at"];

/// What was there.
#[derive(Clone)]
pub struct TakenOut {
    id: CampaignLeadId,
    /// What it is made of again, as JSON text.
    fields: String,
    /// The calls that were tied to it.
    calls: Vec<CallId>,
}

impl TakenOut {
    /// Takes a lead out of a campaign. None when nothing was done, for it couldn't be put back.
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

    /// Puts it back, or goes on where that broke off. `on_broken_off` is told, as long as it is there, when it is back without all
    /// of its calls.
    pub async fn put_back(self, api: Api, on_broken_off: Callback<()>) -> Answer<()> {
        // What is refused because it is there was put back before.
        if let Err(refusal) = api.create_campaign_lead(self.fields).await
            && (refusal.may_pass() || api.campaign_lead(self.id).await.is_err())
        {
            return Err(refusal);
        }
        for call in self.calls {
            match api.update_call(call, json!({ "campaign_lead_id": self.id }).to_string()).await {
                // One that was deleted meanwhile isn't missed.
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
