//! Dialog that delivers search results to a callback: form, preview, test and request.

use leadscribe_engine::api::{
    CampaignId, Change, Delivery, DeliveryState, LeadId, NewSpeechRequest, Page, SpeechToken, TokenId, TranscriptHit,
    TranscriptSearch, TranscriptionState,
};
use leadscribe_engine::callback::Template;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::time;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::{TranscriptQuery, use_api};
use crate::attempt::Attempt;
use crate::components::badge::DeliveryBadge;
use crate::components::call::no_token::NoTokenNotice;
use crate::components::delivery::callback_form::{CallbackDraft, CallbackForm};
use crate::components::dialog::{CancelButton, Dialog, Dismissal};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::work_button::WorkButton;
use crate::components::shell::toast::use_toasts;
use crate::live::use_live;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::transcripts as texts;
use crate::when::count;
use crate::{focus, parts};

/// Maximum number of calls per request, which every server accepts.
const MOST: u64 = 1_000;

/// Members of the request bodies whose faults their inputs show.
const SHOWN: [&str; 2] = ["/callback/callback_url", "/callback/callback_data"];
const SHOWN_OF_TEST: [&str; 2] = ["/callback_url", "/callback_data"];

#[component]
pub fn Deliver(open: RwSignal<bool>, wanted: Memo<TranscriptQuery>) -> impl IntoView {
    view! {
        <Dialog open title=texts::deliver_title() wide=true dismissal=Dismissal::AsksIfFilled test="deliver-dialog">
            {move || parts::delivering(Delivering { open, wanted: wanted.get_untracked() })}
        </Dialog>
    }
}

/// Properties of the dialog.
pub struct Delivering {
    open: RwSignal<bool>,
    wanted: TranscriptQuery,
}

/// Content of the dialog.
pub fn deliver_body(Delivering { open, wanted }: Delivering) -> AnyView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let tokens = Remote::<Vec<SpeechToken>>::new();
    let load_tokens = Callback::new(move |()| tokens.load(api.speech_tokens()));
    load_tokens.run(());
    focus::into_dialog_soon();
    let usable = Signal::derive(move || {
        let tokens = tokens.get().unwrap_or_default();
        tokens.into_iter().filter(|token| token.revoked_at.is_none()).collect::<Vec<_>>()
    });
    let draft = CallbackDraft::new(wanted.token_id.clone());
    let wanted = StoredValue::new(wanted);
    // A single token is selected automatically.
    Effect::new(move |_| {
        let only = usable.with(|tokens| if let [only] = &tokens[..] { Some(only.id.to_string()) } else { None });
        if let (Some(only), true) = (only, draft.token.with_untracked(String::is_empty)) {
            draft.token.set(only);
        }
    });
    let found = Remote::<Page<TranscriptHit>>::new();
    let query = move |token_id| TranscriptQuery { token_id, limit: "1;0".to_owned(), ..wanted.get_value() };
    Effect::new(move |_| {
        let token_id = draft.token.get();
        if !token_id.is_empty() {
            found.load(api.transcripts(query(token_id)));
        }
    });
    // Transcripts that are completed while the dialog is open are counted and delivered too.
    let matters =
        |change: &Change| matches!(change, Change::Transcription { state: TranscriptionState::Completed, .. });
    use_live().reload(matters, move || {
        let token_id = draft.token.get_untracked();
        if !token_id.is_empty() {
            found.refresh(api.transcripts(query(token_id)));
        }
    });
    let calls = Signal::derive(move || found.with(|page| page.map_or(0, |page| page.total.min(MOST))));

    let verdict = Memo::new(move |_| draft.template.with(|text| Template::check(text)));
    let (delivery, test) = (Attempt::new(), Attempt::new());
    let tested = RwSignal::new(None::<Delivery>);
    let url_faults = joined(delivery.faults_at(SHOWN[0]), test.faults_at(SHOWN_OF_TEST[0]));
    let template_faults = joined(delivery.faults_at(SHOWN[1]), test.faults_at(SHOWN_OF_TEST[1]));
    Effect::new(move |_| {
        draft.url.track();
        draft.method.track();
        draft.template.track();
        draft.token.track();
        // A refusal doesn't apply to the edited request.
        delivery.clear();
        test.clear();
        // Neither does a test.
        tested.set(None);
    });
    let is_ready = Memo::new(move |_| {
        let is_filled = !draft.token.with(String::is_empty) && draft.url.with(|url| !url.trim().is_empty());
        is_filled && verdict.with(Result::is_ok)
    });
    let token = move || draft.token.with_untracked(|token| token.parse().ok().map(TokenId));
    let send_test = Callback::new(move |()| {
        let Some(token) = token() else { return };
        tested.set(None);
        delivery.clear();
        test.start(api.test_delivery(token, draft.callback()), move |delivery| tested.set(Some(delivery)));
    });
    let navigate = use_navigate();
    let deliver = Callback::new(move |()| {
        let Some(token) = token() else { return };
        let search = wanted.with_value(search);
        let request = NewSpeechRequest { search, limit: Some(format!("{MOST};0")), callback: draft.callback() };
        let navigate = navigate.clone();
        test.clear();
        delivery.start(api.deliver(token, request), move |answer| {
            open.set(false);
            toasts.done(texts::being_delivered(answer.call_ids.len() as u64));
            navigate(&format!("/deliveries?speech_request_id={}", answer.speech_request_id), Default::default());
        });
    });
    let (is_delivering, is_testing) = (delivery.is_busy(), test.is_busy());
    let spinner =
        |busy: Signal<bool>| move || busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> });
    let note = move || {
        let total = found.with(|page| page.map(|page| page.total))?;
        let total = (total > MOST).then(|| texts::newest_delivered(count(MOST), count(total)));
        let nothing = (calls.get() == 0).then(|| texts::token_owns_none().to_owned());
        total.or(nothing)
    };
    view! {
        <div class="dialog-body">
            {move || tokens.error().map(|error| view! { <ErrorNotice error on_retry=load_tokens /> })}
            <NoTokenNotice
                missing=Signal::derive(move || tokens.with(|tokens| tokens.is_some()) && usable.with(Vec::is_empty))
                may_create=Signal::derive(move || session.is_admin())
            />
            <CallbackForm draft tokens=usable verdict url_faults template_faults />
            {move || found.error().map(|error| view! { <ErrorNotice error /> })}
            {move || delivery.refusal_beside(&SHOWN).map(|error| view! { <ErrorNotice error /> })}
            {move || test.refusal_beside(&SHOWN_OF_TEST).map(|error| view! { <ErrorNotice error /> })}
            {move || tested.get().map(|delivery| view! { <Tested delivery /> })}
        </div>
        <footer class="dialog-foot">
            <span class="start small secondary" aria-live="polite">{note}</span>
            <CancelButton open busy=Signal::derive(move || is_delivering.get() || is_testing.get()) />
            <WorkButton
                held=is_testing
                disabled=Signal::derive(move || !is_ready.get())
                test="deliver-test"
                on_press=send_test
            >
                {spinner(is_testing)}
                {texts::send_test()}
            </WorkButton>
            <WorkButton
                class="button button-primary"
                held=is_delivering
                disabled=Signal::derive(move || !is_ready.get() || calls.get() == 0)
                test="deliver-submit"
                on_press=deliver
            >
                {spinner(is_delivering)}
                <Icon glyph=Glyph::Send />
                {move || match calls.get() {
                    0 => texts::deliver().to_owned(),
                    calls => texts::deliver_calls(calls),
                }}
            </WorkButton>
        </footer>
    }
    .into_any()
}

