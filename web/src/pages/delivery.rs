//! `/deliveries/{id}`: one delivery and its attempts.

use leadscribe_engine::api::{Change, Delivery, DeliveryDetail, DeliveryId, DeliveryState, SpeechToken, TokenId};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::api::use_api;
use crate::components::badge::DeliveryBadge;
use crate::components::delivery::attempt_list::AttemptList;
use crate::components::delivery::callback_form::pretty;
use crate::components::delivery::callback_target::CallbackTarget;
use crate::components::delivery::table::{about, answer};
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::fact_list::{Fact, FactList};
use crate::components::icon::{Glyph, Icon};
use crate::components::json_editor::JsonText;
use crate::components::list::table::SkeletonCard;
use crate::components::moment::{MaybeMoment, Moment};
use crate::components::shell::page_head::PageHead;
use crate::components::shell::toast::use_toasts;
use crate::live::use_live;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::deliveries as texts;
use crate::when;

#[component]
pub fn DeliveryPage() -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(DeliveryId));
    let found = Remote::<DeliveryDetail>::new();
    let tokens = Remote::<Vec<SpeechToken>>::new();
    tokens.load(api.speech_tokens());
    let load = Callback::new(move |()| match id.get_untracked() {
        Some(id) => found.load(api.delivery(id)),
        None => found.clear(),
    });
    Effect::new(move |_| {
        found.clear();
        id.get();
        load.run(());
    });
    let refresh = move || {
        if let Some(id) = id.get_untracked() {
            found.refresh(api.delivery(id));
        }
    };
    let is_this = move |change: &Change| match change {
        Change::Delivery { delivery_id, .. } => id.try_get_untracked().flatten() == Some(*delivery_id),
        Change::Transcription { .. } => false,
    };
    use_live().reload(is_this, refresh);

    let doubt = Doubt::<(DeliveryId, Again)>::new();
    let confirmed = Callback::new(move |(id, again): (DeliveryId, Again)| {
        doubt.attempt().start(api.replay(id), move |_| {
            doubt.close();
            toasts.done(match again {
                Again::OnceMore => texts::queued_again(id),
                Again::Sooner => texts::due_now(id),
            });
            load.run(());
        });
    });
    let state = Signal::derive(move || found.with(|detail| detail.map(|detail| detail.delivery.state)));
    let again = Memo::new(move |_| found.with(|detail| Again::of(&detail?.delivery)).filter(|_| session.may_write()));
    // If the delivery is sent while the user confirms a resend, the dialog closes to avoid a duplicate.
    Effect::new(move |_| {
        let again = again.get();
        if doubt.close_unless(|(_, asked)| Some(*asked) == again) {
            toasts.done(texts::went_on_meanwhile());
        }
    });
    let title = Signal::derive(move || id.get().map_or_else(|| texts::delivery().to_owned(), texts::delivery_number));
    let token_name = move |id: TokenId| {
        let name = tokens.with(|tokens| tokens?.iter().find(|token| token.id == id).map(|token| token.name.clone()));
        name.unwrap_or_else(|| texts::token_number(id))
    };
    let body = move || match (id.get(), found.error(), found.get()) {
        (None, ..) => view! { <NoSuchDelivery /> }.into_any(),
        (_, Some(error), _) if error.status() == Some(404) => view! { <NoSuchDelivery /> }.into_any(),
        (_, Some(error), _) => view! { <ErrorNotice error on_retry=load /> }.into_any(),
        (_, _, None) => view! { <SkeletonCard bars=6 /> }.into_any(),
        (_, _, Some(detail)) => {
            let token = Signal::derive({
                let id = detail.delivery.token_id;
                move || token_name(id)
            });
            view! { <Detail detail token /> }.into_any()
        }
    };
    let fact = move || {
        view! {
            <a class="breadcrumb" href="/deliveries">
                <Icon glyph=Glyph::Previous />
                {texts::all_deliveries()}
            </a>
            {state.get().map(|state| view! { <span data-test="delivery-state"><DeliveryBadge state /></span> })}
        }
    };
    view! {
        <PageHead title fact=ViewFn::from(fact)>
            {move || {
                let again = again.get()?;
                let ask = move |_| id.get_untracked().into_iter().for_each(|id| doubt.ask((id, again)));
                Some(
                    view! {
                        <button type="button" class="button" data-test="replay" on:click=ask>
                            <Icon glyph=Glyph::Rotate />
                            {again.name()}
                        </button>
                    },
                )
            }}
        </PageHead>
        {body}
        <ConfirmDialog doubt question=question on_confirm=confirmed />
    }
    .into_any()
}

