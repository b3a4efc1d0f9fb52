//! Form of a bulk action on the selected leads: the new value and the campaign.

use leadscribe_engine::api::{Assignee, Campaign};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

pub use super::action_draft::{LeadActionDraft, LeadActionKind};
use crate::api::session::CurrentUser;
use crate::i18n::texts::{campaigns, lead, leads};
use crate::i18n::validation_errors::{aria_invalid, diagnostics_at};
use crate::ui::filter_editor::Names;
use crate::ui::input::assignee_choice::AssigneeChoice;
use crate::ui::input::field::{Field, FieldDiagnostics};
use crate::ui::input::time_field::{MINUTE, TimeField};
use crate::ui::lead::status_choice::{StatusChoice, requires_initial_status};
use crate::ui::past_date_notice::PastDateNotice;
use crate::ui::segmented_control::{SegmentedControl, segment};

/// JSON pointers whose diagnostics the form of an action shows at its inputs.
pub fn field_pointers(kind: LeadActionKind, names: &Names) -> Vec<&'static str> {
    let value = match kind {
        LeadActionKind::Campaign => "/set/campaign_id",
        LeadActionKind::Status => "/set/status",
        LeadActionKind::Weight => "/set/weight",
        LeadActionKind::Assign => "/set/assigned_user_id",
        LeadActionKind::Freeze => "/set/freeze_until",
        LeadActionKind::DoNotCall => "/set/do_not_call",
    };
    let campaign = kind.changes_campaign_leads().then_some("/campaign_id");
    let status = needs_initial_status(kind, names).then_some("/set/status");
    [Some(value), campaign, status].into_iter().flatten().collect()
}

/// True if the form asks for the initial status of leads in a campaign.
pub fn needs_initial_status(kind: LeadActionKind, names: &Names) -> bool {
    kind == LeadActionKind::Campaign && requires_initial_status(names)
}

/// The fields; the surrounding form submits them.
#[component]
pub fn LeadActionForm(
    draft: RwSignal<LeadActionDraft>,
    #[prop(into)] names: Signal<Names>,
    /// The current user.
    #[prop(into)]
    current_user: Signal<Option<CurrentUser>>,
    /// All staff, if known.
    #[prop(into)]
    staff: Signal<Vec<Assignee>>,
    #[prop(into)] diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let kind = draft.with_untracked(|draft| draft.kind);
    let field_diagnostics = move |pointer: &'static str| {
        Signal::derive(move || diagnostics.with(|diagnostics| diagnostics_at(diagnostics, pointer)))
    };
    let value = match kind {
        LeadActionKind::Campaign => {
            let needs_status = Memo::new(move |_| names.with(requires_initial_status));
            let diagnostics = field_diagnostics("/set/status");
            let status = move || needs_status.get().then(|| status_field(draft, names, diagnostics));
            view! {
                {target_campaign_field(draft, names, field_diagnostics("/set/campaign_id"))}
                {status}
            }
            .into_any()
        }
        LeadActionKind::Status => status_field(draft, names, field_diagnostics("/set/status")),
        LeadActionKind::Weight => weight_field(draft, field_diagnostics("/set/weight")),
        LeadActionKind::Assign => {
            let on_choose = Callback::new(move |user| draft.update(|draft| draft.assignee = user));
            let diagnostics = field_diagnostics("/set/assigned_user_id");
            view! {
                <AssigneeChoice id="action-user" label=leads::assign_to() initial=None current_user staff diagnostics on_choose />
            }
            .into_any()
        }
        LeadActionKind::Freeze => freeze_field(draft, field_diagnostics("/set/freeze_until")),
        LeadActionKind::DoNotCall => do_not_call_field(draft, field_diagnostics("/set/do_not_call")),
    };
    view! {
        {value}
        {kind.changes_campaign_leads().then(|| campaign_field(draft, names, field_diagnostics("/campaign_id")))}
    }
    .into_any()
}

type Diagnostics = Signal<Vec<Diagnostic>>;

