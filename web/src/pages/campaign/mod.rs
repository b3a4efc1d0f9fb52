//! `/campaigns/{id}`: one campaign. While the user edits it, the page shows how many leads the change makes callable.

use std::time::Duration;

use leadscribe_engine::api::{Campaign, CampaignId};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::audit::changed_too::{ChangedToo, save_label};
use crate::components::campaign::draft::CampaignDraft;
use crate::components::campaign::form::{CampaignForm, FORM};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::fact_list::{Fact, FactList};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::submit_button::SubmitButton;
use crate::components::input::work_button::WorkButton;
use crate::components::list::table::SkeletonCard;
use crate::components::moment::Moment;
use crate::components::shell::leave_guard::LeaveGuard;
use crate::components::shell::page_head::PageHead;
use crate::components::shell::toast::use_toasts;
use crate::meanwhile::{Meanwhile, Saved};
use crate::query::query_string;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::campaigns as texts;

mod editing;
mod effects;
mod new;

use editing::{all_faults, refusal, to_all, told};
use effects::{Effects, Outcome};
pub use new::NewCampaignPage;

/// Delay after the last change before the preview is requested.
const PAUSE: Duration = Duration::from_millis(300);

#[component]
pub fn CampaignPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(CampaignId));
    // State belongs to one campaign: another id creates a new component, so late answers can't affect it.
    move || match id.get() {
        Some(id) => view! { <OneCampaign id /> }.into_any(),
        None => view! {
            <PageHead title=texts::campaign() fact=ViewFn::from(to_all) />
            <NoSuchCampaign />
        }
        .into_any(),
    }
}

#[component]
fn OneCampaign(id: CampaignId) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let (found, effect) = (Remote::<Campaign>::new(), Remote::<Outcome>::new());
    let load = Callback::new(move |()| found.load(api.campaign(id)));
    load.run(());

    let draft = RwSignal::new(CampaignDraft::default());
    let saved = Memo::new(move |_| found.with(|campaign| campaign.map(CampaignDraft::from)));
    // Values of the form without the user's changes.
    let base = StoredValue::new(None::<CampaignDraft>);
    Effect::new(move |_| {
        let saved = saved.get();
        let before = base.try_update_value(|base| std::mem::replace(base, saved.clone())).flatten();
        let Some(saved) = saved else { return };
        draft.update(|draft| match before {
            Some(before) => draft.rebase(&before, &saved),
            None => *draft = saved,
        });
    });
    let attempt = Attempt::new();
    let changes = Memo::new(move |_| saved.with(|saved| draft.with(|draft| draft.changes(saved.as_ref()?))));
    let unsaved = Signal::derive(move || changes.with(Option::is_some));
    let own_faults = Memo::new(move |_| draft.with(CampaignDraft::faults));
    let is_good = move || own_faults.with(Vec::is_empty);
    let faults = all_faults(own_faults.into(), draft, attempt);

    let ask = Callback::new(move |()| {
        // Without changes the preview shows the current state.
        let changes = changes.get_untracked();
        let is_change = changes.is_some();
        let body = changes.unwrap_or_else(|| draft.with_untracked(CampaignDraft::body));
        effect.load(async move { Ok(Outcome { preview: api.preview_campaign(id, body).await?, is_change }) });
    });
    let asked = StoredValue::new(0_u64);
    let question = Memo::new(move |_| saved.get().filter(|_| is_good()).map(|saved| (saved, changes.get())));
    Effect::new(move |_| {
        asked.update_value(|number| *number += 1);
        let number = asked.get_value();
        if question.with(Option::is_none) {
            return;
        }
        let due = move || {
            if asked.try_get_value() == Some(number) {
                ask.run(());
            }
        };
        set_timeout(due, PAUSE);
    });

    let on_undone = Callback::new(move |()| {
        if unsaved.get_untracked() {
            toasts.done(texts::unsaved_stay());
        }
        load.run(());
    });
    let meanwhile = Meanwhile::<Campaign>::nothing();
    let lines = meanwhile.lines(told);
    // A value that equals the other session's value overwrites nothing.
    let lines = Signal::derive(move || if unsaved.get() { lines.get() } else { Vec::new() });
    let save = Callback::new(move |()| {
        let Some(changes) = changes.get_untracked() else { return };
        if own_faults.with_untracked(|faults| !faults.is_empty()) {
            return;
        }
        let sent = draft.get_untracked();
        let Some(before) = found.try_with_untracked(|campaign| campaign.cloned()).flatten() else { return };
        let meanwhile = meanwhile.clone();
        // The result is shown even if the page was closed.
        let save = async move {
            let saved = meanwhile.save(api, before, changes).await;
            if let Ok(saved) = &saved {
                saved.offer_undo(api, toasts, texts::is_saved(&saved.now.name), on_undone);
            }
            // The form shows the other session's changes and keeps the user's own.
            if let Some(now) = meanwhile.now().filter(|_| meanwhile.is_to_be_told()) {
                found.change(|campaign| campaign.clone_from(&now));
            }
            saved
        };
        attempt.start(save, move |saved: Saved<Campaign>| {
            // Keeps changes that the user made during the request.
            base.set_value(Some(sent));
            found.load(std::future::ready(Ok(saved.now)));
        });
    });
    let discard = Callback::new(move |()| {
        if let Some(saved) = saved.get_untracked() {
            draft.set(saved);
        }
    });
    let title = Signal::derive(move || {
        found
            .with(|campaign| campaign.map(|campaign| campaign.name.clone()))
            .unwrap_or_else(|| texts::campaign().to_owned())
    });
    let may_write = Signal::derive(move || session.may_write());
    let is_known = Memo::new(move |_| saved.with(Option::is_some));
    let is_missing = Memo::new(move |_| found.error().and_then(|error| error.status()) == Some(404));
    let failure = move || {
        let error = found.error().filter(|_| !is_missing.get())?;
        Some(view! { <ErrorNotice error on_retry=load /> })
    };
    // The form is kept while the campaign is loaded again, even if that fails.
    let body = move || match (is_missing.get(), is_known.get()) {
        (true, _) => view! { <NoSuchCampaign /> }.into_any(),
        (_, false) => (move || found.is_awaited().then(|| view! { <Loading /> })).into_any(),
        _ => view! {
            <div class="lead-page campaign-page">
                <div class="stack">
                    <Show when=move || !may_write.get()>
                        <p class="secondary" data-test="only-reads">{texts::role_only_reads()}</p>
                    </Show>
                    <ChangedToo lines />
                    {move || refusal(attempt).filter(|_| lines.with(Vec::is_empty))}
                    <CampaignForm draft faults open=may_write on_submit=save />
                </div>
                <div class="stack campaign-aside">
                    <Effects effect good=Signal::derive(is_good) on_retry=ask />
                    <About found />
                </div>
            </div>
        }
        .into_any(),
    };
    view! {
        <PageHead title fact=ViewFn::from(to_all)>
            <Show when=move || may_write.get() && is_known.get()>
                <span class="small secondary" aria-live="polite" data-test="unsaved">
                    {move || unsaved.get().then_some(texts::unsaved_changes())}
                </span>
                <WorkButton held=Signal::derive(move || !unsaved.get()) test="discard" on_press=discard>
                    {texts::discard()}
                </WorkButton>
                <SubmitButton
                    form=Some(FORM)
                    busy=attempt.is_busy()
                    held=Signal::derive(move || !unsaved.get() || !is_good())
                    test="save"
                >
                    {move || save_label(lines)}
                </SubmitButton>
            </Show>
        </PageHead>
        {failure}
        {body}
        <LeaveGuard unsaved />
    }
    .into_any()
}

