//! Form of a bulk action on the selected leads: the new value and the campaign.

use leadscribe_engine::api::{Assignee, Campaign, User};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

pub use super::action_draft::{Deed, LeadActionDraft};
use crate::components::audit::past_remark::PastRemark;
use crate::components::filter_editor::Names;
use crate::components::input::assignee_choice::AssigneeChoice;
use crate::components::input::field::{Field, FieldFaults};
use crate::components::input::time_field::{MINUTE, TimeField};
use crate::components::lead::status_choice::{StatusChoice, lacks_first_status};
use crate::components::segments::{Segments, segment};
use crate::faults::{faults_at, invalid};
use crate::texts::{campaigns, lead, leads};

/// JSON pointers whose faults the form of an action shows at its inputs.
pub fn shown(deed: Deed, names: &Names) -> Vec<&'static str> {
    let value = match deed {
        Deed::Campaign => "/set/campaign_id",
        Deed::Status => "/set/status",
        Deed::Weight => "/set/weight",
        Deed::Assign => "/set/assigned_user_id",
        Deed::Freeze => "/set/freeze_until",
        Deed::DoNotCall => "/set/do_not_call",
    };
    let campaign = deed.is_in_campaigns().then_some("/campaign_id");
    let status = asks_first_status(deed, names).then_some("/set/status");
    [Some(value), campaign, status].into_iter().flatten().collect()
}

/// True if the form asks for the initial status of leads in a campaign.
pub fn asks_first_status(deed: Deed, names: &Names) -> bool {
    deed == Deed::Campaign && lacks_first_status(names)
}

/// The fields; the surrounding form submits them.
#[component]
pub fn LeadActionForm(
    draft: RwSignal<LeadActionDraft>,
    #[prop(into)] names: Signal<Names>,
    /// The current user.
    #[prop(into)]
    me: Signal<Option<User>>,
    /// All staff, if known.
    #[prop(into)]
    staff: Signal<Vec<Assignee>>,
    #[prop(into)] faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let deed = draft.with_untracked(|draft| draft.deed);
    let at = move |place: &'static str| Signal::derive(move || faults.with(|faults| faults_at(faults, place)));
    let value = match deed {
        Deed::Campaign => {
            let asks_status = Memo::new(move |_| names.with(lacks_first_status));
            let faults = at("/set/status");
            let status = move || asks_status.get().then(|| status(draft, names, faults));
            view! {
                {into_campaign(draft, names, at("/set/campaign_id"))}
                {status}
            }
            .into_any()
        }
        Deed::Status => status(draft, names, at("/set/status")),
        Deed::Weight => weight(draft, at("/set/weight")),
        Deed::Assign => {
            let on_choose = Callback::new(move |user| draft.update(|draft| draft.user = user));
            let faults = at("/set/assigned_user_id");
            view! {
                <AssigneeChoice id="action-user" label=leads::assign_to() at_first=None me staff faults on_choose />
            }
            .into_any()
        }
        Deed::Freeze => freeze(draft, at("/set/freeze_until")),
        Deed::DoNotCall => do_not_call(draft, at("/set/do_not_call")),
    };
    view! {
        {value}
        {deed.is_in_campaigns().then(|| campaign(draft, names, at("/campaign_id")))}
    }
    .into_any()
}

type Faults = Signal<Vec<Diagnostic>>;

/// Choice of the campaign; active campaigns come first.
fn into_campaign(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, faults: Faults) -> AnyView {
    let group = move |active: bool, label: &'static str| {
        let all = names.with(|names| names.campaigns.clone());
        let (chosen, _): (Vec<Campaign>, _) = all.into_iter().partition(|campaign| campaign.active == active);
        let option = |campaign: Campaign| view! { <option value=campaign.id.to_string()>{campaign.name}</option> };
        (!chosen.is_empty())
            .then(|| view! { <optgroup label=label>{chosen.into_iter().map(option).collect_view()}</optgroup> })
    };
    view! {
        <Field id="action-into" label=lead::campaign() hint=leads::put_in_hint() faults=faults>
            <select
                id="action-into"
                class="select"
                autofocus
                aria-describedby="action-into-note"
                aria-invalid=invalid(faults)
                data-test="action-into"
                on:change:target=move |event| draft.update(|draft| draft.into = event.target().value())
            >
                <option value="" hidden selected>
                    {leads::choose()}
                </option>
                {move || group(true, campaigns::active())}
                {move || group(false, campaigns::off())}
            </select>
        </Field>
    }
    .into_any()
}

