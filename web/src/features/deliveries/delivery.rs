//! `/deliveries/{id}`: one delivery and its attempts.

use leadscribe_engine::api::{
    ChangeEvent, Delivery, DeliveryAttempt, DeliveryDetail, DeliveryId, DeliveryState, TokenId,
};
use leptos::prelude::*;

use crate::api::{use_api, use_event_stream, use_session};
use crate::browser::query::use_path_id;
use crate::features::deliveries::list::{call_cell, response_cell};
use crate::i18n::datetime;
use crate::i18n::texts::{common, deliveries as texts, problems};
use crate::state::{ApiResource, use_toasts};
use crate::ui::callback_form::{CallbackTarget, pretty_json};
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation, Question};
use crate::ui::json_editor::JsonText;
use crate::ui::list::SkeletonCard;
use crate::ui::{
    Card, DescriptionItem, DescriptionList, EmptyState, ErrorNotice, Glyph, Icon, LocalTime, OptionalLocalTime,
    PageHeader, StateBadge,
};

#[component]
pub fn DeliveryPage() -> impl IntoView {
    let id = use_path_id(DeliveryId);
    // State belongs to one delivery: another id creates a new component, so late responses can't affect it.
    move || match id.get() {
        Some(id) => view! { <SelectedDelivery id /> }.into_any(),
        None => view! {
            <PageHeader title=texts::delivery() back=back_link() />
            <DeliveryNotFound />
        }
        .into_any(),
    }
}

/// Path and label of the link back to the list.
fn back_link() -> (&'static str, &'static str) {
    ("/deliveries", texts::all_deliveries())
}

