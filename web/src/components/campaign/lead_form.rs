//! Form of a lead in a campaign: status, callback and assignee.

use leadscribe_engine::api::{Assignee, CampaignLead, Timestamp, User};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::lead_draft::CampaignLeadDraft;
use crate::components::audit::actor::assignee;
use crate::components::audit::past_remark::PastRemark;
use crate::components::filter_editor::Names;
use crate::components::input::assignee_choice::AssigneeChoice;
use crate::components::input::field::Field;
use crate::components::input::time_field::{MINUTE, TimeField};
use crate::faults::{faults_at, invalid};
use crate::texts::{forms, lead as texts, leads};
use crate::when;

/// Accessor for a text field of the draft.
type Member = fn(&mut CampaignLeadDraft) -> &mut String;

/// JSON pointers whose faults are shown at their inputs.
pub const SHOWN: [&str; 5] = ["/status", "/weight", "/freeze_until", "/callback_at", "/assigned_user_id"];

/// The fields; the surrounding form submits them.
#[component]
pub fn CampaignLeadForm(
    draft: RwSignal<CampaignLeadDraft>,
    names: Signal<Names>,
    /// The current user.
    me: Signal<Option<User>>,
    /// All staff, if known.
    staff: Signal<Vec<Assignee>>,
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let at = move |place: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, place)));
    let moment = move |id: &'static str, label: &'static str, hint: &'static str, place, member: Member| {
        let faults = at(place);
        let moment = Signal::derive(move || draft.with(|draft| member(&mut draft.clone()).clone()));
        let set = Callback::new(move |at| draft.update(|draft| *member(draft) = at));
        let remark = view! { <PastRemark moment /> }.into_any();
        view! { <TimeField id label hint asks=&MINUTE value=moment set faults remark /> }
    };
    let weight_faults = at("/weight");
    let assigned = draft.with_untracked(|draft| draft.assigned.clone());
    let at_first = assigned.clone();
    let assign = Callback::new(move |user: Option<String>| {
        draft.update(|draft| draft.assigned = user.unwrap_or_else(|| assigned.clone()));
    });
    view! {
        <div class="form-grid">
            {status(draft, names, at("/status"))}
            <Field id="in-weight" label=leads::weight() hint=leads::weight_hint() faults=weight_faults>
                <input
                    id="in-weight"
                    class="input"
                    inputmode="numeric"
                    autocomplete="off"
                    aria-describedby="in-weight-note"
                    aria-invalid=invalid(weight_faults)
                    data-test="in-weight"
                    prop:value=draft.with_untracked(|draft| draft.weight.clone())
                    on:input:target=move |event| draft.update(|draft| draft.weight = event.target().value())
                />
            </Field>
            {moment("in-callback", texts::callback(), texts::callback_hint(), "/callback_at", |draft| &mut draft.callback_at)}
            {moment("in-freeze", texts::frozen_until(), leads::freeze_hint(), "/freeze_until", |draft| &mut draft.freeze_until)}
            <AssigneeChoice
                id="in-assignee"
                label=texts::assigned_to()
                at_first=Some(at_first)
                me
                staff
                faults=at("/assigned_user_id")
                on_choose=assign
            />
        </div>
    }
    .into_any()
}

/// Describes the value of a field of a lead in a campaign, with the label of the form.
pub fn told(inside: &CampaignLead, name: &str, names: &Names, staff: &[Assignee]) -> String {
    let moment = |at: Option<Timestamp>| at.map_or_else(|| "–".to_owned(), when::local);
    let (label, value) = match name {
        "status" => (leads::status(), names.status(&inside.status).unwrap_or(&inside.status).to_owned()),
        "freeze_until" => (texts::frozen_until(), moment(inside.freeze_until)),
        "callback_at" => (texts::callback(), moment(inside.callback_at)),
        "assigned_user_id" => {
            let who = inside.assigned_user_id.map(|id| assignee(id, staff));
            (texts::assigned_to(), who.unwrap_or_else(|| texts::nobody().to_owned()))
        }
        _ => (leads::weight(), inside.weight.to_string()),
    };
    forms::field_is_now(label, value)
}

fn status(draft: RwSignal<CampaignLeadDraft>, names: Signal<Names>, faults: Signal<Vec<Diagnostic>>) -> AnyView {
    let options = move || {
        let chosen = draft.with_untracked(|draft| draft.status.clone());
        let statuses = names.with(|names| names.statuses.clone());
        // Until the list is loaded, the status is shown by its name.
        let alone = statuses.iter().all(|status| status.name != chosen);
        let alone = alone.then(|| view! { <option value=chosen.clone() selected>{chosen.clone()}</option> });
        let listed = statuses.into_iter().map(|status| {
            let selected = status.name == chosen;
            view! {
                <option value=status.name selected=selected>
                    {status.label}
                </option>
            }
        });
        (alone, listed.collect_view())
    };
    view! {
        <Field id="in-status" label=leads::status() faults=faults>
            <select
                id="in-status"
                class="select"
                autofocus
                aria-describedby="in-status-note"
                aria-invalid=invalid(faults)
                data-test="in-status"
                on:change:target=move |event| draft.update(|draft| draft.status = event.target().value())
            >
                {options}
            </select>
        </Field>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{CampaignId, CampaignLeadId, LeadId, LeadStatus, UserId};

    use super::*;

    #[test]
    fn conflicts_use_the_labels_of_the_form() {
        let inside = CampaignLead {
            id: CampaignLeadId(5),
            lead_id: LeadId(3),
            campaign_id: CampaignId(7),
            status: "busy".to_owned(),
            weight: -2,
            calls_count: 0,
            calls_today: 0,
            last_call_at: None,
            last_call_status: None,
            freeze_until: None,
            callback_at: None,
            assigned_user_id: Some(UserId(4)),
            created_at: Timestamp::default(),
            updated_at: Timestamp::default(),
        };
        let busy = LeadStatus { name: "busy".to_owned(), label: "Engaged".to_owned(), dialable: true };
        let names = Names { statuses: vec![busy], ..Names::default() };
        let ann = Assignee { id: UserId(4), email: "ann@example.com".to_owned(), active: true };
        let all = |names: &Names, staff: &[Assignee]| {
            ["status", "weight", "callback_at", "assigned_user_id"].map(|name| told(&inside, name, names, staff))
        };
        assert_eq!(
            all(&names, &[ann]),
            ["Status: now Engaged", "Weight: now -2", "Callback at: now –", "Assigned to: now ann@example.com"]
        );
        // Without loaded names.
        let unnamed = all(&Names::default(), &[]);
        assert_eq!([&unnamed[0], &unnamed[3]], ["Status: now busy", "Assigned to: now Agent 4"]);
    }
}
