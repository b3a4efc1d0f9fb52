//! Dialog that sends the selected calls to speech recognition: form, check, result.

use leadscribe_engine::api::{Call, CallId, Page, RecognizerStatus, SpeechToken, SubmissionResponse, TokenId};
use leadscribe_engine::submission::{self, Rules, TokenRule};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::call::no_token::NoTokenNotice;
use crate::components::call::outcome_table::{OutcomeTable, accepted};
use crate::components::call::send_form::{self, SendDraft, SendForm};
use crate::components::dialog::{CancelButton, Contents, Dialog, Dismissal};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::components::input::work_button::WorkButton;
use crate::components::transcript::recognizer_notice::RecognizerNotice;
use crate::display_names::Named;
use crate::faults::faults_at;
use crate::focus::{self, focus_soon};
use crate::last_draft;
use crate::lead_names::{LeadNames, leads_of};
use crate::parts;
use crate::remote::Remote;
use crate::session::use_session;
use crate::skipped::use_skipped;
use crate::texts::calls as texts;

const DONE: &str = "send-done";

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
        <Dialog open title wide=true dismissal=Dismissal::AsksIfFilled test="send-dialog">
            {move || parts::sending(Sending { open, calls, recognizer, is_sent, on_sent })}
        </Dialog>
    }
}

/// Properties of the dialog.
#[derive(Clone, Copy)]
pub struct Sending {
    open: RwSignal<bool>,
    calls: Signal<Vec<CallId>>,
    recognizer: Signal<Option<RecognizerStatus>>,
    /// True once the calls were sent.
    is_sent: RwSignal<bool>,
    on_sent: Callback<()>,
}

