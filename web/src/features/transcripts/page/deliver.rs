//! Dialog that delivers search results to a callback: form, preview, test and request.

use leadscribe_engine::api::{
    CampaignId, ChangeEvent, Delivery, DeliveryState, LeadId, NewSpeechRequest, Page, TokenId, TranscriptHit,
    TranscriptSearch, TranscriptionState,
};
use leadscribe_engine::callback::Template;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::time;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::{TranscriptQuery, use_api, use_event_stream};
use crate::browser::focus;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, transcripts as texts};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::callback_form::{CallbackDraft, CallbackForm};
use crate::ui::dialog::{CancelButton, Dialog, Dismissal};
use crate::ui::input::Button;
use crate::ui::lazy_view::lazy_view;
use crate::ui::{ErrorNotice, Glyph, Icon, NoTokenNotice, StateBadge, UsableTokens};

/// Maximum number of calls per request. Every server accepts this many.
const MAX_CALLS: u64 = 1_000;

/// JSON Pointers of a delivery request whose diagnostics are shown at their inputs.
const REQUEST_FIELD_POINTERS: [&str; 2] = ["/callback/callback_url", "/callback/callback_data"];

/// JSON Pointers of a test delivery whose diagnostics are shown at their inputs.
const TEST_FIELD_POINTERS: [&str; 2] = ["/callback_url", "/callback_data"];

#[component]
pub fn DeliverDialog(open: RwSignal<bool>, list_query: Memo<TranscriptQuery>) -> impl IntoView {
    view! {
        <Dialog open title=texts::deliver_title() wide=true dismissal=Dismissal::ConfirmIfFilled test_id="deliver-dialog">
            {move || deliver_form(DeliverFormProps { open, list_query: list_query.get_untracked() })}
        </Dialog>
    }
}

lazy_view!(dialogs: pub fn deliver_form(DeliverFormProps) = DeliverForm);

/// Content of the dialog.
#[component]
pub fn DeliverForm(open: RwSignal<bool>, list_query: TranscriptQuery) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let (tokens, load_tokens) = ApiResource::loaded(move || api.speech_tokens());
    focus::focus_dialog_after_render();
    let usable_tokens = UsableTokens::new(tokens);
    let draft = CallbackDraft::new(list_query.token_id.clone());
    let list_query = StoredValue::new(list_query);
    // A single token is selected automatically.
    Effect::new(move |_| {
        let only = usable_tokens.preselect("");
        if !only.is_empty() && draft.token.with_untracked(String::is_empty) {
            draft.token.set(only);
        }
    });
    let matching_calls = ApiResource::<Page<TranscriptHit>>::new();
    let query = move |token_id| TranscriptQuery { token_id, limit: "1;0".to_owned(), ..list_query.get_value() };
    Effect::new(move |_| {
        let token_id = draft.token.get();
        if !token_id.is_empty() {
            matching_calls.load(api.page(query(token_id)));
        }
    });
    // Transcripts that are completed while the dialog is open are counted and delivered too.
    let is_completion = |change: &ChangeEvent| {
        matches!(change, ChangeEvent::Transcription { state: TranscriptionState::Completed, .. })
    };
    use_event_stream().reload_on(is_completion, move || {
        let token_id = draft.token.get_untracked();
        if !token_id.is_empty() {
            matching_calls.refresh(api.page(query(token_id)));
        }
    });
    let calls = Signal::derive(move || matching_calls.with(|page| page.map_or(0, |page| page.total.min(MAX_CALLS))));

    let check_result = Memo::new(move |_| draft.template.with(|text| Template::parse_standalone(text)));
    let (delivery, test) = (Mutation::new(), Mutation::new());
    let test_result = RwSignal::new(None::<Delivery>);
    let url_diagnostics = concat_diagnostics(
        delivery.diagnostics_at(REQUEST_FIELD_POINTERS[0]),
        test.diagnostics_at(TEST_FIELD_POINTERS[0]),
    );
    let template_diagnostics = concat_diagnostics(
        delivery.diagnostics_at(REQUEST_FIELD_POINTERS[1]),
        test.diagnostics_at(TEST_FIELD_POINTERS[1]),
    );
    Effect::new(move |_| {
        draft.url.track();
        draft.method.track();
        draft.template.track();
        draft.token.track();
        // Errors and the result of a test don't apply to the edited request.
        delivery.clear_error();
        test.clear_error();
        test_result.set(None);
    });
    let is_ready = Memo::new(move |_| {
        let is_filled = !draft.token.with(String::is_empty) && draft.url.with(|url| !url.trim().is_empty());
        is_filled && check_result.with(Result::is_ok)
    });
    let token = move || draft.token.with_untracked(|token| token.parse().ok().map(TokenId));
    let send_test = Callback::new(move |()| {
        let Some(token) = token() else { return };
        test_result.set(None);
        delivery.clear_error();
        test.start(api.test_delivery(token, draft.callback()), move |delivery| test_result.set(Some(delivery)));
    });
    let navigate = use_navigate();
    let deliver = Callback::new(move |()| {
        let Some(token) = token() else { return };
        let search = list_query.with_value(to_search_request);
        let request =
            NewSpeechRequest { transcripts: search, limit: Some(format!("{MAX_CALLS};0")), callback: draft.callback() };
        let navigate = navigate.clone();
        test.clear_error();
        delivery.start(api.deliver(token, request), move |response| {
            open.set(false);
            toasts.show_success(texts::sending_calls(response.call_ids.len() as u64));
            navigate(&format!("/deliveries?speech_request_id={}", response.speech_request_id), Default::default());
        });
    });
    let (is_delivering, is_testing) = (delivery.is_busy(), test.is_busy());
    let note = move || {
        let total = matching_calls.with(|page| page.map(|page| page.total))?;
        let total = (total > MAX_CALLS).then(|| texts::newest_limit_note(format_count(MAX_CALLS), format_count(total)));
        let no_calls_note = (calls.get() == 0).then(|| texts::token_has_no_calls().to_owned());
        total.or(no_calls_note)
    };
    view! {
        <div class="dialog-body">
            {move || tokens.error.get().map(|error| view! { <ErrorNotice error on_retry=load_tokens /> })}
            <NoTokenNotice tokens=usable_tokens />
            <CallbackForm draft tokens=usable_tokens check_result url_diagnostics template_diagnostics />
            {move || matching_calls.error.get().map(|error| view! { <ErrorNotice error /> })}
            {move || delivery.form_error(&REQUEST_FIELD_POINTERS).map(|error| view! { <ErrorNotice error /> })}
            {move || test.form_error(&TEST_FIELD_POINTERS).map(|error| view! { <ErrorNotice error /> })}
            {move || test_result.get().map(|delivery| view! { <TestDeliveryNotice delivery /> })}
        </div>
        <footer class="dialog-footer">
            <span class="footer-start small secondary" aria-live="polite">{note}</span>
            <CancelButton open busy=Signal::derive(move || is_delivering.get() || is_testing.get()) />
            <Button
                label=texts::send_test()
                is_busy=is_testing
                disabled=move || !is_ready.get()
                test_id="deliver-test"
                on_press=send_test
            />
            <Button
                class="button-primary"
                glyph=Glyph::Send
                label=move || match calls.get() {
                    0 => common::send().to_owned(),
                    calls => common::send_calls(calls),
                }
                is_busy=is_delivering
                disabled=move || !is_ready.get() || calls.get() == 0
                test_id="deliver-submit"
                on_press=deliver
            />
        </footer>
    }
}

