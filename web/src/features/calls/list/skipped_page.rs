//! `/calls?skipped=mine`: calls that were skipped when the user sent them, with the current reason. Calls that would be
//! accepted now can be sent again.

use std::collections::BTreeMap;

use leadscribe_engine::api::{Call, CallId, CallOutcome, ChangeEvent, Page, TokenId};
use leptos::prelude::*;

use crate::api::{Api, ApiError, ApiResult, use_api, use_event_stream};
use crate::browser::focus::focus_after_render;
use crate::features::calls::outcome_table::{accepted_count, is_accepted};
use crate::features::calls::send::SendCalls;
use crate::features::calls::send_calls_form::SendCallsDraft;
use crate::features::calls::skipped::{Outcomes, SkippedCall, SkippedCalls, group_by_draft};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{call, calls as texts, common, problems};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::call_table::{CallLink, identifying_cells, identifying_headers};
use crate::ui::filter_editor::Names;
use crate::ui::input::{Button, IconButton};
use crate::ui::lead::lead_names::{LeadNames, lead_ids};
use crate::ui::{Badge, EmptyState, ErrorNotice, Glyph, LocalTime, PageHeader, Tone};

/// Expected result for each call, or the error of its submission.
type ExpectedOutcomes = BTreeMap<CallId, Result<CallOutcome, ApiError>>;

#[component]
pub fn SkippedCallsPage(skipped: SkippedCalls, names: Signal<Names>) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let (loaded_calls, leads) = (ApiResource::<Page<Call>>::new(), LeadNames::new(api));
    let listed_ids: Vec<_> = skipped.calls.get_untracked().into_iter().map(|skipped_call| skipped_call.id).collect();
    if !listed_ids.is_empty() {
        loaded_calls.load(async move { leads.load_with_names(api.calls_by_id(&listed_ids), lead_ids).await });
    }
    // The results that the calls would have if they were sent now.
    let expected_outcomes = ApiResource::<ExpectedOutcomes>::new();
    let sending = Mutation::new();
    let request_check = move || check(api, skipped.calls.get());
    let check_outcomes = Callback::new(move |()| expected_outcomes.load(untrack(request_check)));
    check_outcomes.run(());
    let recheck = Callback::new(move |()| {
        let calls = skipped.calls.get_untracked();
        expected_outcomes.load(async move {
            let total = calls.len() as u64;
            let rechecked = check(api, calls).await?;
            toasts.show_success(texts::checked(
                format_count(accepted_count(rechecked.values().flatten())),
                format_count(total),
            ));
            Ok(rechecked)
        });
    });
    let is_about_skipped = move |change: &ChangeEvent| matches!(change, ChangeEvent::Transcription { call_id, .. } if skipped.contains(*call_id));
    use_event_stream().reload_on(is_about_skipped, move || expected_outcomes.refresh(untrack(request_check)));

    let is_sendable = move |id: CallId| {
        expected_outcomes.with(|outcomes| outcomes?.get(&id)?.as_ref().ok().map(is_accepted)) == Some(true)
    };
    let ready = Memo::new(move |_| {
        skipped.calls.get().into_iter().filter(|skipped_call| is_sendable(skipped_call.id)).collect::<Vec<_>>()
    });
    let send = Callback::new(move |()| {
        let record = move |draft: &SendCallsDraft, outcomes: &Outcomes| skipped.record(draft, outcomes);
        sending.start(submit(api, ready.get_untracked(), false, record), move |send_outcomes| {
            let first_error = send_outcomes.values().find_map(|outcome| outcome.as_ref().err());
            match (accepted_count(send_outcomes.values().flatten()), first_error) {
                (0, Some(error)) => toasts.show_error(error),
                (count, _) => toasts.show_success(texts::sent(count)),
            }
            check_outcomes.run(());
        });
    });
    let offer_undo = move |message: String, removed: Vec<SkippedCall>| {
        toasts.show_undoable(message, move || {
            skipped.restore(removed.clone());
            toasts.show_success(common::undone());
            // The list may have been checked without these calls. The page may have been closed.
            check_outcomes.try_run(());
        });
    };
    let remove = move |id: CallId| {
        let calls = skipped.calls.get_untracked();
        let Some(index) = calls.iter().position(|call| call.id == id) else { return };
        skipped.remove(id);
        offer_undo(texts::removed_from_list(id), vec![calls[index].clone()]);
        // Moves the focus to the row that takes the place of the removed one, or to the last row.
        let remaining = skipped.calls.get_untracked();
        if let Some(next_call) = remaining.get(index).or(remaining.last()) {
            focus_after_render(remove_button_id(next_call.id));
        }
    };
    let clear = Callback::new(move |()| {
        let removed = skipped.calls.get_untracked();
        skipped.clear();
        offer_undo(texts::list_cleared().to_owned(), removed);
    });
    let row = move |skipped_call: SkippedCall| {
        let id = skipped_call.id;
        let reason_cell = move || {
            let reason_text = match expected_outcomes.with(|outcomes| outcomes?.get(&id).cloned()) {
                Some(Ok(CallOutcome::Accepted { .. })) => {
                    return view! { <Badge tone=Tone::Success text=texts::ready() /> }.into_any();
                }
                Some(Ok(CallOutcome::Skipped { reason, .. })) => problems::skip_reason_text(reason).to_owned(),
                Some(Err(send_error)) => send_error.advice(),
                None => problems::skip_reason_text(skipped_call.reason).to_owned(),
            };
            view! { <span data-test="skipped-error">{reason_text}</span> }.into_any()
        };
        let cells = move || {
            let call = loaded_calls.with(|page| page?.items.iter().find(|call| call.id == id).cloned());
            match call {
                Some(call) => identifying_cells(&call, names, Some(leads), false),
                None => unknown_call_cells(id),
            }
        };
        view! {
            <tr data-test="skipped-row" data-id=id.to_string()>
                {cells}
                <td data-label=common::reason()>{reason_cell}</td>
                <td data-label=texts::skipped_at()>
                    <LocalTime at=skipped_call.skipped_at relative=true />
                </td>
                <td class="fit">
                    <IconButton
                        glyph=Glyph::Close
                        id=remove_button_id(id)
                        label=texts::remove_from_list(id)
                        title=texts::remove_from_list(id)
                        test_id="skipped-remove"
                        on_press=move |()| remove(id)
                    />
                </td>
            </tr>
        }
    };
    let table = move || {
        view! {
            <div class="table-wrap" aria-busy=move || expected_outcomes.is_loading.get().to_string()>
                <table class="table">
                    <caption class="visually-hidden">{texts::skipped_calls()}</caption>
                    <thead>
                        <tr>
                            {identifying_headers(false, None)} <th scope="col">{common::reason()}</th>
                            <th scope="col">{texts::skipped_at()}</th>
                            <th scope="col" class="fit"></th>
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || skipped.calls.get() key=|skipped_call| (skipped_call.id, skipped_call.skipped_at) children=row />
                    </tbody>
                </table>
            </div>
        }
    };
    // True while the dialog for other settings is open. Calls that are too short need a lower minimum duration, for
    // example.
    let is_settings_dialog_open = RwSignal::new(false);
    let open_settings = Callback::new(move |()| is_settings_dialog_open.set(true));
    let listed_ids =
        Signal::derive(move || skipped.calls.get().into_iter().map(|skipped_call| skipped_call.id).collect());
    let on_sent = Callback::new(move |()| {
        skipped.reload();
        check_outcomes.run(());
    });
    let is_list_empty = move || skipped.calls.with(Vec::is_empty);
    let is_busy = sending.is_busy();
    let is_checking = move || expected_outcomes.is_loading.get() || is_busy.get();
    view! {
        <PageHeader title=texts::skipped_calls() back=("/calls", call::all_calls())>
            <Show when=move || !is_list_empty()>
                <Button label=texts::clear_list() is_blocked=is_busy test_id="skipped-clear" on_press=clear />
                <Button label=texts::check_again() is_blocked=is_checking test_id="skipped-check" on_press=recheck />
                <Button
                    label=texts::send_with_other_settings()
                    is_blocked=is_busy
                    test_id="skipped-send-options"
                    on_press=open_settings
                />
                <Button
                    class="button-primary"
                    glyph=Glyph::Send
                    label=move || match ready.with(Vec::len) {
                        0 => common::send_again().to_owned(),
                        count => texts::send_again(count as u64),
                    }
                    is_blocked=move || ready.with(Vec::is_empty) || is_busy.get()
                    test_id="skipped-send"
                    on_press=send
                />
            </Show>
        </PageHeader>
        <div class="stack">
            <p class="secondary">{texts::skipped_calls_hint()}</p>
            {move || {
                expected_outcomes.error.get().or(sending.error()).map(|error| view! { <ErrorNotice error on_retry=check_outcomes /> })
            }}
            <section class="table-card mobile-cards" aria-label=texts::skipped_calls()>
                <Show when=is_list_empty>
                    <EmptyState glyph=Glyph::Calls title=texts::no_skipped_calls() text=texts::no_skipped_calls_hint() />
                </Show>
                <Show when=move || !is_list_empty()>{table()}</Show>
            </section>
        </div>
        <SendCalls open=is_settings_dialog_open calls=listed_ids on_sent />
    }
}

