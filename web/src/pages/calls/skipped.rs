//! `/calls?skipped=mine`: calls that a send skipped, with the current reason. Calls that can be accepted now can be sent again.

use std::collections::BTreeMap;

use leadscribe_engine::api::{Call, CallId, CallOutcome, Change, Page, TokenId};
use leptos::prelude::*;

use crate::api::{Answer, Api, ApiError, use_api};
use crate::attempt::Attempt;
use crate::components::badge::{Badge, Tone};
use crate::components::call::send_form::SendDraft;
use crate::components::call::table::{CallLink, known_by, known_heads};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::work_button::WorkButton;
use crate::components::moment::Moment;
use crate::components::shell::page_head::PageHead;
use crate::components::shell::toast::use_toasts;
use crate::focus::focus_soon;
use crate::lead_names::{LeadNames, leads_of};
use crate::live::use_live;
use crate::pages::send_calls::SendCalls;
use crate::remote::Remote;
use crate::skipped::{Outcomes, SkippedCall, SkippedCalls, groups};
use crate::texts::{call, calls as texts, common, refusals};
use crate::when::count;

/// Expected result for each call, or the error of its send.
type Verdicts = BTreeMap<CallId, Result<CallOutcome, ApiError>>;

#[component]
pub fn SkippedPage(skipped: SkippedCalls, names: Signal<Names>) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let (known, leads) = (Remote::<Page<Call>>::new(), LeadNames::new(api));
    let listed: Vec<_> = untrack(|| skipped.get()).into_iter().map(|one| one.id).collect();
    if !listed.is_empty() {
        known.load(async move { leads.beside(api.calls_of(&listed), leads_of).await });
    }
    // Results if the calls were sent now.
    let verdicts = Remote::<Verdicts>::new();
    let sending = Attempt::new();
    let ask = move || check(api, skipped.get());
    let look = Callback::new(move |()| verdicts.load(untrack(ask)));
    look.run(());
    let look_again = Callback::new(move |()| {
        let calls = skipped.get_untracked();
        verdicts.load(async move {
            let all = calls.len() as u64;
            let found = check(api, calls).await?;
            toasts.done(texts::checked(count(accepted(&found)), count(all)));
            Ok(found)
        });
    });
    let matters =
        move |change: &Change| matches!(change, Change::Transcription { call_id, .. } if skipped.has(*call_id));
    use_live().reload(matters, move || verdicts.refresh(untrack(ask)));

    let can_be_sent = move |id: CallId| verdicts.with(|verdicts| verdicts?.get(&id).map(is_taken)) == Some(true);
    let ready = Memo::new(move |_| skipped.get().into_iter().filter(|one| can_be_sent(one.id)).collect::<Vec<_>>());
    let send = Callback::new(move |()| {
        let record = move |draft: &SendDraft, outcomes: &Outcomes| skipped.record(draft, outcomes);
        sending.start(submit(api, ready.get_untracked(), false, record), move |sent| {
            match (accepted(&sent), refused(&sent)) {
                (0, Some(error)) => toasts.failed(error),
                (count, _) => toasts.done(texts::sent(count)),
            }
            look.run(());
        });
    });
    let offer_back = move |said: String, forgotten: Vec<SkippedCall>| {
        toasts.undoable(said, move || {
            skipped.restore(forgotten.clone());
            toasts.done(common::as_before());
            // The list may have been checked without these calls. The page may have been closed.
            look.try_run(());
        });
    };
    let forget = move |id: CallId| {
        let Some((place, one)) = skipped.get_untracked().into_iter().enumerate().find(|(_, one)| one.id == id) else {
            return;
        };
        skipped.forget(id);
        offer_back(texts::forgotten(id), vec![one]);
        // Moves the focus to the row that takes the place of the removed one, or to the last row.
        let left = skipped.get_untracked();
        if let Some(next) = left.get(place).or(left.last()) {
            focus_soon(forget_id(next.id));
        }
    };
    let clear = Callback::new(move |()| {
        let forgotten = skipped.get_untracked();
        skipped.clear();
        offer_back(texts::list_cleared().to_owned(), forgotten);
    });
    let row = move |one: SkippedCall| {
        let id = one.id;
        let verdict = move || {
            let now = verdicts.with(|verdicts| verdicts.and_then(|all| all.get(&id)).cloned());
            let why = match now {
                Some(Ok(CallOutcome::Accepted { .. })) => {
                    return view! { <Badge tone=Tone::Success text=texts::can_be_sent() /> }.into_any();
                }
                Some(Ok(CallOutcome::Skipped { reason, .. })) => refusals::skipped(reason).to_owned(),
                Some(Err(refused)) => refused.advice(),
                None => refusals::skipped(one.reason).to_owned(),
            };
            view! { <span data-test="skipped-why">{why}</span> }.into_any()
        };
        let cells = move || {
            let call = known.with(|page| page?.items.iter().find(|call| call.id == id).cloned());
            match call {
                Some(call) => known_by(&call, names, Some(leads), false),
                None => unknown(id),
            }
        };
        view! {
            <tr data-test="skipped-row" data-id=id.to_string()>
                {cells}
                <td data-label=texts::why()>{verdict}</td>
                <td data-label=texts::skipped_at()>
                    <Moment at=one.at relative=true />
                </td>
                <td class="fit">
                    <button
                        id=forget_id(id)
                        type="button"
                        class="button button-plain button-small button-icon"
                        aria-label=texts::forget(id)
                        title=texts::forget(id)
                        data-test="skipped-forget"
                        on:click=move |_| forget(id)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </td>
            </tr>
        }
    };
    let table = move || {
        view! {
            <div class="table-wrap" aria-busy=move || verdicts.is_loading().to_string()>
                <table class="table">
                    <caption class="visually-hidden">{texts::skipped_calls()}</caption>
                    <thead>
                        <tr>
                            {known_heads(false, None)} <th scope="col">{texts::why()}</th>
                            <th scope="col">{texts::skipped_at()}</th>
                            <th scope="col" class="fit"></th>
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || skipped.get() key=|one| (one.id, one.at) children=row />
                    </tbody>
                </table>
            </div>
        }
    };
    let fact = move || {
        view! {
            <a class="breadcrumb" href="/calls">
                <Icon glyph=Glyph::Previous />
                {call::all_calls()}
            </a>
        }
    };
    // True while the dialog for other settings is open, for example for calls that are too short for the current ones.
    let otherwise = RwSignal::new(false);
    let listed = Signal::derive(move || skipped.get().into_iter().map(|one| one.id).collect());
    let on_sent = Callback::new(move |()| {
        skipped.load();
        look.run(());
    });
    let is_none = move || skipped.len() == 0;
    let is_busy = sending.is_busy();
    view! {
        <PageHead title=texts::skipped_calls() fact=ViewFn::from(fact)>
            <Show when=move || !is_none()>
                <WorkButton held=is_busy test="skipped-clear" on_press=clear>
                    {texts::clear_list()}
                </WorkButton>
                <WorkButton
                    held=Signal::derive(move || verdicts.is_loading() || is_busy.get())
                    test="skipped-check"
                    on_press=look_again
                >
                    {texts::check_again()}
                </WorkButton>
                <WorkButton
                    held=is_busy
                    test="skipped-otherwise"
                    on_press=Callback::new(move |()| otherwise.set(true))
                >
                    {texts::send_otherwise()}
                </WorkButton>
                <WorkButton
                    class="button button-primary"
                    held=Signal::derive(move || ready.with(Vec::is_empty) || is_busy.get())
                    test="skipped-send"
                    on_press=send
                >
                    <Icon glyph=Glyph::Send />
                    {move || match ready.with(Vec::len) {
                        0 => texts::none_to_send().to_owned(),
                        count => texts::send_again(count as u64),
                    }}
                </WorkButton>
            </Show>
        </PageHead>
        <div class="stack">
            <p class="secondary">{texts::skipped_about()}</p>
            {move || {
                verdicts.error().or(sending.refusal()).map(|error| view! { <ErrorNotice error on_retry=look /> })
            }}
            <section class="table-card as-cards" aria-label=texts::skipped_calls()>
                <Show
                    when=move || !is_none()
                    fallback=|| view! { <Empty glyph=Glyph::Calls title=texts::none_skipped() text=texts::none_skipped_about() /> }
                >
                    {table()}
                </Show>
            </section>
        </div>
        <SendCalls open=otherwise calls=listed on_sent />
    }
    .into_any()
}

