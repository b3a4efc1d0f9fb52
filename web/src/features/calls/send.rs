//! Dialog that sends the selected calls to speech recognition: form, check, result.

use leadscribe_engine::api::{Call, CallId, Page, RecognizerStatus, SubmissionResponse, TokenId};
use leadscribe_engine::submission::{self, SubmissionRules, TokenRule};
use leptos::prelude::*;

use crate::api::{use_api, use_session};
use crate::browser::focus::{focus_after_render, focus_dialog_after_render};
use crate::features::calls::outcome_table::{OutcomeTable, accepted_count};
use crate::features::calls::send_calls_form::{
    FIELD_POINTERS, SendCallsDraft, SendCallsForm, load_last_settings, store_last_settings,
};
use crate::features::calls::skipped::use_skipped_calls;
use crate::i18n::diagnostics_at;
use crate::i18n::texts::{calls as texts, common};
use crate::state::{ApiResource, Mutation};
use crate::ui::dialog::{CancelButton, Dialog, DialogState, Dismissal};
use crate::ui::input::{Button, FieldDiagnostics};
use crate::ui::lazy_view::lazy_view;
use crate::ui::lead::lead_names::{LeadNames, lead_ids};
use crate::ui::{CodeKind, ErrorNotice, Glyph, Icon, NoTokenNotice, RecognizerNotice, UsableTokens};

const DONE_BUTTON_ID: &str = "send-dialog-close";

#[component]
pub fn SendCalls(
    open: RwSignal<bool>,
    #[prop(into)] calls: Signal<Vec<CallId>>,
    /// State of speech recognition, to warn if calls can't be transcribed.
    #[prop(optional, into)]
    recognizer: Signal<Option<RecognizerStatus>>,
    /// Called when calls were sent, to reload lists.
    on_sent: Callback<()>,
) -> impl IntoView {
    let is_sent = RwSignal::new(false);
    let title = Memo::new(move |_| match is_sent.get() {
        true => texts::sent_to_recognition().to_owned(),
        false => texts::send_calls(calls.with(Vec::len) as u64),
    });
    view! {
        <Dialog open title wide=true dismissal=Dismissal::ConfirmIfFilled test_id="send-dialog">
            {move || send_calls_form(SendFormProps { open, calls, recognizer, is_sent, on_sent })}
        </Dialog>
    }
}

lazy_view!(dialogs: pub fn send_calls_form(SendFormProps) = SendForm);