/// Links to leads and calls, and the date of creation.
#[component]
fn About(found: Remote<Campaign>) -> impl IntoView {
    move || {
        let Campaign { id, created_at, updated_at, .. } = found.get()?;
        let leads = query_string(&[("filter", &format!(r#"{{"campaign_id":{id}}}"#))]);
        let view = view! {
            <section class="card card-body stack" aria-label=texts::more_about()>
                <div class="row">
                    <a class="button" href=format!("/leads{leads}") data-test="campaign-leads">
                        <Icon glyph=Glyph::Leads />
                        {texts::its_leads()}
                    </a>
                    <a class="button" href=format!("/calls?campaign_id={id}") data-test="campaign-calls">
                        <Icon glyph=Glyph::Calls />
                        {texts::its_calls()}
                    </a>
                </div>
                <FactList>
                    <Fact label=texts::created()>
                        <Moment at=created_at />
                    </Fact>
                    <Fact label=texts::changed()>
                        <Moment at=updated_at />
                    </Fact>
                    <Fact label=texts::id()>{id.to_string()}</Fact>
                </FactList>
            </section>
        };
        Some(view.into_any())
    }
}

#[component]
fn NoSuchCampaign() -> impl IntoView {
    view! {
        <Empty
            glyph=Glyph::Campaigns
            title=texts::no_such_campaign()
            text=texts::no_such_campaign_why()
        >
            <a class="button" href="/campaigns">
                {texts::all_campaigns()}
            </a>
        </Empty>
    }
}

#[component]
fn Loading() -> impl IntoView {
    view! {
        <div class="lead-page campaign-page">
            <SkeletonCard bars=12 />
            <SkeletonCard bars=20 />
        </div>
    }
    .into_any()
}
