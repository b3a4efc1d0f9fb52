//! Form values of a bulk action on the selected leads as typed, and the JSON they produce.

use leadscribe_engine::api::{CampaignId, LeadId};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{FieldRef, Test, Value};
use leadscribe_engine::filter::{self, Limits, Predicate};
use leadscribe_engine::json::push_quoted;

use crate::i18n::texts::{lead, leads};
use crate::state::form_json::number_value;
use crate::ui::filter_editor::filter_text::exclude_leads;
use crate::ui::lead::selection::SelectedLeads;

/// Number of leads changed per request. Small enough for a short request, so that a long action can report progress and be cancelled.
pub const BATCH_SIZE: usize = 500;

/// Bulk actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadActionKind {
    Campaign,
    Status,
    Weight,
    Assign,
    Freeze,
    DoNotCall,
}

impl LeadActionKind {
    pub const ALL: [Self; 6] =
        [Self::Campaign, Self::Status, Self::Weight, Self::Assign, Self::Freeze, Self::DoNotCall];

    /// Name in tests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Campaign => "campaign",
            Self::Status => "status",
            Self::Weight => "weight",
            Self::Assign => "assign",
            Self::Freeze => "freeze",
            Self::DoNotCall => "do-not-call",
        }
    }

    /// Label of the button.
    pub fn label(self) -> &'static str {
        match self {
            Self::Campaign => lead::add_to_campaign(),
            Self::Status => leads::status(),
            Self::Weight => leads::weight(),
            Self::Assign => leads::assign(),
            Self::Freeze => leads::freeze(),
            Self::DoNotCall => leads::do_not_call(),
        }
    }

    /// Title of the dialog.
    pub fn title(self) -> &'static str {
        match self {
            Self::Campaign => lead::add_to_campaign(),
            Self::Status => leads::set_status(),
            Self::Weight => leads::set_weight(),
            Self::Assign => leads::assign_leads(),
            Self::Freeze => leads::freeze_leads(),
            Self::DoNotCall => leads::do_not_call(),
        }
    }

    /// True if the action changes leads in campaigns that they already belong to.
    pub const fn changes_campaign_leads(self) -> bool {
        !matches!(self, Self::DoNotCall | Self::Campaign)
    }
}

/// Form values. Text that isn't a number stays a string, so that the engine can report it.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadActionDraft {
    pub kind: LeadActionKind,
    /// Id of the campaign; empty for all.
    pub campaign: String,
    /// Id of the campaign that leads are added to; empty until chosen.
    pub target_campaign: String,
    pub status: String,
    pub weight: String,
    /// Id of the assignee, empty for unassigned; `None` until chosen.
    pub assignee: Option<String>,
    /// True to freeze the leads, false to unfreeze them.
    pub is_freezing: bool,
    pub freeze_until: String,
    pub do_not_call: bool,
}

impl LeadActionDraft {
    /// Creates an empty draft, with the campaign that the filter selects.
    pub fn new(kind: LeadActionKind, filter: &str) -> Self {
        Self {
            kind,
            campaign: selected_campaign(filter).map(|id| id.to_string()).unwrap_or_default(),
            target_campaign: String::new(),
            status: String::new(),
            weight: String::new(),
            assignee: None,
            is_freezing: true,
            freeze_until: String::new(),
            do_not_call: true,
        }
    }

    /// Request body.
    pub fn body(&self, selection: &SelectedLeads) -> String {
        let target = match selection {
            SelectedLeads::Leads(leads) => {
                let ids: Vec<_> = leads.iter().map(ToString::to_string).collect();
                format!("\"lead_ids\":[{}]", ids.join(","))
            }
            SelectedLeads::All { filter, excluded: without, .. } => {
                format!("\"filter\":{}", exclude_leads(filter, without))
            }
        };
        let campaign = if self.kind.changes_campaign_leads() && !self.campaign.is_empty() {
            format!(",\"campaign_id\":{}", self.campaign)
        } else {
            String::new()
        };
        let set = self.changed_member().unwrap_or_default();
        format!("{{{target}{campaign},\"set\":{{{set}}}}}")
    }

    /// Request body for one batch: at most `max_leads` leads, starting after the last lead of the previous batch.
    pub fn batch_body(&self, selection: &SelectedLeads, after: Option<LeadId>, max_leads: usize) -> String {
        let mut body = self.body(selection);
        let after_id = after.map(|id| format!(",\"after_id\":{id}")).unwrap_or_default();
        body.insert_str(body.len() - 1, &format!("{after_id},\"max_leads\":{max_leads}"));
        body
    }