/// Content of the dialog.
#[component]
pub fn SendForm(
    open: RwSignal<bool>,
    calls: Signal<Vec<CallId>>,
    recognizer: Signal<Option<RecognizerStatus>>,
    /// True once the calls were sent.
    is_sent: RwSignal<bool>,
    on_sent: Callback<()>,
) -> impl IntoView {
    is_sent.set(false);
    let api = use_api();
    let (session, skipped) = (use_session(), use_skipped_calls());
    let contents = expect_context::<DialogState>();
    let (tokens, languages) = (ApiResource::new(), ApiResource::<Vec<String>>::new());
    let (loaded_calls, leads) = (ApiResource::<Page<Call>>::new(), LeadNames::new(api));
    let load = Callback::new(move |()| {
        tokens.load(api.speech_tokens());
        languages.load(api.languages());
    });
    load.run(());
    focus_dialog_after_render();
    // Calls selected when the dialog opened. Sending clears the selection.
    let calls = StoredValue::new(calls.get_untracked());
    loaded_calls.load(async move { leads.load_with_names(api.calls_by_id(&calls.get_value()), lead_ids).await });
    let loaded_calls = Signal::derive(move || loaded_calls.get().map(|page| page.items).unwrap_or_default());
    let user = untrack(|| session.user()).map(|user| user.id).unwrap_or_default();
    let defaults = load_last_settings(user);
    let uses_last_settings = RwSignal::new(defaults.is_some());
    let draft = RwSignal::new(defaults.unwrap_or_default());
    let is_edited = RwSignal::new(false);
    let mutation = Mutation::new();
    let submission_result = RwSignal::new(None::<(SubmissionResponse, bool)>);

    let body = Memo::new(move |_| draft.with(|draft| calls.with_value(|calls| draft.body(calls))));
    let diagnostics = Memo::new(move |_| {
        languages.with(|languages| {
            let rules = SubmissionRules {
                token: TokenRule::Absent,
                languages: languages.map(Vec::as_slice),
                callback_url: None,
            };
            body.with(|body| submission::parse(body, &rules).err().unwrap_or_default())
        })
    });
    // An untouched form shows no diagnostics. The server is asked only if the engine finds none.
    let shown_diagnostics = Signal::derive(move || match (diagnostics.get(), mutation.error()) {
        (diagnostics, _) if is_edited.get() && !diagnostics.is_empty() => diagnostics,
        (_, server_error) => server_error.map(|error| error.diagnostics()).unwrap_or_default(),
    });
    let call_diagnostics =
        Signal::derive(move || diagnostics.with(|diagnostics| diagnostics_at(diagnostics, "/call_ids")));
    let is_incomplete =
        Signal::derive(move || !diagnostics.with(Vec::is_empty) || draft.with(|draft| draft.token.is_empty()));
    Effect::new(move |previous: Option<SendCallsDraft>| {
        let current = draft.get();
        if let Some(previous) = previous.filter(|previous| *previous != current) {
            // Choosing a token doesn't count as an edit.
            let has_other_change = SendCallsDraft { token: current.token.clone(), ..previous } != current;
            let is_default = SendCallsDraft { token: current.token.clone(), ..SendCallsDraft::default() } == current;
            is_edited.update(|is_edited| *is_edited = !is_default && (*is_edited || has_other_change));
            // The check no longer applies to the edited form.
            submission_result.set(None);
            mutation.clear_error();
        }
        current
    });

    let usable_tokens = UsableTokens::new(tokens);
    // A single token is selected automatically. The token of the last submission may have been revoked.
    Effect::new(move |_| {
        if usable_tokens.are_loaded() {
            let token = usable_tokens.preselect(&draft.with_untracked(|draft| draft.token.clone()));
            draft.update(|draft| draft.token = token);
        }
    });
    // The creation dates don't come from the last submission, so they are kept.
    let reset_settings = move |_| {
        uses_last_settings.set(false);
        let token = untrack(|| usable_tokens.preselect(""));
        draft.update(|draft| {
            let (from, till) = (std::mem::take(&mut draft.from), std::mem::take(&mut draft.till));
            *draft = SendCallsDraft { token, from, till, ..SendCallsDraft::default() };
        });
        focus_dialog_after_render();
    };
    let language_choices =
        Signal::derive(move || CodeKind::Language.sorted_choices(languages.get().unwrap_or_default()));
    let submit = move |dry_run: bool| {
        let Ok(token) = draft.with_untracked(|draft| draft.token.parse()) else { return };
        mutation.start(api.submit_calls(TokenId(token), body.get_untracked(), dry_run), move |response| {
            is_sent.set(!dry_run);
            if !dry_run {
                skipped.record(&draft.get_untracked(), &response.results.calls);
                draft.with_untracked(|draft| store_last_settings(user, draft));
                contents.clear_filled();
                on_sent.run(());
                focus_after_render(DONE_BUTTON_ID.to_owned());
            }
            submission_result.set(Some((response, dry_run)));
        });
    };
    let check = Callback::new(move |()| submit(true));
    // Number of calls that can be accepted according to the check.
    let ready_calls = Memo::new(move |_| {
        let result = submission_result.get();
        result.map_or(0, |(response, _)| accepted_count(response.results.calls.values()))
    });
    let is_checked = Memo::new(move |_| submission_result.with(Option::is_some));
    view! {
        <div class="dialog-body">
            {move || {
                tokens.error.get().or(languages.error.get()).map(|error| view! { <ErrorNotice error on_retry=load /> })
            }}
            <RecognizerNotice status=recognizer />
            <Show when=move || !is_sent.get()>
                <Show when=move || uses_last_settings.get()>
                    <div class="notice tone-info" data-test="send-defaults-notice">
                        <Icon glyph=Glyph::Info />
                        <div class="notice-body">
                            <p>{texts::same_settings_as_last_time()}</p>
                        </div>
                        <button type="button" class="button button-small" data-test="send-reset" on:click=reset_settings>
                            {common::reset()}
                        </button>
                    </div>
                </Show>
                <NoTokenNotice tokens=usable_tokens />
                <FieldDiagnostics diagnostics=call_diagnostics />
                <SendCallsForm draft tokens=usable_tokens languages=language_choices diagnostics=shown_diagnostics />
                <details class="body-preview">
                    <summary>{common::api_request()}</summary>
                    <pre tabindex="0" data-test="send-body">
                        {body}
                    </pre>
                </details>
            </Show>
            {move || mutation.form_error(&FIELD_POINTERS).map(|error| view! { <ErrorNotice error /> })}
            {move || submission_result.get().map(|(response, dry_run)| view! { <OutcomeTable response dry_run loaded_calls leads /> })}
        </div>
        <footer class="dialog-footer">
            <Show when=move || is_sent.get()>
                <button id=DONE_BUTTON_ID type="button" class="button button-primary" on:click=move |_| open.set(false)>
                    {common::done()}
                </button>
            </Show>
            <Show when=move || !is_sent.get()>
                <p class="small secondary footer-start" aria-live="polite">
                    {move || is_incomplete.get().then(|| draft.with(missing_input_hint))}
                </p>
                <CancelButton open busy=mutation.is_busy() />
                <Button
                    label=move || if is_checked.get() { texts::check_again() } else { texts::check_first() }
                    is_blocked=mutation.is_busy()
                    disabled=is_incomplete
                    test_id="send-check"
                    on_press=check
                />
                <Button
                    class="button-primary"
                    glyph=Glyph::Send
                    label=move || match ready_calls.get() {
                        0 => common::send().to_owned(),
                        count => common::send_calls(count),
                    }
                    is_blocked=mutation.is_busy()
                    disabled=is_incomplete
                    test_id="send-submit"
                    on_press=move |()| submit(false)
                />
            </Show>
        </footer>
    }
}

/// Reason why nothing can be sent: a missing choice, or a diagnostic above.
fn missing_input_hint(draft: &SendCallsDraft) -> &'static str {
    match (draft.token.is_empty(), draft.languages.is_empty()) {
        (true, true) => texts::token_and_language_first(),
        (true, false) => texts::token_first(),
        (false, true) => texts::language_first(),
        (false, false) => common::fix_highlighted_fields(),
    }
}