/// Id of the button that removes a call from the list.
fn remove_button_id(id: CallId) -> String {
    format!("forget-{id}")
}

/// Cells of a call that isn't loaded yet or was deleted.
fn unknown_call_cells(id: CallId) -> AnyView {
    view! {
        <td class="lead-cell nowrap">
            <CallLink id />
        </td>
        <td data-label=texts::numbers()>"–"</td>
        <td data-label=common::lead()>"–"</td>
        <td data-label=common::campaign()>"–"</td>
    }
    .into_any()
}

/// Checks what would happen if the calls were sent now.
async fn check(api: Api, calls: Vec<SkippedCall>) -> ApiResult<ExpectedOutcomes> {
    submit(api, calls, true, |_, _| {}).await
}

/// Sends the calls, each with the settings of its last submission. `on_response` receives the result of each request.
async fn submit(
    api: Api,
    calls: Vec<SkippedCall>,
    dry_run: bool,
    on_response: impl Fn(&SendCallsDraft, &Outcomes),
) -> ApiResult<ExpectedOutcomes> {
    let mut outcomes = ExpectedOutcomes::new();
    for (draft, ids) in group_by_draft(&calls) {
        // The stored settings always contain a token.
        let Ok(token) = draft.token.parse().map(TokenId) else { continue };
        match api.submit_calls(token, draft.body(&ids), dry_run).await {
            Ok(response) => {
                on_response(&draft, &response.results.calls);
                outcomes.extend(response.results.calls.into_iter().map(|(id, outcome)| (id, Ok(outcome))));
            }
            Err(error) if concerns_one_submission(&error) => {
                outcomes.extend(ids.into_iter().map(|id| (id, Err(error.clone()))))
            }
            Err(error) => return Err(error),
        }
    }
    Ok(outcomes)
}

/// True if the error concerns only this submission, such as a revoked token. The other submissions are still sent.
fn concerns_one_submission(error: &ApiError) -> bool {
    matches!(error, ApiError::Problem(_)) && !error.is_retryable()
}
