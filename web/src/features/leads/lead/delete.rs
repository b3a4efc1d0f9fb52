//! Deletes a lead, for example on request of the person it is about.

use leadscribe_engine::api::LeadId;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::session::use_session;
use crate::api::use_api;
use crate::i18n::texts::lead as texts;
use crate::state::toasts::use_toasts;
use crate::ui::dialog::confirm::{ConfirmDialog, PendingConfirmation, Question};
use crate::ui::icon::{Glyph, Icon};

/// Delete button with its confirmation, for users with the permission.
#[component]
pub fn DeleteLead(
    /// The shown lead; `None` while it is loaded or if it doesn't exist.
    lead: Signal<Option<LeadId>>,
    /// True while the lead is loading. The button is disabled, so that the layout doesn't shift.
    is_pending: Signal<bool>,
    /// Name of the lead.
    title: Signal<String>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let navigate = use_navigate();
    let confirmation = PendingConfirmation::<(LeadId, String)>::new();
    let on_confirm = Callback::new(move |(id, name): (LeadId, String)| {
        let navigate = navigate.clone();
        confirmation.mutation().start(api.delete_lead(id), move |()| {
            confirmation.close();
            toasts.show_success(texts::is_deleted(&name));
            navigate("/leads", Default::default());
        });
    });
    let request_confirmation = move |_| {
        if let Some(id) = lead.get_untracked() {
            confirmation.request((id, title.get_untracked()));
        }
    };
    view! {
        <Show when=move || session.can_write() && (is_pending.get() || lead.with(Option::is_some))>
            <button type="button" class="button" disabled=is_pending data-test="delete-lead" on:click=request_confirmation>
                <Icon glyph=Glyph::Trash />
                {texts::delete()}
            </button>
        </Show>
        <ConfirmDialog confirmation question=confirmation_question on_confirm />
    }
    .into_any()
}

fn confirmation_question((_, name): &(LeadId, String)) -> Question {
    Question { title: texts::delete_title(name), text: texts::delete_text().to_owned(), action: texts::delete() }
}