#[component]
fn SelectedDelivery(id: DeliveryId) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let (delivery_resource, load) = ApiResource::loaded(move || api.delivery(id));
    let tokens = ApiResource::requested(api.speech_tokens());
    let is_about_delivery = move |change: &ChangeEvent| match change {
        ChangeEvent::Delivery { delivery_id, .. } => *delivery_id == id,
        ChangeEvent::Transcription { .. } => false,
    };
    use_event_stream().reload_on(is_about_delivery, move || delivery_resource.refresh(api.delivery(id)));

    let confirmation = PendingConfirmation::<(DeliveryId, ResendAction)>::new();
    let on_confirmed = Callback::new(move |(id, resend_action): (DeliveryId, ResendAction)| {
        confirmation.run(api.replay(id), move |_| {
            toasts.show_success(match resend_action {
                ResendAction::Resend => texts::delivery_queued(id),
                ResendAction::SendNow => texts::retrying_delivery(id),
            });
            load.run(());
        });
    });
    let state = move || delivery_resource.with(|detail| detail.map(|detail| detail.delivery.state));
    let resend_action = Memo::new(move |_| {
        delivery_resource.with(|detail| ResendAction::available_for(&detail?.delivery)).filter(|_| session.can_write())
    });
    // If the delivery is sent while the user confirms a resend, the dialog closes to avoid a duplicate.
    Effect::new(move |_| {
        let resend_action = resend_action.get();
        if confirmation.close_unless(|(_, confirmed_action)| Some(*confirmed_action) == resend_action) {
            toasts.show_success(texts::already_in_progress());
        }
    });
    let token_name = move |id: TokenId| {
        let name = tokens.with(|tokens| tokens?.iter().find(|token| token.id == id).map(|token| token.name.clone()));
        name.unwrap_or_else(|| texts::token_number(id))
    };
    let body = move || match (delivery_resource.error.get(), delivery_resource.get()) {
        (Some(error), _) if error.status() == Some(404) => view! { <DeliveryNotFound /> }.into_any(),
        (Some(error), _) => view! { <ErrorNotice error on_retry=load /> }.into_any(),
        (_, None) => view! { <SkeletonCard bars=6 /> }.into_any(),
        (_, Some(detail)) => {
            let token = Signal::derive({
                let id = detail.delivery.token_id;
                move || id.map_or_else(|| "–".to_owned(), token_name)
            });
            view! { <DeliveryBody detail token /> }.into_any()
        }
    };
    let note = move || state().map(|state| view! { <span data-test="delivery-state"><StateBadge state /></span> });
    view! {
        <PageHeader title=common::delivery_number(id) back=back_link() note=ViewFn::from(note)>
            {move || {
                let resend_action = resend_action.get()?;
                let request_confirmation = move |_| confirmation.request((id, resend_action));
                Some(
                    view! {
                        <button type="button" class="button" data-test="replay" on:click=request_confirmation>
                            <Icon glyph=Glyph::Rotate />
                            {resend_action.label()}
                        </button>
                    },
                )
            }}
        </PageHeader>
        {body}
        <ConfirmDialog confirmation question=confirmation_question on_confirm=on_confirmed />
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResendAction {
    /// Send a finished delivery again.
    Resend,
    /// Run the next attempt now.
    SendNow,
}

impl ResendAction {
    fn available_for(delivery: &Delivery) -> Option<Self> {
        match delivery.state {
            DeliveryState::Delivered | DeliveryState::Failed | DeliveryState::Stopped => Some(Self::Resend),
            DeliveryState::Queued => {
                delivery.next_attempt_at.filter(|at| datetime::is_future(*at)).map(|_| Self::SendNow)
            }
            DeliveryState::Waiting | DeliveryState::Delivering => None,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Resend => texts::deliver_again(),
            Self::SendNow => texts::deliver_now(),
        }
    }
}

fn confirmation_question((id, resend_action): &(DeliveryId, ResendAction)) -> Question {
    let (title, text) = match resend_action {
        ResendAction::Resend => (texts::confirm_resend(id), texts::resend_note()),
        ResendAction::SendNow => (texts::confirm_retry(id), texts::retry_note()),
    };
    Question::new(title, text, resend_action.label())
}

#[component]
fn DeliveryBody(detail: DeliveryDetail, token: Signal<String>) -> impl IntoView {
    let DeliveryDetail { delivery, attempts } = detail;
    let listed_delivery = delivery.clone();
    let count = attempts.len();
    let attempt_count = move || view! { <span class="small muted">{count.to_string()}</span> };
    let has_no_attempts = count == 0 && delivery.next_attempt_at.is_none();
    view! {
        <div class="lead-page">
            <Card title=common::attempts() title_id="attempts" header=attempt_count>
                {has_no_attempts.then(|| view! { <p class="secondary">{texts::no_attempts()}</p> })}
                <AttemptList delivery=listed_delivery attempts />
            </Card>
            <DeliveryDetailsCard delivery token />
        </div>
    }
}

#[component]
fn DeliveryDetailsCard(delivery: Delivery, token: Signal<String>) -> impl IntoView {
    let template = delivery.callback.callback_data.clone();
    let template = template.map(|text| {
        let text = pretty_json(&text);
        view! {
            <section class="card">
                <div class="card-header">
                    <h2>{common::body_template()}</h2>
                </div>
                <JsonText text=Signal::stored(text) label=common::body_template() test_id="delivery-template" />
            </section>
        }
    });
    let request = delivery.speech_request_id.map(|id| {
        view! {
            <DescriptionItem label=texts::request()>
                <a href=format!("/deliveries?speech_request_id={id}")>{problems::request(id)}</a>
            </DescriptionItem>
        }
    });
    let call = call_cell(&delivery);
    view! {
        <div class="stack">
            <section class="card card-body" aria-label=texts::details()>
                <DescriptionList>
                    <DescriptionItem label=common::call()>{call}</DescriptionItem>
                    <DescriptionItem label=texts::endpoint()>
                        <CallbackTarget callback=delivery.callback />
                    </DescriptionItem>
                    <DescriptionItem label=common::token()>{token}</DescriptionItem>
                    {request}
                    <DescriptionItem label=texts::last_response()>{response_cell(delivery.last_status, delivery.last_error)}</DescriptionItem>
                    <DescriptionItem label=common::created()>
                        <LocalTime at=delivery.created_at />
                    </DescriptionItem>
                    <DescriptionItem label=texts::ended()>
                        <OptionalLocalTime at=delivery.finished_at />
                    </DescriptionItem>
                </DescriptionList>
            </section>
            {template}
        </div>
    }
}

#[component]
fn DeliveryNotFound() -> impl IntoView {
    let (title, text) = (texts::delivery_not_found(), common::may_have_been_deleted());
    view! { <EmptyState glyph=Glyph::Deliveries title text link=back_link() /> }
}

/// The attempts, latest first, preceded by the next one.
#[component]
fn AttemptList(delivery: Delivery, attempts: Vec<DeliveryAttempt>) -> impl IntoView {
    let is_delivering = delivery.state == DeliveryState::Delivering;
    let next_attempt_at = delivery.next_attempt_at;
    let next_attempt_text = move || match next_attempt_at.filter(|_| !is_delivering) {
        None => texts::in_progress().to_owned(),
        Some(at) if datetime::is_future(at) => texts::next_attempt(datetime::format_relative(at)),
        Some(at) => texts::next_attempt_due(datetime::format_relative(at)),
    };
    let next_item = (is_delivering || next_attempt_at.is_some()).then(|| {
        view! {
            <li class="attempt attempt-next" data-test="attempt-next">
                <span class="attempt-mark"><Icon glyph=Glyph::Clock /></span>
                <span class="strong">{next_attempt_text}</span>
            </li>
        }
    });
    let items = attempts.into_iter().rev().map(attempt_item).collect_view();
    view! { <ol>{next_item} {items}</ol> }
}

fn attempt_item(attempt: DeliveryAttempt) -> impl IntoView {
    let (glyph, tone) = match attempt.error {
        None => (Glyph::Check, "attempt-mark tone-success"),
        Some(_) => (Glyph::Close, "attempt-mark tone-danger"),
    };
    view! {
        <li class="attempt" data-test="attempt" data-number=attempt.number.to_string()>
            <span class=tone><Icon glyph /></span>
            <div class="stack-tight">
                <div class="row">
                    <span class="strong">{texts::attempt(attempt.number)}</span>
                    <span class="secondary small"><LocalTime at=attempt.started_at /></span>
                    <span class="muted small">{format_duration(attempt.duration_ms)}</span>
                </div>
                {response_cell(attempt.status, attempt.error)}
            </div>
        </li>
    }
}

/// Formats a duration: `< 1 ms`, `12 ms`, `1.5 s`.
fn format_duration(milliseconds: u32) -> String {
    match milliseconds {
        0 => texts::under_one_millisecond().to_owned(),
        1..1_000 => texts::milliseconds_text(milliseconds),
        _ => common::seconds(datetime::format_tenths(f64::from(milliseconds) / 1_000.0)),
    }
}
