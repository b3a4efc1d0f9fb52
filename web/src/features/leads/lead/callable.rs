//! Shows whether a lead can be called, in general and in each of its campaigns.

use leadscribe_engine::api::{
    Assignee, Campaign, CampaignDetails, ExtendedLead, NotCallableCode, NotCallableReason, Timestamp,
};
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use super::LeadPageData;
use super::campaign_lead_dialogs::{CampaignLeadDialogProps, EditDialog, campaign_dialogs};
use crate::api::use_session;
use crate::i18n::texts::{common, lead as texts};
use crate::i18n::{datetime, field_label, language};
use crate::ui::audit::assignee_name;
use crate::ui::filter_editor::Names;
use crate::ui::input::{Button, IconButton};
use crate::ui::lazy_view::render_once_opened;
use crate::ui::lead::reason_rules;
use crate::ui::lead::table::StatusBadge;
use crate::ui::prose::{plain, prose};
use crate::ui::{Badge, DescriptionItem, DescriptionList, Glyph, Icon, LocalTime, OptionalLocalTime, Tone};

/// Section with a card for each campaign.
#[component]
pub fn CallableSection(data: LeadPageData, on_change: Callback<()>) -> impl IntoView {
    let LeadPageData { lead, names, staff, .. } = data;
    let session = use_session();
    let (edit_dialog, is_add_dialog_open) = (EditDialog::default(), RwSignal::new(false));
    let campaign_ids = Memo::new(move |_| {
        let ids = |lead: &ExtendedLead| lead.campaigns.iter().map(|details| details.campaign_id).collect::<Vec<_>>();
        lead.with(|lead| lead.map(ids).unwrap_or_default())
    });
    let has_other_campaigns = move || {
        let is_other = |campaign: &Campaign| campaign_ids.with(|ids| !ids.contains(&campaign.id));
        names.with(|names| names.campaigns.iter().any(is_other))
    };
    let lead_reasons =
        Memo::new(move |_| lead.with(|lead| lead.map(|lead| lead.not_callable_reasons.clone()).unwrap_or_default()));
    let campaigns = data.campaigns();
    let campaigns = Memo::new(move |_| campaigns.get());
    let timezone = Memo::new(move |_| lead.with(|lead| lead.and_then(|lead| lead.lead.timezone.clone())));
    let cards = move || {
        let timezone = timezone.get();
        let card = |details| view! { <CampaignCard details timezone=timezone.clone() names staff edit_dialog /> };
        campaigns.get().into_iter().map(card).collect_view()
    };
    let dialog_props = CampaignLeadDialogProps { data, campaign_ids, edit_dialog, is_add_dialog_open, on_change };
    let dialogs = render_once_opened(
        move || edit_dialog.open.get() || is_add_dialog_open.get(),
        move || campaign_dialogs(dialog_props),
    );
    let general_reasons = move || {
        // Each campaign card contains the general reasons too.
        let reasons =
            Some(lead_reasons.get()).filter(|reasons| campaign_ids.with(Vec::is_empty) && !reasons.is_empty())?;
        Some(view! {
            <div class="card card-body">
                <ReasonList reasons=reason_rules::lead_reasons(reasons) next_calling_hours=None />
            </div>
        })
    };
    view! {
        <section class="stack-tight" aria-labelledby="callability-title">
            <div class="section-header">
                <h2 id="callability-title">{texts::callability()}</h2>
                <Show when=move || session.can_write() && has_other_campaigns()>
                    <Button
                        class="button-small"
                        glyph=Glyph::Plus
                        label=texts::add_to_campaign()
                        test_id="add-to-campaign"
                        on_press=move |()| is_add_dialog_open.set(true)
                    />
                </Show>
            </div>
            {general_reasons}
            {cards}
            <Show when=move || campaign_ids.with(Vec::is_empty)>
                <p class="secondary">{texts::in_no_campaign()}</p>
            </Show>
        </section>
        {dialogs}
    }
}