/// Id of the button that removes a call from the list.
fn forget_id(id: CallId) -> String {
    format!("forget-{id}")
}

/// Cells of a call that isn't loaded yet or was deleted.
fn unknown(id: CallId) -> AnyView {
    view! {
        <td class="lead-cell nowrap">
            <CallLink id />
        </td>
        <td data-label=texts::numbers()>"–"</td>
        <td data-label=texts::lead_column()>"–"</td>
        <td data-label=texts::campaign_column()>"–"</td>
    }
    .into_any()
}

/// Number of accepted calls.
fn accepted(verdicts: &Verdicts) -> u64 {
    verdicts.values().filter(|verdict| is_taken(verdict)).count() as u64
}

/// Error of a refused send, if any.
fn refused(verdicts: &Verdicts) -> Option<&ApiError> {
    verdicts.values().find_map(|verdict| verdict.as_ref().err())
}

fn is_taken(verdict: &Result<CallOutcome, ApiError>) -> bool {
    matches!(verdict, Ok(CallOutcome::Accepted { .. }))
}

/// Checks what would happen if the calls were sent now.
async fn check(api: Api, calls: Vec<SkippedCall>) -> Answer<Verdicts> {
    submit(api, calls, true, |_, _| {}).await
}

/// Sends the calls, each with the settings of its last send. `said` receives the result of each request.
async fn submit(
    api: Api,
    calls: Vec<SkippedCall>,
    dry_run: bool,
    said: impl Fn(&SendDraft, &Outcomes),
) -> Answer<Verdicts> {
    let mut all = Verdicts::new();
    for (draft, ids) in groups(&calls) {
        // The stored settings always contain a token.
        let Ok(token) = draft.token.parse().map(TokenId) else { continue };
        match api.submit(token, draft.body(&ids), dry_run).await {
            Ok(answer) => {
                said(&draft, &answer.results.calls);
                all.extend(answer.results.calls.into_iter().map(|(id, outcome)| (id, Ok(outcome))));
            }
            Err(error) if is_about_send(&error) => all.extend(ids.into_iter().map(|id| (id, Err(error.clone())))),
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// True if the refusal is about this send only, such as a revoked token, and not about the others.
fn is_about_send(error: &ApiError) -> bool {
    matches!(error, ApiError::Problem(_)) && !error.may_pass()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn refusal_of_one_send_does_not_affect_others() {
        let problem = |status, code: &str| {
            let problem = json!({ "type": "x", "title": "x", "status": status, "code": code, "detail": "x" });
            ApiError::Problem(serde_json::from_value(problem).unwrap())
        };
        assert!(is_about_send(&problem(409, "conflict")) && is_about_send(&problem(400, "invalid_request")));
        for of_all in [problem(503, "overloaded"), ApiError::Offline, ApiError::Unauthorized] {
            assert!(!is_about_send(&of_all), "{of_all:?}");
        }
    }
}
