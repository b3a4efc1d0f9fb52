//! Form of a bulk action on the selected leads: the new value and the campaign.

use leadscribe_engine::api::Assignee;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;
use serde_json::{Value, json};

pub use super::action_draft::{LeadActionDraft, LeadActionKind};
use crate::api::CurrentUser;
use crate::i18n::texts::{campaigns, common, leads};
use crate::i18n::{aria_invalid, diagnostics_signal};
use crate::state::form_state::{number_value, text_value};
use crate::ui::filter_editor::Names;
use crate::ui::input::time_field::MINUTE;
use crate::ui::input::{AssigneeChoice, Field, FieldDiagnostics, SelectField, TextField, TimeField};
use crate::ui::lead::status_form::{StatusChoice, requires_initial_status};
use crate::ui::{PastDateNotice, SegmentedControl, segment};

/// JSON pointers whose diagnostics the form of an action shows at its inputs.
pub fn field_pointers(kind: LeadActionKind, names: &Names) -> Vec<&'static str> {
    let campaign = kind.changes_campaign_leads().then_some("/campaign_id");
    let status = needs_initial_status(kind, names).then_some("/set/status");
    [Some(kind.info().pointer), campaign, status].into_iter().flatten().collect()
}

/// True if the form asks for the initial status of leads in a campaign.
pub fn needs_initial_status(kind: LeadActionKind, names: &Names) -> bool {
    kind == LeadActionKind::Campaign && requires_initial_status(names)
}

type Diagnostics = Signal<Vec<Diagnostic>>;

type SetValue = Callback<Option<Value>>;

/// The fields; the surrounding form submits them.
#[component]
pub fn LeadActionForm(
    draft: RwSignal<LeadActionDraft>,
    names: Signal<Names>,
    #[prop(into)] current_user: Signal<Option<CurrentUser>>,
    #[prop(into)] staff: Signal<Vec<Assignee>>,
    diagnostics: Diagnostics,
) -> impl IntoView {
    let kind = draft.with_untracked(|draft| draft.kind);
    let campaign_diagnostics = diagnostics_signal(diagnostics, "/campaign_id");
    let status_diagnostics = diagnostics_signal(diagnostics, "/set/status");
    let diagnostics = diagnostics_signal(diagnostics, kind.info().pointer);
    let set = Callback::new(move |value| draft.update(|draft| draft.value = value));
    let set_status = Callback::new(move |status: String| set.run(Some(json!(status))));
    let set_weight = move |weight: String| set.run(Some(number_value(&weight)).filter(|weight| !weight.is_null()));
    let set_initial_status = Callback::new(move |status| draft.update(|draft| draft.initial_status = status));
    let value = match kind {
        LeadActionKind::Campaign => {
            let needs_status = Memo::new(move |_| names.with(requires_initial_status));
            view! {
                {target_campaign_field(names, set, diagnostics)}
                <Show when=move || needs_status.get()>
                    <StatusChoice id="action-status" names set=set_initial_status diagnostics=status_diagnostics />
                </Show>
            }
            .into_any()
        }
        LeadActionKind::Status => {
            view! { <StatusChoice id="action-status" names set=set_status diagnostics /> }.into_any()
        }
        LeadActionKind::Weight => {
            let (label, hint) = (leads::weight(), leads::weight_hint());
            view! { <TextField id="action-weight" label hint inputmode="numeric" autofocus=true set=set_weight diagnostics /> }
                .into_any()
        }
        LeadActionKind::Assign => {
            let on_choose = Callback::new(move |user: Option<String>| set.run(user.map(|id| number_value(&id))));
            view! {
                <AssigneeChoice id="action-user" label=leads::assign_to() initial=None current_user staff diagnostics on_choose />
            }
            .into_any()
        }
        LeadActionKind::Freeze => freeze_field(set, diagnostics),
        LeadActionKind::DoNotCall => do_not_call_field(set, diagnostics),
    };
    view! {
        {value}
        {kind.changes_campaign_leads().then(|| campaign_field(draft, names, campaign_diagnostics))}
    }
}