/// Test delivery with its current state.
#[component]
fn TestDeliveryNotice(delivery: Delivery) -> impl IntoView {
    let id = delivery.id;
    let (state, is_retrying) = (RwSignal::new(delivery.state), RwSignal::new(false));
    use_event_stream().on_change(move |change| match change {
        ChangeEvent::Delivery { delivery_id, state: now } if delivery_id == id => {
            // A delivery is queued again only after a failed attempt.
            is_retrying.update(|is_retrying| *is_retrying |= now == DeliveryState::Queued);
            state.set(now);
        }
        _ => {}
    });
    let text = move || match state.get() {
        DeliveryState::Queued | DeliveryState::Delivering if is_retrying.get() => texts::test_retrying(),
        DeliveryState::Waiting | DeliveryState::Queued | DeliveryState::Delivering => texts::test_in_progress(),
        DeliveryState::Delivered => texts::test_delivered(),
        DeliveryState::Failed | DeliveryState::Stopped => texts::test_failed(),
    };
    view! {
        <div class="notice tone-info" role="status" data-test="test-result">
            <Icon glyph=Glyph::Send />
            <div class="notice-body">
                <strong>{texts::test_delivery(id)}</strong>
                // Opens in a new tab, so that the dialog keeps its input.
                <p>{text} <a href=format!("/deliveries/{id}") target="_blank">{texts::view_attempts()}</a></p>
            </div>
            {move || view! { <StateBadge state=state.get() /> }}
        </div>
    }
}

/// Concatenates two lists of diagnostics.
fn concat_diagnostics(a: Signal<Vec<Diagnostic>>, b: Signal<Vec<Diagnostic>>) -> Signal<Vec<Diagnostic>> {
    Signal::derive(move || [a.get(), b.get()].concat())
}

/// Converts the query to a request. Invalid dates were rejected when the user searched.
fn to_search_request(query: &TranscriptQuery) -> TranscriptSearch {
    let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    TranscriptSearch {
        phrase: None,
        search: non_empty(&query.search),
        language: non_empty(&query.language),
        from: time::parse(&query.from).ok(),
        till: time::parse(&query.till).ok(),
        campaign_id: query.campaign_id.parse().ok().map(CampaignId),
        lead_id: query.lead_id.parse().ok().map(LeadId),
        min_duration: query.min_duration.parse().ok(),
        max_duration: query.max_duration.parse().ok(),
    }
}