/// Content of the dialog.
pub fn send_body(Sending { open, calls, recognizer, is_sent, on_sent }: Sending) -> AnyView {
    is_sent.set(false);
    let api = use_api();
    let (session, skipped) = (use_session(), use_skipped());
    let contents = expect_context::<Contents>();
    let (tokens, languages) = (Remote::new(), Remote::<Vec<String>>::new());
    let (known, leads) = (Remote::<Page<Call>>::new(), LeadNames::new(api));
    let load = Callback::new(move |()| {
        tokens.load(api.speech_tokens());
        languages.load(api.languages());
    });
    load.run(());
    focus::into_dialog_soon();
    // Calls selected when the dialog opened. Sending clears the selection.
    let calls = StoredValue::new(calls.get_untracked());
    known.load(async move { leads.beside(api.calls_of(&calls.get_value()), leads_of).await });
    let known = Signal::derive(move || known.get().map(|page| page.items).unwrap_or_default());
    let user = untrack(|| session.user()).map(|user| user.id).unwrap_or_default();
    let last = last_draft::read(user);
    let is_as_last = RwSignal::new(last.is_some());
    let draft = RwSignal::new(last.unwrap_or_default());
    let touched = RwSignal::new(false);
    let attempt = Attempt::new();
    let outcome = RwSignal::new(None::<(SubmissionResponse, bool)>);

    let body = Memo::new(move |_| draft.with(|draft| calls.with_value(|calls| draft.body(calls))));
    let faults = Memo::new(move |_| {
        languages.with(|known| {
            let rules = Rules { token: TokenRule::Absent, languages: known.map(Vec::as_slice) };
            body.with(|body| submission::read(body, &rules).err().unwrap_or_default())
        })
    });
    // An untouched form shows no faults. The server is asked only if the engine finds none.
    let shown_faults = Signal::derive(move || match (faults.get(), attempt.refusal()) {
        (faults, _) if touched.get() && !faults.is_empty() => faults,
        (_, refusal) => refusal.map(|error| error.faults().to_vec()).unwrap_or_default(),
    });
    let call_faults = Signal::derive(move || faults.with(|faults| faults_at(faults, "/call_ids")));
    let is_unready = Signal::derive(move || !faults.with(Vec::is_empty) || draft.with(|draft| draft.token.is_empty()));
    Effect::new(move |before: Option<SendDraft>| {
        let now = draft.get();
        if let Some(before) = before.filter(|before| *before != now) {
            // Choosing a token doesn't count as an edit.
            let is_other = SendDraft { token: now.token.clone(), ..before } != now;
            let is_fresh = SendDraft { token: now.token.clone(), ..SendDraft::default() } == now;
            touched.update(|touched| *touched = !is_fresh && (*touched || is_other));
            // The check no longer applies to the edited form.
            outcome.set(None);
            attempt.clear();
        }
        now
    });

    let usable_tokens = Signal::derive(move || {
        let all: Vec<SpeechToken> = tokens.get().unwrap_or_default();
        all.into_iter().filter(|token| token.revoked_at.is_none()).collect::<Vec<_>>()
    });
    // A single token is selected automatically. The token of the last send may have been revoked.
    let token_for = |usable: Vec<SpeechToken>, wanted: &str| {
        let is_only = usable.len() == 1;
        let mut ids = usable.into_iter().map(|token| token.id.to_string());
        ids.find(|id| is_only || id == wanted).unwrap_or_default()
    };
    Effect::new(move |_| {
        let usable = usable_tokens.get();
        if tokens.with(|page| page.is_some()) {
            draft.update(|draft| draft.token = token_for(usable, &draft.token));
        }
    });
    // The creation dates don't come from the last send, so they are kept.
    let start_afresh = move |_| {
        is_as_last.set(false);
        let usable = usable_tokens.get_untracked();
        draft.update(|draft| {
            let (from, till) = (std::mem::take(&mut draft.from), std::mem::take(&mut draft.till));
            *draft = SendDraft { token: token_for(usable, ""), from, till, ..SendDraft::default() };
        });
        focus::into_dialog_soon();
    };
    let named_languages = Signal::derive(move || Named::Language.listed(languages.get().unwrap_or_default()));
    let submit = move |dry_run: bool| {
        let Ok(token) = draft.with_untracked(|draft| draft.token.parse()) else { return };
        attempt.start(api.submit(TokenId(token), body.get_untracked(), dry_run), move |answer| {
            if !dry_run {
                skipped.record(&draft.get_untracked(), &answer.results.calls);
                draft.with_untracked(|draft| last_draft::keep(user, draft));
                contents.forget();
                on_sent.run(());
                focus_soon(DONE.to_owned());
            }
            outcome.set(Some((answer, dry_run)));
        });
    };
    // Number of calls that can be accepted according to the check.
    let ready_calls = Memo::new(move |_| {
        outcome.with(|outcome| outcome.as_ref().map_or(0, |(answer, _)| accepted(&answer.results.calls)))
    });
    let is_checked = Memo::new(move |_| outcome.with(Option::is_some));
    Effect::new(move |_| is_sent.set(outcome.with(|outcome| outcome.as_ref().is_some_and(|(_, dry_run)| !dry_run))));
    view! {
        <div class="dialog-body">
            {move || {
                tokens.error().or(languages.error()).map(|error| view! { <ErrorNotice error on_retry=load /> })
            }}
            <RecognizerNotice status=recognizer />
            <Show when=move || !is_sent.get()>
                <Show when=move || is_as_last.get()>
                    <div class="notice tone-info" data-test="send-as-last">
                        <Icon glyph=Glyph::Info />
                        <div class="notice-body">
                            <p>{texts::as_last_time()}</p>
                        </div>
                        <button type="button" class="button button-small" data-test="send-afresh" on:click=start_afresh>
                            {texts::start_afresh()}
                        </button>
                    </div>
                </Show>
                <NoTokenNotice
                    missing=Signal::derive(move || tokens.with(|page| page.is_some()) && usable_tokens.with(Vec::is_empty))
                    may_create=Signal::derive(move || session.is_admin())
                />
                <FieldFaults faults=call_faults />
                <SendForm draft tokens=usable_tokens languages=named_languages faults=shown_faults />
                <details class="body-preview">
                    <summary>{texts::request_body()}</summary>
                    <pre tabindex="0" data-test="send-body">
                        {body}
                    </pre>
                </details>
            </Show>
            {move || attempt.refusal_beside(&send_form::SHOWN).map(|error| view! { <ErrorNotice error /> })}
            {move || outcome.get().map(|(answer, dry_run)| view! { <OutcomeTable answer dry_run known leads /> })}
        </div>
        <footer class="dialog-foot">
            <Show
                when=move || !is_sent.get()
                fallback=move || {
                    view! {
                        <button id=DONE type="button" class="button button-primary" on:click=move |_| open.set(false)>
                            {texts::done()}
                        </button>
                    }
                }
            >
                <p class="small secondary start" aria-live="polite">
                    {move || is_unready.get().then(|| draft.with(missing))}
                </p>
                <CancelButton open busy=attempt.is_busy() />
                <WorkButton
                    held=attempt.is_busy()
                    disabled=is_unready
                    test="send-check"
                    on_press=Callback::new(move |()| submit(true))
                >
                    {move || match is_checked.get() {
                        true => texts::check_again(),
                        false => texts::check_first(),
                    }}
                </WorkButton>
                <WorkButton
                    class="button button-primary"
                    held=attempt.is_busy()
                    disabled=is_unready
                    test="send-submit"
                    on_press=Callback::new(move |()| submit(false))
                >
                    <Icon glyph=Glyph::Send />
                    {move || match ready_calls.get() {
                        0 => texts::send().to_owned(),
                        count => texts::send_some(count),
                    }}
                </WorkButton>
            </Show>
        </footer>
    }
    .into_any()
}

/// Reason why nothing can be sent: a missing choice, or a fault above.
fn missing(draft: &SendDraft) -> &'static str {
    match (draft.token.is_empty(), draft.languages.is_empty()) {
        (true, true) => texts::token_and_language_first(),
        (true, false) => texts::token_first(),
        (false, true) => texts::language_first(),
        (false, false) => texts::mend_first(),
    }
}