/// Choice of the campaign; active campaigns come first.
fn target_campaign_field(names: Signal<Names>, set: SetValue, diagnostics: Diagnostics) -> AnyView {
    let group = move |is_active: bool, label: &'static str| {
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter();
        let options = campaigns
            .filter(|campaign| campaign.active == is_active)
            .map(|campaign| view! { <option value=campaign.id.to_string()>{campaign.name}</option> })
            .collect_view();
        (!options.is_empty()).then(|| view! { <optgroup label=label>{options}</optgroup> })
    };
    view! {
        <Field id="action-target-campaign" label=common::campaign() hint=leads::add_leads_hint() diagnostics>
            <select
                id="action-target-campaign"
                class="select"
                autofocus
                aria-describedby="action-target-campaign-note"
                aria-invalid=aria_invalid(diagnostics)
                data-test="action-target-campaign"
                on:change:target=move |event| set.run(Some(number_value(&event.target().value())))
            >
                <option value="" hidden selected>
                    {common::choose()}
                </option>
                {move || group(true, campaigns::active())}
                {move || group(false, campaigns::inactive())}
            </select>
        </Field>
    }
    .into_any()
}

/// Two options next to each other.
fn toggle_field(
    (label, hint): (&'static str, &'static str),
    [(on_label, on_test_id), (off_label, off_test_id)]: [(&'static str, &'static str); 2],
    is_on: RwSignal<bool>,
    on_choose: Callback<bool>,
    diagnostics: Diagnostics,
) -> AnyView {
    let segments = vec![segment(true, on_label, on_test_id), segment(false, off_label, off_test_id)];
    view! {
        <div class="field">
            <span class="label">{label}</span>
            <SegmentedControl label segments selected=is_on on_choose />
            <p class="field-hint">{hint}</p>
            <FieldDiagnostics diagnostics />
        </div>
    }
    .into_any()
}

fn freeze_field(set: SetValue, diagnostics: Diagnostics) -> AnyView {
    let (is_freezing, until) = (RwSignal::new(true), RwSignal::new(String::new()));
    let update = move || {
        let until = Some(text_value(&until.get_untracked())).filter(|until| !until.is_null());
        set.run(if is_freezing.get_untracked() { until } else { Some(Value::Null) });
    };
    let choose = Callback::new(move |is_freezing_chosen| {
        is_freezing.set(is_freezing_chosen);
        update();
    });
    let set_until = Callback::new(move |at| {
        until.set(at);
        update();
    });
    let options = [(leads::freeze(), "action-freeze"), (leads::unfreeze(), "action-unfreeze")];
    view! {
        {toggle_field((leads::action(), leads::freeze_hint()), options, is_freezing, choose, Signal::default())}
        <Show when=move || is_freezing.get()>
            <TimeField
                id="action-until"
                label=leads::until()
                input_type=&MINUTE
                value=until.into()
                set=set_until
                diagnostics
                note=view! { <PastDateNotice timestamp=until /> }.into_any()
            />
        </Show>
    }
    .into_any()
}

fn do_not_call_field(set: SetValue, diagnostics: Diagnostics) -> AnyView {
    let is_forbidden = RwSignal::new(true);
    let choose = Callback::new(move |is_chosen| {
        is_forbidden.set(is_chosen);
        set.run(Some(json!(is_chosen)));
    });
    let options = [(leads::set_do_not_call(), "action-do-not-call"), (leads::allow_calls(), "action-may-call")];
    let texts = (leads::these_leads(), leads::do_not_call_hint());
    toggle_field(texts, options, is_forbidden, choose, diagnostics)
}

fn campaign_field(draft: RwSignal<LeadActionDraft>, names: Signal<Names>, diagnostics: Diagnostics) -> AnyView {
    let choices = Signal::derive(move || names.with(Names::campaign_choices));
    let value = draft.with_untracked(|draft| draft.campaign.clone());
    let set = move |campaign| draft.update(|draft| draft.campaign = campaign);
    let (label, empty_label) = (common::campaign(), leads::all_campaigns_of_leads());
    view! { <SelectField id="action-campaign" label empty_label choices value=Signal::stored(value) set diagnostics /> }
        .into_any()
}
