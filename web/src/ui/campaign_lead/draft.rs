//! Form values of a lead in a campaign as typed, and the JSON they produce.

use leadscribe_engine::api::{CampaignDetails, CampaignId, CampaignLead, LeadId, Timestamp, UserId};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{CampaignLeadRecord, WriteMode};
use serde_json::{Value, json};

use crate::state::form_json;
use crate::state::form_json::{number_value, rebase_input, text_value};

/// Form values. Text that isn't a number stays a string, so that the engine can report it. Timestamps are RFC 3339.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignLeadDraft {
    pub status: String,
    pub weight: String,
    pub freeze_until: String,
    pub callback_at: String,
    /// Id of the assignee; empty if unassigned.
    pub assignee_id: String,
}

impl From<&CampaignLead> for CampaignLeadDraft {
    fn from(campaign_lead: &CampaignLead) -> Self {
        let format_time = |at: Option<Timestamp>| at.map(|at| at.to_rfc3339()).unwrap_or_default();
        Self {
            status: campaign_lead.status.clone(),
            weight: campaign_lead.weight.to_string(),
            freeze_until: format_time(campaign_lead.freeze_until),
            callback_at: format_time(campaign_lead.callback_at),
            assignee_id: campaign_lead.assigned_user_id.map(|id| id.to_string()).unwrap_or_default(),
        }
    }
}

impl CampaignLeadDraft {
    /// Values that differ from `saved` as a request body; `None` if there are none.
    pub fn changes(&self, saved: &Self) -> Option<String> {
        form_json::changed_members_body(self.members(), saved.members())
    }

    /// Rebases the draft from `base` onto `onto`: edited values stay, all others take the value of `onto`.
    pub fn rebase(&mut self, base: &Self, onto: &Self) {
        rebase_input(&mut self.status, &base.status, &onto.status);
        rebase_input(&mut self.weight, &base.weight, &onto.weight);
        rebase_input(&mut self.freeze_until, &base.freeze_until, &onto.freeze_until);
        rebase_input(&mut self.callback_at, &base.callback_at, &onto.callback_at);
        rebase_input(&mut self.assignee_id, &base.assignee_id, &onto.assignee_id);
    }

    /// Copies the values into `details`. A weight that can't be parsed stays unchanged; timestamps and ids become `None`.
    pub fn apply_to(&self, details: &mut CampaignDetails) {
        let parse_time = |text: &str| text.parse().ok();
        details.status.clone_from(&self.status);
        details.weight = self.weight.trim().parse().unwrap_or(details.weight);
        details.freeze_until = parse_time(&self.freeze_until);
        details.callback_at = parse_time(&self.callback_at);
        details.assigned_user_id = self.assignee_id.trim().parse().ok().map(UserId);
    }

    /// Diagnostics that the engine finds in a change.
    pub fn diagnostics(change: &str) -> Vec<Diagnostic> {
        CampaignLeadRecord::from_json(change, WriteMode::Update).err().unwrap_or_default()
    }

    fn members(&self) -> [(&'static str, Value); 5] {
        [
            ("status", json!(self.status)),
            ("weight", number_value(&self.weight)),
            ("freeze_until", text_value(&self.freeze_until)),
            ("callback_at", text_value(&self.callback_at)),
            ("assigned_user_id", number_value(&self.assignee_id)),
        ]
    }
}

/// Converts campaign details into the campaign lead they describe.
pub fn to_campaign_lead(lead: LeadId, details: CampaignDetails) -> CampaignLead {
    CampaignLead {
        id: details.campaign_lead_id,
        lead_id: lead,
        campaign_id: details.campaign_id,
        status: details.status,
        weight: details.weight,
        calls_count: details.calls_count,
        calls_today: details.calls_today,
        last_call_at: details.last_call_at,
        last_call_status: details.last_call_status,
        freeze_until: details.freeze_until,
        callback_at: details.callback_at,
        assigned_user_id: details.assigned_user_id,
        created_at: details.created_at,
        updated_at: details.updated_at,
    }
}

/// Request body that adds a lead to a campaign, with an optional status.
pub fn add_to_campaign_body(campaign: CampaignId, lead: LeadId, status: Option<String>) -> String {
    let mut body = json!({ "lead_id": lead, "campaign_id": campaign });
    if let Some(status) = status {
        body["status"] = json!(status);
    }
    body.to_string()
}

#[cfg(test)]
mod tests {
    use crate::ui::campaign_lead::draft::*;

    fn saved() -> CampaignLeadDraft {
        CampaignLeadDraft { status: "new".to_owned(), weight: "0".to_owned(), ..Default::default() }
    }

    #[test]
    fn changes_contain_only_edited_fields() {
        assert_eq!(saved().changes(&saved()), None);
        let draft = CampaignLeadDraft {
            status: "callback".to_owned(),
            callback_at: "2026-05-14T07:30:00.000Z".to_owned(),
            assignee_id: " 9".to_owned(),
            ..saved()
        };
        let change = draft.changes(&saved()).unwrap();
        assert_eq!(change, r#"{"assigned_user_id":9,"callback_at":"2026-05-14T07:30:00.000Z","status":"callback"}"#);
        assert_eq!(CampaignLeadDraft::diagnostics(&change), []);
        assert_eq!(
            saved().changes(&draft).as_deref(),
            Some(r#"{"assigned_user_id":null,"callback_at":null,"status":"new"}"#)
        );
    }

    #[test]
    fn rebase_keeps_edited_lead_values() {
        let onto = CampaignLeadDraft { status: "busy".to_owned(), weight: "5".to_owned(), ..saved() };
        let mut draft = CampaignLeadDraft { weight: "7".to_owned(), assignee_id: "9".to_owned(), ..saved() };
        draft.rebase(&saved(), &onto);
        assert_eq!(draft.changes(&onto).as_deref(), Some(r#"{"assigned_user_id":9,"weight":7}"#));
        // The original value counts as a change, because the saved value is now different.
        let draft = CampaignLeadDraft { weight: "0".to_owned(), assignee_id: String::new(), ..draft };
        assert_eq!(draft.changes(&onto).as_deref(), Some(r#"{"weight":0}"#));
    }
}
