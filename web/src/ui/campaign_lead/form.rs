//! Form of a lead in a campaign: status, callback and assignee.

use leadscribe_engine::api::{Assignee, CampaignLead, Timestamp};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::CurrentUser;
use crate::i18n::texts::{common, forms, lead as texts, leads};
use crate::i18n::{datetime, diagnostics_at};
use crate::ui::PastDateNotice;
use crate::ui::audit::actor::assignee_name;
use crate::ui::campaign_lead::draft::CampaignLeadDraft;
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
    forms::field_is_now(label, value)
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

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadStatus, UserId};

    use crate::ui::campaign_lead::form::*;

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
}