/// Choice of the campaign; active campaigns come first.
fn target_campaign_field(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, diagnostics: Diagnostics) -> AnyView {
    let group = move |active: bool, label: &'static str| {
        let all_campaigns = names.with(|names| names.campaigns.clone());
        let (group_campaigns, _): (Vec<Campaign>, _) =
            all_campaigns.into_iter().partition(|campaign| campaign.active == active);
        let option = |campaign: Campaign| view! { <option value=campaign.id.to_string()>{campaign.name}</option> };
        (!group_campaigns.is_empty()).then(
            || view! { <optgroup label=label>{group_campaigns.into_iter().map(option).collect_view()}</optgroup> },
        )
    };
    view! {
        <Field id="action-target-campaign" label=lead::campaign() hint=leads::add_leads_hint() diagnostics>
            <select
                id="action-target-campaign"
                class="select"
                autofocus
                aria-describedby="action-target-campaign-note"
                aria-invalid=aria_invalid(diagnostics)
                data-test="action-target-campaign"
                on:change:target=move |event| draft.update(|draft| draft.target_campaign = event.target().value())
            >
                <option value="" hidden selected>
                    {leads::choose()}
                </option>
                {move || group(true, campaigns::active())}
                {move || group(false, campaigns::inactive())}
            </select>
        </Field>
    }
    .into_any()
}

fn status_field(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, diagnostics: Diagnostics) -> AnyView {
    let set = Callback::new(move |status| draft.update(|draft| draft.status = status));
    view! { <StatusChoice id="action-status" names set diagnostics /> }.into_any()
}

fn weight_field(draft: RwSignal<LeadActionDraft>, diagnostics: Diagnostics) -> AnyView {
    view! {
        <Field id="action-weight" label=leads::weight() hint=leads::weight_hint() diagnostics>
            <input
                id="action-weight"
                class="input"
                inputmode="numeric"
                autocomplete="off"
                autofocus
                aria-describedby="action-weight-note"
                aria-invalid=aria_invalid(diagnostics)
                data-test="action-weight"
                on:input:target=move |event| draft.update(|draft| draft.weight = event.target().value())
            />
        </Field>
    }
    .into_any()
}

fn freeze_field(draft: RwSignal<LeadActionDraft>, diagnostics: Diagnostics) -> AnyView {
    let is_freezing = Memo::new(move |_| draft.with(|draft| draft.is_freezing));
    let choices =
        vec![segment(true, leads::freeze(), "action-freeze"), segment(false, leads::unfreeze(), "action-unfreeze")];
    let choose = move |is_freezing| draft.update(|draft| draft.is_freezing = is_freezing);
    let until = Signal::derive(move || draft.with(|draft| draft.freeze_until.clone()));
    let set = Callback::new(move |until| draft.update(|draft| draft.freeze_until = until));
    view! {
        <div class="field">
            <span class="label">{leads::action()}</span>
            <SegmentedControl label=leads::action() segments=choices selected=is_freezing on_choose=choose />
            <p class="field-hint">{leads::freeze_hint()}</p>
        </div>
        <Show when=move || is_freezing.get()>
            <TimeField
                id="action-until"
                label=leads::until()
                input_type=&MINUTE
                value=until
                set
                diagnostics
                note=view! { <PastDateNotice timestamp=until /> }.into_any()
            />
        </Show>
    }
    .into_any()
}

fn do_not_call_field(draft: RwSignal<LeadActionDraft>, diagnostics: Diagnostics) -> AnyView {
    let is_forbidden = Memo::new(move |_| draft.with(|draft| draft.do_not_call));
    let choices = vec![
        segment(true, leads::set_do_not_call(), "action-do-not-call"),
        segment(false, leads::allow_calls(), "action-may-call"),
    ];
    let choose = move |is_forbidden| draft.update(|draft| draft.do_not_call = is_forbidden);
    view! {
        <div class="field">
            <span class="label">{leads::these_leads()}</span>
            <SegmentedControl label=leads::these_leads() segments=choices selected=is_forbidden on_choose=choose />
            <p class="field-hint">{leads::do_not_call_hint()}</p>
            <FieldDiagnostics diagnostics />
        </div>
    }
    .into_any()
}

fn campaign_field(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, diagnostics: Diagnostics) -> AnyView {
    let current = draft.with_untracked(|draft| draft.campaign.clone());
    let options = move || {
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter();
        let options = campaigns.map(|campaign| {
            let id = campaign.id.to_string();
            let selected = id == current;
            view! {
                <option value=id selected=selected>
                    {campaign.name}
                </option>
            }
        });
        options.collect_view()
    };
    view! {
        <Field id="action-campaign" label=leads::in_campaign() diagnostics>
            <select
                id="action-campaign"
                class="select"
                aria-describedby="action-campaign-note"
                data-test="action-campaign"
                on:change:target=move |event| draft.update(|draft| draft.campaign = event.target().value())
            >
                <option value="">{leads::all_campaigns_of_leads()}</option>
                {options}
            </select>
        </Field>
    }
    .into_any()
}