    /// Changed field and value as a member of a JSON object; `None` if nothing is filled in.
    fn changed_member(&self) -> Option<String> {
        let filled = |text: &str, json: fn(&str) -> String| (!text.trim().is_empty()).then(|| json(text.trim()));
        let (field, value) = match self.kind {
            LeadActionKind::Campaign => {
                let status = filled(&self.status, json_string).map(|status| format!(",\"status\":{status}"));
                ("campaign_id", filled(&self.target_campaign, str::to_owned)? + &status.unwrap_or_default())
            }
            LeadActionKind::Status => ("status", filled(&self.status, json_string)?),
            LeadActionKind::Weight => ("weight", filled(&self.weight, |text| number_value(text).to_string())?),
            LeadActionKind::Assign => {
                let assignee = self.assignee.as_deref()?;
                (
                    "assigned_user_id",
                    filled(assignee, |text| number_value(text).to_string()).unwrap_or_else(|| "null".to_owned()),
                )
            }
            LeadActionKind::Freeze if !self.is_freezing => ("freeze_until", "null".to_owned()),
            LeadActionKind::Freeze => ("freeze_until", filled(&self.freeze_until, json_string)?),
            LeadActionKind::DoNotCall => ("do_not_call", self.do_not_call.to_string()),
        };
        Some(format!("\"{field}\":{value}"))
    }

    /// True if a value is filled in.
    pub fn is_filled(&self) -> bool {
        self.changed_member().is_some()
    }
}

/// The campaign that a filter selects, if it selects exactly one.
fn selected_campaign(filter: &str) -> Option<CampaignId> {
    let checked = filter::parse_and_check(filter, &Limits::default()).ok()?;
    let Predicate::All(parts) = &checked.predicate else { return None };
    parts.iter().find_map(|part| match part {
        Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), Test::In { values, includes_null: false }) => {
            match &values[..] {
                [Value::Integer(id)] => Some(CampaignId(*id)),
                _ => None,
            }
        }
        _ => None,
    })
}

fn json_string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_quoted(&mut json, text);
    json
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leadscribe_engine::api::LeadId;
    use leadscribe_engine::record::LeadAction;

    use crate::features::leads::action_draft::*;

    fn two_leads() -> SelectedLeads {
        SelectedLeads::Leads(BTreeSet::from([LeadId(3), LeadId(5)]))
    }

    #[test]
    fn body_contains_filled_in_values() {
        let filter = r#"{"campaign_id":7,"status":"new","limit":"50;0"}"#;
        let mut draft = LeadActionDraft::new(LeadActionKind::Weight, filter);
        assert!(!draft.is_filled());
        draft.weight = " 12 ".to_owned();
        assert_eq!(draft.body(&two_leads()), r#"{"lead_ids":[3,5],"campaign_id":7,"set":{"weight":12}}"#);
        draft.weight = "a \"lot\"".to_owned();
        assert!(draft.body(&two_leads()).ends_with(r#""set":{"weight":"a \"lot\""}}"#));
        let all_leads = SelectedLeads::All { filter: filter.to_owned(), total: 9, excluded: BTreeSet::new() };
        draft = LeadActionDraft {
            is_freezing: false,
            campaign: String::new(),
            ..LeadActionDraft::new(LeadActionKind::Freeze, filter)
        };
        assert_eq!(draft.body(&all_leads), format!(r#"{{"filter":{filter},"set":{{"freeze_until":null}}}}"#));
        draft = LeadActionDraft::new(LeadActionKind::Campaign, filter);
        assert!(!draft.is_filled(), "the leads that the filter finds are in its campaign");
        draft.target_campaign = "8".to_owned();
        assert_eq!(draft.body(&two_leads()), r#"{"lead_ids":[3,5],"set":{"campaign_id":8}}"#);
        draft.status = "open".to_owned();
        assert_eq!(draft.body(&two_leads()), r#"{"lead_ids":[3,5],"set":{"campaign_id":8,"status":"open"}}"#);
        draft = LeadActionDraft::new(LeadActionKind::DoNotCall, filter);
        assert_eq!(draft.body(&two_leads()), r#"{"lead_ids":[3,5],"set":{"do_not_call":true}}"#);
    }

    #[test]
    fn filled_in_drafts_are_valid_actions() {
        for kind in LeadActionKind::ALL {
            let mut draft = LeadActionDraft::new(kind, r#"{"campaign_id":[1,2]}"#);
            assert_eq!(draft.campaign, "", "no campaign is preselected if the filter names two");
            draft.target_campaign = "2".to_owned();
            draft.status = "busy".to_owned();
            draft.weight = "-5".to_owned();
            draft.assignee = Some("4".to_owned());
            draft.freeze_until = "2026-05-14 09:30:00".to_owned();
            let body = draft.body(&two_leads());
            assert_eq!(LeadAction::from_json(&body, &Limits::default()).err(), None, "{body}");
            let batch =
                LeadAction::from_json(&draft.batch_body(&two_leads(), Some(LeadId(3)), BATCH_SIZE), &Limits::default())
                    .unwrap();
            assert_eq!((batch.after_id, batch.max_leads), (Some(LeadId(3)), Some(BATCH_SIZE)), "{body}");
        }
    }
}