fn status(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, faults: Faults) -> AnyView {
    let set = Callback::new(move |status| draft.update(|draft| draft.status = status));
    view! { <StatusChoice id="action-status" names set faults /> }.into_any()
}

fn weight(draft: RwSignal<LeadActionDraft>, faults: Faults) -> AnyView {
    view! {
        <Field id="action-weight" label=leads::weight() hint=leads::weight_hint() faults=faults>
            <input
                id="action-weight"
                class="input"
                inputmode="numeric"
                autocomplete="off"
                autofocus
                aria-describedby="action-weight-note"
                aria-invalid=invalid(faults)
                data-test="action-weight"
                on:input:target=move |event| draft.update(|draft| draft.weight = event.target().value())
            />
        </Field>
    }
    .into_any()
}

fn freeze(draft: RwSignal<LeadActionDraft>, faults: Faults) -> AnyView {
    let freezes = Memo::new(move |_| draft.with(|draft| draft.freezes));
    let choices =
        vec![segment(true, leads::freeze(), "action-freeze"), segment(false, leads::unfreeze(), "action-unfreeze")];
    let choose = move |freezes| draft.update(|draft| draft.freezes = freezes);
    let until = Signal::derive(move || draft.with(|draft| draft.until.clone()));
    let set = Callback::new(move |until| draft.update(|draft| draft.until = until));
    view! {
        <div class="field">
            <span class="label">{leads::what_to_do()}</span>
            <Segments label=leads::what_to_do() segments=choices chosen=freezes on_choose=choose />
            <p class="field-hint">{leads::freeze_hint()}</p>
        </div>
        <Show when=move || freezes.get()>
            <TimeField
                id="action-until"
                label=leads::until()
                asks=&MINUTE
                value=until
                set
                faults
                remark=view! { <PastRemark moment=until /> }.into_any()
            />
        </Show>
    }
    .into_any()
}

fn do_not_call(draft: RwSignal<LeadActionDraft>, faults: Faults) -> AnyView {
    let forbidden = Memo::new(move |_| draft.with(|draft| draft.do_not_call));
    let choices = vec![
        segment(true, leads::are_not_called(), "action-do-not-call"),
        segment(false, leads::may_be_called(), "action-may-call"),
    ];
    let choose = move |forbidden| draft.update(|draft| draft.do_not_call = forbidden);
    view! {
        <div class="field">
            <span class="label">{leads::these_leads()}</span>
            <Segments label=leads::these_leads() segments=choices chosen=forbidden on_choose=choose />
            <p class="field-hint">{leads::do_not_call_hint()}</p>
            <FieldFaults faults />
        </div>
    }
    .into_any()
}

fn campaign(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, faults: Faults) -> AnyView {
    let chosen = draft.with_untracked(|draft| draft.campaign.clone());
    let options = move || {
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter();
        let options = campaigns.map(|campaign| {
            let id = campaign.id.to_string();
            let selected = id == chosen;
            view! {
                <option value=id selected=selected>
                    {campaign.name}
                </option>
            }
        });
        options.collect_view()
    };
    view! {
        <Field id="action-campaign" label=leads::in_campaign() faults=faults>
            <select
                id="action-campaign"
                class="select"
                aria-describedby="action-campaign-note"
                data-test="action-campaign"
                on:change:target=move |event| draft.update(|draft| draft.campaign = event.target().value())
            >
                <option value="">{leads::all_their_campaigns()}</option>
                {options}
            </select>
        </Field>
    }
    .into_any()
}