#[component]
fn CampaignCard(
    details: CampaignDetails,
    timezone: Option<String>,
    names: Signal<Names>,
    staff: Signal<Vec<Assignee>>,
    edit_dialog: EditDialog,
) -> impl IntoView {
    let session = use_session();
    let has_reasons = !details.not_callable_reasons.is_empty();
    let next_calling_hours = next_calling_hours(&details);
    let stored_details = StoredValue::new(details.clone());
    let reasons = move || {
        stored_details.with_value(|details| reason_rules::campaign_reasons(details, timezone.as_deref(), names))
    };
    let (id, label) = (details.campaign_lead_id, texts::change_in(&details.campaign_name));
    let edit_button = move || {
        view! {
            <IconButton
                glyph=Glyph::Edit
                id=format!("change-{id}")
                label=label.clone()
                title=label.clone()
                test_id="edit-campaign-lead"
                on_press=move |()| edit_dialog.open_for(stored_details.get_value())
            />
        }
    };
    let assignee = move || match details.assigned_user_id {
        Some(id) => staff.with(|staff| assignee_name(id, staff)),
        None => texts::unassigned().to_owned(),
    };
    let [calls_count, calls_today] =
        [details.calls_count, details.calls_today].map(|count| datetime::format_count(count.into()));
    let last_call = view! { <OptionalLocalTime at=details.last_call_at relative=true placeholder=common::never() /> };
    let item = |(id, value)| view! { <DescriptionItem label=field_label(id)>{value}</DescriptionItem> };
    let items = [
        (FieldId::CallsCount, texts::calls_and_today(calls_count, calls_today).into_any()),
        (FieldId::LastCallAt, last_call.into_any()),
        (FieldId::FreezeUntil, end_time(details.freeze_until)),
        (FieldId::CallbackAt, end_time(details.callback_at)),
        (FieldId::AssignedUserId, assignee.into_any()),
        (FieldId::Weight, details.weight.to_string().into_any()),
        (FieldId::UpdatedAt, view! { <LocalTime at=details.updated_at relative=true /> }.into_any()),
    ];
    let next_time = details.next_callable_at.map(|next| {
        view! {
            <span class="small secondary">
                {texts::callable()} " " <LocalTime at=next relative=true />
            </span>
        }
    });
    let verdict = match details.callable {
        true => view! { <Badge tone=Tone::Success text=common::callable_now() /> }.into_any(),
        false => view! {
            <span class="row">
                {next_time} <Badge tone=Tone::Warning text=texts::not_callable() />
            </span>
        }
        .into_any(),
    };
    view! {
        <article class="card" data-test="lead-campaign">
            <div class="card-header">
                <div class="row">
                    <h3>
                        <a href=format!("/campaigns/{}", details.campaign_id)>{details.campaign_name}</a>
                    </h3>
                    <StatusBadge name=details.status names />
                </div>
                <div class="row">
                    {verdict} {move || session.can_write().then(&edit_button)}
                </div>
            </div>
            <div class="card-body stack">
                {move || has_reasons.then(|| view! { <ReasonList reasons=reasons() next_calling_hours /> })}
                <DescriptionList>
                    {items.map(item).collect_view()}
                </DescriptionList>
            </div>
        </article>
    }
}

/// Start of the next calling hours, if all reasons end before it.
fn next_calling_hours(details: &CampaignDetails) -> Option<Timestamp> {
    let end = details.not_callable_reasons.iter().filter_map(|reason| reason.until).max()?;
    details.next_callable_at.filter(|next| *next > end)
}

/// End of a reason, and whether it has passed.
fn end_time(at: Option<Timestamp>) -> AnyView {
    let is_over = at.is_some_and(|at| at <= datetime::now());
    view! {
        <OptionalLocalTime at />
        {is_over.then(|| view! { " " <span class="muted" data-test="reason-expired">{texts::expired()}</span> })}
    }
    .into_any()
}

/// List of reasons with their rules and ends, followed by the next calling hours.
#[component]
fn ReasonList(reasons: Vec<NotCallableReason>, next_calling_hours: Option<Timestamp>) -> impl IntoView {
    let items = reasons.into_iter().map(|reason| {
        let label = reason.code.label(language());
        let repeats_label = plain(&reason.detail).starts_with(label);
        view! {
            <li data-test="reason" data-code=reason.code.as_str()>
                <Icon glyph=if reason.until.is_some() { Glyph::Clock } else { Glyph::Alert } />
                <span>
                    {(!repeats_label).then(|| reason_label(label))}
                    <span class=if repeats_label { "strong" } else { "secondary" }>{prose(&reason.detail)}</span>
                    {reason.until.map(end_text)}
                </span>
            </li>
        }
    });
    let after = next_calling_hours.map(|until| {
        view! {
            <li data-test="next-calling-hours">
                <Icon glyph=Glyph::Clock />
                <span>
                    {reason_label(NotCallableCode::OutsideCallingHours.label(language()))}
                    <span class="secondary">{texts::after_other_reasons()}</span> {end_text(until)}
                </span>
            </li>
        }
    });
    view! { <ul class="reasons">{items.collect_view()} {after}</ul> }
}

fn reason_label(label: &'static str) -> impl IntoView {
    view! {
        <span class="strong">{label}</span>
        <span class="secondary">". "</span>
    }
}

/// End of a reason, as a sentence.
fn end_text(until: Timestamp) -> impl IntoView {
    // An abbreviation such as `Std.` also ends the sentence.
    let full_stop = Signal::derive(move || if datetime::format_relative(until).ends_with('.') { "" } else { "." });
    view! {
        <span class="secondary">
            " " {texts::ends()} " " <LocalTime at=until relative=true /> {full_stop}
        </span>
    }
}

#[cfg(test)]
mod tests {
    use crate::features::leads::lead::callable::*;

    #[test]
    fn shows_calling_hours_after_all_other_reasons() {
        let (evening, morning) = ("2026-05-01T21:00:00Z", "2026-05-04T07:00:00Z");
        let is_shown = |next: Option<&str>, ends: &[Option<&str>]| {
            let reason = |until: &Option<&str>| serde_json::json!({ "code": "frozen", "until": until, "detail": "" });
            let details: CampaignDetails = serde_json::from_value(serde_json::json!({
                "campaign_lead_id": 1, "campaign_id": 1, "campaign_name": "Solar", "status": "new", "weight": 1,
                "calls_count": 0, "calls_today": 0, "created_at": morning, "updated_at": morning, "callable": false,
                "next_callable_at": next, "not_callable_reasons": ends.iter().map(reason).collect::<Vec<_>>(),
            }))
            .unwrap();
            next_calling_hours(&details).is_some()
        };
        assert!(is_shown(Some(morning), &[Some(evening)]));
        assert!(!is_shown(Some(morning), &[Some(evening), Some(morning)]), "the last reason ends when they begin");
        assert!(!is_shown(Some(morning), &[]) && !is_shown(None, &[Some(evening), None]));
    }
}