/// Test delivery with its current state.
#[component]
fn Tested(delivery: Delivery) -> impl IntoView {
    let id = delivery.id;
    let (state, is_again) = (RwSignal::new(delivery.state), RwSignal::new(false));
    use_live().each(move |change| match change {
        Change::Delivery { delivery_id, state: now } if delivery_id == id => {
            // A delivery is queued again only after a failed attempt.
            is_again.update(|is_again| *is_again |= now == DeliveryState::Queued);
            state.set(now);
        }
        _ => {}
    });
    let text = move || match state.get() {
        DeliveryState::Queued | DeliveryState::Delivering if is_again.get() => texts::test_again(),
        DeliveryState::Queued | DeliveryState::Delivering => texts::test_under_way(),
        DeliveryState::Delivered => texts::test_taken(),
        DeliveryState::Failed | DeliveryState::Stopped => texts::test_lost(),
    };
    view! {
        <div class="notice tone-info" role="status" data-test="tested">
            <Icon glyph=Glyph::Send />
            <div class="notice-body">
                <strong>{texts::test_delivery(id)}</strong>
                // Opens in a new tab, so that the dialog keeps its input.
                <p>{text} <a href=format!("/deliveries/{id}") target="_blank">{texts::see_attempts()}</a></p>
            </div>
            {move || view! { <DeliveryBadge state=state.get() /> }}
        </div>
    }
}

/// Concatenates two lists of faults.
fn joined(a: Signal<Vec<Diagnostic>>, b: Signal<Vec<Diagnostic>>) -> Signal<Vec<Diagnostic>> {
    Signal::derive(move || [a.get(), b.get()].concat())
}

/// Converts the query to a request. Invalid dates were refused when the user searched.
fn search(query: &TranscriptQuery) -> TranscriptSearch {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    TranscriptSearch {
        phrase: None,
        words: given(&query.words),
        language: given(&query.language),
        from: time::parse(&query.from).ok(),
        till: time::parse(&query.till).ok(),
        campaign_id: query.campaign_id.parse().ok().map(CampaignId),
        lead_id: query.lead_id.parse().ok().map(LeadId),
        min_duration: query.min_duration.parse().ok(),
        max_duration: query.max_duration.parse().ok(),
    }
}