/// Action for a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    /// Send a finished delivery again.
    OnceMore,
    /// Run the next attempt now.
    Sooner,
}

impl Again {
    fn of(delivery: &Delivery) -> Option<Self> {
        match delivery.state {
            DeliveryState::Delivered | DeliveryState::Failed | DeliveryState::Stopped => Some(Self::OnceMore),
            DeliveryState::Queued => delivery.next_attempt_at.filter(|at| when::is_ahead(*at)).map(|_| Self::Sooner),
            DeliveryState::Delivering => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::OnceMore => texts::deliver_again(),
            Self::Sooner => texts::deliver_now(),
        }
    }
}

fn question((id, again): &(DeliveryId, Again)) -> Question {
    let (title, text) = match again {
        Again::OnceMore => (texts::ask_again(id), texts::same_again()),
        Again::Sooner => (texts::ask_now(id), texts::now_why()),
    };
    Question { title, text: text.to_owned(), action: again.name() }
}

#[component]
fn Detail(detail: DeliveryDetail, token: Signal<String>) -> impl IntoView {
    let DeliveryDetail { delivery, attempts } = detail;
    let shown = delivery.clone();
    let count = attempts.len();
    view! {
        <div class="lead-page">
            <section class="card" aria-labelledby="attempts">
                <div class="card-head">
                    <h2 id="attempts">{texts::attempts()}</h2>
                    <span class="small muted">{count.to_string()}</span>
                </div>
                <div class="card-body">
                    {(count == 0 && delivery.next_attempt_at.is_none())
                        .then(|| view! { <p class="secondary">{texts::none_attempted()}</p> })}
                    <AttemptList delivery=shown attempts />
                </div>
            </section>
            <Facts delivery token />
        </div>
    }
}

#[component]
fn Facts(delivery: Delivery, token: Signal<String>) -> impl IntoView {
    let template = delivery.callback.callback_data.clone();
    let template = template.map(|text| {
        let text = pretty(&text);
        view! {
            <section class="card">
                <div class="card-head">
                    <h2>{texts::template()}</h2>
                </div>
                <JsonText text=Signal::stored(text) label=texts::template() test="delivery-template" />
            </section>
        }
    });
    let request = delivery.speech_request_id.map(|id| {
        view! {
            <Fact label=texts::request()>
                <a href=format!("/deliveries?speech_request_id={id}")>{texts::request_number(id)}</a>
            </Fact>
        }
    });
    view! {
        <div class="stack">
            <section class="card card-body" aria-label=texts::facts()>
                <FactList>
                    <Fact label=texts::call()>{about(delivery.call_id)}</Fact>
                    <Fact label=texts::endpoint()>
                        <CallbackTarget callback=delivery.callback />
                    </Fact>
                    <Fact label=texts::token()>{token}</Fact>
                    {request}
                    <Fact label=texts::last_answer()>{answer(delivery.last_status, delivery.last_error)}</Fact>
                    <Fact label=texts::created()>
                        <Moment at=delivery.created_at />
                    </Fact>
                    <Fact label=texts::ended()>
                        <MaybeMoment at=delivery.finished_at />
                    </Fact>
                </FactList>
            </section>
            {template}
        </div>
    }
}

#[component]
fn NoSuchDelivery() -> impl IntoView {
    view! {
        <Empty glyph=Glyph::Deliveries title=texts::no_such_delivery() text=texts::may_be_purged()>
            <a class="button" href="/deliveries">
                {texts::all_deliveries()}
            </a>
        </Empty>
    }
}
