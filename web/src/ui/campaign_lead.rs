//! Form of a lead in a campaign: status, callback and assignee.

use leadscribe_engine::api::{Assignee, CampaignDetails, CampaignId, CampaignLead, LeadId, Timestamp, UserId};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{CampaignLeadRecord, WriteMode};
use leptos::prelude::*;
use serde_json::{Value, json};

use crate::api::CurrentUser;
use crate::i18n::texts::{common, lead as texts, leads};
use crate::i18n::{datetime, diagnostics_at};
use crate::state::form_state::{changed_members_body, number_value, rebase_input, text_value};
use crate::ui::PastDateNotice;
use crate::ui::audit::assignee_name;
use crate::ui::filter_editor::Names;
use crate::ui::input::time_field::MINUTE;
use crate::ui::input::{AssigneeChoice, SelectField, TextField, TimeField};

/// Accessor for a text field of the draft.
type FieldAccessor = fn(&mut CampaignLeadDraft) -> &mut String;

/// JSON pointers whose diagnostics are shown at their inputs.
pub const FIELD_POINTERS: [&str; 5] = ["/status", "/weight", "/freeze_until", "/callback_at", "/assigned_user_id"];

/// The fields; the surrounding form submits them.
#[component]
pub fn CampaignLeadForm(
    draft: RwSignal<CampaignLeadDraft>,
    names: Signal<Names>,
    current_user: Signal<Option<CurrentUser>>,
    /// All staff, if known.
    staff: Signal<Vec<Assignee>>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let at = move |pointer: &'static str| {
        Signal::derive(move || diagnostics.with(|diagnostics| diagnostics_at(diagnostics, pointer)))
    };
    let moment = move |id: &'static str, label: &'static str, hint: &'static str, pointer, accessor: FieldAccessor| {
        let diagnostics = at(pointer);
        let moment = Signal::derive(move || draft.with(|draft| accessor(&mut draft.clone()).clone()));
        let set = Callback::new(move |at| draft.update(|draft| *accessor(draft) = at));
        let past_date_notice = view! { <PastDateNotice timestamp=moment /> }.into_any();
        view! { <TimeField id label hint input_type=&MINUTE value=moment set diagnostics note=past_date_notice /> }
    };
    let weight = Signal::derive(move || draft.with(|draft| draft.weight.clone()));
    let current_assignee = draft.with_untracked(|draft| draft.assignee_id.clone());
    let initial = current_assignee.clone();
    let assign = Callback::new(move |user: Option<String>| {
        draft.update(|draft| draft.assignee_id = user.unwrap_or_else(|| current_assignee.clone()));
    });
    view! {
        <div class="form-grid">
            {status_field(draft, names, at("/status"))}
            <TextField
                id="campaign-lead-weight"
                label=leads::weight()
                hint=leads::weight_hint()
                inputmode="numeric"
                value=weight
                set=move |weight| draft.update(|draft| draft.weight = weight)
                diagnostics=at("/weight")
            />
            {moment("campaign-lead-callback", texts::callback(), texts::callback_hint(), "/callback_at", |draft| &mut draft.callback_at)}
            {moment("campaign-lead-freeze", texts::frozen_until(), leads::freeze_hint(), "/freeze_until", |draft| &mut draft.freeze_until)}
            <AssigneeChoice
                id="campaign-lead-assignee"
                label=texts::assigned_to()
                initial=Some(initial)
                current_user
                staff
                diagnostics=at("/assigned_user_id")
                on_choose=assign
            />
        </div>
    }
    .into_any()
}

/// Describes the value of a field of a lead in a campaign, with the label of the form.
pub fn describe_field(campaign_lead: &CampaignLead, name: &str, names: &Names, staff: &[Assignee]) -> String {
    let format_time = |at: Option<Timestamp>| at.map_or_else(|| "–".to_owned(), datetime::format_local);
    let (label, value) = match name {
        "status" => (common::status(), names.status(&campaign_lead.status).unwrap_or(&campaign_lead.status).to_owned()),
        "freeze_until" => (texts::frozen_until(), format_time(campaign_lead.freeze_until)),
        "callback_at" => (texts::callback(), format_time(campaign_lead.callback_at)),
        "assigned_user_id" => {
            let assignee = campaign_lead.assigned_user_id.map(|id| assignee_name(id, staff));
            (texts::assigned_to(), assignee.unwrap_or_else(|| texts::unassigned().to_owned()))
        }
        _ => (leads::weight(), campaign_lead.weight.to_string()),
    };
    common::field_is_now(label, value)
}

fn status_field(
    draft: RwSignal<CampaignLeadDraft>,
    names: Signal<Names>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> AnyView {
    let current = draft.with_untracked(|draft| draft.status.clone());
    let value = Signal::derive(move || draft.with(|draft| draft.status.clone()));
    let choices = Signal::derive(move || {
        let mut choices = names.with(Names::status_choices);
        // Until the list is loaded, the status is shown by its name.
        if choices.iter().all(|(name, _)| *name != current) {
            choices.insert(0, (current.clone(), current.clone()));
        }
        choices
    });
    let set = move |status| draft.update(|draft| draft.status = status);
    view! {
        <SelectField id="campaign-lead-status" label=common::status() is_required=true choices value set diagnostics />
    }
    .into_any()
}

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
        changed_members_body(self.members(), saved.members())
    }

    /// Rebases the draft from `base` onto `onto`: edited values stay, all others take the value of `onto`.
    pub fn rebase(&mut self, base: &Self, onto: &Self) {
        rebase_input(&mut self.status, &base.status, &onto.status);
        rebase_input(&mut self.weight, &base.weight, &onto.weight);
        rebase_input(&mut self.freeze_until, &base.freeze_until, &onto.freeze_until);
        rebase_input(&mut self.callback_at, &base.callback_at, &onto.callback_at);
        rebase_input(&mut self.assignee_id, &base.assignee_id, &onto.assignee_id);
    }

    /// Copies the values into `details`. An invalid weight stays unchanged; invalid timestamps and ids become `None`.
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
    use leadscribe_engine::api::{LeadStatus, UserId};

    use crate::ui::campaign_lead::*;

    #[test]
    fn conflicts_use_the_labels_of_the_form() {
        let json = r#"{"id":5,"lead_id":3,"campaign_id":7,"status":"busy","weight":-2,"calls_count":0,"calls_today":0,
            "assigned_user_id":4,"created_at":"2026-06-01T00:00:00Z","updated_at":"2026-06-01T00:00:00Z"}"#;
        let campaign_lead: CampaignLead = serde_json::from_str(json).unwrap();
        let busy = LeadStatus { name: "busy".to_owned(), label: "Engaged".to_owned(), dialable: true };
        let names = Names { statuses: vec![busy], ..Names::default() };
        let ann = Assignee { id: UserId(4), email: "ann@example.com".to_owned(), active: true };
        let describe_all = |names: &Names, staff: &[Assignee]| {
            ["status", "weight", "callback_at", "assigned_user_id"]
                .map(|name| describe_field(&campaign_lead, name, names, staff))
        };
        assert_eq!(
            describe_all(&names, &[ann]),
            ["Status: now Engaged", "Weight: now -2", "Callback at: now –", "Assigned to: now ann@example.com"]
        );
        // Before the names are loaded.
        let unnamed = describe_all(&Names::default(), &[]);
        assert_eq!([&unnamed[0], &unnamed[3]], ["Status: now busy", "Assigned to: now Agent 4"]);
    }

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
