//! Form values of a bulk action on the selected leads as typed, and the JSON they produce.

use leadscribe_engine::api::{CampaignId, LeadId};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{FieldRef, Test, Value as FilterValue};
use leadscribe_engine::filter::{self, Limits, Predicate};
use serde_json::{Map, Value, json};

use crate::i18n::texts::{common, lead, leads};
use crate::ui::filter_editor::filter_text::exclude_leads;
use crate::ui::list::SelectedLeads;

/// Number of leads changed per request. Small enough for a short request, so that a long action can report progress and
/// be cancelled.
pub const BATCH_SIZE: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadActionKind {
    Campaign,
    Status,
    Weight,
    Assign,
    Freeze,
    DoNotCall,
}

/// Texts of an action and the member of the request that it sets.
pub struct ActionInfo {
    /// Test id.
    pub name: &'static str,
    /// JSON pointer of the new value in the request.
    pub pointer: &'static str,
    /// Label of the button.
    pub label: &'static str,
    /// Title of the dialog.
    pub title: &'static str,
}

impl LeadActionKind {
    pub const ALL: [Self; 6] =
        [Self::Campaign, Self::Status, Self::Weight, Self::Assign, Self::Freeze, Self::DoNotCall];

    pub fn info(self) -> ActionInfo {
        let (name, pointer, label, title) = match self {
            Self::Campaign => ("campaign", "/set/campaign_id", lead::add_to_campaign(), lead::add_to_campaign()),
            Self::Status => ("status", "/set/status", common::status(), leads::set_status()),
            Self::Weight => ("weight", "/set/weight", leads::weight(), leads::set_weight()),
            Self::Assign => ("assign", "/set/assigned_user_id", leads::assign(), leads::assign_leads()),
            Self::Freeze => ("freeze", "/set/freeze_until", leads::freeze(), leads::freeze_leads()),
            Self::DoNotCall => ("do-not-call", "/set/do_not_call", leads::do_not_call(), leads::do_not_call()),
        };
        ActionInfo { name, pointer, label, title }
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
    /// New value; `None` until chosen.
    pub value: Option<Value>,
    /// Initial status of leads that are added to a campaign; empty until chosen.
    pub initial_status: String,
}

impl LeadActionDraft {
    /// Creates an empty draft, with the campaign that the filter selects.
    pub fn new(kind: LeadActionKind, filter: &str) -> Self {
        let campaign = selected_campaign(filter).map(|id| id.to_string()).unwrap_or_default();
        let value = (kind == LeadActionKind::DoNotCall).then_some(Value::Bool(true));
        Self { kind, campaign, value, initial_status: String::new() }
    }

    pub fn body(&self, selection: &SelectedLeads) -> String {
        let target = match selection {
            SelectedLeads::Ids(leads) => format!("\"lead_ids\":{}", json!(leads)),
            SelectedLeads::All { filter, excluded, .. } => format!("\"filter\":{}", exclude_leads(filter, excluded)),
        };
        let campaign = if self.kind.changes_campaign_leads() && !self.campaign.is_empty() {
            format!(",\"campaign_id\":{}", self.campaign)
        } else {
            String::new()
        };
        let mut set = Map::new();
        if let Some(value) = &self.value {
            set.insert(self.kind.info().pointer.trim_start_matches("/set/").to_owned(), value.clone());
        }
        if !self.initial_status.is_empty() {
            set.insert("status".to_owned(), json!(self.initial_status));
        }
        format!("{{{target}{campaign},\"set\":{}}}", Value::Object(set))
    }

    /// Request body for one batch: at most `max_leads` leads, starting after the last lead of the previous batch.
    pub fn batch_body(&self, selection: &SelectedLeads, after: Option<LeadId>, max_leads: usize) -> String {
        let mut body = self.body(selection);
        let after_id = after.map(|id| format!(",\"after_id\":{id}")).unwrap_or_default();
        body.insert_str(body.len() - 1, &format!("{after_id},\"max_leads\":{max_leads}"));
        body
    }
}

/// The campaign that a filter selects, if it selects exactly one.
fn selected_campaign(filter: &str) -> Option<CampaignId> {
    let checked = filter::parse_and_check(filter, &Limits::default()).ok()?;
    let Predicate::All(parts) = &checked.predicate else { return None };
    parts.iter().find_map(|part| match part {
        Predicate::Field(FieldRef::Builtin(FieldId::CampaignId), Test::In { values, includes_null: false }) => {
            match &values[..] {
                [FilterValue::Integer(id)] => Some(CampaignId(*id)),
                _ => None,
            }
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leadscribe_engine::api::LeadId;
    use leadscribe_engine::record::LeadAction;

    use crate::features::leads::action_draft::*;

    fn two_leads() -> SelectedLeads {
        SelectedLeads::Ids(BTreeSet::from([LeadId(3), LeadId(5)]))
    }

    #[test]
    fn body_contains_filled_in_values() {
        let filter = r#"{"campaign_id":7,"status":"new","limit":"50;0"}"#;
        let draft = |kind, value| LeadActionDraft { value, ..LeadActionDraft::new(kind, filter) };
        let weight = draft(LeadActionKind::Weight, Some(json!("a \"lot\"")));
        assert_eq!(weight.body(&two_leads()), r#"{"lead_ids":[3,5],"campaign_id":7,"set":{"weight":"a \"lot\""}}"#);
        let all_leads = SelectedLeads::All { filter: filter.to_owned(), total: 9, excluded: BTreeSet::new() };
        let freeze = LeadActionDraft { campaign: String::new(), ..draft(LeadActionKind::Freeze, Some(Value::Null)) };
        assert_eq!(freeze.body(&all_leads), format!(r#"{{"filter":{filter},"set":{{"freeze_until":null}}}}"#));
        let campaign =
            LeadActionDraft { initial_status: "open".to_owned(), ..draft(LeadActionKind::Campaign, Some(json!(8))) };
        assert_eq!(campaign.body(&two_leads()), r#"{"lead_ids":[3,5],"set":{"campaign_id":8,"status":"open"}}"#);
        assert_eq!(LeadActionDraft::new(LeadActionKind::DoNotCall, filter).value, Some(json!(true)));
    }

    #[test]
    fn filled_in_drafts_are_valid_actions() {
        let values = [json!(2), json!("busy"), json!(-5), json!(4), json!("2026-05-14 09:30:00"), json!(false)];
        for (kind, value) in LeadActionKind::ALL.into_iter().zip(values) {
            let draft =
                LeadActionDraft { value: Some(value), ..LeadActionDraft::new(kind, r#"{"campaign_id":[1,2]}"#) };
            assert_eq!(draft.campaign, "", "no campaign is preselected if the filter names two");
            let body = draft.batch_body(&two_leads(), Some(LeadId(3)), BATCH_SIZE);
            let batch = LeadAction::from_json(&body, &Limits::default()).unwrap();
            assert_eq!((batch.after_id, batch.max_leads), (Some(LeadId(3)), Some(BATCH_SIZE)), "{body}");
        }
    }
}
